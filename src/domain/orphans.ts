import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../database/database.ts';
import { type ForeignKey, foreignKeysOf, type Table } from '../database/table.ts';
import { tables } from './tables.ts';

const all: readonly Table<Record<string, unknown>>[] = tables;

/** Those of parents before those of their children, which go with them. */
const foreignKeys = all.flatMap(foreignKeysOf);

type Reference = { parent: Buffer; isOrphan: boolean | number };

const pageSize = 500;
/** Yields to other users of the database, and of this process, between pages. */
const pauseMs = 5;

/**
 * Recurring job that does to rows without a parent what the deletion of the parent would have done. They come from tools
 * that do not enforce foreign keys, such as SQLite's own, and from servers that skip a check. Reads every reference once,
 * in small portions, and removes the children of one parent at a time. Safe on any number of processes at once. Returns
 * how many rows it changed.
 */
export function createOrphanRemoval({ select, execute, scrub }: Database) {
  return async function removeOrphans(isStopping = () => false): Promise<number> {
    let total = 0;
    for (const key of foreignKeys) if (!isStopping()) total += await removeFrom(key, isStopping);
    if (total > 0) await scrub();
    return total;
  };

  async function removeFrom(key: ForeignKey, isStopping: () => boolean): Promise<number> {
    const { table, column, parent } = key;
    const page = `SELECT ${column} AS parent FROM ${table} WHERE ${column} > $after ORDER BY ${column} LIMIT ${pageSize}`;
    let after: Buffer = Buffer.alloc(0);
    for (let total = 0; ; await sleep(pauseMs)) {
      const found = await select<Reference>(
        `SELECT page.parent, p.id IS NULL AS isOrphan FROM (${page}) page LEFT JOIN ${parent} p ON p.id = page.parent
         ORDER BY page.parent`,
        { after },
      );
      for (const { parent } of found.filter(({ isOrphan }) => isOrphan)) {
        if (!after.equals(parent)) total += await remove(key, parent);
        after = parent;
      }
      if (found.length < pageSize || isStopping()) return total;
      after = found.at(-1)?.parent ?? after; // and past its other children
    }
  }

  function remove({ table, column, parent, isCleared }: ForeignKey, id: Buffer): Promise<number> {
    const change = isCleared ? `UPDATE ${table} SET ${column} = NULL` : `DELETE FROM ${table}`;
    const isOrphan = `NOT EXISTS (SELECT 1 FROM ${parent} WHERE id = $id)`;
    return execute(`${change} WHERE ${column} = $id AND ${isOrphan}`, { id });
  }
}
