import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import Koa from 'koa';
import { createPool, type Pool } from 'mysql2/promise';
import { newId } from '../../src/domain/ids.ts';

// tsx test/bench/bare.ts koa PORT | mysql2 PORT URL POOL
// The ceilings: Koa that answers and does nothing else, and node:http that writes and claims the same rows by the same
// statements through mysql2 alone, without routes, checks, Sequelize, cryptography or logs.

const now = 'CAST(UNIX_TIMESTAMP(NOW(3)) * 1000 AS SIGNED)';
const insertPush = `INSERT INTO pushes (id, token_digest, kind, payload, deletable_by_viewer, retrieval_step, views_max,
  created_at, updated_at, expires_at, creator_ip, creator_user_agent, creator_referrer)
  VALUES (?, ?, 'text', ?, 1, 1, 5, ${now}, ${now}, ${now} + 604800000, '127.0.0.1', 'bench', '')`;
const selectPush =
  'SELECT id, payload, views_used AS used, views_max AS max FROM pushes WHERE token_digest = ? FOR UPDATE';
const countView = `UPDATE pushes SET views_used = views_used + 1, updated_at = ${now} WHERE id = ? AND views_used < views_max`;
const countLast = `UPDATE pushes SET payload = NULL, expired_on = ${now}, views_used = views_used + 1, updated_at = ${now}
  WHERE id = ? AND views_used < views_max`;
const insertView = `INSERT INTO audit_rows (push_id, id, kind, ip, user_agent, referrer, created_at)
  VALUES (?, ?, 'view', '127.0.0.1', 'bench', '', ${now})`;

const sealedBytes = 166;

function answerer(pool: Pool) {
  async function create(req: IncomingMessage): Promise<object> {
    for await (const _ of req);
    const digest = randomBytes(32);
    await pool.execute(insertPush, [newId(), digest, randomBytes(sealedBytes)]);
    return { url_token: digest.toString('hex') };
  }

  async function claim(token: string): Promise<object> {
    const connection = await pool.getConnection();
    await connection.query('START TRANSACTION');
    const [rows] = await connection.execute(selectPush, [Buffer.from(token, 'hex')]);
    const [row] = rows as { id: Buffer; payload: Buffer; used: number; max: number }[];
    if (row === undefined) throw new Error('a push is missing');
    await connection.execute(row.used + 1 >= row.max ? countLast : countView, [row.id]);
    await connection.execute(insertView, [row.id, newId()]);
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

const [what, port, url, pool] = process.argv.slice(2);
if (what === 'koa') {
  const app = new Koa();
  app.use((ctx) => {
    ctx.body = { ok: true };
  });
  app.listen(Number(port), '127.0.0.1');
} else if (url !== undefined) {
  createServer(answerer(createPool({ uri: url, connectionLimit: Number(pool) }))).listen(
    Number(port),
    '127.0.0.1',
  );
}
