import type { Keyring } from '../../crypto/keyring.ts';
import { randomBytes } from '../../crypto/random.ts';
import type { Database } from '../../database/database.ts';
import { unavailable } from '../../errors.ts';
import { hourMs } from '../../time.ts';
import { newObjectName, objectPrefix } from './objects.ts';
import type { FileStore } from './store.ts';

type Dependencies = { database: Database; keyring: Keyring; store: FileStore };

/** The result of comparing the database with the store. */
export type Comparison = {
  /** Files that are where they should be. */
  stored: number;
  /** Names in the store without a row, and how many of them were removed. */
  strays: number;
  removed: number;
  /** Files of pushes that are missing in the store. */
  missing: number;
};

type StoredObject = { name: string; changedAt: number };
type FileRow = { object: string; isAttached: boolean | number };

const pageSize = 500;
/** Long enough that hours of difference between the clocks of the store and this process do no harm. */
const strayMs = 24 * hourMs;

/**
 * Compares the rows with the store, reading both in the order of names. A row is written before its bytes and deleted
 * after them, so the two differ only after an accident, such as restoring the database from a backup, or in the
 * middle of a change. So each difference is checked again.
 */
export function createReconciliation({ database: { select, dialect }, keyring, store }: Dependencies) {
  /** Removes stored files without a row once they are a day old, and reports what it found. */
  const reconcile = (isStopping = () => false) => compare({ removeStrays: true, isStopping });

  /** Only reports. */
  const inspect = () => compare({ removeStrays: false, isStopping: () => false });

  type CompareOptions = { removeStrays: boolean; isStopping: () => boolean };

  async function compare({ removeStrays, isStopping }: CompareOptions): Promise<Comparison> {
    const comparison = { stored: 0, strays: 0, removed: 0, missing: 0 };
    for await (const { object, row } of pairsByName(store.list(objectPrefix(keyring)), eachRow())) {
      if (isStopping()) break;
      if (object && row) comparison.stored += 1;
      else if (object) await handleStray(object, removeStrays, comparison);
      else if (await isMissing(row)) comparison.missing += 1;
    }
    return comparison;
  }

  async function handleStray(
    { name, changedAt }: StoredObject,
    removes: boolean,
    comparison: Comparison,
  ): Promise<void> {
    if ((await select('SELECT 1 FROM files WHERE object = $name', { name })).length > 0) return;
    comparison.strays += 1;
    if (!removes || Date.now() - changedAt < strayMs) return;
    await store.remove(name);
    comparison.removed += 1;
  }

  async function isMissing(row: FileRow | undefined): Promise<boolean> {
    if (!row?.isAttached) return false;
    const sql = `SELECT 1 FROM files WHERE object = $object AND shred_at > ${dialect.now}`;
    const { object } = row;
    return (await store.sizeOf(object)) === null && (await select(sql, { object })).length > 0;
  }

  async function* eachRow(): AsyncGenerator<FileRow> {
    for (let after = ''; ; ) {
      const page = await select<FileRow>(
        `SELECT object, label IS NOT NULL AS isAttached FROM files WHERE object > $after ORDER BY object LIMIT ${pageSize}`,
        { after },
      );
      yield* page;
      after = page.at(-1)?.object ?? after;
      if (page.length < pageSize) return;
    }
  }

  /** Writes, reads and removes a test object. Throws `unavailable` if that fails. */
  async function probe(): Promise<void> {
    const name = newObjectName(keyring);
    const bytes = randomBytes(100);
    async function* once() {
      yield bytes;
    }
    await store.put(name, once());
    const size = await store.sizeOf(name);
    await store.remove(name);
    if (size !== bytes.length) throw unavailable('fileStoreInconsistent');
  }

  return { reconcile, inspect, probe };
}

/** Merges both lists in the order of names. Names in both lists come as one pair. */
async function* pairsByName(
  objects: AsyncIterable<StoredObject>,
  rows: AsyncIterable<FileRow>,
): AsyncGenerator<{ object: StoredObject | undefined; row: FileRow | undefined }> {
  const stored = objects[Symbol.asyncIterator]();
  const known = rows[Symbol.asyncIterator]();
  try {
    let object = await nextOf(stored);
    let row = await nextOf(known);
    while (object !== undefined || row !== undefined) {
      const order = compareNames(object?.name, row?.object);
      yield { object: order <= 0 ? object : undefined, row: order >= 0 ? row : undefined };
      if (order <= 0) object = await nextOf(stored);
      if (order >= 0) row = await nextOf(known);
    }
  } finally {
    await stored.return?.();
  }
}

/** Ascending; a missing name comes last. */
function compareNames(a: string | undefined, b: string | undefined): number {
  if (a === b) return 0;
  if (a === undefined) return 1;
  if (b === undefined) return -1;
  return a < b ? -1 : 1;
}

async function nextOf<T>(items: AsyncIterator<T>): Promise<T | undefined> {
  const { done, value } = await items.next();
  return done ? undefined : value;
}

/** The names of files that belong to live pushes, in ascending order. */
export function createAttachedFiles({ select, dialect }: Database) {
  return async function* attachedFiles(): AsyncGenerator<string> {
    for (let after = ''; ; ) {
      const page = await select<{ object: string }>(
        `SELECT object FROM files WHERE object > $after AND label IS NOT NULL AND shred_at > ${dialect.now}
         ORDER BY object LIMIT ${pageSize}`,
        { after },
      );
      for (const { object } of page) yield object;
      after = page.at(-1)?.object ?? after;
      if (page.length < pageSize) return;
    }
  };
}
