import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { expect } from 'chai';
import Koa from 'koa';
import { readBody } from '../../src/http/body/body.ts';
import { type Listening, listen, type ServerSettings } from '../../src/http/server.ts';
import { until } from '../harness/until.ts';

/** Short limits. A test never depends on how soon a socket is freed, only on that it is. */
const timeouts = {
  headersMs: 60_000,
  stallMs: 300,
  graceMs: 100,
  idleMs: 200,
  proxyIdleMs: 1_000_000,
  responseMs: 400,
  responseBytesPerSecond: 4_096,
  checkMs: 50,
};
/** For peers that never send whole headers; others may need as long as the machine lets them. */
const shortHeaders = { ...timeouts, headersMs: 100 };
const connections = { perClient: 4, total: 10 };

const endless = () => Readable.from(chunks(), { objectMode: false });
function* chunks() {
  for (;;) yield Buffer.alloc(64 * 1024);
}

/** The requests to `/slow` that wait for their response. */
const waiting: (() => void)[] = [];
const respond = () => {
  for (const resolve of waiting.splice(0)) resolve();
};

const app = new Koa();
app.silent = true;
app.use(async (ctx) => {
  if (ctx.path === '/endless') ctx.body = endless();
  else if (ctx.path === '/slow') await new Promise<void>((resolve) => waiting.push(resolve));
  else await readBody(ctx.req);
  ctx.body ??= 'tulip';
});

