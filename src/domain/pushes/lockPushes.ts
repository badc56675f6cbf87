import { type Database, inList, type Tx } from '../../database/database.ts';
import type { PushRow } from './push.ts';
import { pushColumns, toPushRow } from './tables.ts';

/** A locked push as it was read, and how many views of it the transaction is going to count. */
export type LockedPush = { row: PushRow; payload: Buffer | null; filesKey: Buffer | null; views: number };
/** Pushes by the digests of their url tokens, in hex, and which of the others exist but were skipped. */
type LockedPushes = { pushes: Map<string, LockedPush>; skipped: Set<string> };

type FoundPush = PushRow & Pick<LockedPush, 'payload' | 'filesKey'> & { digest: Buffer };

/** What to do about a row that another transaction has locked. */
export type WhenLocked = 'wait' | 'skip';

/** Reads pushes with their payloads and locks them until the transaction ends. */
export function createPushLock({ dialect }: Database) {
  const columns = `${pushColumns(dialect.now)}, payload, files_key AS filesKey, token_digest AS digest`;
  const locks = { wait: dialect.forUpdate, skip: dialect.skipLocked };

  /** Finds pushes by the digests of their url tokens. */
  return async function lockPushes(digests: Buffer[], whenLocked: WhenLocked, tx: Tx): Promise<LockedPushes> {
    const missing = new Map(digests.map((digest) => [digest.toString('hex'), digest]));
    const { names, binds } = inList([...missing.values()]);
    const select = `SELECT ${columns} FROM pushes WHERE token_digest IN (${names}) ${locks[whenLocked]}`;
    const found = await tx.select<FoundPush>(select, binds);
    const pushes = new Map<string, LockedPush>();
    for (const { digest, payload, filesKey, ...row } of found) {
      pushes.set(digest.toString('hex'), { row: toPushRow(row), payload, filesKey, views: 0 });
      missing.delete(digest.toString('hex'));
    }
    const maySkip = whenLocked === 'skip' && dialect.skipLocked !== '' && missing.size > 0;
    return { pushes, skipped: maySkip ? await findStored([...missing.values()], tx) : new Set() };
  };

  /** Which of these digests are of pushes, whoever has locked them. */
  async function findStored(digests: Buffer[], tx: Tx): Promise<Set<string>> {
    const { names, binds } = inList(digests);
    const select = `SELECT token_digest AS digest FROM pushes WHERE token_digest IN (${names})`;
    const found = await tx.select<{ digest: Buffer }>(select, binds);
    return new Set(found.map(({ digest }) => digest.toString('hex')));
  }
}
