import { randomUUID } from 'node:crypto';
import type { Passwords } from '../../crypto/passwords.ts';
import type { DomainSettings } from '../base/index.ts';
import type { ClientInfo } from '../people/index.ts';
import { createFairQueue, type QueueClient, type QueueLimits } from './fairQueue.ts';
import { hashing } from './rules.ts';
import { clientKey } from './subjects.ts';

/** The client that a hash is for. */
export type HashCaller = { account: { id: Buffer } | null; client: ClientInfo };

/** Hashes and verifies one kind of password, in turns with other callers. Refuses callers beyond the queue's limits. */
export type PasswordHasher = ReturnType<typeof createHasher>;

/** One hasher for the passwords of accounts, and one for the passphrases of pushes. */
export function createPasswordHashers(
  passwords: Passwords,
  { limits, hashCostMax = Number.POSITIVE_INFINITY }: Pick<DomainSettings, 'limits' | 'hashCostMax'>,
) {
  const queueClientOf = limits === 'off' ? asNewClient : asClient;
  const create = ({ cost, ...queueLimits }: QueueLimits & { cost: number }) =>
    createHasher(passwords, { cost: Math.min(cost, hashCostMax), ...queueLimits }, queueClientOf);
  return { account: create(hashing.account), passphrase: create(hashing.passphrase) };
}

function createHasher(
  passwords: Passwords,
  { cost, ...limits }: QueueLimits & { cost: number },
  queueClientOf: (caller: HashCaller | undefined) => QueueClient,
) {
  const queue = createFairQueue(limits);
  return {
    hash: (password: string, caller?: HashCaller): Promise<string> =>
      queue.run(queueClientOf(caller), () => passwords.hash(password, cost)),
    /** Whether one of these texts is the password, in one turn. */
    verify: (texts: string | readonly string[], hash: string, caller: HashCaller): Promise<boolean> =>
      queue.run(queueClientOf(caller), async () => {
        for (const text of [texts].flat()) if (await passwords.verify(text, hash)) return true;
        return false;
      }),
    /** Throws for a caller whose password would not be hashed now, before anything else is done for it. */
    requireRoom: (caller: HashCaller): void => queue.requireRoom(queueClientOf(caller)),
    counts: queue.counts,
  };
}

/** Chat users have no address: they take turns by account. An operator is one client. */
function asClient(caller: HashCaller | undefined): QueueClient {
  if (caller === undefined) return { key: 'operator' };
  const { account, client } = caller;
  return {
    key: client.ip === '' ? String(account?.id.toString('hex')) : clientKey(client),
    isGone: client.isGone,
  };
}

/** Without limits, clients are not told apart: behind a proxy that is not trusted, all have the same address. */
function asNewClient(caller: HashCaller | undefined): QueueClient {
  return { key: randomUUID(), isGone: caller?.client.isGone };
}
