import { type Database, inList, type Tx } from '../../database/database.ts';
import type { PushRow } from './push.ts';
import { type FoundRow, type LinkedRow, linkColumns, toLinkedRow } from './recipientLink.ts';
import { pushColumns, toPushRow } from './tables.ts';

/** A locked push as it was read, and how many views of it the transaction is going to count. */
export type LockedPush = {
  row: PushRow;
  payload: Buffer | null;
  filesKey: Buffer | null;
  views: number;
  /** How many of these views were reserved for recipients. */
  reservedViews: number;
};

/** A locked push through one of its links, and how many views the transaction is going to count for its recipient. */
export type LockedLink = { push: LockedPush; row: LinkedRow; recipientViews: number };

/** Links by the digests of their url tokens, in hex, and which of the others exist but were skipped. */
type LockedLinks = { links: Map<string, LockedLink>; skipped: Set<string> };

type Found = FoundRow & Pick<LockedPush, 'payload' | 'filesKey'> & { digest: Buffer };
type Stored = { digest: Buffer; isOwn: number };

/** What to do about a row that another transaction has locked. */
export type WhenLocked = 'wait' | 'skip';

const hex = (bytes: Buffer) => bytes.toString('hex');

/** Reads pushes with their payloads and locks them until the transaction ends. */
export function createPushLock({ dialect }: Database) {
  const columns = `${pushColumns(dialect.now)}, payload, files_key AS filesKey`;
  const locks = { wait: dialect.forUpdate, skip: dialect.skipLocked };

  /**
   * Finds pushes by the digests of their url tokens, or of their recipients', and locks the recipients too. Links of one
   * push share one LockedPush.
   */
  return async function lockPushes(digests: Buffer[], whenLocked: WhenLocked, tx: Tx): Promise<LockedLinks> {
    const pushes = new Map<string, LockedPush>();
    const links = new Map<string, LockedLink>();
    const missing = new Map(digests.map((digest) => [hex(digest), digest]));

    function add({ digest, payload, filesKey, ...found }: Found): void {
      const row = toLinkedRow(toPushRow(found));
      const id = hex(row.id);
      const push = pushes.get(id) ?? { row: row.push, payload, filesKey, views: 0, reservedViews: 0 };
      pushes.set(id, push);
      links.set(hex(digest), { push, row, recipientViews: 0 });
      missing.delete(hex(digest));
    }

    for (const found of await lockOwn([...missing.values()], whenLocked, tx)) add(found);
    if (missing.size === 0) return { links, skipped: new Set() };
    const maySkip = whenLocked === 'skip' && dialect.skipLocked !== '';
    const stored = maySkip ? await findStored([...missing.values()], tx) : [];
    const invited = maySkip
      ? stored.filter(({ isOwn }) => !isOwn).map(({ digest }) => digest)
      : missing.values();
    for (const found of await lockInvited([...invited], whenLocked, tx)) add(found);
    return {
      links,
      skipped: new Set(stored.map(({ digest }) => hex(digest)).filter((key) => missing.has(key))),
    };
  };

  function lockOwn(digests: Buffer[], whenLocked: WhenLocked, tx: Tx): Promise<Found[]> {
    const { names, binds } = inList(digests);
    return tx.select<Found>(
      `SELECT ${columns}, token_digest AS digest FROM pushes WHERE token_digest IN (${names}) ${locks[whenLocked]}`,
      binds,
    );
  }

  /** Locks both rows, each recipient before the push. */
  async function lockInvited(digests: Buffer[], whenLocked: WhenLocked, tx: Tx): Promise<Found[]> {
    if (digests.length === 0) return [];
    const { names, binds } = inList(digests);
    return tx.select<Found>(
      `SELECT ${columns}, r.token_digest AS digest, ${linkColumns}
       FROM push_recipients r JOIN pushes ON pushes.id = r.push_id
       WHERE r.token_digest IN (${names}) ${locks[whenLocked]}`,
      binds,
    );
  }

  /** Which of these digests are of links, whoever has locked their rows. */
  function findStored(digests: Buffer[], tx: Tx): Promise<Stored[]> {
    const { names, binds } = inList(digests);
    return tx.select<Stored>(
      `SELECT token_digest AS digest, 1 AS isOwn FROM pushes WHERE token_digest IN (${names})
       UNION ALL SELECT token_digest AS digest, 0 AS isOwn FROM push_recipients WHERE token_digest IN (${names})`,
      binds,
    );
  }
}
