import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { mysqlStore } from './mysqlStore.ts';
import { sqliteStore } from './sqliteStore.ts';

// tsx bare.ts PORT DATABASE_URL POOL statement|transaction
// An upper bound: node:http and the bare driver do the durable work of hushpush, without routes, checks, Sequelize,
// cryptography or logs. `transaction` claims a view with the statements of hushpush, `statement` with one.

export type Mode = 'statement' | 'transaction';

/** The durable work, on the table of hushpush. The digest stands for the url token. */
export type BareStore = {
  create(digest: Buffer): Promise<void>;
  claim(digest: Buffer): Promise<Buffer>;
};

const [port, url = '', pool, mode] = process.argv.slice(2);
const isSqlite = url.startsWith('sqlite:');
const store = isSqlite
  ? sqliteStore(url.slice('sqlite:'.length), mode as Mode)
  : mysqlStore(url, Number(pool), mode as Mode);

async function respond(method: string | undefined, path = ''): Promise<object> {
  if (method === 'POST') {
    const digest = randomBytes(32);
    await store.create(digest);
    return { url_token: digest.toString('hex') };
  }
  const token = /^\/p\/(\w+)\.json$/.exec(path)?.[1];
  if (token === undefined) return {};
  return { payload: (await store.claim(Buffer.from(token, 'hex'))).toString('base64') };
}

createServer(async (req, res) => {
  if (req.method === 'POST') await text(req);
  const body = JSON.stringify(await respond(req.method, req.url));
  res.writeHead(req.method === 'POST' ? 201 : 200, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
  });
  res.end(body);
}).listen(Number(port), '127.0.0.1');
