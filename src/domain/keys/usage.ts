import type { Database } from '../../database/database.ts';
import { canReseal, keyIdSql, type SealedColumn, type SealedTable, withUrlTokens } from './sealedColumns.ts';

/** How many records of one kind a master key encrypts. */
export type KeyUsage = {
  keyId: number;
  /** The field of the records' context, such as `payload`. */
  kind: string;
  records: number;
  /** How many of them cannot be encrypted again, and when the last of these has expired. */
  expiring: number;
  until: number | null;
};

const keyIdLength = 4;

type UsageRow = { keyId: Buffer; records: number; expiring: number | string; until: number | null };

/** A record that was cut off or overwritten may not even say which key it needs; no key can be missed for its sake. */
const isWhole = ({ keyId }: UsageRow) => Buffer.isBuffer(keyId) && keyId.length === keyIdLength;

/** Counts what each master key encrypts in these tables. Reads every encrypted record. */
export function createKeyUsage({ select }: Database, sealedTables: SealedTable[]) {
  async function countColumn(table: SealedTable, column: SealedColumn): Promise<KeyUsage[]> {
    const expires = `NOT (${canReseal(column)})`;
    const end = column.secret === undefined ? 'NULL' : `t.${column.endsAt}`;
    const found = await select<UsageRow>(
      `SELECT ${keyIdSql(column.column)} AS keyId, COUNT(*) AS records,
         SUM(CASE WHEN ${expires} THEN 1 ELSE 0 END) AS expiring, MAX(CASE WHEN ${expires} THEN ${end} END) AS until
       FROM ${withUrlTokens(table)} WHERE t.${column.column} IS NOT NULL GROUP BY ${keyIdSql(column.column)}`,
      {},
    );
    return found.filter(isWhole).map(({ keyId, records, expiring, until }) => ({
      keyId: keyId.readUInt32BE(),
      kind: column.field,
      records: Number(records),
      expiring: Number(expiring),
      until: until === null ? null : Number(until),
    }));
  }

  return async (): Promise<KeyUsage[]> => {
    const columns = sealedTables.flatMap((table) => table.columns.map((column) => ({ table, column })));
    const counted: KeyUsage[] = [];
    for (const { table, column } of columns) counted.push(...(await countColumn(table, column)));
    return counted;
  };
}
