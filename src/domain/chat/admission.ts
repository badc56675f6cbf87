import { DomainError } from '../../errors.ts';
import { platforms } from '../../platforms.ts';
import type { Limits } from '../limits/index.ts';
import {
  type AccountCaller,
  accountNameOf,
  type ChatCaller,
  type ChatUser,
  type ClientInfo,
} from '../people/index.ts';
import type { Deduplication } from './deduplication.ts';
import type { Identities } from './identities/identities.ts';

export type Admit = ReturnType<typeof createAdmission>;

type Dependencies = {
  identities: Pick<Identities, 'accountOf' | 'saveLocale'>;
  deduplication: Deduplication;
  limits: Limits;
};

/** The client info of a chat caller: the chat itself. */
export const chatClientOf = ({ platform }: ChatUser): ClientInfo => ({
  ip: '',
  userAgent: platforms[platform].name,
  referrer: '',
  isPreviewer: false,
});

/**
 * Every chat command starts here. Returns the caller with their account, and creates that on first use. Throws
 * `too_many` if the caller does too much, and `conflict` if the platform delivers an event again.
 */
export function createAdmission({ identities, deduplication, limits }: Dependencies) {
  return async function admit(caller: ChatCaller): Promise<AccountCaller> {
    const { chatUser, idempotencyKey } = caller;
    const [account, isNew] = await Promise.all([
      identities.accountOf(chatUser),
      idempotencyKey === undefined || deduplication.isNew(`${chatUser.platform} ${idempotencyKey}`),
      limits.consume('command', { chatUser: accountNameOf(chatUser) }),
    ]);
    await identities.saveLocale(caller);
    if (!isNew) throw new DomainError('conflict', 'alreadyDone');
    return { account, client: chatClientOf(chatUser) };
  };
}
