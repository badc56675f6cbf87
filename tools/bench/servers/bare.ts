import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { Router } from '@koa/router';
import Koa, { type Context } from 'koa';
import type { BarePush } from './bareStatements.ts';
import { mysqlStore } from './mysqlStore.ts';
import { sqliteStore } from './sqliteStore.ts';

// tsx bare.ts PORT DATABASE_URL POOL statement|transaction node:http|koa
// An upper bound: node:http and the bare driver do the durable work of hushpush on what they find in the body, without
// routes, checks, Sequelize, cryptography or logs. `transaction` claims a view with the statements of hushpush, `statement` with one. `koa` puts Koa and
// one router in front, and nothing else.

export type Mode = 'statement' | 'transaction';
export type Framework = 'node:http' | 'koa';

/** The durable work, on the table of hushpush. The digest stands for the url token. */
export type BareStore = {
  create(digest: Buffer, push: BarePush): Promise<void>;
  claim(digest: Buffer): Promise<Buffer>;
};

const [port, url = '', pool, mode, framework] = process.argv.slice(2);
const isSqlite = url.startsWith('sqlite:');
const store = isSqlite
  ? sqliteStore(url.slice('sqlite:'.length), mode as Mode)
  : mysqlStore(url, Number(pool), mode as Mode);

async function respond({ method, url: path = '' }: IncomingMessage, body: string): Promise<object> {
  if (method === 'POST') {
    const digest = randomBytes(32);
    const { payload, expire_after_views: views } = JSON.parse(body).password;
    await store.create(digest, { payload: Buffer.from(payload), views });
    return { url_token: digest.toString('hex') };
  }
  const token = /^\/p\/(\w+)\.json$/.exec(path)?.[1];
  if (token === undefined) return {};
  return { payload: (await store.claim(Buffer.from(token, 'hex'))).toString() };
}

const statusOf = (method: string | undefined) => (method === 'POST' ? 201 : 200);

function serveWithNode(): void {
  createServer(async (req, res) => {
    const received = req.method === 'POST' ? await text(req) : '';
    const body = JSON.stringify(await respond(req, received));
    res.writeHead(statusOf(req.method), {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    });
    res.end(body);
  }).listen(Number(port), '127.0.0.1');
}

function serveWithKoa(): void {
  const router = new Router();
  async function handle(ctx: Context): Promise<void> {
    const received = ctx.method === 'POST' ? await text(ctx.req) : '';
    ctx.body = await respond(ctx.req, received);
    ctx.status = statusOf(ctx.method);
  }
  router.get('/', handle).post('/p.json', handle).get('/p/:name', handle);
  new Koa().use(router.routes()).listen(Number(port), '127.0.0.1');
}

if ((framework as Framework) === 'koa') serveWithKoa();
else serveWithNode();
