import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import Koa from 'koa';
import { createPool, type Pool } from 'mysql2/promise';
import { newId } from '../../src/crypto/ids.ts';
import { erasure } from '../../src/domain/pushes/erasure.ts';
import type { PushRow } from '../../src/domain/pushes/push.ts';
import { pushColumns } from '../../src/domain/pushes/tables.ts';

// tsx test/bench/bare.ts koa PORT | mysql2 PORT URL POOL
// Upper bounds: Koa that only responds, and node:http that writes and claims the same rows with the same statements
// through mysql2, without routes, checks, Sequelize, cryptography or logs.

const weekMs = 604_800_000;
const now = 'CAST(UNIX_TIMESTAMP(NOW(3)) * 1000 AS SIGNED)';
const insertPush = `INSERT INTO pushes (id, token_digest, token_sealed, account_id, kind, payload, passphrase_hash, name, note,
  notify, deletable_by_viewer, retrieval_step, views_max, created_at, updated_at, expires_at, due_at,
  creator_ip, creator_user_agent, creator_referrer)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, LAST_INSERT_ID(${now}), ${now}, ${now} + ?, ${now} + ?, ?, ?, ?)`;
const selectPush = `SELECT ${pushColumns(now)}, payload FROM pushes WHERE token_digest = ? FOR UPDATE`;
const guard = `id = ? AND views_used = ? AND views_used < views_max AND expired_on IS NULL AND expires_at > ${now}`;
const countView = `UPDATE pushes SET updated_at = ${now}, views_used = views_used + 1 WHERE ${guard}`;
const countLast = `UPDATE pushes SET ${erasure({ now }, { retentionMs: weekMs })}, views_used = views_used + 1 WHERE ${guard}`;
const insertView = `INSERT INTO audit_rows (push_id, id, kind, ip, user_agent, referrer, created_at)
  VALUES (?, ?, ?, ?, ?, ?, ${now})`;

const sealedBytes = 166;

function createHandler(pool: Pool) {
  async function create(req: IncomingMessage): Promise<object> {
    for await (const _ of req);
    const digest = randomBytes(32);
    await pool.execute(insertPush, [
      ...[newId(), digest, null, null, 'text', randomBytes(sealedBytes), null, null, null],
      ...[0, true, true, 5, weekMs, weekMs, '127.0.0.1', '', ''],
    ]);
    return { url_token: digest.toString('hex') };
  }

  async function claim(token: string): Promise<object> {
    const connection = await pool.getConnection();
    await connection.query('START TRANSACTION');
    const [rows] = await connection.execute(selectPush, [Buffer.from(token, 'hex')]);
    const [row] = rows as (PushRow & { payload: Buffer })[];
    if (row === undefined) throw new Error('a push is missing');
    const count = row.viewsUsed + 1 >= row.viewsMax ? countLast : countView;
    await connection.execute(count, [row.id, row.viewsUsed]);
    await connection.execute(insertView, [row.id, newId(), 'view', '127.0.0.1', '', '']);
    await connection.query('COMMIT');
    connection.release();
    return { payload: row.payload.toString('base64') };
  }

  return async (req: IncomingMessage, res: ServerResponse) => {
    const isCreate = req.method === 'POST';
    const token = /^\/p\/(\w+)\.json$/.exec(req.url ?? '')?.[1];
    const body = JSON.stringify(isCreate ? await create(req) : token === undefined ? {} : await claim(token));
    res.writeHead(isCreate ? 201 : 200, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    });
    res.end(body);
  };
}

const [server, port, url, pool] = process.argv.slice(2);
if (server === 'koa') {
  const app = new Koa();
  app.use((ctx) => {
    ctx.body = { ok: true };
  });
  app.listen(Number(port), '127.0.0.1');
} else if (url !== undefined) {
  createServer(createHandler(createPool({ uri: url, connectionLimit: Number(pool) }))).listen(
    Number(port),
    '127.0.0.1',
  );
}
