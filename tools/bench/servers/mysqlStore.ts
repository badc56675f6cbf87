import { createPool } from 'mysql2/promise';
import { mysqlDialect } from '../../../src/database/mysql/dialect.ts';
import type { BareStore, Mode } from './bare.ts';
import {
  type BarePush,
  type BareRow,
  bareStatements,
  newAuditValues,
  newPayload,
  newPushValues,
} from './bareStatements.ts';

/** The durable work through prepared statements of mysql2 alone. */
export function mysqlStore(uri: string, connectionLimit: number, mode: Mode): BareStore {
  const pool = createPool({ uri, connectionLimit });
  const sql = bareStatements(mysqlDialect);

  async function create(digest: Buffer, push: BarePush): Promise<void> {
    await pool.execute(sql.insertPush, newPushValues(digest, push));
  }

  async function claimByTransaction(digest: Buffer): Promise<Buffer> {
    const connection = await pool.getConnection();
    await connection.query('START TRANSACTION');
    const [rows] = await connection.execute(sql.selectPush, [digest]);
    const [row] = rows as BareRow[];
    if (row === undefined) throw new Error('a push is missing');
    const count = row.viewsUsed + 1 >= row.viewsMax ? sql.countLastView : sql.countView;
    await connection.execute(count, [row.id, row.viewsUsed]);
    await connection.execute(sql.insertAudit, newAuditValues(row));
    await connection.query('COMMIT');
    connection.release();
    return row.payload;
  }

  async function claimByStatement(digest: Buffer): Promise<Buffer> {
    await pool.execute(sql.countOnly, [digest]);
    return newPayload();
  }

  return { create, claim: mode === 'transaction' ? claimByTransaction : claimByStatement };
}
