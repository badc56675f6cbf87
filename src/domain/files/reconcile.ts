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
    const objects = store.list(objectPrefix(keyring))[Symbol.asyncIterator]();
    const known = eachRow();
    let object = await nextOf(objects);
    let row = await nextOf(known);
    while ((object ?? row) !== undefined && !isStopping()) {
      if (object !== undefined && (row === undefined || object.name < row.object)) {
        await handleStray(object, removeStrays, comparison);
        object = await nextOf(objects);
      } else if (row !== undefined && (object === undefined || row.object < object.name)) {
        if (row.isAttached && (await isMissing(row.object))) comparison.missing += 1;
        row = await nextOf(known);
      } else {
        comparison.stored += 1;
        [object, row] = [await nextOf(objects), await nextOf(known)];
      }
    }
    await objects.return?.();
    return comparison;
  }

  async function handleStray(
    { name, changedAt }: { name: string; changedAt: number },
    removes: boolean,
    comparison: Comparison,
  ): Promise<void> {
    if ((await select('SELECT 1 FROM files WHERE object = $name', { name })).length > 0) return;
    comparison.strays += 1;
    if (!removes || Date.now() - changedAt < strayMs) return;
    await store.remove(name);
    comparison.removed += 1;
  }

  async function isMissing(object: string): Promise<boolean> {
    const sql = `SELECT 1 FROM files WHERE object = $object AND shred_at > ${dialect.now}`;
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

async function nextOf<T>(items: AsyncIterator<T>): Promise<T | undefined> {
  const { done, value } = await items.next();
  return done ? undefined : value;
}
