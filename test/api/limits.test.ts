import { connect, isIP } from 'node:net';
import { expect } from 'chai';
import { createApi } from '../../src/api/api.ts';
import { createHttp } from '../../src/http/http.ts';
import { createWeb } from '../../src/web/web.ts';
import {
  type ApiResponse,
  asForm,
  asMultipart,
  bearer,
  type Client,
  type CreatedPush,
  createClient,
  type Fields,
  multipart,
  times,
} from '../harness/api.ts';
import { createForms, sameOrigin } from '../harness/forms.ts';
import { type FormBrowser, openFormBrowser, password, visibleText } from '../harness/pages.ts';
import { byPassword, createAccount, someClient, startService, type TestService } from '../harness/service.ts';
import { until } from '../harness/until.ts';

/** Only the rules that a test is about are set low; those of passphrases and unknown tokens keep their defaults. */
const generous = {
  RATE_LIMITS: 'on',
  TRUSTED_PROXIES: '127.0.0.1',
  LIMIT_REQUESTS: '1000000/1h',
  LIMIT_AUTHENTICATED_REQUESTS: '1000000/1h',
  LIMIT_ACCOUNT_REQUESTS: '1000000/1h',
  LIMIT_TOKEN_REQUESTS: '1000000/1h',
  LIMIT_ANONYMOUS_CREATE: '1000000/1h',
  LIMIT_ACCOUNT_CREATE: '1000000/1h',
};
/** What arrives at once must cost as much as it does in production, or it would not meet. */
const realHashes = { hashCostMax: 12 };
const unknownToken = '0'.repeat(26);
const minute = 60;
const hour = 3_600;

let service: TestService;
let ann: { authorization: string };
let networks = 0;
const started: { stop(): Promise<void> }[] = [];

/** A service that shares with the others only what another process would: database, keys and settings. */
async function startProcess(environment: Record<string, string> = {}, options = {}): Promise<Client> {
  const process = await startService({ ...generous, ...service.shared, ...environment }, options);
  const client = createClient(process.port, { connections: 200 });
  started.push({
    async stop() {
      client.close();
      await process.stop();
    },
  });
  return client;
}

/** A network, as three quarters of an address, that no other test counts. */
function newNetwork(): string {
  networks += 1;
  return `10.${networks >> 8}.${networks & 255}`;
}

/** What the proxy in front of the service says of where a request comes from. */
function from(address: string): { 'x-forwarded-for': string } {
  return { 'x-forwarded-for': address };
}

function newClient(): { 'x-forwarded-for': string } {
  return from(`${newNetwork()}.1`);
}

async function newAccount(): Promise<{ authorization: string }> {
  const { token } = await createAccount(service.domain);
  return bearer(token);
}

/** Makes all counters and locks older. What a process remembers of them stays: only a new one notices. */
async function letPass(seconds: number): Promise<void> {
  const { execute } = service.database;
  await execute('UPDATE rate_limits SET expires_at = expires_at - $ms', { ms: seconds * 1000 });
}

/** Looks for a refusal with its time to wait, which is between `least` and `most` seconds. */
function expectTooMany({ status, headers, body }: ApiResponse, least: number, most: number): void {
  expect(status).to.equal(429);
  expect(headers).to.include({
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
  });
  expect(body.error).to.be.a('string').that.is.not.empty;
  expect(headers['retry-after']).to.match(/^\d+$/);
  expect(Number(headers['retry-after'])).to.be.within(least, most);
}

function statusesOf(answers: ApiResponse[]): number[] {
  return answers.map(({ status }) => status);
}

function count(answers: ApiResponse[], status: number): number {
  return statusesOf(answers).filter((found) => found === status).length;
}

async function inTurn<T>(number: number, act: (index: number) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  for (let index = 0; index < number; index++) results.push(await act(index));
  return results;
}

