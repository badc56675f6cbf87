import Database from 'libsql';
import { sqliteDialect } from '../../../src/database/sqlite/dialect.ts';
import type { BareStore, Mode } from './bare.ts';
import {
  type BarePush,
  type BareRow,
  bareStatements,
  newAuditValues,
  newPayload,
  newPushValues,
} from './bareStatements.ts';

/** The durable work through libsql alone, which blocks: there is nothing to wait for. */
export function sqliteStore(path: string, mode: Mode): BareStore {
  const database = new Database(path);
  database.exec(
    'PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA secure_delete = ON; PRAGMA busy_timeout = 5000',
  );
  const sql = bareStatements(sqliteDialect);
  const prepare = (text: string) => database.prepare(text);
  const [insertPush, selectPush, insertAudit] = [sql.insertPush, sql.selectPush, sql.insertAudit].map(
    prepare,
  );
  const [countView, countLastView, countOnly] = [sql.countView, sql.countLastView, sql.countOnly].map(
    prepare,
  );

  async function create(digest: Buffer, push: BarePush): Promise<void> {
    insertPush?.run(newPushValues(digest, push));
  }

  async function claimByTransaction(digest: Buffer): Promise<Buffer> {
    database.exec('BEGIN IMMEDIATE');
    const row = selectPush?.get([digest]) as BareRow | undefined;
    if (row === undefined) throw new Error('a push is missing');
    const id = Buffer.from(row.id);
    const count = row.viewsUsed + 1 >= row.viewsMax ? countLastView : countView;
    count?.run([id, BigInt(row.viewsUsed)]);
    insertAudit?.run(newAuditValues({ ...row, id }));
    database.exec('COMMIT');
    return Buffer.from(row.payload);
  }

  async function claimByStatement(digest: Buffer): Promise<Buffer> {
    countOnly?.run([digest]);
    return newPayload();
  }

  return { create, claim: mode === 'transaction' ? claimByTransaction : claimByStatement };
}
