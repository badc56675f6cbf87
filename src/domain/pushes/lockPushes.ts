import { type Database, inList, type Tx } from '../../database/database.ts';
import type { PushRow } from './push.ts';
import { pushColumns, toPushRow } from './tables.ts';

/** A locked push as it was read, and how many views of it the transaction is going to count. */
export type LockedPush = { row: PushRow; payload: Buffer | null; filesKey: Buffer | null; views: number };
type FoundPush = PushRow & Pick<LockedPush, 'payload' | 'filesKey'> & { digest: Buffer };

/** What to do about a row that another transaction has locked. */
export type WhenLocked = 'wait' | 'skip';

/** Reads pushes with their payloads and locks them until the transaction ends. */
export function createPushLock({ dialect }: Database) {
  const columns = `${pushColumns(dialect.now)}, payload, files_key AS filesKey, token_digest AS digest`;
  const locks = { wait: dialect.forUpdate, skip: dialect.skipLocked };

  /** Finds pushes by the digests of their url tokens. The result is by digest, in hex. */
  return async function lockPushes(digests: Buffer[], whenLocked: WhenLocked, tx: Tx) {
    const distinct = new Map(digests.map((digest) => [digest.toString('hex'), digest]));
    const { names, binds } = inList([...distinct.values()]);
    const select = `SELECT ${columns} FROM pushes WHERE token_digest IN (${names}) ${locks[whenLocked]}`;
    const found = await tx.select<FoundPush>(select, binds);
    return new Map<string, LockedPush>(
      found.map(({ digest, payload, filesKey, ...row }) => [
        digest.toString('hex'),
        { row: toPushRow(row), payload, filesKey, views: 0 },
      ]),
    );
  };
}
