import { DomainError } from '../../errors.ts';
import type { Account } from '../accounts/accounts.ts';
import type { ClientInfo } from '../audit/audit.ts';
import type { Limits } from '../limits/limits.ts';
import { accountNameOf, type ChatCaller, type ChatUser, type Platform } from './chatUser.ts';
import type { Deduplication } from './deduplication.ts';
import type { Identities } from './identities/identities.ts';

/** A chat caller with their account, as the rest of the domain knows callers. */
export type AdmittedCaller = { account: Account; client: ClientInfo };

export type Admit = ReturnType<typeof createAdmission>;

type Dependencies = {
  identities: Pick<Identities, 'accountOf'>;
  deduplication: Deduplication;
  limits: Limits;
};

const userAgents: Record<Platform, string> = { slack: 'Slack', discord: 'Discord' };

/** What is known of the client of a chat caller: the chat itself. */
export const chatClientOf = ({ platform }: ChatUser): ClientInfo => ({
  ip: '',
  userAgent: userAgents[platform],
  referrer: '',
  isPreviewer: false,
});

/**
 * Every command of a chat starts here. Gives the caller's account, and creates it on first use. Refuses with `too_many`
 * callers who do too much, and with `conflict` what the platform delivers again.
 */
export function createAdmission({ identities, deduplication, limits }: Dependencies) {
  return async function admit({ chatUser, idempotencyKey }: ChatCaller): Promise<AdmittedCaller> {
    const [account, isNew] = await Promise.all([
      identities.accountOf(chatUser),
      idempotencyKey === undefined || deduplication.isNew(`${chatUser.platform} ${idempotencyKey}`),
      limits.consume('commands', { name: accountNameOf(chatUser) }),
    ]);
    if (!isNew) throw new DomainError('conflict', 'alreadyDone');
    return { account, client: chatClientOf(chatUser) };
  };
}
