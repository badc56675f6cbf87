import { expect } from 'chai';
import { domainSettings, readConfig } from '../../src/config.ts';
import { createDomain } from '../../src/domain/index.ts';
import { bearer, createClient, expirePushIn, times } from '../harness/api.ts';
import { type Folder, openFolder } from '../harness/cli.ts';
import { type FreshDatabase, freshDatabase } from '../harness/database.ts';
import {
  newSharedSettings,
  openServiceDatabase,
  type ServiceDatabase,
  type SharedSettings,
  startProcess,
  startWorker,
} from '../harness/process.ts';
import { anonymous, createAccount } from '../harness/service.ts';
import { untilLater } from '../harness/until.ts';

const token = 'token-of-prometheus';
const cleanups: (() => Promise<unknown>)[] = [];

describe('Monitoring', () => {
  let fresh: FreshDatabase;
  let settings: SharedSettings;
  let store: ServiceDatabase;

  beforeEach(async () => {
    fresh = await freshDatabase();
    settings = newSharedSettings(fresh.url);
    store = openServiceDatabase(settings);
    cleanups.push(fresh.drop, store.close);
  });

  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  });

  async function start(more: Record<string, string>) {
    const service = await startProcess({ ...settings, ...more });
    const client = createClient(service.port);
    cleanups.push(async () => {
      client.close();
      await service.kill9();
    });
    return { service, client };
  }

  describe('by metrics', () => {
    const statusFor = (client: ReturnType<typeof createClient>, headers = {}) =>
      client.get('/metrics', headers).then(({ status }) => status);

    it('works from the machine itself if no token is set, but not through a proxy or from outside', async () => {
      const [{ client: inside }, { client: outside }] = await Promise.all([
        start({}),
        start({ HOST: '0.0.0.0' }),
      ]);
      const answer = await inside.get('/metrics');
      expect(answer.status).to.equal(200);
      expect(answer.headers['content-type']).to.match(/^text\/plain; version=0\.0\.4/);
      expect(answer.text).to.match(/^hushpush_pushes_overdue 0$/m);
      expect(await statusFor(inside, { 'x-forwarded-for': '192.0.2.1' })).to.equal(404);
      expect(await statusFor(inside, { forwarded: 'for=192.0.2.1' })).to.equal(404);
      expect(await statusFor(outside)).to.equal(404);
      expect(await statusFor(outside, bearer(token))).to.equal(404);
    });

    it('works with the token, and covers all processes together', async () => {
      const { client, service } = await start({ METRICS_TOKEN: token, WEB_PROCESSES: '2', HOST: '0.0.0.0' });
      await untilLater(() => service.output.split('"msg":"listening"').length > 2);
      expect(await statusFor(client)).to.equal(404);
      expect(await statusFor(client, bearer('token-of-somebody'))).to.equal(404);
      expect(await statusFor(client, { ...bearer(token), 'x-forwarded-for': '192.0.2.1' })).to.equal(200);
      const served = () => new Set(service.output.match(/"pid":\d+(?=[^}]*"route":"\/p\/:token.json")/g));
      let views = 0;
      await untilLater(async () => {
        const { json } = await client.create({ expire_after_views: 8 });
        await times(8, () => client.get(json, { connection: 'close' }));
        views += 8;
        return served().size === 2;
      });
      for (const { text } of await times(4, () =>
        client.get('/metrics', { ...bearer(token), connection: 'close' }),
      )) {
        expect(text).to.contain(`\nhushpush_claims_total{result="claimed"} ${views}\n`);
        expect(text).to.contain(`,route="/p/:token.json",status="200"} ${views}\n`);
        expect(text).to.match(/^hushpush_build_info\{[^}]+\} 1$/m);
        expect(text).to.match(/^hushpush_notices_waiting 0$/m);
      }
    });
  });

  it('reports that a migration was reverted beneath the service, and serves again once it is applied', async () => {
    const { client } = await start({});
    const newest = '(SELECT name FROM (SELECT MAX(name) AS name FROM migrations) AS all_names)';
    const [row] = await store.database.select<{ name: string }>(`SELECT ${newest} AS name`, {});
    await store.database.execute(`DELETE FROM migrations WHERE name = ${newest}`, {});
    await untilLater(async () => (await client.get('/readyz')).status === 503);
    expect((await client.get('/readyz')).body.error).to.equal(
      'The database lacks migrations of this version.',
    );
    expect((await client.get('/livez')).status).to.equal(200);
    await store.database.execute('INSERT INTO migrations (name) VALUES ($name)', { name: String(row?.name) });
    await untilLater(async () => (await client.get('/readyz')).status === 200);
  });

  it('includes a worker, on a port of its own', async () => {
    const worker = await startWorker({ ...settings, WORKER_PORT: '0' });
    cleanups.push(worker.kill9);
    const port = () => /"url":"http:[^"]+:(\d+)"/.exec(worker.output)?.[1];
    await untilLater(() => port() !== undefined);
    const client = createClient(Number(port()));
    cleanups.push(async () => client.close());
    const status = (path: string) => client.get(path).then((answer) => answer.status);
    await untilLater(async () => (await status('/readyz')) === 200);
    expect(await status('/livez')).to.equal(200);
    const jobs = /^hushpush_job_seconds_count\{[^}]*job="expire-pushes"[^}]*\} \d/m;
    await untilLater(async () => jobs.test((await client.get('/metrics')).text));
    expect(await status('/')).to.equal(404);
    expect((await client.post('/p.json', { password: { payload: 'tulip' } })).status).to.equal(404);
  });

  describe('by commands', () => {
    let folder: Folder;

    beforeEach(async () => {
      folder = await openFolder(settings);
      cleanups.push(folder.remove);
      expect((await folder.run('migrate up')).code).to.equal(0);
    });

    type Listed = { name: string; last_finished_at: string | null };

    it('shows when jobs last ran, runs one by hand, and lists the names for an unknown name', async () => {
      const domain = createDomain({
        database: store.database,
        keyring: store.keyring,
        settings: domainSettings(readConfig({})),
      });
      const { urlToken } = await domain.pushes.create({ payload: 'tulip' }, anonymous);
      await expirePushIn(store, urlToken, -1);
      const commands = ['admin jobs list --json', 'admin jobs run expire-pushes --json'];
      const [printed, nonsense] = await Promise.all([
        folder.runAll(commands),
        folder.run('admin jobs run nonsense'),
      ]);
      const listed = JSON.parse(printed.get('admin jobs list --json') ?? '') as Listed[];
      const names = listed.map(({ name }) => name);
      expect(names).to.include.members(['expire-pushes', 'deliver-notices', 'remind-unread', 'purge']);
      expect(listed.every(({ last_finished_at }) => last_finished_at === null)).to.equal(true);
      expect(JSON.parse(printed.get('admin jobs run expire-pushes --json') ?? '')).to.eql({
        name: 'expire-pushes',
        ran: true,
      });
      expect((await store.push(urlToken)).payload).to.equal(null);
      expect(nonsense).to.include({ code: 1, stdout: '' });
      for (const name of names) expect(nonsense.stderr).to.contain(name);

      const startedAt = Date.now();
      const worker = await startWorker(settings);
      cleanups.push(worker.kill9);
      const ran = "SELECT id FROM scheduler_jobs WHERE run LIKE '%lastFinishedAt%'";
      await untilLater(async () => (await store.database.select(ran, {})).length === names.length);
      const { stdout } = await folder.run('admin jobs list --json');
      for (const { name, last_finished_at } of JSON.parse(stdout) as Listed[]) {
        expect(Date.parse(last_finished_at ?? ''), name).to.be.within(startedAt, Date.now());
      }
    });

    it('reports that nothing erases pushes, and that nothing delivers notices', async () => {
      const domain = createDomain({
        database: store.database,
        keyring: store.keyring,
        settings: domainSettings(readConfig({})),
      });
      const { account } = await createAccount(domain, 'person@example.com');
      await domain.webhooks.create(account, { url: 'https://hook.example.com' });
      const { urlToken } = await domain.pushes.create({ payload: 'tulip' }, { ...anonymous, account });
      await domain.pushes.reveal(urlToken, undefined, anonymous);
      await expirePushIn(store, urlToken, -30_000);
      const statesOf = async () => {
        const { code, stdout } = await folder.run('doctor --json');
        const findings = JSON.parse(stdout) as { check: string; state: string }[];
        const stateOf = (check: string) => findings.find((finding) => finding.check === check)?.state;
        return { code, expiry: stateOf('expiry'), outbox: stateOf('outbox') };
      };
      expect(await statesOf()).to.eql({ code: 0, expiry: 'ok', outbox: 'ok' });

      await expirePushIn(store, urlToken, -90_000);
      await store.database.execute('UPDATE notices SET due_at = due_at - 400000', {});
      expect(await statesOf()).to.eql({ code: 1, expiry: 'failure', outbox: 'failure' });
    });
  });
});
