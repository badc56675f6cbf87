import { expect } from 'chai';
import { urlTokenDigest } from '../../src/crypto/pepper.ts';
import { digestOf } from '../../src/crypto/tokens.ts';
import { createAgendaBackend } from '../../src/scheduler/backend/backend.ts';
import { buildJobs, deliveryJob, forWorker, type Job } from '../../src/scheduler/jobs.ts';
import { createScheduler } from '../../src/scheduler/scheduler.ts';
import { expirePushIn } from '../harness/api.ts';
import { chatCaller, deliverNotices, newChatUser, summarize } from '../harness/chat.ts';
import {
  anonymous,
  byPassword,
  createAccount,
  someClient,
  startService,
  type TestService,
} from '../harness/service.ts';
import { untilLater } from '../harness/until.ts';

describe('The jobs', () => {
  let service: TestService;

  before(async () => {
    service = await startService();
  });

  after(() => service.stop());

  const jobs = () => buildJobs(service.domain, service.messengers);

  it('are planned once a minute at most, because a planned run takes three commits', () => {
    expect(jobs().filter(({ everyMs }) => everyMs < 60_000)).to.deep.equal([]);
  });

  it('look for notices oftener in a worker, since nobody nudges it, and for the rest as often', () => {
    const pollsOf = (all: Job[]) => new Map(all.map(({ name, pollMs }) => [name, pollMs]));
    const [web, worker] = [pollsOf(jobs()), pollsOf(forWorker(jobs()))];
    expect([web.get(deliveryJob), worker.get(deliveryJob)]).to.deep.equal([500, 250]);
    expect([...worker].filter(([name, pollMs]) => pollMs !== web.get(name))).to.have.length(1);
  });

  it('erase expired pushes while a process that died still has its lease', async () => {
    const { database, domain, keyring } = service;
    const { urlToken } = await domain.pushes.create({ payload: 'tulip' }, anonymous);
    await expirePushIn(service, urlToken, -1);
    await leaseByDeadProcess('expire-pushes');
    const scheduler = createScheduler({
      openBackend: async () => createAgendaBackend(database),
      jobs: jobs().map((job) => ({ ...job, ...(job.pollMs !== undefined && { pollMs: 20 }) })),
      onRun() {},
      onError() {},
    });
    await scheduler.start();
    try {
      const erased = 'SELECT 1 FROM pushes WHERE token_digest = $digest AND payload IS NULL';
      const digest = urlTokenDigest(keyring, urlToken);
      await untilLater(async () => (await database.select(erased, { digest })).length === 1);
      const leases =
        "SELECT lease FROM scheduler_jobs WHERE name = 'expire-pushes' AND locked_at IS NOT NULL";
      expect(await database.select(leases, {})).to.deep.equal([{ lease: 1 }]);
    } finally {
      await scheduler.stop();
    }
  });

  it('delete and erase what has fallen due: sessions, replaced secrets, old notices, copies of views', async () => {
    const { database, domain } = service;
    const { account } = await createAccount(domain);
    await domain.sessions.create(account, someClient, byPassword);
    const { id } = await domain.webhooks.create(account, { url: 'https://example.com/hook' });
    await domain.webhooks.rotateSecret(account, id);
    await domain.webhooks.test(account, id);
    const push = await domain.pushes.create({ payload: 'tulip' }, { account, client: someClient });
    const nonce = { digest: digestOf('nonce'), secret: 'of a browser' };
    await domain.pushes.reveal(push.urlToken, undefined, anonymous, { nonce });
    await database.execute('UPDATE sessions SET expires_at = 1', {});
    await database.execute('UPDATE webhooks SET previous_secret_until = 1', {});
    await database.execute('UPDATE notices SET due_at = NULL, ended_at = 1', {});
    await database.execute('UPDATE spent_nonces SET view_expires_at = 1', {});
    const run = (name: string) =>
      jobs()
        .find((job) => job.name === name)
        ?.run(() => false);
    await run('erase-views');
    await run('purge');
    const left = {
      sessions: 'SELECT 1 FROM sessions',
      secrets: 'SELECT 1 FROM webhooks WHERE previous_secret IS NOT NULL',
      notices: 'SELECT 1 FROM notices',
      views: 'SELECT 1 FROM spent_nonces WHERE view IS NOT NULL',
    };
    for (const [what, sql] of Object.entries(left))
      expect(await database.select(sql, {}), what).to.deep.equal([]);
    expect(await database.select('SELECT 1 FROM spent_nonces', {})).to.have.length(1); // it claims no second view
  });

  it('delete pushes that ended long ago, and remind recipients who asked for it', async () => {
    const { database, domain } = service;
    const [sender, bob] = [chatCaller(), newChatUser()];
    const ended = await domain.pushes.create({ payload: 'tulip' }, anonymous);
    await domain.pushes.expire(ended.urlToken, anonymous).catch(() => {});
    await database.execute('UPDATE pushes SET expired_on = 1, due_at = NULL, purge_at = 1', {});
    const push = await domain.chat.pushes.create(sender, { payload: 'tulip' }, { recipients: [bob] });
    await deliverNotices(domain);
    await domain.pushes.remindLater(push.id, bob, { time: 'hour' });
    await database.execute('UPDATE push_recipients SET remind_at = 1', {});
    const run = (name: string) =>
      jobs()
        .find((job) => job.name === name)
        ?.run(() => false);
    await run('remind-unread');
    await run('purge');
    expect(summarize(await deliverNotices(domain, [bob]))).to.deep.equal([`${bob.address} reminded`]);
    const found = await database.select<{ id: Buffer }>('SELECT id FROM pushes', {});
    expect(found.map(({ id }) => id.toString('hex'))).to.deep.equal([push.id]);
  });

  it('erase a workspace that removed the app within ten minutes of its time', () => {
    const { everyMs } = jobs().find(({ name }) => name === 'erase-workspaces') ?? expect.fail('no such job');
    expect(everyMs).to.be.at.most(600_000);
  });

  /** Takes a job as another process would, and does not return it. */
  async function leaseByDeadProcess(name: string): Promise<void> {
    const { repository } = createAgendaBackend(service.database);
    const now = Date.now();
    const due = { name, type: 'single', priority: 0, data: undefined, nextRunAt: new Date(now) } as const;
    await repository.saveJob(due, undefined);
    const [soon, deadline] = [new Date(now + 5_000), new Date(now - 20_000)];
    const taken = await repository.getNextJobToRun(name, soon, deadline, new Date(now), undefined);
    expect(taken).to.have.property('name', name);
  }
});
