import { once } from 'node:events';
import { mkdir, rmdir } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import type { Transaction } from 'sequelize';
import { connectDatabase, type Database } from '../../src/database/database.ts';
import { type ApiResponse, type Client, createClient, sendRaw, times } from '../harness/api.ts';
import { type Folder, openFolder } from '../harness/cli.ts';
import { onMariadb } from '../harness/database.ts';
import { type DatabaseFolder, openDatabaseFolder } from '../harness/databaseFolder.ts';
import { sendHalfRequest } from '../harness/halfRequest.ts';
import { newSharedSettings } from '../harness/process.ts';
import { proxiedUrl, startProxy } from '../harness/proxy.ts';
import { programMs, until } from '../harness/until.ts';

type StartedService = Awaited<ReturnType<Folder['start']>>;

const tulip = { password: { payload: 'tulip' } };

/** Discord's requests arrive over HTTP; nobody is there at its address. */
const discord = {
  DISCORD_MODE: 'http',
  DISCORD_TOKEN: 'token',
  DISCORD_APPLICATION_ID: '12345678901234567',
  DISCORD_PUBLIC_KEY: 'ab'.repeat(32),
  DISCORD_API_URL: 'http://127.0.0.1:9/api',
};

/** Makes the program's timers run twenty times as fast, but not those inside of Node and of the database. */
const fastTimers = `
  const { setTimeout: original } = globalThis;
  globalThis.setTimeout = Object.assign((act, ms, ...rest) => original(act, ms / 20, ...rest), original);`;

