import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { domainSettings, readConfig } from '../../src/config.ts';
import { createDomain } from '../../src/domain/index.ts';
import { bearer, type Client, createClient, expirePushIn, times } from '../harness/api.ts';
import { type FreshDatabase, freshDatabase } from '../harness/database.ts';
import {
  newSharedSettings,
  openServiceDatabase,
  type ServiceDatabase,
  type ServiceProcess,
  type SharedSettings,
  startProcess,
  startWorker,
} from '../harness/process.ts';
import { startWebhookReceiver, type WebhookEndpoint, type WebhookReceiver } from '../harness/receiver.ts';
import { createAccount } from '../harness/service.ts';
import { untilLater } from '../harness/until.ts';

const kills = 3;

type WebhookAccount = { headers: { authorization: string }; endpoint: WebhookEndpoint };
type NoticeRow = {
  id: string;
  attempts: number;
  isLeased: boolean;
  dueAt: number | null;
  sentAt: number | null;
};

/** Stops what a test started. */
const cleanups: (() => Promise<unknown>)[] = [];

describe('Jobs of running services', () => {
  let fresh: FreshDatabase;
  let settings: SharedSettings;
  let store: ServiceDatabase;
  let domain: ReturnType<typeof createDomain>;
  let receiver: WebhookReceiver;
  let web: ServiceProcess;
  let client: Client;

  /** Starts a web process without jobs that runs throughout. */
  before(async () => {
    fresh = await freshDatabase();
    settings = newSharedSettings(fresh.url);
    store = openServiceDatabase(settings);
    domain = createDomain({
      database: store.database,
      keyring: store.keyring,
      settings: domainSettings(readConfig({})),
    });
    receiver = await startWebhookReceiver();
    web = await startProcess({ ...settings, WEBHOOK_ALLOW_PRIVATE: 'true', JOBS: 'off' });
    client = createClient(web.port, { isPatient: true });
  });

  after(async () => {
    client?.close();
    await web?.kill9();
    await receiver?.close();
    await store?.close();
    await fresh?.drop();
  });

  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
    for (const table of ['notices', 'scheduler_jobs'])
      await store.database.execute(`DELETE FROM ${table}`, {});
  });

  /** Starts a web process that also runs jobs. */
  async function startService() {
    const service = await startProcess({ ...settings, WEBHOOK_ALLOW_PRIVATE: 'true' });
    const ownClient = createClient(service.port, { isPatient: true });
    cleanups.push(async () => {
      ownClient.close();
      await service.kill9();
    });
    return { service, client: ownClient };
  }

  async function startJobWorker() {
    const worker = await startWorker({ ...settings, WEBHOOK_ALLOW_PRIVATE: 'true' });
    cleanups.push(worker.kill9);
    return worker;
  }

  /** Creates an account with a webhook. */
  async function createWebhookAccount(): Promise<WebhookAccount> {
    const { token } = await createAccount(domain);
    const headers = bearer(token);
    const endpoint = await receiver.open(async (url) => {
      const { body } = await client.post('/api/v1/webhooks.json', { webhook: { url } }, headers);
      return String(body.secret);
    });
    return { headers, endpoint };
  }

  /** Creates and views a push of an account. Returns the hash that identifies the push in webhook events. */
  async function view({ headers }: WebhookAccount, through = client): Promise<string> {
    const { json, token } = await through.create({}, headers);
    expect(await through.get(json)).to.have.nested.property('body.payload', 'tulip');
    return createHash('sha256').update(token).digest('hex');
  }

  async function rows(): Promise<NoticeRow[]> {
    const found = await store.database.select<Omit<NoticeRow, 'id'> & { id: Buffer }>(
      `SELECT id, attempts, lease IS NOT NULL AS isLeased, due_at AS dueAt, sent_at AS sentAt FROM notices ORDER BY id`,
      {},
    );
    return found.map((row) => ({
      ...row,
      id: `notice_${row.id.toString('hex')}`,
      isLeased: Boolean(row.isLeased),
    }));
  }

  const isSettled = ({ isLeased, dueAt, sentAt }: NoticeRow) =>
    !isLeased && dueAt === null && sentAt !== null;
  const allSettled = async () => (await rows()).every(isSettled);

  describe('that erase expired pushes', () => {
    const isErased = async (token: string) => (await store.push(token)).payload === null;

    it('erase a push after its expiry without a request for it', async () => {
      const { client } = await startService();
      const { token } = await client.create();
      expect(await isErased(token)).to.equal(false);
      await expirePushIn(store, token, -1);
      await untilLater(() => isErased(token));
    });

    it('run in a worker if the web process runs none, which still refuses to return the push', async () => {
      const { token, json } = await client.create();
      await expirePushIn(store, token, -1);
      await sleep(5_500); // longer than the interval of the job
      expect((await client.get(json)).body).to.include({ payload: null, expired: true });
      expect(await isErased(token)).to.equal(false);
      await startJobWorker();
      await untilLater(() => isErased(token));
    });

    it('are taken over by another process half a minute after theirs was killed while they ran', async () => {
      const first = await startJobWorker();
      await untilLater(
        async () =>
          (await store.database.select('SELECT id FROM scheduler_jobs WHERE run IS NOT NULL', {})).length > 0,
      );
      await first.kill9();
      const { token } = await client.create();
      await expirePushIn(store, token, -1);
      const { now } = store.database.dialect;
      await store.database.execute(
        `UPDATE scheduler_jobs SET locked_at = ${now} - 30000, locked_by = 'who is dead', next_run_at = ${now}`,
        {},
      );
      await startJobWorker();
      await untilLater(() => isErased(token));
    });
  });

  describe('that deliver notices', () => {
    it('deliver each notice once, from two services at the same time', async () => {
      const account = await createWebhookAccount();
      const services = await Promise.all([startService(), startService()]);
      const pushes = await times(300, async (index) => view(account, services[index % 2]?.client));
      await untilLater(allSettled);
      await sleep(500); // time for unwanted deliveries
      const { received, refused } = account.endpoint;
      expect(received.map(({ push }) => push).sort()).to.eql(pushes.sort());
      expect(new Set(received.map(({ id }) => id)).size).to.equal(300);
      expect(new Set(received.map(({ type }) => type))).to.eql(new Set(['push.viewed']));
      expect(refused, 'badly signed').to.equal(0);
      expect((await rows()).every(({ attempts }) => attempts === 1)).to.equal(true);
      expect(await Promise.all(services.map(({ service }) => service.stop()))).to.eql([0, 0]);
    });

    it('deliver every notice although they are killed, with at most four duplicates per kill, as many as are sent at once', async () => {
      const account = await createWebhookAccount();
      const { endpoint } = account;
      const pushes = await times(60, () => view(account));
      for (let kill = 0; kill < kills; kill++) {
        const enough = endpoint.received.length + 7;
        endpoint.respond = () =>
          endpoint.received.length < enough ? Promise.resolve(204) : new Promise<number>(() => {});
        const worker = await startJobWorker();
        await untilLater(() => endpoint.received.length >= enough);
        await worker.kill9();
        expect((await rows()).some(({ isLeased }) => isLeased)).to.be.true;
        await store.endLeases();
      }
      endpoint.respond = async () => 204;
      await startJobWorker();
      await untilLater(allSettled);
      expect(new Set(endpoint.received.map(({ push }) => push))).to.eql(new Set(pushes));
      expect(endpoint.received.length - (await rows()).length).to.be.at.most(4 * kills);
    });

    it('do not overwrite what another process did while they were frozen for longer than their lease', async () => {
      const accounts = await times(2, createWebhookAccount);
      const endpoints = accounts.map(({ endpoint }) => endpoint);
      const held: ((status: number) => void)[] = [];
      for (const ear of endpoints) ear.respond = () => new Promise((resolve) => held.push(resolve));
      const frozen = await startJobWorker();
      for (const account of accounts) await view(account);
      await untilLater(() => held.length === 2);
      await freeze(frozen.pid, store.endLeases);

      for (const ear of endpoints) ear.respond = async () => 204;
      const other = await startJobWorker();
      await untilLater(allSettled);
      await other.kill9();
      const settled = await rows();
      expect(settled.map(({ attempts }) => attempts)).to.eql([2, 2]);

      held[0]?.(500);
      held[1]?.(204);
      process.kill(frozen.pid, 'SIGCONT');
      const later = await createWebhookAccount();
      await view(later);
      await untilLater(() => later.endpoint.received.length === 1); // it works again, and has finished the others
      const ids = settled.map(({ id }) => id);
      expect((await rows()).filter(({ id }) => ids.includes(id))).to.eql(settled);
      expect(endpoints.map(({ received }) => received.length)).to.eql([2, 2]);
    });

    it('are not delayed by webhooks that do not respond', async () => {
      const slow = await times(3, createWebhookAccount);
      const held: ((status: number) => void)[] = [];
      for (const { endpoint } of slow) endpoint.respond = () => new Promise((resolve) => held.push(resolve));
      const quick = await createWebhookAccount();
      for (const account of slow) await times(25, () => view(account));
      await startJobWorker();
      await untilLater(() => slow.every(({ endpoint }) => endpoint.received.length > 0));
      await view(quick);
      await untilLater(() => quick.endpoint.received.length === 1);
      const tried = slow.reduce((sum, { endpoint }) => sum + endpoint.received.length, 0);
      expect(tried, 'attempts at those that do not answer').to.be.below(75);
      for (const { endpoint } of slow) endpoint.respond = async () => 204;
      for (const respond of held) respond(204);
    });

    it('are not delayed by a notice whose push cannot be decrypted', async () => {
      const account = await createWebhookAccount();
      await view(account);
      await store.database.execute('UPDATE pushes SET label = $nonsense', {
        nonsense: Buffer.alloc(80),
      });
      const pushes = await times(3, () => view(account));
      await startJobWorker();
      const unsettled = async () => (await rows()).filter((row) => !isSettled(row));
      await untilLater(
        async () => (await unsettled()).length === 1 && (await unsettled())[0]?.attempts !== 0,
      );
      expect(account.endpoint.received.map(({ push }) => push).sort()).to.eql(pushes.sort());
      const [other] = await unsettled();
      expect(other?.sentAt).to.be.null;
      expect(other?.dueAt).to.be.a('number');
    });

    it('report each view, whether the web process or a worker delivers', async () => {
      for (const start of [
        async () => (await startService()).client,
        async () => (await startJobWorker()) && client,
      ]) {
        const account = await createWebhookAccount();
        const through = await start();
        for (let views = 1; views <= 5; views++) {
          await view(account, through);
          await untilLater(() => account.endpoint.received.length === views);
        }
      }
    });

    it('finish what they have begun when they are stopped, and release the rest', async () => {
      const account = await createWebhookAccount();
      account.endpoint.respond = () => sleep(1_500, 204);
      await times(12, () => view(account));
      const worker = await startJobWorker();
      await untilLater(() => account.endpoint.received.length > 0);
      expect(await worker.stop()).to.equal(0);
      const left = await rows();
      const sent = left.filter(isSettled).map(({ id }) => id);
      expect(sent).to.eql(account.endpoint.received.map(({ id }) => id).sort());
      for (const { isLeased, attempts, dueAt } of left.filter((row) => !isSettled(row))) {
        expect({ isLeased, attempts }).to.eql({ isLeased: false, attempts: 0 });
        expect(dueAt).to.be.a('number');
      }
    });
  });

  /** Freezes a process, but not while it holds a lock that `change` needs. */
  async function freeze(pid: number, change: () => Promise<unknown>): Promise<void> {
    for (;;) {
      process.kill(pid, 'SIGSTOP');
      const isDone = await change().then(
        () => true,
        () => false,
      );
      if (isDone) return;
      process.kill(pid, 'SIGCONT');
      await sleep(20);
    }
  }
});
