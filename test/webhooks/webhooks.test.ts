import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { Webhook, WebhookVerificationError } from 'standardwebhooks';
import { getGlobalDispatcher, setGlobalDispatcher } from 'undici';
import { readConfig } from '../../src/config.ts';
import type { Account, Delivery, Notice, OwnerEvent, PushEvent, PushNotice } from '../../src/domain/index.ts';
import type { Lookup } from '../../src/outgoing/addresses.ts';
import { type AgentOf, openEgress } from '../../src/runtime/egress.ts';
import { packageVersion } from '../../src/runtime/package.ts';
import { createWebhookMessenger, retryAfterMs } from '../../src/webhooks/messenger.ts';
import { type HttpProxy, startHttpProxy } from '../harness/httpProxy.ts';
import { anonymous, startService, type TestService } from '../harness/service.ts';

type Received = { path: string; method: string; headers: Record<string, string>; body: string };
type Respond = (res: ServerResponse, req: IncomingMessage) => unknown;

const path = '/secret-path?token=tulip';
const notPublic = 'the address of the host is not public';
/** Of the 6bone, given back in 2006: an address that is public, and that nobody has. */
const unusedPublic = '3ffe::1';

/** A server that remembers what was sent to it, and answers as it is told to. */
async function startReceiver(respond: Respond = (res) => res.end()) {
  const received: Received[] = [];
  const sockets = new Set<Socket>();
  const server = createServer(async (req, res) => {
    const headers = Object.fromEntries(
      Object.entries(req.headers).map(([name, value]) => [name, String(value)]),
    );
    received.push({ path: req.url ?? '', method: req.method ?? '', headers, body: await text(req) });
    respond(res, req);
  });
  server.on('connection', (socket) => sockets.add(socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    received,
    sockets,
    url: `http://127.0.0.1:${port}${path}`,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** A server that speaks no HTTP of its own. */
async function startTcp(connected: (socket: Socket) => void) {
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    connected(socket);
    socket.resume();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    sockets,
    url: `http://127.0.0.1:${port}${path}`,
    async stop() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Waits until the other side has let go of all connections, in whatever way. */
async function closed(sockets: Set<Socket>): Promise<void> {
  const open = [...sockets].filter((socket) => !socket.closed);
  await Promise.all(open.map((socket) => new Promise((resolve) => socket.once('close', resolve))));
}

const happenedAt = Date.UTC(2026, 0, 2, 3, 4, 5, 678);
const urlToken = '0'.repeat(26);

function noticeOf(event: PushEvent = 'viewed', more: Partial<PushNotice> = {}): PushNotice {
  return {
    id: 'notice_0123456789abcdef0123456789abcdef',
    event,
    times: 3,
    startedAt: happenedAt,
    happenedAt,
    attempt: 1,
    openers: [],
    push: {
      id: '0123456789abcdef0123456789abcdef',
      urlToken,
      urlTokenSha256: 'ab'.repeat(32),
      name: 'Büro 🌷 "VPN"',
      kind: 'text',
      viewsMax: 5,
      viewsUsed: 2,
      createdAt: happenedAt - 60_000,
      expiresAt: happenedAt + 60_000,
    },
    ...more,
  };
}

describe('The webhook messenger', () => {
  let service: TestService;
  let account: Account;
  const stops: (() => Promise<void>)[] = [];

  before(async () => {
    service = await startService({ WEBHOOK_ALLOW_PRIVATE: 'true' });
    account = await service.domain.accounts.create({ email: 'ann@x.org' });
  });

  after(() => service.stop());

  afterEach(async () => {
    await Promise.all(stops.splice(0).map((stop) => stop()));
    const { webhooks } = service.domain;
    for (const { id } of await webhooks.list(account)) await webhooks.remove(account, id);
  });

  async function receiver(respond?: Respond) {
    const started = await startReceiver(respond);
    stops.push(started.stop);
    return started;
  }

  async function tcp(connected: (socket: Socket) => void) {
    const started = await startTcp(connected);
    stops.push(started.stop);
    return started;
  }

  type Settings = { allowPrivate?: boolean; lookup?: Lookup; timeoutMs?: number; agentOf?: AgentOf };

  /** Registers an address, and gives what to do with it. */
  async function register(url: string, settings: Settings = {}) {
    const { webhooks } = service.domain;
    const { id, secret } = await webhooks.create(account, { url });
    const messenger = createWebhookMessenger({
      webhooks,
      version: packageVersion(),
      allowPrivate: true,
      ...settings,
    });
    return {
      id,
      secret,
      verifier: new Webhook(secret),
      /** Delivers what waits in the database. */
      deliverDue: () => service.domain.notices.deliverDue({ webhook: messenger }),
      /** Delivers a notice; whatever comes of it says nothing of the address. */
      async deliver(notice: Notice = noticeOf()): Promise<Delivery> {
        const delivery = await messenger.deliver(id, notice);
        if (delivery.outcome !== 'sent') {
          expect(delivery.reason).to.not.match(/tulip|secret-path|127\.|localhost|whsec/);
          expect(delivery.reason.length).to.be.within(5, 80);
        }
        return delivery;
      },
      async state() {
        const [found] = (await webhooks.list(account)).filter((webhook) => webhook.id === id);
        return { failing: found?.failingSince !== null, disabled: found?.disabledAt !== null };
      },
    };
  }

  const well = { failing: false, disabled: false };
  const failing = { failing: true, disabled: false };
  const disabled = { failing: true, disabled: true };

  describe('sends', () => {
    it('one POST with JSON and the headers of Standard Webhooks, over a connection of its own', async () => {
      const { url, received, sockets } = await receiver();
      const { deliver, state } = await register(url);
      const startedAt = Math.floor(Date.now() / 1_000);
      expect(await deliver()).to.deep.equal({ outcome: 'sent' });
      expect(await deliver()).to.deep.equal({ outcome: 'sent' });
      expect(received).to.have.length(2);
      const [first] = received;
      expect(first).to.include({ path, method: 'POST' });
      expect(first?.headers).to.include({
        'content-type': 'application/json',
        'content-length': String(Buffer.byteLength(first?.body ?? '')),
        'user-agent': `hushpush/${packageVersion()}`,
        'webhook-id': noticeOf().id,
        connection: 'close',
        host: new URL(url).host,
      });
      expect(Number(first?.headers['webhook-timestamp'])).to.be.within(startedAt, Date.now() / 1_000);
      expect(first?.headers['webhook-signature']).to.match(/^v1,[0-9A-Za-z+/]{43}=$/);
      expect(sockets.size).to.equal(2);
      expect(await state()).to.deep.equal(well);
    });

    it('a signature that verifies with Standard Webhooks libraries, and fails for a changed body', async () => {
      const { url, received } = await receiver();
      const { deliver, verifier, secret } = await register(url);
      for (const event of ['viewed', 'deleted', 'locked'] as const) await deliver(noticeOf(event));
      for (const { body, headers } of received) {
        expect(verifier.verify(body, headers)).to.deep.equal(JSON.parse(body));
        const later = { ...headers, 'webhook-timestamp': String(Number(headers['webhook-timestamp']) + 1) };
        const other = { ...headers, 'webhook-id': `${headers['webhook-id']}0` };
        const stranger = new Webhook(`whsec_${Buffer.alloc(32, 7).toString('base64')}`);
        const raw = new Webhook(secret.slice('whsec_'.length), { format: 'raw' });
        for (const refused of [
          () => verifier.verify(body.replace('"times":3', '"times":4'), headers),
          () => verifier.verify(`${body} `, headers),
          () => verifier.verify(body, later),
          () => verifier.verify(body, other),
          () => stranger.verify(body, headers),
          () => raw.verify(body, headers),
        ]) {
          expect(refused).to.throw(WebhookVerificationError);
        }
      }
      expect(received).to.have.length(3);
    });

    it('a signature by each secret, for a day after one was replaced', async () => {
      const { url, received } = await receiver();
      const { id, deliver, verifier } = await register(url);
      const { database, domain } = service;
      const { secret, previousSecretUntil } = await domain.webhooks.rotateSecret(account, id);
      expect(previousSecretUntil - (await domain.clock())).to.be.within(86_000_000, 86_400_000);
      await deliver();
      await database.execute('UPDATE webhooks SET previous_secret_until = 1', {});
      await deliver();
      const rotated = new Webhook(secret);
      const [during, after] = received;
      for (const { body, headers } of received) rotated.verify(body, headers);
      verifier.verify(during?.body ?? '', during?.headers ?? {});
      expect(() => verifier.verify(after?.body ?? '', after?.headers ?? {})).to.throw(
        WebhookVerificationError,
      );
      expect(after?.headers['webhook-signature']).to.match(/^v1,[0-9A-Za-z+/]{43}=$/);
      await domain.webhooks.erasePreviousSecrets();
      const rows = await database.select('SELECT id FROM webhooks WHERE previous_secret IS NOT NULL', {});
      expect(rows).to.be.empty;
    });

    it('a test event that its owner asks for, once', async () => {
      let status = 500;
      const { url, received } = await receiver((res) => res.writeHead(status).end());
      const { id, deliverDue, verifier, state } = await register(url);
      const { webhooks } = service.domain;
      const delivery = await webhooks.test(account, id);
      expect(delivery).to.include({ event: 'test', state: 'waiting', attempts: 0 });
      await deliverDue();
      await deliverDue();
      const [{ body, headers } = { body: '', headers: {} }, ...others] = received;
      expect(others).to.be.empty;
      expect(headers).to.include({ 'webhook-id': delivery.id });
      expect(verifier.verify(body, headers)).to.deep.equal({
        type: 'webhook.test',
        timestamp: new Date(delivery.happenedAt).toISOString(),
        data: {},
      });
      const [failed] = await webhooks.deliveries(account, id, 1);
      expect(failed).to.include({ id: delivery.id, state: 'failed', lastProblem: 'answered 500' });
      status = 200;
      await webhooks.test(account, id);
      await deliverDue();
      expect((await webhooks.deliveries(account, id, 1)).map((each) => each.state)).to.deep.equal([
        'sent',
        'failed',
      ]);
      expect(await state()).to.deep.equal(well);
    });

    it('a delivery again when its owner asks for it, whether it was sent, failed, or waits', async () => {
      const statuses = [200, 500, 500, 200];
      const { url, received } = await receiver((res) => res.writeHead(statuses.shift() ?? 500).end());
      const { id, deliverDue } = await register(url);
      const { webhooks, pushes } = service.domain;
      const { urlToken } = await pushes.create({ payload: 'tulip' }, { ...anonymous, account });
      await pushes.reveal(urlToken, undefined, anonymous);
      const [first] = await webhooks.deliveries(account, id, 1);
      const again = () => webhooks.redeliver(account, id, first?.id ?? '');
      await deliverDue(); // sent
      expect(await again()).to.include({ id: first?.id, state: 'waiting', attempts: 0 });
      await deliverDue(); // waits after a failure
      const { state, attempts, nextAttemptAt } = (await webhooks.deliveries(account, id, 1))[0] ?? {};
      expect({ state, attempts }).to.deep.equal({ state: 'waiting', attempts: 1 });
      expect(nextAttemptAt).to.be.above(await service.domain.clock());
      await service.database.execute('UPDATE notices SET created_at = 1', {});
      await again();
      await deliverDue(); // too old to be tried once more
      expect((await webhooks.deliveries(account, id, 1))[0]).to.include({ state: 'failed' });
      await again();
      await deliverDue();
      expect((await webhooks.deliveries(account, id, 1))[0]).to.include({ state: 'sent', lastProblem: null });
      expect(received.map(({ headers }) => headers['webhook-id'])).to.deep.equal(Array(4).fill(first?.id));
    });

    it('no notices of recipients, of composed pushes, or of requests', async () => {
      const { url, received } = await receiver();
      const { deliver, state } = await register(url);
      const request = {
        id: '0123456789abcdef0123456789abcdef',
        groupId: '0123456789abcdef0123456789abcdef',
        requester: { platform: 'slack', address: 'T1:U1' },
        provider: { platform: 'slack', address: 'T1:U2' },
        workspace: 'T1',
        reason: 'tulip',
        isUnreadable: false,
        state: 'open',
        createdAt: happenedAt,
        expiresAt: happenedAt + 60_000,
      } as const;
      const { push: _, ...told } = noticeOf();
      const notices: Notice[] = [
        ...(['shared', 'composed'] as const).map((event) => noticeOf(event)),
        ...(['requested', 'declined', 'cancelled'] as const).map((event) => ({
          ...told,
          event,
          request,
          unanswered: [],
        })),
      ];
      for (const notice of notices)
        expect(await deliver(notice)).to.deep.equal({
          outcome: 'never',
          reason: 'webhooks get notices to the owner of a push only',
        });
      expect(received).to.be.empty;
      expect(await state()).to.deep.equal(well);
    });

    it('the same id with every attempt, and the timestamp of each', async () => {
      const statuses = [500, 200];
      const { url, received } = await receiver((res) => res.writeHead(statuses.shift() ?? 0).end());
      const { deliver, verifier } = await register(url);
      await deliver();
      await sleep(1_050);
      expect(await deliver(noticeOf('viewed', { attempt: 2 }))).to.deep.equal({ outcome: 'sent' });
      const [first, second] = received.map(({ headers }) => headers);
      expect(second?.['webhook-id']).to.equal(first?.['webhook-id']);
      expect(Number(second?.['webhook-timestamp'])).to.be.above(Number(first?.['webhook-timestamp']));
      for (const { body, headers } of received) verifier.verify(body, headers);
    });

    it('what happened to a push, without anything that opens it', async () => {
      const { url, received } = await receiver();
      const { deliver } = await register(url);
      const told: [OwnerEvent, string, object][] = [
        ['viewed', 'push.viewed', {}],
        ['expired_by_views', 'push.expired', { reason: 'views' }],
        ['expired_by_time', 'push.expired', { reason: 'time' }],
        ['burned', 'push.expired', { reason: 'deleted' }],
        ['deleted', 'push.expired', { reason: 'deleted' }],
        ['failed_passphrase', 'push.failed_passphrase', {}],
        ['locked', 'push.locked', {}],
        ['about_to_expire', 'push.about_to_expire', {}],
        ['asked_again', 'push.asked_again', {}],
        ['answered', 'request.answered', {}],
      ];
      for (const [event] of told) await deliver(noticeOf(event));
      expect(received.map(({ body }) => JSON.parse(body))).to.deep.equal(
        told.map(([, type, reason]) => ({
          type,
          timestamp: '2026-01-02T03:04:05.678Z',
          data: {
            url_token_sha256: 'ab'.repeat(32),
            name: 'Büro 🌷 "VPN"',
            kind: 'text',
            views_total: 5,
            views_used: 2,
            times: 3,
            created_at: '2026-01-02T03:03:05.678Z',
            expires_at: '2026-01-02T03:05:05.678Z',
            ...reason,
          },
        })),
      );
    });

    it('the Host header of the URL, and over TLS for https', async () => {
      const hello: Buffer[] = [];
      const plain = await receiver();
      const secure = await tcp((socket) =>
        socket.once('data', (bytes) => {
          hello.push(bytes);
          socket.end();
        }),
      );
      const lookup: Lookup = async () => [{ address: '127.0.0.1', family: 4 }];
      const byName = await register(`http://hooks.test:${plain.port}/`, { lookup });
      expect(await byName.deliver()).to.deep.equal({ outcome: 'sent' });
      expect(plain.received[0]?.headers.host).to.equal(`hooks.test:${plain.port}`);
      const byTls = await register(`https://hooks.test:${secure.port}/`, { lookup });
      expect(await byTls.deliver()).to.include({ outcome: 'later' });
      expect(hello[0]?.[0]).to.equal(0x16); // a TLS handshake
      expect(hello[0]?.includes('hooks.test')).to.equal(true);
    });
  });

  describe('retries later', () => {
    it('after every status but success and 410', async () => {
      let status = 0;
      const { url, received } = await receiver((res) => res.writeHead(status, { location: '/other' }).end());
      const { deliver, state } = await register(url);
      const statuses = [
        300, 301, 302, 303, 304, 307, 308, 400, 401, 403, 404, 409, 422, 429, 451, 500, 502, 503, 504, 599,
      ];
      for (status of statuses) {
        const isRedirect = status < 400;
        expect(await deliver()).to.deep.equal({
          outcome: 'later',
          reason: `answered ${status}${isRedirect ? ': redirects are not followed' : ''}`,
          afterMs: undefined,
        });
        expect(await state(), String(status)).to.deep.equal(failing);
      }
      expect(received.map((request) => request.path)).to.deep.equal(statuses.map(() => path));
      for (status of [200, 201, 202, 204, 299]) {
        expect(await deliver(), String(status)).to.deep.equal({ outcome: 'sent' });
        expect(await state()).to.deep.equal(well);
      }
    });

    it('after the delay of Retry-After, in seconds or as a date, at most a day', async () => {
      let asked = '';
      const { url } = await receiver((res) => res.writeHead(429, { 'retry-after': asked }).end());
      const { deliver } = await register(url);
      const now = await service.domain.clock();
      const inMs = (ms: number) => new Date(now + ms).toUTCString();
      for (const [header, low, high] of [
        ['120', 120_000, 120_000],
        ['86400', 86_400_000, 86_400_000],
        ['99999999', 86_400_000, 86_400_000],
        [inMs(600_000), 590_000, 600_000],
        [inMs(9 * 86_400_000), 86_400_000, 86_400_000],
      ] as const) {
        asked = header;
        const delivery = await deliver();
        expect(delivery).to.include({ outcome: 'later', reason: 'answered 429' });
        expect('afterMs' in delivery && delivery.afterMs, header).to.be.within(low, high);
      }
      for (asked of ['0', '-5', '1.5', 'soon', '', '1e3', inMs(-5_000), '2026-01-01']) {
        expect(await deliver(), asked).to.include({ outcome: 'later', afterMs: undefined });
      }
    });

    it('and parses the three formats of HTTP dates in any time zone', () => {
      const zone = process.env.TZ;
      process.env.TZ = 'Asia/Tokyo';
      const now = Date.UTC(1994, 10, 6, 8, 48, 37);
      for (const date of [
        'Sun, 06 Nov 1994 08:49:37 GMT',
        ' Sunday, 06-Nov-94 08:49:37 GMT ',
        'Sun Nov  6 08:49:37 1994',
      ]) {
        expect(retryAfterMs(date, now), date).to.equal(60_000);
      }
      if (zone === undefined) delete process.env.TZ;
      else process.env.TZ = zone;
      expect(retryAfterMs(undefined, now)).to.equal(undefined);
    });

    const silent = () => {};
    const broken: [string, (socket: Socket) => void, string][] = [
      ['nobody responds', silent, 'no response within 0.3 s'],
      [
        'a response drips in too slowly',
        (socket) => {
          const drip = setInterval(() => socket.write('x'), 50);
          socket.on('close', () => clearInterval(drip));
          socket.write('HTTP/1.1 200 OK\r\nx-long: ');
        },
        'no response within 0.3 s',
      ],
      [
        'the connection is reset after all was sent',
        (socket) => socket.once('data', () => socket.resetAndDestroy()),
        'connection reset',
      ],
      ['the connection is reset at once', (socket) => socket.resetAndDestroy(), 'connection reset'],
      [
        'the connection is closed without a response',
        (socket) => socket.once('data', () => socket.end()),
        'connection reset',
      ],
      [
        'the response is cut in the middle of its head',
        (socket) => socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-')),
        'connection reset',
      ],
      [
        'what responds speaks something else',
        (socket) => socket.end('SSH-2.0-OpenSSH_9.2 tulip\r\n'),
        'the response is not valid HTTP',
      ],
      [
        'the head of the response is endless',
        (socket) =>
          socket.once('data', () => socket.write(`HTTP/1.1 200 OK\r\nx: ${'tulip'.repeat(20_000)}`)),
        'the response is not valid HTTP',
      ],
      [
        'the response wants another protocol',
        (socket) =>
          socket.once('data', () =>
            socket.write('HTTP/1.1 101 Switching Protocols\r\nupgrade: tulip\r\nconnection: upgrade\r\n\r\n'),
          ),
        'closed without a response',
      ],
    ];
    for (const [what, connected, reason] of broken) {
      it(`when ${what}`, async () => {
        const { url, sockets } = await tcp(connected);
        const timeoutMs = reason === 'no response within 0.3 s' ? 300 : 100_000;
        const { deliver, state } = await register(url, { timeoutMs });
        expect(await deliver()).to.deep.equal({ outcome: 'later', reason });
        expect(await state()).to.deep.equal(failing);
        await closed(sockets);
      });
    }

    it('when the connection is refused', async () => {
      const { url, stop } = await startReceiver();
      await stop();
      const { deliver, state } = await register(url);
      expect(await deliver()).to.deep.equal({ outcome: 'later', reason: 'connection refused' });
      expect(await state()).to.deep.equal(failing);
    });

    it('when a host name does not resolve, or not in time', async () => {
      const failed = (code: string) =>
        Object.assign(new Error(`getaddrinfo ${code} hooks.test tulip`), { code });
      const lookups: [Lookup, string][] = [
        [async () => Promise.reject(failed('ENOTFOUND')), 'host name not found'],
        [async () => Promise.reject(failed('EAI_AGAIN')), 'the name server did not respond'],
        [async () => Promise.reject(new Error('tulip')), 'the request failed'],
        [async () => [], 'the host name has no address'],
        [() => new Promise(() => {}), 'no response within 0.1 s'],
        [() => sleep(200).then(() => Promise.reject(failed('ENOTFOUND'))), 'no response within 0.1 s'],
      ];
      for (const [lookup, reason] of lookups) {
        const timeoutMs = reason === 'no response within 0.1 s' ? 100 : 100_000;
        const { deliver, id } = await register('http://hooks.test/', { lookup, timeoutMs });
        expect(await deliver()).to.deep.equal({ outcome: 'later', reason });
        await service.domain.webhooks.remove(account, id);
      }
      await sleep(150); // a refusal that comes too late is nobody’s
    });
  });

  describe('judges a response by its status', () => {
    it('and reads at most 64 KiB of the body', async () => {
      let written = 0;
      const { url, sockets } = await receiver((res) => {
        const chunk = Buffer.alloc(64 * 1024, 'x');
        const more = () => {
          while (!res.destroyed && written < 64 * 1024 * 1024 && res.write(chunk)) written += chunk.length;
        };
        res.on('drain', more);
        more();
      });
      const { deliver, state } = await register(url);
      expect(await deliver()).to.deep.equal({ outcome: 'sent' });
      await closed(sockets);
      expect(written).to.be.below(16 * 1024 * 1024);
      expect(await state()).to.deep.equal(well);
    });

    it('and abandons a slow body at the timeout', async () => {
      const { url, sockets } = await receiver((res) => {
        const drip = setInterval(() => res.write('x'), 20);
        res.on('close', () => clearInterval(drip));
      });
      const { deliver, state } = await register(url, { timeoutMs: 2_000 });
      expect(await deliver()).to.deep.equal({ outcome: 'sent' });
      await closed(sockets);
      expect(await state()).to.deep.equal(well);
    });

    it('even when the body is cut short', async () => {
      const { url } = await receiver((res) => {
        res.writeHead(200, { 'content-length': '1000' }).write('x', () => res.destroy());
      });
      const { deliver } = await register(url);
      expect(await deliver()).to.deep.equal({ outcome: 'sent' });
    });
  });

  describe('gives up', () => {
    it('at once after 410, and disables the webhook', async () => {
      const { url, received } = await receiver((res) => res.writeHead(410).end());
      const { deliver, state } = await register(url);
      expect(await deliver()).to.deep.equal({ outcome: 'never', reason: 'answered 410: gone' });
      expect(await state()).to.deep.equal(disabled);
      expect(await deliver()).to.deep.equal({ outcome: 'never', reason: 'the webhook is disabled' });
      expect(received).to.have.length(1);
    });

    it('when all attempts failed for three days, and records why', async () => {
      const { url, received } = await receiver((res) => res.writeHead(500).end());
      const { deliver, state } = await register(url);
      await deliver();
      await service.database.execute('UPDATE webhooks SET failing_since = failing_since - $ms', {
        ms: 3 * 86_400_000,
      });
      expect(await deliver()).to.include({ outcome: 'never', reason: 'answered 500' });
      expect(await state()).to.deep.equal(disabled);
      expect(await deliver()).to.deep.equal({ outcome: 'never', reason: 'the webhook is disabled' });
      expect(received).to.have.length(2);
    });

    it('on a webhook that was removed or never existed', async () => {
      const { url, received } = await receiver();
      const { id } = await register(url);
      const { webhooks } = service.domain;
      const messenger = createWebhookMessenger({ webhooks, version: packageVersion(), allowPrivate: true });
      await webhooks.remove(account, id);
      for (const address of [id, '', 'U0123', 'f'.repeat(32)]) {
        expect(await messenger.deliver(address, noticeOf())).to.deep.equal({
          outcome: 'never',
          reason: 'the webhook was removed',
        });
      }
      expect(received).to.be.empty;
    });
  });

  describe('connects to public addresses only', () => {
    const hosts = [
      ...['localhost', 'LOCALHOST', 'localhost.', 'api.localhost', 'a.b.localhost.'],
      ...['127.0.0.1', '127.0.0.1.', '127.1', '127.0.1', '127.255.255.254', '2130706433', '0x7f000001'],
      ...[
        '0x7f.1',
        '0177.0.0.1',
        '017700000001',
        '0x7F.0x0.0x0.0x1',
        '127.0.0.0x1',
        '１２７.０.０.１',
        '127。0。0。1',
      ],
      ...['0.0.0.0', '0', '0.1.2.3'],
      ...[
        '10.0.0.1',
        '10.255.255.255',
        '0xa000001',
        '172.16.0.1',
        '172.31.255.255',
        '192.168.0.1',
        '3232235777',
      ],
      ...['169.254.169.254', '169.254.0.1', '2852039166', '0xa9fea9fe', '0251.0376.0251.0376'],
      ...['100.64.0.1', '100.100.100.200', '100.127.255.255', '192.0.0.192', '192.0.2.1', '192.88.99.1'],
      ...['198.18.0.1', '198.51.100.1', '203.0.113.1', '224.0.0.1', '239.255.255.250', '240.0.0.1'],
      ...['255.255.255.255', '4294967295'],
      ...[
        '[::]',
        '[::1]',
        '[0:0:0:0:0:0:0:1]',
        '[::ffff:127.0.0.1]',
        '[::ffff:7f00:1]',
        '[::ffff:a9fe:a9fe]',
      ],
      ...['[::ffff:8.8.8.8]', '[::127.0.0.1]', '[::7f00:1]', '[::ffff:0:127.0.0.1]', '[64:ff9b::7f00:1]'],
      ...['[64:ff9b::169.254.169.254]', '[64:ff9b:1::1]', '[2002:7f00:1::]', '[2002:a9fe:a9fe::1]'],
      ...[
        '[2001:0:7f00:1::]',
        '[2001:db8::1]',
        '[3fff::1]',
        '[fe80::1]',
        '[febf::1]',
        '[fec0::1]',
        '[fc00::1]',
      ],
      ...[
        '[fd00:ec2::254]',
        '[fd12:3456:789a::1]',
        '[ff02::1]',
        '[ff0e::1]',
        '[100::1]',
        '[5f00::1]',
        '[4000::1]',
      ],
    ];
    for (const host of hosts) {
      it(`and not to ${host}`, async () => {
        const trap = await tcp((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n'));
        const lookup: Lookup = async (name) => {
          throw new Error(`nobody had to ask for ${name}`);
        };
        const url = `http://${host}:${trap.port}${path}`;
        const { deliver, state } = await register(url, { allowPrivate: false, lookup, timeoutMs: 100_000 });
        expect(await deliver()).to.deep.equal({ outcome: 'later', reason: notPublic });
        expect(await state()).to.deep.equal(failing);
        expect(trap.sockets.size).to.equal(0);
      });
    }

    const answers: [string, string[]][] = [
      ['a private address', ['10.0.0.5']],
      ['this machine', ['127.0.0.1']],
      ['this machine by IPv6', ['::1']],
      ['a metadata service', ['169.254.169.254']],
      ['a mapped address', ['::ffff:127.0.0.1']],
      ['an address of one link', ['fe80::1%lo']],
      ['an address that is none', ['tulip']],
      ['a public address and then a private one', [unusedPublic, '127.0.0.1']],
      ['a private address and then a public one', ['127.0.0.1', unusedPublic]],
    ];
    for (const [what, addresses] of answers) {
      it(`and not to a name that resolves to ${what}`, async () => {
        const trap = await tcp((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n'));
        const lookup: Lookup = async () =>
          addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
        const url = `http://hooks.test:${trap.port}${path}`;
        const { deliver, state } = await register(url, { allowPrivate: false, lookup, timeoutMs: 100_000 });
        expect(await deliver()).to.deep.equal({ outcome: 'later', reason: notPublic });
        expect(await state()).to.deep.equal(failing);
        expect(trap.sockets.size).to.equal(0);
      });
    }

    it('and not to another address when the name is resolved a second time', async () => {
      const trap = await tcp((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n'));
      const asked: string[] = [];
      const lookup: Lookup = async (name) => {
        asked.push(name);
        return asked.length === 1
          ? [{ address: unusedPublic, family: 6 }]
          : [{ address: '127.0.0.1', family: 4 }];
      };
      const url = `http://hooks.test:${trap.port}${path}`;
      const { deliver } = await register(url, { allowPrivate: false, lookup, timeoutMs: 300 });
      expect(await deliver()).to.include({ outcome: 'later' });
      expect(asked).to.deep.equal(['hooks.test']);
      expect(trap.sockets.size).to.equal(0);
    });

    it('by the address that was checked', async () => {
      const judged = await receiver();
      const asked: string[] = [];
      const lookup: Lookup = async (name) => {
        asked.push(name);
        return [{ address: asked.length === 1 ? '127.0.0.1' : '127.0.0.2', family: 4 }];
      };
      const { deliver } = await register(`http://hooks.test:${judged.port}/`, { lookup });
      expect(await deliver()).to.deep.equal({ outcome: 'sent' });
      expect(asked).to.deep.equal(['hooks.test']);
      expect(judged.received).to.have.length(1);
    });

    it('by the next address of a name when the first does not respond', async () => {
      const { port, received } = await receiver();
      const lookup: Lookup = async () => [
        { address: '127.0.0.2', family: 4 },
        { address: '127.0.0.1', family: 4 },
      ];
      const { deliver } = await register(`http://hooks.test:${port}/`, { lookup });
      expect(await deliver()).to.deep.equal({ outcome: 'sent' });
      expect(received).to.have.length(1);
    });

    describe('through a proxy', () => {
      /** Of example.com's network: nobody is asked, since the proxy of the tests knows this machine alone. */
      const publicAddress = '93.184.215.14';
      let proxy: HttpProxy;
      let agentOf: AgentOf;

      async function open(credentials?: string) {
        proxy = await startHttpProxy(credentials === undefined ? {} : { credentials });
        const before = getGlobalDispatcher();
        agentOf = await openEgress(readConfig({ EGRESS_PROXY: `http://${proxy.host}` }));
        setGlobalDispatcher(before);
        stops.push(proxy.close);
      }

      it('which is asked for the address that was checked, not for the name', async () => {
        await open();
        const plain = await receiver();
        const lookup: Lookup = async () => [
          { address: unusedPublic, family: 6 },
          { address: publicAddress, family: 4 },
        ];
        const url = `http://hooks.test:${plain.port}${path}`;
        const { deliver } = await register(url, { allowPrivate: false, lookup, agentOf });
        expect(await deliver()).to.deep.equal({ outcome: 'sent' });
        expect(proxy.asked).to.deep.equal([`CONNECT ${publicAddress}:${plain.port}`]);
        expect(plain.received[0]?.headers).to.include({
          host: `hooks.test:${plain.port}`,
          connection: 'close',
        });
      });

      it('inside of which TLS still asks for the name', async () => {
        await open();
        const hello: Buffer[] = [];
        const secure = await tcp((socket) =>
          socket.once('data', (bytes) => {
            hello.push(bytes);
            socket.end();
          }),
        );
        const lookup: Lookup = async () => [{ address: unusedPublic, family: 6 }];
        const url = `https://hooks.test:${secure.port}${path}`;
        const { deliver } = await register(url, { allowPrivate: false, lookup, agentOf });
        expect(await deliver()).to.include({ outcome: 'later' });
        expect(proxy.asked).to.deep.equal([`CONNECT [${unusedPublic}]:${secure.port}`]);
        expect(hello[0]?.[0]).to.equal(0x16);
        expect(hello[0]?.includes('hooks.test')).to.equal(true);
      });

      it('which is never asked for what is not public', async () => {
        await open();
        const trap = await receiver();
        const lookup: Lookup = async () => [
          { address: publicAddress, family: 4 },
          { address: '10.0.0.5', family: 4 },
        ];
        for (const host of ['hooks.test', '169.254.169.254', '10.0.0.5', '[::1]', 'localhost']) {
          const url = `http://${host}:${trap.port}${path}`;
          const { deliver } = await register(url, { allowPrivate: false, lookup, agentOf });
          expect(await deliver(), host).to.deep.equal({ outcome: 'later', reason: notPublic });
        }
        expect(proxy.asked).to.deep.equal([]);
        expect(trap.received).to.deep.equal([]);
      });

      it('whose refusals are not those of the receiver', async () => {
        await open('me:tulip');
        const { deliver, state } = await register(`http://${publicAddress}:1${path}`, { agentOf });
        const reason = 'the proxy for outgoing requests answered 407';
        expect(await deliver()).to.deep.equal({ outcome: 'later', reason });
        expect(await state()).to.deep.equal(failing);
        await proxy.close();
        stops.pop();
        const gone = 'the proxy for outgoing requests cannot be reached';
        expect(await deliver()).to.deep.equal({ outcome: 'later', reason: gone });
      });
    });

    it('unless the operator allows private ones', async () => {
      const { port, received } = await receiver();
      for (const host of ['127.0.0.1', 'localhost', '2130706433']) {
        const { deliver } = await register(`http://${host}:${port}/${host}`);
        expect(await deliver(), host).to.deep.equal({ outcome: 'sent' });
      }
      expect(received).to.have.length(3);
    });
  });
});