describe('A service', () => {
  let folder: DatabaseFolder;
  let fastFolder: Folder;
  let fastService: StartedService;
  let slowHeaders: Promise<{ answer: string; seconds: number }>;

  /** Slow headers take more than ten seconds. The other tests run meanwhile. */
  before(async () => {
    fastFolder = await openFolder(newSharedSettings(`sqlite:${join('aside', 'hushpush.db')}`));
    fastService = await fastFolder.start({ preload: fastTimers, settings: discord });
    await fastService.ready();
    slowHeaders = sendSlowHeaders(fastService.port);
  });

  after(() => fastFolder.remove());

  beforeEach(async () => {
    folder = await openDatabaseFolder();
  });

  afterEach(() => folder.remove());

  describe('that is stopped', () => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      it(`by ${signal} accepts no new requests, finishes those in progress, and exits with 0`, async () => {
        const served = await folder.start();
        await served.ready();
        const idle = createClient(served.port);
        await idle.get('/livez');
        const { finish, answer } = await sendHalfRequest(served.port);
        served.kill(signal);
        await until(() => refusesConnections(served.port), programMs);
        finish();
        expect(await answer).to.match(/^HTTP\/1\.1 201 /);
        expect(await served.ended).to.include({ code: 0, signal: null, stderr: '' });
        const pushes = await folder.withDatabase(({ select }) => select('SELECT id FROM pushes', {}));
        expect(pushes).to.have.length(1);
      });
    }

    it('serves for STOP_DELAY_SECONDS more, though no longer ready and without keeping connections', async () => {
      const served = await folder.start({ settings: { STOP_DELAY_SECONDS: '300' } });
      await served.ready();
      const client = createClient(served.port);
      served.kill('SIGTERM');
      await until(async () => (await client.get('/readyz')).status === 503, programMs);
      expect((await client.get('/readyz')).body).to.deep.equal({ error: 'This process is about to stop.' });
      expect(await client.get('/livez')).to.have.property('status', 200);
      const created = await client.post('/p.json', tulip);
      expect(created).to.have.property('status', 201);
      expect(created.headers).to.have.property('connection', 'close');
      served.kill('SIGTERM');
      expect(await served.ended).to.include({ code: 1 });
    });

    it('twice exits at once', async () => {
      const served = await folder.start();
      await served.ready();
      await sendHalfRequest(served.port);
      served.kill('SIGTERM');
      await until(() => refusesConnections(served.port), programMs);
      served.kill('SIGTERM');
      expect(await served.ended).to.include({ code: 1 });
    });
  });

  it('whose port is in use says so in one line, and exits with 1', async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    const address = taken.address();
    const port = String(typeof address === 'object' ? address?.port : '');
    const { code, stdout, stderr } = await folder
      .run('start', { settings: { PORT: port, LOG_LEVEL: 'error' } })
      .finally(() => taken.close());
    expect({ code, stdout }).to.deep.equal({ code: 1, stdout: '' });
    expect(stderr).to.match(
      new RegExp(`^hushpush: Port ${port} of 127\\.0\\.0\\.1 is in use\\. [^\\n]*PORT[^\\n]*\\n$`),
    );
  });

  describe('whose database is unreachable', () => {
    it('is live, says when to retry, and serves once the database is there', async () => {
      const door = await openDoor(folder.url, { open: false });
      const served = await folder.start({ settings: { DATABASE_URL: door.url } });
      const client = createClient(served.port);
      expect(await client.get('/livez')).to.have.property('status', 200);
      expectUnavailable(await client.get('/readyz'));
      expectUnavailable(await client.get('/api/v1/version'));
      expectUnavailable(await client.post('/p.json', tulip));
      await door.open();
      await serves(client);
      await until(async () => (await client.get('/readyz')).status === 200, programMs); // a result is shared for a second

      if (onMariadb) {
        const push = await client.create({ payload: 'tulip' });
        await door.shut();
        expect(await client.get('/livez')).to.have.property('status', 200);
        await until(async () => (await client.get('/readyz')).status !== 200, programMs);
        expectUnavailable(await client.get('/readyz'));
        expectUnavailable(await client.get(push.json));
        expectUnavailable(await client.post('/p.json', tulip));
        await door.open();
        await serves(client);
        expect(await client.get(push.json)).to.have.nested.property('body.payload', 'tulip');
      }
      client.close();
      expect(await served.stop()).to.include({ code: 0, stderr: '' });
      await door.close();
    });

    it('can be stopped', async () => {
      const door = await openDoor(folder.url, { open: false });
      const served = await folder.start({ settings: { DATABASE_URL: door.url } });
      expect(await served.stop()).to.include({ code: 0, stderr: '' });
      await door.close();
    });
  });

  it('whose database is locked by another client stays live, and refuses requests that wait too long for it', async () => {
    const served = await folder.start({ settings: { DATABASE_POOL: '1' } });
    await served.ready();
    const client = createClient(served.port);
    const push = await client.create({ payload: 'tulip' });
    const preview = `/p/${push.token}/preview.json`;
    const other = connectDatabase(folder.url, { poolSize: 1 });
    const transaction = await other.sequelize.transaction();
    try {
      await other.sequelize.query('UPDATE pushes SET updated_at = updated_at + 1', { transaction });
      const view = client.get(push.json);
      if (onMariadb) await untilLockWait(folder.url);
      const previews = times(3, () => client.get(preview)); // these need the one connection, but no lock
      expect(await client.get('/livez')).to.have.property('status', 200);
      for (const answer of await previews) if (answer.status !== 200) expectUnavailable(answer);
      if (onMariadb) expectUnavailable(await Promise.race([view, keepAlive(other, transaction)]));
      await transaction.rollback();
      await view;
    } finally {
      await other.close();
    }
    expect(await client.get(push.json)).to.have.nested.property('body.payload', 'tulip');
    client.close();
  });

  describe('whose client is slow', () => {
    it('refuses a body that takes longer than 30 s with 408', async () => {
      const startedAt = performance.now();
      const { answer } = await sendHalfRequest(fastService.port);
      expect(await answer).to.match(/^HTTP\/1\.1 408 /);
      expect(performance.now() - startedAt).to.be.above(1_400);
    });

    it('cuts off an interaction of a chat whose body trickles in for longer than 30 s', async () => {
      const socket = connect(fastService.port, '127.0.0.1');
      const closed = once(socket.on('error', () => {}).resume(), 'close');
      const now = Math.floor(Date.now() / 1_000);
      const head = `POST /discord/interactions HTTP/1.1\r\nHost: x\r\nX-Signature-Timestamp: ${now}\r\n`;
      socket.write(`${head}Content-Length: 1000\r\n\r\n`);
      const trickle = setInterval(() => socket.write('x'), 100);
      await closed.finally(() => clearInterval(trickle));
    });

    it('refuses too many headers with 431', async () => {
      const many = Array.from({ length: 2_000 }, (_, index) => `X-${index}: tulip\r\n`).join('');
      const answer = await sendRaw(fastService.port, `GET /livez HTTP/1.1\r\nHost: x\r\n${many}\r\n`);
      expect(answer.status).to.equal(431);
      expect(answer.headers).to.include({ connection: 'close' });
      expect(answer.body).to.deep.equal({ error: 'Request Header Fields Too Large' });
    });

    it('refuses headers that take longer than 10 s with 408', async () => {
      const { answer, seconds } = await slowHeaders;
      expect(answer).to.match(/^HTTP\/1\.1 408 Request Timeout\r\n/);
      expect(seconds).to.be.at.least(10);
    });

    it('waits for it when stopped, but not forever', async () => {
      await sendHalfRequest(fastService.port);
      const startedAt = performance.now();
      expect(await fastService.stop()).to.include({ code: 0 });
      expect(performance.now() - startedAt).to.be.above(1_000);
    });
  });
});