describe('rate limits', () => {
  before(async () => {
    service = await startService({ RATE_LIMITS: 'off' });
    ann = await newAccount();
  });

  afterEach(async () => {
    await Promise.all(started.splice(0).map(({ stop }) => stop()));
  });

  after(() => service.stop());

  describe('the rate limit of requests', () => {
    it('lets a client send so many, and then tells it when to try again', async () => {
      const api = await startProcess({ LIMIT_REQUESTS: '4/1h' });
      const client = newClient();
      const answers = await inTurn(4, () => api.get('/api/v1/version', client));
      expect(statusesOf(answers)).to.deep.equal([200, 200, 200, 200]);
      for (const answer of await inTurn(3, () => api.get('/api/v1/version', client))) {
        expectTooMany(answer, hour - 60, hour);
      }
      expect((await api.get('/api/v1/version', newClient())).status).to.equal(200);
    });

    it('says in each response what is left of every rate that it counts against', async () => {
      const limits = { LIMIT_REQUESTS: '30/1m,100/1h', LIMIT_TOKEN_REQUESTS: '7/1m' };
      const api = await startProcess(limits);
      const client = newClient();
      await api.get('/api/v1/version', client);
      const { headers } = await api.get(`/p/${unknownToken}.json`, client);
      expect(headers['ratelimit-policy']).to.equal('"requests-60s";q=30;w=60, "requests-3600s";q=100;w=3600');
      expect(headers.ratelimit).to.equal('"requests-60s";r=28, "requests-3600s";r=98');
      const own = await api.get('/p/active.json', { ...client, ...(await newAccount()) });
      expect(own.headers.ratelimit).to.match(/(^|, )"token-requests-60s";r=6(,|$)/);
    });

    it('counts by every one of its rates', async () => {
      const limits = { LIMIT_REQUESTS: '3/1m,5/1h' };
      const client = newClient();
      const first = await startProcess(limits);
      expect(statusesOf(await inTurn(3, () => first.get('/api/v1/version', client)))).to.not.include(429);
      expectTooMany(await first.get('/api/v1/version', client), 1, minute);
      await letPass(minute);
      const second = await startProcess(limits);
      expect((await second.get('/api/v1/version', client)).status).to.equal(200);
      expectTooMany(await second.get('/api/v1/version', client), 50 * minute, 59 * minute);
    });

    it('begins anew when its time has passed', async () => {
      const client = newClient();
      const first = await startProcess({ LIMIT_REQUESTS: '1/1h' });
      expect(statusesOf(await inTurn(2, () => first.get('/api/v1/version', client)))).to.deep.equal([
        200, 429,
      ]);
      await letPass(hour);
      const second = await startProcess({ LIMIT_REQUESTS: '1/1h' });
      expect(statusesOf(await inTurn(2, () => second.get('/api/v1/version', client)))).to.deep.equal([
        200, 429,
      ]);
    });

    const endpoints: [string, string][] = [
      ['POST', '/p.json'],
      ['POST', '/f.json'],
      ['POST', '/r.json'],
      ['GET', '/p/TOKEN.json'],
      ['HEAD', '/p/TOKEN.json'],
      ['DELETE', '/p/TOKEN.json'],
      ['GET', '/f/TOKEN.json'],
      ['DELETE', '/r/TOKEN.json'],
      ['GET', '/p/TOKEN/preview.json'],
      ['GET', '/p/TOKEN/audit.json'],
      ['GET', '/p/active.json'],
      ['GET', '/p/expired.json'],
      ['GET', '/api/v1/version.json'],
      ['GET', '/api/v1/openapi.json'],
      ['GET', '/p/TOKEN'],
      ['HEAD', '/p/TOKEN'],
      ['POST', '/p/TOKEN'],
    ];
    for (const [method, path] of endpoints) {
      it(`holds for ${method} ${path}, which then does nothing`, async () => {
        const api = await startProcess({ LIMIT_REQUESTS: '1/1h' });
        const { token, json } = await api.create({ retrieval_step: false, deletable_by_viewer: true }, ann);
        const client = newClient();
        expect((await api.get('/api/v1/version', client)).status).to.equal(200);
        const refused = await api.send(method, path.replace('TOKEN', token), { headers: client });
        expect(refused.status).to.equal(429);
        expect(Number(refused.headers['retry-after'])).to.be.within(hour - 60, hour);
        expect((await api.get(json, ann)).body).to.include({ views_remaining: 4, payload: 'tulip' });
      });
    }

    it('counts a credential that is wrong as a request of its client', async () => {
      const api = await startProcess({ LIMIT_REQUESTS: '3/1h' });
      const headers = { ...bearer('nonsense'), ...newClient() };
      const answers = await inTurn(4, () => api.get('/p/active.json', headers));
      expect(statusesOf(answers)).to.deep.equal([401, 401, 401, 429]);
    });

    it('takes an IPv6 network of 64 bits for one client', async () => {
      const api = await startProcess({ LIMIT_REQUESTS: '2/1h' });
      const [mine, other] = ['2001:db8:1:1', '2001:db8:1:2'];
      const addresses = [`${mine}::1`, `${mine}:ffff::2`, `${mine}:1:2:3:4`, `${other}::1`];
      const answers = await inTurn(4, (i) => api.get('/api/v1/version', from(String(addresses[i]))));
      expect(statusesOf(answers)).to.deep.equal([200, 200, 429, 200]);
    });

    it('is not fooled by addresses that a client claims behind a proxy', async () => {
      const api = await startProcess({ LIMIT_REQUESTS: '3/1h' });
      const mine = `${newNetwork()}.1`;
      const answers = await inTurn(6, () => api.get('/api/v1/version', from(`${newNetwork()}.1, ${mine}`)));
      expect(statusesOf(answers)).to.deep.equal([200, 200, 200, 429, 429, 429]);
      expect((await api.get('/api/v1/version', from(`${mine}, ${newNetwork()}.1`))).status).to.equal(200);
    });

    it('walks through all proxies that are trusted, and no further', async () => {
      const api = await startProcess({ LIMIT_REQUESTS: '2/1h', TRUSTED_PROXIES: '127.0.0.1, 192.0.2.0/24' });
      const mine = `${newNetwork()}.1`;
      const chains = [`${mine}, 192.0.2.1`, `8.8.8.8, ${mine}, 192.0.2.1, 192.0.2.2`, `7.7.7.7,${mine}`];
      const answers = await inTurn(3, (i) => api.get('/api/v1/version', from(String(chains[i]))));
      expect(statusesOf(answers)).to.deep.equal([200, 200, 429]);
    });

    it('takes nonsense for no address', async () => {
      const api = await startProcess();
      for (const nonsense of ['unknown', '<script>', '999.1.1.1', '198.51.100.7:4711', ',,']) {
        const { token } = await api.create({}, { ...ann, ...from(nonsense) });
        const { body } = await api.get(`/p/${token}/audit.json`, ann);
        const [{ ip } = {}] = body.views as Fields[];
        expect(isIP(String(ip)), `${nonsense} became ${ip}`).to.equal(4);
      }
    });

    it('believes no address that comes past the proxies', async () => {
      const api = await startProcess({ LIMIT_REQUESTS: '3/1h', TRUSTED_PROXIES: '' });
      const answers = await inTurn(4, () => api.get('/api/v1/version', newClient()));
      expect(statusesOf(answers)).to.deep.equal([200, 200, 200, 429]);
    });

    it('is for each account its own, wherever its requests come from', async () => {
      const api = await startProcess({ LIMIT_REQUESTS: '1/1h', LIMIT_TOKEN_REQUESTS: '3/1h' });
      const carol = await newAccount();
      const answers = await inTurn(4, () => api.get('/p/active.json', { ...carol, ...newClient() }));
      expect(statusesOf(answers)).to.deep.equal([200, 200, 200, 429]);
      expectTooMany(await api.get('/p/active.json', { ...carol, ...newClient() }), hour - 60, hour);
      const dan = { ...(await newAccount()), ...newClient() };
      expect(statusesOf(await inTurn(3, () => api.get('/p/active.json', dan)))).to.not.include(429);
    });

    it('is for each API token its own', async () => {
      const api = await startProcess({ LIMIT_TOKEN_REQUESTS: '2/1h' });
      const { account, token } = await createAccount(service.domain, 'tokens@example.com');
      const other = await service.domain.apiTokens.issue(account, { name: 'other' });
      const first = await inTurn(3, () => api.get('/p/active.json', bearer(token)));
      const second = await inTurn(3, () => api.get('/p/active.json', bearer(other)));
      expect(statusesOf(first)).to.deep.equal([200, 200, 429]);
      expect(statusesOf(second)).to.deep.equal([200, 200, 429]);
    });

    it('is for each browser that is signed in its own', async () => {
      const api = await startProcess({ LIMIT_TOKEN_REQUESTS: '2/1h' });
      const { account } = await createAccount(service.domain, 'browsers@example.com');
      for (const _ of [1, 2]) {
        const session = await service.domain.sessions.create(account, someClient, byPassword);
        const cookie = { cookie: `hushpush-session=${session}` };
        const answers = await inTurn(3, () => api.get('/pushes', { ...cookie, ...newClient() }));
        expect(statusesOf(answers)).to.deep.equal([200, 200, 429]);
      }
    });

    it('adds up all tokens and sessions of an account', async () => {
      const api = await startProcess({ LIMIT_ACCOUNT_REQUESTS: '4/1h' });
      const { account, token } = await createAccount(service.domain, 'sums@example.com');
      const other = await service.domain.apiTokens.issue(account, { name: 'other' });
      const session = await service.domain.sessions.create(account, someClient, byPassword);
      const headers = [bearer(token), bearer(other), { cookie: `hushpush-session=${session}` }];
      const paths = ['/p/active.json', '/p/active.json', '/pushes'];
      const answers = await inTurn(6, (i) => {
        return api.get(String(paths[i % 3]), { ...headers[i % 3], ...newClient() });
      });
      expect(statusesOf(answers)).to.deep.equal([200, 200, 200, 200, 429, 429]);
    });

    it('adds up all accounts of a client', async () => {
      const api = await startProcess({ LIMIT_AUTHENTICATED_REQUESTS: '3/1h' });
      const client = newClient();
      const answers = await inTurn(4, async () =>
        api.get('/p/active.json', { ...(await newAccount()), ...client }),
      );
      expect(statusesOf(answers)).to.deep.equal([200, 200, 200, 429]);
      expect((await api.get('/api/v1/version', client)).status).to.equal(200);
    });

    it('holds at every door that writes', async () => {
      const api = await startProcess({ LIMIT_REQUESTS: '1/1h' });
      const client = newClient();
      await api.get('/api/v1/version', client);
      const routes = writingRoutes();
      expect(routes).to.include.members(['POST /sign-up', 'POST /p.json', 'DELETE /api/v1/webhooks.json']);
      for (const route of routes) {
        const [method = '', path = ''] = route.split(' ');
        const { status } = await api.send(method, path, { headers: client });
        expect(status, route).to.equal(429);
      }
    });

    const filled = (path: string) => path.replace(':label', '00000000').replace(/:\w+/g, unknownToken);

    /** The method and a path of every route of the API and the pages that changes something. */
    function writingRoutes(): string[] {
      const { domain } = service;
      const http = createHttp(domain, { baseUrl: 'http://push.test', trustedProxies: [] });
      const readOpenApi = () => Promise.reject(new Error('nobody reads it'));
      const routers = [
        createApi({ domain, version: '', readOpenApi, ...http }),
        createWeb({ domain, readOpenApi, ...http }).router,
      ];
      return routers.flatMap(({ stack }) =>
        stack.flatMap(({ methods, path, name }) =>
          methods
            .filter((method) => ['POST', 'PUT', 'PATCH', 'DELETE'].includes(method))
            .map((method) => `${method} ${filled(name ?? String(path))}`),
        ),
      );
    }

    it('lets no parallel request slip through, on two processes', async () => {
      const [a, b] = [
        await startProcess({ LIMIT_REQUESTS: '10/1h' }),
        await startProcess({ LIMIT_REQUESTS: '10/1h' }),
      ];
      const client = newClient();
      const answers = await times(60, (i) => (i % 2 ? a : b).get('/api/v1/version', client));
      expect(count(answers, 200)).to.equal(10);
      expect(count(answers, 429)).to.equal(50);
    });
  });

  describe('the rate limit of creation', () => {
    it('holds for a client without an account, which may still do everything else', async () => {
      const api = await startProcess({ LIMIT_ANONYMOUS_CREATE: '3/1h' });
      const client = newClient();
      const [first] = await inTurn(3, () => api.create({}, client));
      const before = await pushes();
      expectTooMany(await api.post('/p.json', { password: { payload: 'x' } }, client), hour - 60, hour);
      const form = { ...asMultipart, ...client };
      const body = multipart({ 'password[payload]': 'x' });
      expectTooMany(await api.send('POST', '/p.json', { headers: form, body }), hour - 60, hour);
      expect(await pushes()).to.equal(before);
      expect((await api.get(String(first?.json), client)).body.payload).to.equal('tulip');
      expect((await api.create({}, { ...ann, ...client })).response.status).to.equal(201);
      expect((await api.create({}, newClient())).response.status).to.equal(201);
    });

    it('is checked before a body is read, and counts one that cannot be read', async () => {
      const api = await startProcess({ LIMIT_ANONYMOUS_CREATE: '1/1h' });
      const client = newClient();
      const unreadable = { headers: { 'content-type': 'application/json', ...client }, body: '{' };
      expect((await api.send('POST', '/p.json', unreadable)).status).to.equal(400);
      expectTooMany(await api.send('POST', '/p.json', unreadable), hour - 60, hour);
      expectTooMany(await api.post('/p.json', { password: { payload: 'x' } }, client), hour - 60, hour);
    });

    it('counts by every one of its rates', async () => {
      const limits = { LIMIT_ANONYMOUS_CREATE: '2/1m,3/1d' };
      const client = newClient();
      const first = await startProcess(limits);
      await inTurn(2, () => first.create({}, client));
      expectTooMany(await first.post('/p.json', { password: { payload: 'x' } }, client), 1, minute);
      await letPass(minute);
      const second = await startProcess(limits);
      const refused = await second.post('/p.json', { password: { payload: 'x' } }, client);
      expectTooMany(refused, 23 * hour, 24 * hour);
    });

    it('holds for an account, wherever its requests come from', async () => {
      const api = await startProcess({ LIMIT_ACCOUNT_CREATE: '2/1h', LIMIT_ANONYMOUS_CREATE: '1/1h' });
      const carol = await newAccount();
      await inTurn(2, () => api.create({}, { ...carol, ...newClient() }));
      const headers = { ...carol, ...newClient() };
      expectTooMany(await api.post('/p.json', { password: { payload: 'x' } }, headers), hour - 60, hour);
      const url = { url: { payload: 'https://example.com' } };
      expectTooMany(await api.post('/r.json', url, headers), hour - 60, hour);
      expect((await api.get('/p/active.json', headers)).status).to.equal(200);
      expect((await api.create({}, await newAccount())).response.status).to.equal(201);
    });

    it('is shared by two processes, and lets nothing slip through', async () => {
      const limits = { LIMIT_ANONYMOUS_CREATE: '5/1h' };
      const [a, b] = [await startProcess(limits), await startProcess(limits)];
      const client = newClient();
      const answers = await times(20, (i) =>
        (i % 2 ? a : b).post('/p.json', { password: { payload: 'x' } }, client),
      );
      expect(count(answers, 201)).to.equal(5);
      expect(count(answers, 429)).to.equal(15);
    });

    async function pushes(): Promise<number> {
      const [row] = await service.database.select<{ made: number }>(
        'SELECT COUNT(*) AS made FROM pushes',
        {},
      );
      return Number(row?.made);
    }
  });

  describe('who asks for url tokens that do not exist', () => {
    const limits = { LIMIT_UNKNOWN_TOKENS: '3/1h' };

    it('is refused further ones for ten minutes, and still gets what exists', async () => {
      const api = await startProcess(limits);
      const { json, token } = await api.create({}, ann);
      const client = newClient();
      const answers = await inTurn(3, () => api.get(`/p/${unknownToken}.json`, client));
      expect(statusesOf(answers)).to.deep.equal([404, 404, 404]);
      expectTooMany(await api.get(`/p/${unknownToken}.json`, client), 9 * minute, 10 * minute);
      expectTooMany(await api.get(`/p/${unknownToken}/preview.json`, client), 9 * minute, 10 * minute);
      expect((await api.get(`/p/${token}/preview.json`, client)).status).to.equal(200);
      expect((await api.get(json, client)).body).to.include({ payload: 'tulip', views_remaining: 4 });
      expect((await api.get('/', client)).status).to.equal(200);
    });

    it('is not whose browser loads them for a page of another site', async () => {
      const api = await startProcess({ ...limits, LIMIT_REQUESTS: '9/1h', LIMIT_ANONYMOUS_CREATE: '1/1h' });
      const { page } = await api.create({}, ann);
      const client = newClient();
      const image = {
        'sec-fetch-site': 'cross-site',
        'sec-fetch-dest': 'image',
        'sec-fetch-mode': 'no-cors',
      };
      const script = { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'empty', 'sec-fetch-mode': 'cors' };
      await inTurn(8, () => api.get(`/p/${unknownToken}`, { ...client, ...image }));
      await inTurn(8, () => api.post('/p.json', { password: { payload: 'x' } }, { ...client, ...script }));
      const followed = { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'document' };
      expect((await api.get(page, { ...client, ...followed })).status).to.equal(200);
      expect((await api.create({}, client)).response.status).to.equal(201);
      const own = await inTurn(4, () => api.get(`/p/${unknownToken}`, { ...client, ...followed }));
      expect(statusesOf(own)).to.deep.equal([404, 404, 404, 429]);
    });

    it('may try twenty in a minute by default', async () => {
      const api = await startProcess();
      const client = newClient();
      const answers = await inTurn(21, () => api.get(`/p/${unknownToken}.json`, client));
      expect(count(answers, 404)).to.equal(20);
      expect(answers.at(-1)?.status).to.equal(429);
    });

    it('is counted on every endpoint and on the page', async () => {
      const api = await startProcess(limits);
      for (const [method, path] of [
        ['GET', `/p/${unknownToken}.json`],
        ['DELETE', `/p/${unknownToken}.json`],
        ['HEAD', `/p/${unknownToken}.json`],
        ['GET', `/p/${unknownToken}/preview.json`],
        ['GET', `/p/${unknownToken}/audit.json`],
        ['GET', `/r/${unknownToken}.json`],
        ['GET', `/p/${unknownToken}`],
        ['POST', `/p/${unknownToken}`],
      ] as const) {
        const headers = { ...newClient(), ...(path.endsWith('audit.json') ? ann : {}) };
        const answers = await inTurn(4, () => api.send(method, path, { headers }));
        expect(statusesOf(answers), `${method} ${path}`).to.deep.equal([404, 404, 404, 429]);
      }
    });

    it('gets back in when the ten minutes have passed', async () => {
      const client = newClient();
      const first = await startProcess({ LIMIT_UNKNOWN_TOKENS: '1/1m' });
      await inTurn(2, () => first.get(`/p/${unknownToken}.json`, client));
      await letPass(9 * minute);
      const second = await startProcess({ LIMIT_UNKNOWN_TOKENS: '1/1m' });
      expectTooMany(await second.get(`/p/${unknownToken}.json`, client), 1, minute);
      await letPass(minute);
      const third = await startProcess({ LIMIT_UNKNOWN_TOKENS: '1/1m' });
      expect((await third.get(`/p/${unknownToken}.json`, client)).status).to.equal(404);
    });

    it('is counted by two processes together', async () => {
      const [a, b] = [await startProcess(limits), await startProcess(limits)];
      const client = newClient();
      const answers = await inTurn(5, (i) => (i % 2 ? a : b).get(`/p/${unknownToken}.json`, client));
      expect(statusesOf(answers)).to.deep.equal([404, 404, 404, 429, 429]);
    });

    it('is refused them for ten minutes by another process too', async () => {
      const [a, b] = [await startProcess(limits), await startProcess(limits)];
      const client = newClient();
      await inTurn(4, () => a.get(`/p/${unknownToken}.json`, client));
      await letPass(minute);
      expectTooMany(await b.get(`/p/${unknownToken}.json`, client), 8 * minute, 9 * minute);
    });

    it('cannot hide behind addresses that it claims', async () => {
      const api = await startProcess(limits);
      const mine = `${newNetwork()}.1`;
      const answers = await inTurn(5, () =>
        api.get(`/p/${unknownToken}.json`, from(`${newNetwork()}.1, ${mine}`)),
      );
      expect(statusesOf(answers)).to.deep.equal([404, 404, 404, 429, 429]);
    });
  });

  describe('who guesses passphrases', () => {
    const secret = { passphrase: 'open sesame', expire_after_views: 100 };

    const guess = (api: Client, { json }: CreatedPush, headers: Fields, passphrase = 'x') =>
      api.send('GET', `${json}?passphrase=${encodeURIComponent(passphrase)}`, {
        headers: { ...headers } as Sent,
      });
    type Sent = Record<string, string>;

    async function failures(api: Client, { token }: CreatedPush): Promise<number> {
      const { body } = await api.get(`/p/${token}/audit.json`, ann);
      return (body.views as Fields[]).filter(({ kind }) => kind === 'failed_passphrase').length;
    }

    it('gets five of a thousand parallel guesses evaluated, and does not lock out another network', async () => {
      const api = await startProcess({}, realHashes);
      const created = await api.create(secret, ann);
      const network = newNetwork();
      const answers = await times(1_000, (i) =>
        guess(api, created, from(`${network}.${1 + (i % 250)}`), `x${i}`),
      );
      expect(count(answers, 401)).to.be.within(1, 5);
      // A slow database may turn some away with 503, but evaluates no guess more.
      expect([401, 429, 503]).to.include.members(statusesOf(answers));
      expect(await failures(api, created)).to.equal(count(answers, 401));
      expect((await guess(api, created, from(`${network}.7`), 'open sesame')).status).to.equal(429);
      const right = await guess(api, created, newClient(), 'open sesame');
      expect(right).to.nested.include({ status: 200, 'body.payload': 'tulip' });
    });

    it('waits 30 minutes after five wrong ones, even with the right one', async () => {
      const api = await startProcess();
      const created = await api.create(secret, ann);
      const client = newClient();
      const wrong = await inTurn(5, () => guess(api, created, client));
      expect(statusesOf(wrong)).to.deep.equal([401, 401, 401, 401, 401]);
      for (const passphrase of ['x', 'open sesame']) {
        expectTooMany(await guess(api, created, client, passphrase), 29 * minute, 30 * minute);
      }
      expect(await failures(api, created)).to.equal(5);
      await letPass(29 * minute);
      const later = await startProcess();
      expectTooMany(await guess(later, created, client, 'open sesame'), 1, minute);
      await letPass(minute);
      const stillLater = await startProcess();
      expect((await guess(stillLater, created, client, 'open sesame')).body.payload).to.equal('tulip');
    });

    it('is known by its network: 24 bits of IPv4, 64 of IPv6', async () => {
      const api = await startProcess({ LIMIT_PASSPHRASE_BY_CLIENT: '1/10m' });
      const created = await api.create(secret, ann);
      const network = newNetwork();
      await guess(api, created, from(`${network}.1`));
      await guess(api, created, from('2001:db8:7:7::1'));
      for (const address of [`${network}.255`, '2001:db8:7:7:8:9:a:b']) {
        expect((await guess(api, created, from(address), 'open sesame')).status).to.equal(429);
      }
      for (const address of [`${newNetwork()}.1`, '2001:db8:7:8::1']) {
        expect((await guess(api, created, from(address), 'open sesame')).status).to.equal(200);
      }
    });

    it('cannot hide behind addresses that it claims', async () => {
      const api = await startProcess({ LIMIT_PASSPHRASE_BY_CLIENT: '3/10m' });
      const created = await api.create(secret, ann);
      const mine = `${newNetwork()}.1`;
      const answers = await inTurn(5, () => guess(api, created, from(`${newNetwork()}.1, ${mine}`)));
      expect(statusesOf(answers)).to.deep.equal([401, 401, 401, 429, 429]);
    });

    it('is shut out of that push alone', async () => {
      const api = await startProcess({ LIMIT_PASSPHRASE_BY_CLIENT: '1/10m' });
      const [one, other] = [await api.create(secret, ann), await api.create(secret, ann)];
      const client = newClient();
      expect((await guess(api, one, client)).status).to.equal(401);
      expect((await guess(api, one, client, 'open sesame')).status).to.equal(429);
      expect((await guess(api, other, client, 'open sesame')).status).to.equal(200);
    });

    it('is counted on the page and in the API together', async () => {
      const api = await startProcess({ LIMIT_PASSPHRASE_BY_CLIENT: '3/10m' });
      const created = await api.create(secret, ann);
      const client = newClient();
      const forms = createForms(service.domain, api);
      const form = await forms.loadForm(created.page, client);
      const onPage = (passphrase: string) => forms.submit(created.page, form, { passphrase }, client);
      const wrong = await inTurn(2, () => onPage('x'));
      expect(statusesOf(wrong)).to.deep.equal([401, 401]);
      expect(wrong[0]?.text).to.include('You have 2 tries left.');
      expect(wrong[1]?.text).to.include('You have 1 try left.');
      expect((await guess(api, created, client)).status).to.equal(401);
      const refused = await onPage('open sesame');
      expect(refused.status).to.equal(429);
      expect(Number(refused.headers['retry-after'])).to.be.within(29 * minute, 30 * minute);
      expect(refused.text).to.not.include('tulip');
      expect((await guess(api, created, client, 'open sesame')).status).to.equal(429);
    });

    it('is not who gives none, or knows it', async () => {
      const api = await startProcess();
      const created = await api.create(secret, ann);
      const client = newClient();
      const without = await times(30, () => api.get(created.json, client));
      expect(count(without, 401)).to.equal(30);
      const right = await inTurn(12, () => guess(api, created, client, 'open sesame'));
      expect(count(right, 200)).to.equal(12);
      expect(statusesOf(await inTurn(4, () => guess(api, created, client)))).to.deep.equal([
        401, 401, 401, 401,
      ]);
      expect((await guess(api, created, client, 'open sesame')).status).to.equal(200);
    });

    it('is not a household whose members all know it at once', async () => {
      const api = await startProcess({}, realHashes);
      const created = await api.create(secret, ann);
      const client = newClient();
      await times(12, () => guess(api, created, client, 'open sesame'));
      expect((await guess(api, created, client, 'open sesame')).status).to.equal(200);
    });

    it('is not a crowd that knows it at once, from everywhere', async () => {
      const api = await startProcess({ LIMIT_PASSPHRASE_BY_PUSH: '3/10m' }, realHashes);
      const created = await api.create(secret, ann);
      await times(12, () => guess(api, created, newClient(), 'open sesame'));
      expect((await guess(api, created, newClient(), 'open sesame')).status).to.equal(200);
    });

    it('is not who was turned away while others of the same client were being checked', async () => {
      const api = await startProcess({ LIMIT_PASSPHRASE_BY_CLIENT: '12/10m' }, realHashes);
      const created = await api.create(secret, ann);
      const client = newClient();
      const answers = await times(12, () => guess(api, created, client, 'open sesame'));
      expect(new Set(statusesOf(answers))).to.deep.equal(new Set([200, 429]));
      // If the four that were turned away counted, the ninth wrong one would be refused.
      expect(count(await inTurn(9, () => guess(api, created, client)), 401)).to.equal(9);
      expect((await guess(api, created, client, 'open sesame')).status).to.equal(200);
    });

    it('locks the push for 30 minutes by twenty wrong ones from anywhere', async () => {
      const api = await startProcess();
      const created = await api.create(secret, ann);
      const clients = [newClient(), newClient(), newClient(), newClient()];
      const wrong = await inTurn(20, (i) => guess(api, created, clients[i % 4] ?? {}));
      expect(count(wrong, 401)).to.equal(20);
      expectTooMany(await guess(api, created, newClient(), 'open sesame'), 29 * minute, 30 * minute);
      expect(await failures(api, created)).to.equal(20);
      await letPass(30 * minute);
      const later = await startProcess();
      expect((await guess(later, created, newClient(), 'open sesame')).body.payload).to.equal('tulip');
    });

    it('locks the push for twice as long each time, up to a day', async () => {
      const limits = { LIMIT_PASSPHRASE_BY_PUSH: '1/10m' };
      const created = await (await startProcess()).create(secret, ann);
      for (const seconds of [0.5, 1, 2, 4, 8, 16, 24, 24].map((hours) => hours * hour)) {
        const api = await startProcess(limits);
        expect((await guess(api, created, newClient())).status).to.equal(401);
        expectTooMany(await guess(api, created, newClient(), 'open sesame'), seconds - minute, seconds);
        await letPass(seconds);
      }
    });

    it('is counted by two processes together, for the client and for the push', async () => {
      const [a, b] = [await startProcess({}, realHashes), await startProcess({}, realHashes)];
      const created = await a.create(secret, ann);
      const client = newClient();
      const answers = await times(12, (i) => guess(i % 2 ? a : b, created, client));
      expect(count(answers, 401)).to.be.within(1, 5);
      expect(count(answers, 429)).to.be.at.least(7);
      for (const api of [a, b])
        expect((await guess(api, created, client, 'open sesame')).status).to.equal(429);

      const limits = { LIMIT_PASSPHRASE_BY_PUSH: '4/10m' };
      const [c, d] = [await startProcess(limits, realHashes), await startProcess(limits, realHashes)];
      const other = await c.create(secret, ann);
      const wrong = await times(10, (i) => guess(i % 2 ? c : d, other, newClient()));
      expect(count(wrong, 401)).to.be.within(1, 4);
      for (const api of [c, d]) {
        expect((await guess(api, other, newClient(), 'open sesame')).status).to.equal(429);
      }
    });
  });

  describe('who floods the service with what costs a hash', () => {
    it('gets twenty wrong passwords checked, and keeps nobody from revealing a secret', async () => {
      const api = await startProcess({}, realHashes);
      const created = await api.create({ passphrase: 'open sesame' }, ann);
      const form = await createForms(service.domain, api).loadForm('/sign-in');
      const headers = { ...form.headers, ...asForm, ...sameOrigin, ...newClient() };
      const signIn = (email: string) =>
        api.send('POST', '/sign-in', {
          headers,
          body: String(new URLSearchParams({ ...form.fields, email, password: 'x' })),
        });
      const flood = times(60, (i) => signIn(`stranger${i}@example.com`));
      const revealed = await api.get(`${created.json}?passphrase=open%20sesame`, newClient());
      expect(revealed.body.payload).to.equal('tulip');
      const answers = await flood;
      answers.push(...(await inTurn(22, (i) => signIn(`more${i}@example.com`))));
      expect(count(answers, 401)).to.equal(20);
      expect(count(answers, 429)).to.equal(62);
    });

    it('gets nothing hashed for connections that it has closed meanwhile', async () => {
      const own = await startService({ TRUSTED_PROXIES: '127.0.0.1' }, realHashes);
      const client = createClient(own.port);
      const { fields, headers } = await createForms(own.domain, client).loadForm('/sign-in');
      const body = String(new URLSearchParams({ ...fields, email: 'ann@example.com', password: 'x' }));
      const cookie = String(headers.cookie);
      const signIn = () =>
        client.send('POST', '/sign-in', {
          headers: { ...asForm, cookie, ...sameOrigin, ...newClient() },
          body,
        });
      const counts = () => own.domain.passwordChecks().account;
      const arrived = (number: number) => until(() => counts().started + counts().waiting === number);
      // The flooder closes its connection while five others wait in front of it, so that there is time to notice.
      const others = times(6, signIn);
      await arrived(6);
      const socket = connect(own.port, '127.0.0.1');
      socket.write(
        `POST /sign-in HTTP/1.1\r\nHost: x\r\nCookie: ${cookie}\r\nSec-Fetch-Site: same-origin\r\n` +
          `X-Forwarded-For: ${newClient()['x-forwarded-for']}\r\n` +
          `Content-Type: application/x-www-form-urlencoded\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
      );
      await arrived(7);
      socket.destroy();
      expect(count(await others, 401)).to.equal(6);
      await until(() => counts().running + counts().waiting === 0);
      expect(counts().started).to.equal(6);
      client.close();
      await own.stop();
    });

    it('lets everybody else go first', async () => {
      const api = await startProcess({}, realHashes);
      const flooder = newClient();
      const finished: string[] = [];
      const create = async (name: string, client: Record<string, string>) => {
        await api.create({ passphrase: 'open sesame' }, client);
        finished.push(name);
      };
      const flood = times(8, () => create('flooder', flooder));
      await Promise.all([flood, create('bystander', newClient())]);
      // The flooder's eight hashes are computed one after the other, the bystander's beside the first of them.
      expect(finished.at(-1)).to.equal('flooder');
    });
  });

  describe('the owner of an account whose sign-in strangers have used up', () => {
    it('still signs in with a browser that has signed in before, and with no other', async () => {
      const api = await startProcess({ LIMIT_SIGN_IN_BY_ACCOUNT: '2/1h' });
      const email = 'locked.out@example.com';
      const enter = async (browser: FormBrowser, given: string) =>
        visibleText(await browser.submit('/sign-in', '/sign-in', { email, password: given }));
      const own = await openFormBrowser(api, newClient());
      await own.signUp(email);
      await own.submit('/account', '/sign-out');
      await inTurn(3, async () => enter(await openFormBrowser(api, newClient()), 'x'));
      expect(await enter(await openFormBrowser(api, newClient()), password)).to.match(/too many/i);
      expect(await enter(own, password)).to.include('Your links');
    });
  });

  describe('a refusal that is no rate limit', () => {
    it('never says so, with no time to wait', async () => {
      const api = await startProcess();
      const { token, json } = await api.create({ deletable_by_viewer: false }, ann);
      const bob = await newAccount();
      const answers = [
        await api.send('DELETE', json, { headers: bob }),
        await api.get(`/p/${token}/audit.json`, bob),
        await api.post('/f.json', { file: { payload: 'x' } }, bob),
        await api.send('POST', `/p/${token}`, { headers: { 'sec-fetch-site': 'cross-site' } }),
      ];
      for (const { status, text, headers } of answers) {
        expect(status).to.equal(403);
        expect(text).to.not.match(/rate.?limit/i);
        expect(headers).to.not.have.property('retry-after');
      }
    });
  });
});
