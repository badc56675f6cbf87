import { reseal } from '../../crypto/cipher.ts';
import type { Keyring } from '../../crypto/keyring.ts';
import { type Database, inList, type Tx } from '../../database/database.ts';
import { inRowPortions } from '../../database/portions.ts';
import { openPushLabel } from '../pushes/index.ts';
import { findActiveKeyId, requireKey } from './keyChecks.ts';
import { canReseal, keyIdBytes, keyIdSql, type SealedTable, withUrlTokens } from './sealedColumns.ts';

/** A row with its encrypted columns, and its push with its label, which has the url token, if its records need that. */
type SealedRow = { id: Buffer; pushId: Buffer | null; pushLabel: Buffer | null } & Record<
  string,
  Buffer | null
>;

/** How many rows were changed, and how many cannot be decrypted. */
export type ResealResult = { resealed: number; unreadable: number };

type Dependencies = { database: Database; keyring: Keyring; sealedTables: SealedTable[] };

/**
 * Encrypts records again under the active master key, in small batches, on any number of processes at once. Each row is
 * locked while it is read and written: it changes as a whole, and a claim sees it before or after. A row that is locked by
 * others waits for the next run, which also continues where this one was interrupted.
 */
export function createResealing({ database, keyring, sealedTables }: Dependencies) {
  const { dialect } = database;
  /** What can be encrypted again at all. */
  const tables = sealedTables
    .map(({ name, columns }) => ({ name, columns: columns.filter(({ secret }) => secret !== 'holder') }))
    .filter(({ columns }) => columns.length > 0);

  /** Ends at once when this process lacks the active key. */
  async function resealAll(isStopping = () => false): Promise<ResealResult> {
    const total: ResealResult = { resealed: 0, unreadable: 0 };
    if (keyring.all.size === 1) return total;
    for (const table of tables) {
      for await (const { resealed, unreadable } of batches(table)) {
        total.resealed += resealed;
        total.unreadable += unreadable;
        if (isStopping()) return total;
      }
    }
    return total;
  }

  /** The keys with the one that is active now: another may become that between two batches. */
  async function maybeCurrentKeys(): Promise<Keyring | undefined> {
    const id = await findActiveKeyId(database);
    if (id === undefined || !keyring.all.has(id)) return undefined;
    return { ...keyring, active: { id, key: requireKey(keyring, id) } };
  }

  function batches(table: SealedTable): AsyncGenerator<ResealResult> {
    const isDue = table.columns
      .map((column) => `(${canReseal(column)} AND ${keyIdSql(column.column)} <> $activeId)`)
      .join(' OR ');
    let keys: Keyring | undefined;
    const nextRows = async () => {
      keys = await maybeCurrentKeys();
      return keys && { from: withUrlTokens(table), isDue, binds: { activeId: keyIdBytes(keys.active.id) } };
    };
    return inRowPortions(database, nextRows, async (ids, tx) => resealRows(table, ids, keys ?? keyring, tx));
  }

  async function resealRows(table: SealedTable, ids: Buffer[], keys: Keyring, tx: Tx): Promise<ResealResult> {
    const { names, binds } = inList(ids);
    const hasTokens = table.columns.some(({ secret }) => secret === 'url token');
    const columns = [
      't.id',
      ...table.columns.map(({ column }) => `t.${column}`),
      ...(hasTokens ? ['p.id AS pushId', 'p.label AS pushLabel'] : []),
    ];
    const rows = await tx.select<SealedRow>(
      `SELECT ${columns.join(', ')} FROM ${withUrlTokens(table)} WHERE t.id IN (${names}) ${dialect.skipLocked}`,
      binds,
    );
    const result: ResealResult = { resealed: 0, unreadable: 0 };
    for (const row of rows) {
      const changes = resealedColumns(table, row, keys);
      if (changes === undefined) result.unreadable += 1;
      else result.resealed += await update(table, row.id, changes, tx);
    }
    return result;
  }

  async function update({ name }: SealedTable, id: Buffer, changes: Record<string, Buffer>, tx: Tx) {
    const assignments = Object.keys(changes).map((column) => `${column} = $${column}`);
    if (assignments.length === 0) return 0;
    return tx.execute(`UPDATE ${name} SET ${assignments.join(', ')} WHERE id = $id`, { ...changes, id });
  }

  return resealAll;
}

/** The new values of a row's columns, where they change; undefined if the row cannot be decrypted. */
function resealedColumns(
  { columns }: SealedTable,
  row: SealedRow,
  keys: Keyring,
): Record<string, Buffer> | undefined {
  try {
    const secret = urlTokenOf(row, keys);
    const changes: Record<string, Buffer> = {};
    for (const { column, field, secret: kind } of columns) {
      const record = row[column] ?? null;
      if (record === null || (kind !== undefined && secret === undefined)) continue;
      const resealed = reseal(keys, record, { id: row.id, field, secret: kind && secret });
      if (resealed !== record) changes[column] = resealed;
    }
    return changes;
  } catch {
    return undefined;
  }
}

/** The url token of a row's push; undefined if it is stored nowhere, or if its push is locked just now. */
function urlTokenOf({ pushId, pushLabel }: SealedRow, keys: Keyring): string | undefined {
  return pushId && pushLabel ? openPushLabel(keys, { id: pushId, label: pushLabel }).urlToken : undefined;
}
