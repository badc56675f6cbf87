import { expect } from 'chai';
import { domainSettings, readConfig } from '../../src/config.ts';
import { createDomain } from '../../src/domain/index.ts';
import {
  type ApiResponse,
  bearer,
  type Client,
  type CreatedPush,
  createClient,
  times,
} from '../harness/api.ts';
import { type FreshDatabase, freshDatabase } from '../harness/database.ts';
import {
  newSharedSettings,
  openServiceDatabase,
  type ServiceDatabase,
  type ServiceProcess,
  type SharedSettings,
  startProcess,
} from '../harness/process.ts';
import { createAccount } from '../harness/service.ts';

const hourMs = 3_600_000;

/** A module that shifts the clock of JavaScript. A process loads it before all others. */
function clockWrongBy(ms: number): string {
  return `data:text/javascript,${encodeURIComponent(`
    const { now } = Date;
    globalThis.Date = class extends Date {
      constructor(...given) {
        if (given.length === 0) super(now() + ${ms});
        else super(...given);
      }
      static now() {
        return now() + ${ms};
      }
    };`)}`;
}

let fresh: FreshDatabase;
let settings: SharedSettings;
let store: ServiceDatabase;
let processes: ServiceProcess[];
let clients: [Client, Client];

describe('Exactly-once views:', () => {
  before(async () => {
    fresh = await freshDatabase();
    settings = newSharedSettings(fresh.url);
    store = openServiceDatabase(settings);
    processes = await Promise.all(
      [2 * hourMs, -2 * hourMs].map((ms, index) => {
        const DATABASE_URL = fresh.urls[index % fresh.urls.length] ?? fresh.url;
        // The connections of a proxy may be idle for a minute, so that none closes while the machine is busy.
        const own = { DATABASE_URL, TRUSTED_PROXIES: '127.0.0.1' };
        return startProcess({ ...settings, ...own }, { imports: [clockWrongBy(ms)] });
      }),
    );
    const [fast, slow] = processes.map(({ port }) =>
      createClient(port, { connections: 200, isPatient: true }),
    );
    if (fast === undefined || slow === undefined) return expect.fail('two processes were to start');
    clients = [fast, slow];
    // Opens the connections first, so that the requests arrive at the same time.
    for (const client of clients) await times(100, () => client.get('/readyz'));
  });

  after(async () => {
    for (const client of clients ?? []) client.close();
    const exitCodes = await Promise.all((processes ?? []).map((process) => process.stop()));
    await store.close();
    await fresh.drop();
    expect(exitCodes, 'exit codes').to.eql([0, 0]);
  });

  const withPayload = (answers: ApiResponse[]) => answers.filter(({ body }) => body.payload !== null);

  /** The stored views of a push. */
  async function count({ token }: CreatedPush) {
    const { viewsUsed, views, payload, passphraseHash } = await store.push(token);
    return { viewsUsed, views, payload, passphraseHash };
  }

  async function viewAtOnce(viewsMax: number, through: Client[]): Promise<void> {
    const [creator] = clients;
    const push = await creator.create({ payload: `tulip ${viewsMax}`, expire_after_views: viewsMax });
    const answers = await times(10 * viewsMax, async (index) => {
      const client = through[index % through.length] ?? creator;
      return client.get(push.json);
    });
    const statuses = new Set(answers.map(({ status }) => status));
    expect(statuses).to.eql(new Set([200]));
    expect(withPayload(answers).map(({ body }) => body.payload)).to.eql(
      Array(viewsMax).fill(`tulip ${viewsMax}`),
    );
    expect(withPayload(answers).every(({ body }) => body.expired === false)).to.equal(true);
    const left = withPayload(answers).map(({ body }) => Number(body.views_remaining));
    expect(left.sort((a, b) => a - b)).to.eql(Array.from({ length: viewsMax }, (_, index) => index));
    const others = answers.filter(({ body }) => body.payload === null);
    expect(others.filter(({ body }) => body.expired === true)).to.have.length(9 * viewsMax);
    expect(await count(push)).to.eql({
      viewsUsed: viewsMax,
      views: viewsMax,
      payload: null,
      passphraseHash: null,
    });
  }

  describe('one running service', () => {
    for (const viewsMax of [1, 2, 5, 20]) {
      it(`returns a push of ${viewsMax} views to exactly ${viewsMax} of ${10 * viewsMax} simultaneous requests`, () =>
        viewAtOnce(viewsMax, [clients[0]]));
    }
  });

  describe('two running services over one database, whose clocks differ by four hours', () => {
    for (const viewsMax of [1, 2, 5, 20, 100]) {
      it(`return a push of ${viewsMax} views to exactly ${viewsMax} of ${10 * viewsMax} simultaneous requests`, () =>
        viewAtOnce(viewsMax, clients));
    }

    it('delete a push once, however many requests both receive at the same time', async () => {
      const push = await clients[0].create();
      const answers = await times(100, (index) => clients[index % 2 === 0 ? 0 : 1].send('DELETE', push.json));
      expect(new Set(answers.map(({ status }) => status))).to.eql(new Set([200]));
      expect(new Set(answers.map(({ body }) => body.expired_on)).size).to.equal(1);
      expect(answers.every(({ body }) => body.deleted === true)).to.equal(true);
      const { payload, expiries, views } = await store.push(push.token);
      expect({ payload, expiries, views }).to.eql({ payload: null, expiries: 1, views: 0 });
    });

    it('return no payload once one of them has responded that a push is deleted', async () => {
      const push = await clients[0].create({ expire_after_views: 100 });
      const early = times(20, (index) => clients[index % 2 === 0 ? 0 : 1].get(push.json));
      const late = clients[0]
        .send('DELETE', push.json)
        .then(() => times(20, () => clients[1].get(push.json)));
      expect(withPayload(await late)).to.eql([]);
      const delivered = withPayload(await early).length;
      const { viewsUsed, views, expiries } = await store.push(push.token);
      expect({ viewsUsed, views, expiries }).to.eql({ viewsUsed: delivered, views: delivered, expiries: 1 });
    });

    it('date and expire a push by the database’s clock', async () => {
      for (const [creator, viewer] of [clients, [...clients].reverse()] as [Client, Client][]) {
        const before = await store.database.clock();
        const [push, ended, living] = await times(3, () => creator.create({ expire_after_minutes: 5 }));
        const after = await store.database.clock();
        if (push === undefined || ended === undefined || living === undefined) return expect.fail();
        const { createdAt, expiresAt } = await store.push(push.token);
        expect(createdAt).to.be.within(before, after);
        expect(expiresAt - createdAt).to.equal(5 * 60_000);
        expect(push.push.created_at).to.equal(new Date(createdAt).toISOString());
        expect(push.push.expires_at).to.equal(new Date(expiresAt).toISOString());
        expect(push.push.days_remaining).to.equal(1);

        await expireIn(ended, -1);
        await expireIn(living, 60_000);
        for (const client of [viewer, creator]) {
          const { body } = await client.get(ended.json);
          expect({ expired: body.expired, payload: body.payload }).to.eql({ expired: true, payload: null });
          const { body: view } = await client.get(living.json);
          expect({ expired: view.expired, payload: view.payload }).to.eql({
            expired: false,
            payload: 'tulip',
          });
        }
      }
    });
  });

  async function expireIn({ token }: CreatedPush, ms: number): Promise<void> {
    const { expiresAt } = await store.push(token);
    const ends = (await store.database.clock()) + ms;
    const changed = await store.database.execute(
      'UPDATE pushes SET expires_at = $ends WHERE expires_at = $expiresAt AND token_digest = $digest',
      { ends, expiresAt, digest: store.digest(token) },
    );
    expect(changed).to.equal(1);
  }

  describe('a view of a running service', () => {
    it('is counted only for a response with the payload', async () => {
      const [client, other] = clients;
      const domain = createDomain({
        database: store.database,
        keyring: store.keyring,
        settings: domainSettings(readConfig({})),
      });
      const account = bearer((await createAccount(domain, 'owner@example.com')).token);
      const fields = { expire_after_views: 1, passphrase: 'open sesame', deletable_by_viewer: false };
      const push = await client.create(fields, account);
      const wrongToken = `/p/${push.token.slice(0, -1)}${push.token.endsWith('0') ? '1' : '0'}.json`;
      const right = `${push.json}?passphrase=open%20sesame`;
      const badCredential = { authorization: 'Bearer nonsense' };
      const requests: [number, string, string, Record<string, string>?][] = [
        [200, 'HEAD', push.json],
        [200, 'HEAD', right],
        [200, 'HEAD', push.page],
        [200, 'GET', push.page],
        [200, 'GET', `/p/${push.token}/preview.json`],
        [200, 'GET', right, { 'user-agent': 'Slackbot-LinkExpanding 1.0' }],
        [200, 'GET', right, { purpose: 'prefetch' }],
        [401, 'GET', push.json],
        [401, 'GET', `${push.json}?passphrase=`],
        [401, 'GET', `${push.json}?passphrase=open%20sesam`],
        [401, 'GET', `${push.json}?passphrase=open%20sesame&passphrase=no`],
        [401, 'GET', right, badCredential],
        [401, 'GET', `/p/${push.token}/audit.json`],
        [200, 'GET', `/p/${push.token}/audit.json`, account],
        [200, 'GET', '/p/active.json', account],
        [401, 'DELETE', push.json],
        [403, 'POST', push.page, { 'sec-fetch-site': 'cross-site' }],
        [404, 'GET', wrongToken],
        [404, 'GET', `${push.json}/`],
        [404, 'GET', `/P/${push.token}.json`],
        [404, 'OPTIONS', `${push.json}/`],
        [204, 'OPTIONS', push.json],
        [405, 'PUT', right],
        [405, 'PATCH', right],
      ];
      const statuses: unknown[] = [];
      for (const [status, method, path, headers = {}] of requests) {
        for (const one of [client, other]) {
          const answer = await one.send(method, path, { headers });
          if (answer.status !== status) statuses.push([method, path, answer.status]);
          expect(answer.text).not.to.contain('tulip');
        }
      }
      expect(statuses).to.eql([]);
      expect(await store.push(push.token)).to.include({ viewsUsed: 0, views: 0, expiries: 0 });
      expect((await other.get(right)).body.payload).to.equal('tulip');
      expect(await count(push)).to.eql({ viewsUsed: 1, views: 1, payload: null, passphraseHash: null });
    });
  });
});