describe('The HTTP server', () => {
  let server: Listening;
  const opened = new Set<Socket>();
  /** The server's ends of all connections. */
  const accepted = new Set<Socket>();
  const onAccepted = (message: unknown) => accepted.add((message as { socket: Socket }).socket);

  before(() => subscribe('net.server.socket', onAccepted));
  after(() => unsubscribe('net.server.socket', onAccepted));

  async function start(settings: Partial<ServerSettings> = {}): Promise<void> {
    server = await listen(app, { host: '127.0.0.1', port: 0, timeouts, connections, ...settings });
  }

  /** A client that never closes its side, and reads only what a test reads. */
  async function open(text = '', localAddress = '127.0.0.1'): Promise<Socket> {
    const socket = connect({ port: server.port, host: '127.0.0.1', localAddress, allowHalfOpen: true });
    opened.add(socket.on('error', () => {}));
    await once(socket, 'connect');
    if (text !== '') socket.write(text);
    return socket;
  }

  /** Waits until the server has freed every socket. */
  const freed = () => until(() => accepted.size > 0 && [...accepted].every(({ destroyed }) => destroyed));

  async function isServed(localAddress = '127.0.0.1'): Promise<boolean> {
    const agent = new Agent({ localAddress });
    const url = { host: '127.0.0.1', port: server.port, agent };
    return new Promise((resolve) => {
      request(url, (res) => resolve(res.resume().statusCode === 200))
        .on('error', () => resolve(false))
        .end();
    });
  }

  afterEach(async () => {
    for (const socket of opened) socket.destroy();
    opened.clear();
    accepted.clear();
    await server.drain();
  });

  describe('frees the socket of a peer that never closes', () => {
    const refused: Record<string, [sent: string, status: number]> = {
      'after malformed HTTP': ['nonsense\r\n\r\n', 400],
      'after half of a header': ['GET / HTTP/1.1\r\nHost', 408],
      'after CONNECT': ['CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n', 405],
      'after an unknown expectation': ['GET / HTTP/1.1\r\nHost: x\r\nExpect: tulips\r\n\r\n', 417],
      'after too long a header': [`GET / HTTP/1.1\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
      'in the middle of a body': ['POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\na=', 408],
      'after Expect: 100-continue': [
        'POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 9\r\n\r\n',
        100,
      ],
      'after an attempt to upgrade': [
        'GET / HTTP/1.1\r\nHost: x\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n',
        200,
      ],
      'after the last response': ['GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 200],
      'that stays idle after a response': ['GET / HTTP/1.1\r\nHost: x\r\n\r\n', 200],
    };
    for (const [when, [sent, status]] of Object.entries(refused)) {
      it(`${when}`, async () => {
        await start(status === 408 ? { timeouts: shortHeaders } : {});
        const socket = await open(sent);
        const [response] = await once(socket, 'data');
        expect(String(response)).to.match(new RegExp(`^HTTP/1.1 ${status} `));
        await freed();
      });
    }

    it('and sends nothing', async () => {
      await start({ timeouts: shortHeaders });
      const socket = await open();
      socket.resume();
      await freed();
    });

    it('and does not read the response', async () => {
      await start();
      const socket = await open('GET /endless HTTP/1.1\r\nHost: x\r\n\r\n');
      await once(socket, 'readable');
      await freed();
    });

    it('and hardly reads the response', async () => {
      await start({ timeouts: { ...timeouts, stallMs: 60_000, responseBytesPerSecond: 2 ** 40 } });
      const socket = await open('GET /endless HTTP/1.1\r\nHost: x\r\n\r\n');
      const reading = setInterval(() => socket.read(), 10);
      await freed().finally(() => clearInterval(reading));
    });

    it('but keeps on sending the body of a request that has been responded to', async () => {
      await start({ uploadMs: 60_000 });
      const socket = await open('GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n');
      socket.resume();
      const sending = setInterval(() => socket.write('x'), 10);
      await freed().finally(() => clearInterval(sending));
    });
  });

  it('responds once to a request whose body turns out to be malformed after its response', async () => {
    await start();
    const socket = await open('GET / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n');
    let received = '';
    socket.on('data', (bytes) => (received += bytes));
    await until(() => received.endsWith('tulip'));
    socket.write('nonsense\r\n');
    await freed();
    expect(received.match(/HTTP\/1\.1 \d+/g)).to.deep.equal(['HTTP/1.1 200']);
  });

  it('survives clients that reset the connection after CONNECT', async () => {
    await start();
    for (let i = 0; i < 50; i++) {
      const socket = await open('CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n');
      if (i % 2 === 1) await once(socket, 'data');
      socket.resetAndDestroy();
    }
    expect(await isServed()).to.equal(true);
  });

  describe('has room', () => {
    const half = 'GET / HTTP/1.1\r\nHost';
    const slow = 'GET /slow HTTP/1.1\r\nHost: x\r\n\r\n';
    const patient = { ...timeouts, stallMs: 60_000, idleMs: 60_000 };
    const stillOpen = () => [...accepted].filter(({ destroyed }) => !destroyed).length;

    it('for a client whose other connections are idle, up to its share', async () => {
      await start({ timeouts: patient });
      for (let i = 0; i < 30; i++) {
        await open(i % 2 === 0 ? half : '');
        expect(await isServed()).to.equal(true);
      }
      await until(() => stillOpen() <= connections.perClient);
    });

    const abuses = {
      'idle connections': half,
      'requests without their bodies': 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n',
      'responses that nobody reads': 'GET /endless HTTP/1.1\r\nHost: x\r\n\r\n',
    };
    for (const [what, sent] of Object.entries(abuses)) {
      it(`for a client while ${what} of many other addresses fill the server`, async () => {
        await start({ timeouts: patient });
        for (let i = 0; i < 60; i++) await open(sent, `127.0.0.${2 + (i % 20)}`);
        expect(await isServed('127.0.1.1')).to.equal(true);
        await until(() => stillOpen() <= connections.total);
      });
    }

    it('for no further connection of a client all of whose connections have requests in progress', async () => {
      await start({ timeouts: patient });
      const busy = await Promise.all(Array.from({ length: connections.perClient }, () => open(slow)));
      const responses = busy.map((socket) => once(socket, 'data'));
      await until(() => waiting.length === connections.perClient);
      expect(await isServed()).to.equal(false);
      expect(await isServed('127.0.0.2')).to.equal(true);
      respond();
      for (const [response] of await Promise.all(responses))
        expect(String(response)).to.match(/^HTTP\/1.1 200 /);
    });

    it('for a trusted proxy beyond the share of a client, whose idle connections stay open', async () => {
      await start({ isProxy: ({ remoteAddress }) => remoteAddress === '127.0.0.9' });
      const pool = connections.perClient + 2;
      for (let i = 0; i < pool; i++) {
        const socket = await open('GET / HTTP/1.1\r\nHost: x\r\n\r\n', '127.0.0.9');
        await once(socket, 'data');
      }
      const other = await open('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
      await once(other.resume(), 'end'); // its idle connection is closed
      expect(stillOpen()).to.be.at.least(pool);
    });
  });

  it('does not handle requests ahead of responses that the client has not read', async () => {
    await start();
    await open('GET /slow HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(50));
    await freed();
    expect(waiting).to.have.length.at.most(2);
    respond();
  });

  it('closes connections with the last response when it stops', async () => {
    await start({ timeouts: { ...timeouts, idleMs: 60_000 } });
    const idle = await open('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await once(idle, 'data');
    const busy = await open('GET /slow HTTP/1.1\r\nHost: x\r\n\r\n');
    await until(() => waiting.length === 1);
    const drained = server.drain();
    respond();
    const [response] = await once(busy, 'data');
    expect(String(response)).to.match(/^HTTP\/1.1 200 .*Connection: close/s);
    await drained;
    expect([...accepted].every(({ destroyed }) => destroyed)).to.equal(true);
  });
});
