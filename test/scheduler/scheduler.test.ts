import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { connectDatabase, type Database } from '../../src/database/database.ts';
import { createMigrations } from '../../src/database/migrations.ts';
import { createAgendaBackend } from '../../src/scheduler/backend/backend.ts';
import type { Job } from '../../src/scheduler/jobs.ts';
import { createScheduler, type Scheduler } from '../../src/scheduler/scheduler.ts';
import { type FreshDatabase, freshDatabase } from '../harness/database.ts';
import { migrationsFolder } from '../harness/service.ts';
import { recordStatements } from '../harness/statements.ts';
import { programMs, until } from '../harness/until.ts';

describe('The scheduler', () => {
  let fresh: FreshDatabase;
  let database: Database;
  let schedulers: Scheduler[];
  let ran: { name: string; error?: unknown }[];

  beforeEach(async () => {
    fresh = await freshDatabase();
    database = connectDatabase(fresh.url, { poolSize: 5 });
    await createMigrations(database, migrationsFolder).up();
    schedulers = [];
    ran = [];
  });

  afterEach(async () => {
    await Promise.all(schedulers.map((scheduler) => scheduler.stop()));
    await database.close();
    await fresh.drop();
  });

  function schedulerOf(...jobs: Job[]): Scheduler {
    const scheduler = createScheduler({
      openBackend: async () => createAgendaBackend(database),
      jobs,
      onRun: (name, _ms, error) => void ran.push({ name, error }),
      onError: () => {},
      scanEveryMs: 200,
    });
    schedulers.push(scheduler);
    return scheduler;
  }

  it('runs a job repeatedly, on one process at a time', async () => {
    let [running, most, runs] = [0, 0, 0];
    const job: Job = {
      name: 'count',
      everyMs: 500,
      async run() {
        running += 1;
        most = Math.max(most, running);
        await sleep(200);
        running -= 1;
        runs += 1;
      },
    };
    await Promise.all([schedulerOf(job).start(), schedulerOf(job).start()]);
    await until(() => runs >= 3, programMs);
    expect(most).to.equal(1);
  });

  it('reports a job that fails, and runs it again', async () => {
    const job: Job = {
      name: 'fail',
      everyMs: 300,
      run: async () => {
        throw new Error('a reason');
      },
    };
    await schedulerOf(job).start();
    await until(() => ran.length >= 2, programMs);
    expect(ran[0]?.error).to.be.an('error').with.property('message', 'a reason');
  });

  it('runs a job at once when nudged, and once more when nudged meanwhile', async () => {
    let runs = 0;
    const scheduler = schedulerOf({
      name: 'nudged',
      everyMs: 3_600_000,
      async run() {
        runs += 1;
        await sleep(50);
      },
    });
    for (let nudges = 0; nudges < 5; nudges++) scheduler.nudge('nudged');
    await until(() => runs === 2, programMs);
    await sleep(100);
    expect(runs).to.equal(2);
  });

  it('polls as often as a job specifies', async () => {
    let runs = 0;
    await schedulerOf({
      name: 'polled',
      everyMs: 3_600_000,
      pollMs: 20,
      run: async () => void runs++,
    }).start();
    await until(() => runs >= 5, programMs);
  });

  it('asks a job to return when it stops, and waits for it', async () => {
    let hasStarted = false;
    let hasEnded = false;
    const scheduler = schedulerOf({
      name: 'long',
      everyMs: 3_600_000,
      async run(isStopping) {
        hasStarted = true;
        while (!isStopping()) await sleep(10);
        await sleep(50);
        hasEnded = true;
      },
    });
    scheduler.nudge('long');
    await until(() => hasStarted, programMs);
    await scheduler.stop();
    expect(hasEnded).to.equal(true);
  });

  it('asks the database one question at a time, however many jobs it has', async () => {
    const statements = recordStatements(database);
    const hourly = ['one', 'two', 'three'].map((name) => ({ name, everyMs: 3_600_000, run: async () => {} }));
    await schedulerOf(...hourly).start();
    const left = 'SELECT 1 FROM scheduler_jobs WHERE run IS NULL OR locked_at IS NOT NULL';
    await until(async () => ran.length === 3 && (await database.select(left, {})).length === 0, programMs);
    statements.length = 0;
    await until(() => statements.length >= 4, programMs);
    for (const sql of statements) expect(sql.match(/EXISTS/g), sql).to.have.length(hourly.length);
  });

  it('polls a job that fails less and less often', async () => {
    const runs = { working: 0, failing: 0 };
    const run = async () => void runs.working++;
    const fail = async () => {
      runs.failing += 1;
      throw new Error('the database is away');
    };
    const polled = { everyMs: 3_600_000, pollMs: 20 };
    await schedulerOf({ ...polled, name: 'working', run }, { ...polled, name: 'failing', run: fail }).start();
    await until(() => runs.working >= 40, programMs);
    expect(runs.failing).to.be.within(2, 20);
  });

  it('reports nothing of a look for jobs that ends when the database is closed already', async () => {
    const own = connectDatabase(fresh.url, { poolSize: 1 });
    const backend = createAgendaBackend(own);
    const { getNextJobToRun } = backend.repository;
    let resume = () => {};
    const closed = new Promise<void>((resolve) => {
      resume = resolve;
    });
    const errors: unknown[] = [];
    let looks: Promise<unknown> | undefined;
    backend.repository.getNextJobToRun = (...args) => {
      const look = closed.then(() => getNextJobToRun(...args));
      looks = look.catch(() => {});
      return look;
    };
    const scheduler = createScheduler({
      openBackend: async () => backend,
      jobs: [{ name: 'hourly', everyMs: 3_600_000, run: async () => {} }],
      onRun() {},
      onError: (error) => void errors.push(error),
      scanEveryMs: 50,
    });
    await scheduler.start();
    await until(() => looks !== undefined, programMs);
    await scheduler.stop();
    await own.close();
    resume();
    await looks;
    await sleep(0);
    expect(errors).to.deep.equal([]);
  });

  it('keeps one plan of a job for all processes', async () => {
    const job: Job = { name: 'planned', everyMs: 3_600_000, run: async () => {} };
    await Promise.all([schedulerOf(job).start(), schedulerOf(job).start(), schedulerOf(job).start()]);
    const planned = await database.select<{ name: string }>('SELECT name FROM scheduler_jobs', {});
    expect(planned.map(({ name }) => name)).to.deep.equal(['planned']);
  });

  it('moves a run that a wrong clock postponed forward when it starts', async () => {
    let runs = 0;
    const job: Job = { name: 'late', everyMs: 60_000, run: async () => void runs++ };
    await schedulerOf(job).start();
    await until(() => runs === 1, programMs);
    await Promise.all(schedulers.splice(0).map((scheduler) => scheduler.stop()));
    await database.execute('UPDATE scheduler_jobs SET next_run_at = next_run_at + $ms', { ms: 7_200_000 });
    await schedulerOf(job).start();
    await until(() => runs === 2, programMs);
  });
});
