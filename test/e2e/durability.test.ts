import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { createConnection } from 'mysql2/promise';
import { newApiToken } from '../../src/crypto/tokens.ts';
import { type ApiResponse, type Client, createClient, times } from '../harness/api.ts';
import { freshDatabase, onMariadb } from '../harness/database.ts';
import { startMariadb } from '../harness/mariadb.ts';
import {
  newSharedSettings,
  openServiceDatabase,
  type ServiceProcess,
  startProcess,
} from '../harness/process.ts';
import { until } from '../harness/until.ts';

const workers = 8;
const killsOfService = 5;
const killsOfDatabase = 3;
/** Well-formed, so that the service looks it up in the database. */
const someApiToken = newApiToken();

type RunningService = { service: ServiceProcess; client: Client };
type CreatedPush = { token: string; payload: string; viewsMax: number };
/** A retrieval. Its unique user `agent` identifies its audit row. */
type Retrieval = { agent: string; push: CreatedPush; payload?: string };

const cleanups: (() => Promise<unknown>)[] = [];

describe('Durability:', () => {
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  });

  async function start(
    settings: Record<string, string>,
    options: Parameters<typeof startProcess>[1] = {},
  ): Promise<RunningService> {
    const service = await startProcess(settings, options);
    const client = createClient(service.port);
    cleanups.push(async () => {
      client.close();
      await service.kill9();
    });
    return { service, client };
  }

  /** Creates and retrieves pushes through the running services until it is stopped. */
  function startLoad(live: RunningService[]) {
    const created: CreatedPush[] = [];
    const retrievals: Retrieval[] = [];
    const refusals: ApiResponse[] = [];
    const inFlight = new Map<string, Client>();
    const exposed = new Set<string>();
    let isStopped = false;
    let names = 0;

    async function create(client: Client): Promise<void> {
      names += 1;
      const [payload, viewsMax] = [`payload ${names}`, 1 + (names % 3)];
      const { token } = await client.create({ payload, expire_after_views: viewsMax });
      created.push({ token, payload, viewsMax });
    }

    async function retrieve(client: Client, push: CreatedPush): Promise<boolean> {
      const retrieval: Retrieval = { agent: `retrieval ${retrievals.length}`, push };
      retrievals.push(retrieval);
      inFlight.set(retrieval.agent, client);
      try {
        const answer = await client.get(`/p/${push.token}.json`, { 'user-agent': retrieval.agent });
        if (answer.status !== 200) refusals.push(answer);
        else if (typeof answer.body.payload === 'string') retrieval.payload = answer.body.payload;
        return retrieval.payload !== undefined;
      } finally {
        inFlight.delete(retrieval.agent);
      }
    }

    async function work(): Promise<void> {
      while (!isStopped) {
        const { client } = live[Math.floor(Math.random() * live.length)] ?? expect.fail('nothing is live');
        const known = created[created.length - 1 - Math.floor(Math.random() * 6)];
        const act = known === undefined || Math.random() < 0.4 ? create(client) : retrieve(client, known);
        await act.catch(() => sleep(20)); // a killed service does not respond, and a service without a database does not create
        await sleep(5);
      }
    }

    const working = times(workers, work);
    return {
      created,
      retrievals,
      refusals,
      retrieve,
      /** Marks the requests in flight: their views may be lost. To be called right before a kill. */
      expose(clients: Client[]) {
        for (const [agent, client] of inFlight) if (clients.includes(client)) exposed.add(agent);
      },
      exposed,
      /** Waits until so many more pushes were created, and then for a random moment. */
      async untilCreated(count: number) {
        for (const enough = created.length + count; created.length < enough; await sleep(5));
        await sleep(Math.random() * 50);
      },
      async stop() {
        isStopped = true;
        await working;
      },
    };
  }

  type Load = ReturnType<typeof startLoad>;

  /** Retrieves the remaining views of all pushes, and compares the responses with the audit rows. */
  async function verify(
    load: Load,
    { client }: RunningService,
    store: ReturnType<typeof openServiceDatabase>,
  ) {
    const rest = [...load.created];
    await times(workers, async () => {
      for (let push = rest.pop(); push !== undefined; push = rest.pop()) {
        while (await load.retrieve(client, push));
      }
    });

    const viewRows = await store.database.select<{ digest: Buffer; agent: string }>(
      `SELECT token_digest AS digest, user_agent AS agent FROM audit_rows JOIN pushes ON pushes.id = push_id
     WHERE audit_rows.kind = 'view'`,
      {},
    );
    const keyOf = (digest: Buffer, agent: string) => `${digest.toString('hex')} ${agent}`;
    const written = viewRows.map(({ digest, agent }) => keyOf(digest, agent));
    const successful = load.retrievals.filter(({ payload }) => payload !== undefined);
    const delivered = new Set(successful.map(({ agent, push }) => keyOf(store.digest(push.token), agent)));
    const forfeited = viewRows.filter(({ digest, agent }) => !delivered.has(keyOf(digest, agent)));

    expect(successful.filter(({ payload, push }) => payload !== push.payload)).to.eql([]);
    expect(new Set(written).size, 'each view has a row of its own').to.equal(written.length);
    expect(
      [...delivered].filter((key) => !written.includes(key)),
      'payloads without a view row',
    ).to.eql([]);
    expect(
      forfeited.filter(({ agent }) => !load.exposed.has(agent)),
      'views lost outside a kill',
    ).to.eql([]);
    for (const push of load.created) {
      const { viewsUsed, views, payload } = await store.push(push.token);
      const { viewsMax } = push;
      expect({ viewsUsed, views, payload }).to.eql({ viewsUsed: viewsMax, views: viewsMax, payload: null });
      expect(successful.filter((one) => one.push === push).length).to.be.at.most(viewsMax);
    }
    expect(load.created.length).to.be.greaterThan(20);
  }

  describe('a service whose processes are killed under load', () => {
    async function survive(processes: number): Promise<void> {
      const fresh = await freshDatabase();
      cleanups.push(fresh.drop);
      const settings = newSharedSettings(fresh.url);
      const store = openServiceDatabase(settings);
      cleanups.push(store.close);
      const live = await times(processes, () => start(settings));
      const load = startLoad(live);
      cleanups.push(load.stop);
      for (let kill = 1; kill <= killsOfService; kill++) {
        await load.untilCreated(12);
        // The last kill leaves no process.
        const places = kill === killsOfService ? [...live.keys()] : [kill % processes];
        const killed = live.filter((_, place) => places.includes(place));
        load.expose(killed.map(({ client }) => client));
        await Promise.all(killed.map(({ service }) => service.kill9()));
        const successors = await times(places.length, () => start(settings));
        for (const [index, place] of places.entries()) live[place] = successors[index] ?? expect.fail();
      }
      await load.untilCreated(12);
      await load.stop();
      expect(load.refusals).to.eql([]);
      await verify(load, live[0] ?? expect.fail(), store);
    }

    it('loses no confirmed push and returns no view twice, with one process or two', async () => {
      await Promise.all([survive(1), survive(2)]);
    });
  });

  if (onMariadb) {
    describe('a service whose database is killed under load', () => {
      let databases = 0;
      let server: Awaited<ReturnType<typeof startMariadb>>;

      before(async () => {
        server = await startMariadb();
      });

      after(() => server.stop());

      async function freshSettings() {
        const name = `hushpush_${++databases}`;
        // A failed test may have left the server dead.
        const connection = await createConnection(server.url).catch(async () => {
          await server.restart();
          return createConnection(server.url);
        });
        await connection.query(`CREATE DATABASE ${name}`);
        await connection.end();
        return newSharedSettings(`${server.url}/${name}`);
      }

      /** Waits until the service creates a push again. Until then, it must respond with 503. */
      async function untilRecovered({ client }: RunningService): Promise<void> {
        await until(async () => {
          const response = await client.post('/p.json', { password: { payload: 'tulip' } });
          if (response.status !== 201) requireUnavailable(response);
          return response.status === 201;
        });
      }

      function requireUnavailable({ status, headers, body }: ApiResponse): void {
        expect(status).to.equal(503);
        expect(headers['content-type']).to.equal('application/json; charset=utf-8');
        expect(Number(headers['retry-after'])).to.be.within(1, 60);
        expect(body.error).to.be.a('string');
      }

      it('loses no confirmed push, returns no view twice, and recovers', async () => {
        const settings = await freshSettings();
        const store = openServiceDatabase(settings);
        cleanups.push(store.close);
        const live = [await start(settings)];
        const [first = expect.fail()] = live;
        const load = startLoad(live);
        cleanups.push(load.stop);
        for (let kill = 0; kill < killsOfDatabase; kill++) {
          await load.untilCreated(12);
          load.expose([first.client]);
          await server.kill9();
          const { token } = load.created[0] ?? expect.fail('nothing was made');
          for (const path of [`/p/${token}.json`, `/p/${token}/preview.json`, '/p/active.json']) {
            requireUnavailable(await first.client.get(path, { authorization: `Bearer ${someApiToken}` }));
          }
          requireUnavailable(await first.client.get(`/p/${token}.json`));
          requireUnavailable(await first.client.post('/p.json', { password: { payload: 'tulip' } }));
          requireUnavailable(await first.client.send('DELETE', `/p/${token}.json`));
          requireUnavailable(await first.client.get('/readyz'));
          expect(await first.client.get('/livez')).to.include({ status: 200 });
          await server.restart();
          await untilRecovered(first);
          expect(await first.client.get('/readyz')).to.include({ status: 200 });
        }
        await load.untilCreated(12);
        await load.stop();
        for (const refusal of load.refusals) requireUnavailable(refusal);
        await verify(load, first, store);
      });

      it('starts without its database, and serves once the database is there', async () => {
        const settings = await freshSettings();
        await server.kill9();
        const early = await start(settings, { readyPath: '/livez' });
        requireUnavailable(await early.client.get('/readyz'));
        requireUnavailable(await early.client.post('/p.json', { password: { payload: 'tulip' } }));
        await server.restart();
        await untilRecovered(early);
        expect(await early.client.get('/readyz')).to.include({ status: 200 });
      });
    });
  }
});
