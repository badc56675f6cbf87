import { z } from 'zod';
import { DomainError, unavailable } from '../../errors.ts';
import type { Account } from '../accounts/account.ts';
import { requestSchema } from '../requests/create.ts';
import type { SecretRequest } from '../requests/request.ts';
import type { Requests } from '../requests/requests.ts';
import { asMessage, parseInput } from '../validation.ts';
import type { Admit } from './admission.ts';
import { addressWorkspace, type ChatUser, maybeChatUserOf } from './chatUser.ts';
import type { Identities } from './identities/identities.ts';

type Dependencies = { admit: Admit; identities: Pick<Identities, 'list'>; requests: Requests };

const notAnAddress = asMessage({ code: 'chatAddress' });

export type SecretRequestSchema = typeof secretRequestSchema;

/** The input of a request that is not made in a chat. */
export const secretRequestSchema = requestSchema.extend({
  from: z
    .string(notAnAddress)
    .regex(/^(?:slack:[A-Z0-9]+:[UW][A-Z0-9]+|discord:\d{17,20})$/, notAnAddress)
    .meta({ description: 'Who to ask, as slack:TEAM:USER or discord:USER with the ids of the chat' }),
});

/** Requests secrets for accounts. */
export function createSecretRequesting({ admit, identities, requests }: Dependencies) {
  /**
   * Requests a secret from a chat user, as the account's own user in that chat: the one who has been linked for longest,
   * in Slack of the same workspace. The answer gets there. Throws `forbidden` if the account has no user there, and
   * otherwise like `admit` and `requests.create`.
   */
  return async function requestSecret(account: Account, input: unknown): Promise<SecretRequest> {
    const { from, ...request } = parseInput(secretRequestSchema, input);
    const provider = maybeChatUserOf(from);
    const requester = provider && (await maybeUserBeside(provider, account));
    if (!requester) throw new DomainError('forbidden', 'notInChat');
    if (requester.address === provider.address)
      throw new DomainError('invalid', { problems: { from: [{ code: 'self' }] } });
    const admitted = await admit({ chatUser: requester, workspace: addressWorkspace(requester) });
    // They may have been linked to another account meanwhile.
    if (!admitted.account.id.equals(account.id)) throw unavailable('accountChanged');
    const [created] = await requests.create(requester, [provider], request);
    return created;
  };

  async function maybeUserBeside(other: ChatUser, account: Account): Promise<ChatUser | undefined> {
    const users = await identities.list(account);
    const found = users.find(
      (user) => user.platform === other.platform && addressWorkspace(user) === addressWorkspace(other),
    );
    return found && { platform: found.platform, address: found.address };
  }
}
