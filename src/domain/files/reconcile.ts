import type { Keyring } from '../../crypto/keyring.ts';
import { randomBytes } from '../../crypto/random.ts';
import type { Database } from '../../database/database.ts';
import { unavailable } from '../../errors.ts';
import { hourMs } from '../../time.ts';
import { newObjectName, objectPrefix } from './objects.ts';
import type { FileStore } from './store.ts';

type Dependencies = { database: Database; keyring: Keyring; store: FileStore };

/** What a comparison of the database with the store found. */
export type Comparison = {
  /** Files that are where they should be. */
  stored: number;
  /** Names in the store that no row knows, and how many of them were removed. */
  strays: number;
  removed: number;
  /** Files of pushes that are not in the store. */
  missing: number;
};

type StoredObject = { name: string; changedAt: number };
type FileRow = { object: string; isAttached: boolean | number };

const pageSize = 500;
/** Hours of difference between the clocks of the store and of this process do no harm. */
const strayMs = 24 * hourMs;

/**
 * Compares what rows say with what the store holds, walking both in the order of names. A row is written before its bytes
 * and deleted after them, so the two differ only after an accident, such as a database restored from a backup; and in the
 * moment of a change, so each difference is looked at once more.
 */
export function createReconciliation({ database: { select, dialect }, keyring, store }: Dependencies) {
  /** Removes what no row knows once it is a day old, and tells what it found. */
  const reconcile = (isStopping = () => false) => compare({ removeStrays: true, isStopping });

  /** Only looks. */
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

  /** Has the store take, show and remove something. Refuses with `unavailable` when it does not. */
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

/** Walks both lists in the order of names; what is in both comes as one pair. */
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