/** Who waits for a lock. MySQL shows it elsewhere, where no statement with bytes in it makes the query fail. */
const waitingOn = {
  mariadb: `SELECT 1 FROM information_schema.innodb_trx
    JOIN information_schema.processlist ON processlist.id = trx_mysql_thread_id
    WHERE db = DATABASE() AND trx_state = 'LOCK WAIT'`,
  mysql: `SELECT 1 FROM performance_schema.data_lock_waits JOIN performance_schema.threads
    ON thread_id = requesting_thread_id WHERE processlist_db = DATABASE()`,
};

/** Waits until a transaction waits for a lock in a database of a server. */
async function untilLockWait(url: string): Promise<void> {
  const database = connectDatabase(url, { poolSize: 1 });
  const waiting = waitingOn[(await database.isMysqlItself()) ? 'mysql' : 'mariadb'];
  const isWaiting = async () => {
    await sleep(150); // MariaDB caches innodb_trx until nobody has read it for 100 ms
    return (await database.select(waiting, {})).length > 0;
  };
  await until(isWaiting, programMs).finally(database.close);
}

/** Sends headers slowly, and never the last one. */
async function sendSlowHeaders(port: number) {
  const startedAt = Date.now();
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  socket.write('GET /livez HTTP/1.1\r\nHost: x\r\n');
  const trickle = setInterval(() => socket.write('X-Tulip: tulip\r\n'), 500);
  const answer = await text(socket).catch(() => '');
  clearInterval(trickle);
  return { answer, seconds: (Date.now() - startedAt) / 1000 };
}

/** Uses a connection again and again, since a silent one is closed. */
async function keepAlive({ sequelize }: Database, transaction: Transaction): Promise<never> {
  for (;;) {
    await sequelize.query('SELECT 1', { transaction });
    await sleep(1_000);
  }
}

function refusesConnections(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(false)).once('error', () => resolve(true));
    socket.once('connect', () => socket.destroy());
  });
}

function expectUnavailable({ status, headers, body }: ApiResponse): void {
  expect(status).to.equal(503);
  expect(headers['content-type']).to.equal('application/json; charset=utf-8');
  expect(Number(headers['retry-after'])).to.be.within(1, 10);
  expect(body.error).to.be.a('string').that.is.not.empty;
}

async function serves(client: Client): Promise<void> {
  await until(async () => (await client.post('/p.json', tulip)).status === 201, programMs);
}

/**
 * Makes a database unreachable and reachable again. For SQLite, a folder takes the place of the file, and can only be
 * removed. For MariaDB, a proxy drops the connections, as a dying server does.
 */
function openDoor(url: string, { open }: { open: boolean }) {
  return onMariadb ? openProxy(url, open) : openPath(url.slice('sqlite:'.length));
}

async function openPath(path: string) {
  await mkdir(path);
  return { url: `sqlite:${path}`, open: () => rmdir(path), shut: async () => {}, close: async () => {} };
}

async function openProxy(url: string, isOpen: boolean) {
  const { hostname, port } = new URL(url);
  const proxy = await startProxy({ target: { host: hostname, port: Number(port) }, isOpen });
  return {
    url: proxiedUrl(url, proxy),
    open: async () => proxy.open(),
    shut: async () => proxy.shut(),
    close: proxy.close,
  };
}
