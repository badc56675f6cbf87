import { type Sealed, snakeCase, type Table } from '../../database/table.ts';

/** An encrypted column, in SQL. */
export type SealedColumn = { column: string } & Sealed;

/** A table with encrypted columns. */
export type SealedTable = { name: string; columns: SealedColumn[] };

/** All encrypted columns of these tables. */
export const sealedTablesOf = (tables: readonly Table<Record<string, unknown>>[]): SealedTable[] =>
  tables
    .map(({ name, columns }) => ({
      name,
      columns: Object.entries(columns).flatMap(([column, { sealed }]) =>
        sealed === undefined ? [] : [{ column: snakeCase(column), ...sealed }],
      ),
    }))
    .filter(({ columns }) => columns.length > 0);

/** The id of the master key of a record, as the four bytes that it contains. */
export const keyIdSql = (column: string) => `SUBSTR(t.${column}, 3, 4)`;

export function keyIdBytes(id: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(id);
  return bytes;
}

/** Joins the pushes whose url tokens are in the keys of a table's records. A table without such records is its own. */
export function withUrlTokens({ name, columns }: SealedTable): string {
  if (!columns.some(({ secret }) => secret === 'url token')) return `${name} t`;
  return `${name} t LEFT JOIN pushes p ON p.id = t.${name === 'pushes' ? 'id' : 'push_id'}`;
}

/**
 * Whether a record can be encrypted again, as SQL. The url token of an anonymous push is stored nowhere, and neither is
 * the secret of a link or a grant, so their records can only expire.
 */
export function canReseal({ secret }: SealedColumn): string {
  if (secret === undefined) return 'TRUE';
  return secret === 'url token' ? 'p.label IS NOT NULL' : 'FALSE';
}
