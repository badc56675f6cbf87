import type { Database } from '../../database/database.ts';
import { DomainError } from '../../errors.ts';
import type { ChatOffer, Holder, ProvedChatUser, StepUp } from '../accounts/index.ts';
import type { OneTimeLinks } from '../base/index.ts';
import type { Account } from '../people/index.ts';
import type { Identities } from './identities/identities.ts';
import type { LinkRequests } from './linkRequests.ts';

type Dependencies = {
  database: Database;
  links: OneTimeLinks;
  linkRequests: LinkRequests;
  identities: Identities;
  stepUp: StepUp;
};

/**
 * Chat users whom their chat's own identity provider vouches for (“Sign in with Slack”). The chat has asked them who they are; the owner
 * of the account confirms here, and nobody else can.
 */
export function createProvedLinks({ database, links, linkRequests, identities, stepUp }: Dependencies) {
  /** Throws `not_found` once it is done or too old, and `conflict` for somebody who is signed in to another account. */
  async function preview(token: string, account: Pick<Account, 'id'>): Promise<ProvedChatUser> {
    const { account: id, ...proved } = await links.read<ChatOffer>('linkChat', token);
    if (id !== account.id.toString('hex')) throw new DomainError('conflict', 'providerIdentityTaken');
    return proved;
  }

  /** Throws like `preview` and `identities.link`, and `forbidden` for whoever has not signed in just now. */
  async function confirm(token: string, account: Account & Holder): Promise<void> {
    const proved = await preview(token, account);
    await stepUp.requireFresh(account);
    const { effect } = await identities.previewLink(proved.chatUser, account);
    await database.transaction(async (tx) => {
      await links.consume(token, tx);
      if (effect !== 'nothing') await linkRequests.linkProved(proved, account, tx);
    });
  }

  return { preview, confirm };
}
