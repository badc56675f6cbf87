import { expect } from 'chai';
import { urlTokenDigest } from '../../src/crypto/pepper.ts';
import { createAgendaBackend } from '../../src/scheduler/backend/backend.ts';
import { buildJobs } from '../../src/scheduler/jobs.ts';
import { createScheduler } from '../../src/scheduler/scheduler.ts';
import { expirePushIn } from '../harness/api.ts';
import { anonymous, startService, type TestService } from '../harness/service.ts';
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
