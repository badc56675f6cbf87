import { DomainError } from '../../errors.ts';
import { platforms } from '../../platforms.ts';
import type { Limits } from '../limits/index.ts';
import {
  type AccountCaller,
  accountNameOf,
  bindingWorkspace,
  type ChatCaller,
  type ChatUser,
  type ClientInfo,
} from '../people/index.ts';
import type { Deduplication } from './deduplication.ts';
import type { Identities } from './identities/identities.ts';

export type Admit = ReturnType<typeof createAdmission>['admit'];

type Dependencies = {
  identities: Pick<Identities, 'accountOf' | 'saveLocale'>;
  deduplication: Deduplication;
  limits: Limits;
};

/** The client info of a chat caller: the chat itself. */
export const chatClientOf = ({ platform }: Pick<ChatUser, 'platform'>): ClientInfo => ({
  ip: '',
  userAgent: platforms[platform].name,
  referrer: '',
  isPreviewer: () => false,
});

/**
 * Every chat command starts here. Returns the caller with their account, and creates that on first use. Throws
 * `too_many` if the caller does too much, and `conflict` if the platform delivers an event again.
 */
export function createAdmission({ identities, deduplication, limits }: Dependencies) {
  const nameOf = ({ chatUser, idempotencyKey }: ChatCaller) => `${chatUser.platform} ${idempotencyKey}`;

  async function admit(caller: ChatCaller): Promise<Omit<AccountCaller, 'token'>> {
    const { chatUser, idempotencyKey } = caller;
    bindingWorkspace(caller);
    const [account, isNew] = await Promise.all([
      identities.accountOf(chatUser),
      idempotencyKey === null || deduplication.isNew(nameOf(caller)),
      limits.consume('command', { chatUser: accountNameOf(chatUser) }),
    ]);
    await identities.saveLocale(caller);
    if (!isNew) throw new DomainError('conflict', 'alreadyDone');
    return { account, client: chatClientOf(chatUser) };
  }

  /** Lets a caller whose command was refused, so that nothing was done, send it again with the same key. */
  async function readmit(caller: ChatCaller): Promise<void> {
    if (caller.idempotencyKey !== null) await deduplication.forget(nameOf(caller));
  }

  return { admit, readmit };
}
