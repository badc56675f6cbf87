import { setTimeout as sleep } from 'node:timers/promises';
import type { Database, Tx } from './database.ts';

/** Rows of a table with an `id`. `from` and `isDue` are SQL, which names the table `t`, with `binds`. */
type DueRows = { from: string; isDue: string; binds?: Record<string, Buffer | number | string> };

const portionSize = 20;
/** Yields to other users of the database between portions. */
const pauseMs = 5;
const lowestId: Buffer = Buffer.alloc(16);

/**
 * Changes the rows of a table that are due, in small portions, in the order of their ids: a backfill. Each portion has a
 * transaction, in which `change` should skip rows that others have locked; any number of processes may do it at once. It can
 * end after any portion: the next run continues, because rows that were changed are due no more. `nextRows` is asked before
 * each portion, and ends it all with undefined.
 */
export async function* inRowPortions<Result>(
  { select, transaction }: Pick<Database, 'select' | 'transaction'>,
  nextRows: () => Promise<DueRows | undefined>,
  change: (ids: Buffer[], tx: Tx) => Promise<Result>,
): AsyncGenerator<Result> {
  for (let after = lowestId; ; await sleep(pauseMs)) {
    const rows = await nextRows();
    if (rows === undefined) return;
    const found = await select<{ id: Buffer }>(
      `SELECT t.id FROM ${rows.from} WHERE (${rows.isDue}) AND t.id > $after ORDER BY t.id LIMIT ${portionSize}`,
      { ...rows.binds, after },
    );
    const ids = found.map(({ id }) => id);
    const last = ids.at(-1);
    if (last === undefined) return;
    after = last;
    yield await transaction((tx) => change(ids, tx));
  }
}
