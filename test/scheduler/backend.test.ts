import { mkdir, rmdir } from 'node:fs/promises';
import { type AddressInfo, createServer, connect as dial } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { Agenda, type AgendaBackend, type JobParameters } from 'agenda';
import { expect } from 'chai';
import { connectDatabase, type Database } from '../../src/database/database.ts';
import { createMigrations } from '../../src/database/migrations.ts';
import type { StatementBinds } from '../../src/database/runner.ts';
import { type BackendOptions, createAgendaBackend } from '../../src/scheduler/backend/backend.ts';
import { times } from '../harness/api.ts';
import { type Folder, nodeCommand, openFolder } from '../harness/cli.ts';
import { type FreshDatabase, freshDatabase, onMariadb } from '../harness/database.ts';
import { migrationsFolder } from '../harness/service.ts';
import { programMs, until } from '../harness/until.ts';

type Row = Record<string, unknown>;
type Statement = { sql: string; binds: StatementBinds };

const source = (path: string) => pathToFileURL(join(import.meta.dirname, '../../src', path)).href;

describe('The scheduler’s store', () => {
  let fresh: FreshDatabase;
  let database: Database;
  let folder: Folder;
  let opened: Database[] = [];
  let planner: AgendaBackend;

  before(async () => {
    fresh = await freshDatabase();
    database = connectDatabase(fresh.url, { poolSize: 4 });
    await createMigrations(database, migrationsFolder).up();
    planner = createAgendaBackend(database);
  });

  after(async () => {
    await database.close();
    await fresh.drop();
  });

  beforeEach(async () => {
    folder = await openFolder();
    await database.execute('DELETE FROM scheduler_jobs', {});
  });

  afterEach(async () => {
    await folder.remove();
    for (const one of opened) await one.close();
    opened = [];
  });

  function open(url = fresh.url): Database {
    const one = connectDatabase(url, { poolSize: 4 });
    opened.push(one);
    return one;
  }

  /** A store with its own connections, as in another process. */
  async function newWorker(options: BackendOptions = {}): Promise<AgendaBackend> {
    const worker = createAgendaBackend(open(), options);
    await worker.connect();
    return worker;
  }

  /** The same, but it takes jobs without locking rows, as on Galera and SQLite. */
  const newOptimist = () => createAgendaBackend(open());

  function save(worker: AgendaBackend, job: Partial<JobParameters<unknown>> = {}) {
    const nextRunAt = new Date(Date.now() - 1_000);
    return worker.repository.saveJob(
      { name: 'sweep', type: 'normal', priority: 0, data: undefined, nextRunAt, ...job },
      undefined,
    );
  }

  function take(worker: AgendaBackend, { name = 'sweep', leaseMs = 60_000, asOf = new Date() } = {}) {
    const [soon, deadline] = [asOf.getTime() + 1_000, asOf.getTime() - leaseMs];
    return worker.repository.getNextJobToRun(name, new Date(soon), new Date(deadline), asOf, undefined);
  }

  async function requireTake(
    worker: AgendaBackend,
    options: Parameters<typeof take>[1] = {},
  ): Promise<JobParameters> {
    const job = await take(worker, options);
    if (!job) throw new Error('no job was given');
    return job;
  }

  const stored = () => database.select<Row>('SELECT * FROM scheduler_jobs ORDER BY id', {});

  async function refusal(work: Promise<unknown>): Promise<Error> {
    return work.then(
      () => expect.fail('it was not refused'),
      (error) => error,
    );
  }

  /** Moves the leases into the past by `ms`. The rest of the row stays. */
  const ageLeases = (ms: number) =>
    database.execute('UPDATE scheduler_jobs SET locked_at = locked_at - $ms', { ms });

  /** Runs a program with Agenda on the store in a separate process, and collects its output lines. */
  function launch(program: string) {
    const { child, ended } = folder.launch(
      [
        ...nodeCommand,
        '--input-type=module',
        '-e',
        `const { once } = await import('node:events');
         const { setTimeout: sleep } = await import('node:timers/promises');
         const { Agenda } = await import('${import.meta.resolve('agenda')}');
         const { connectDatabase } = await import('${source('database/database.ts')}');
         const { createAgendaBackend } = await import('${source('scheduler/backend/backend.ts')}');
         const database = connectDatabase(process.env.STORE_URL, { poolSize: 4 });
         const say = (...words) => console.log(...words);
         const backend = createAgendaBackend(database, { onError: console.error });
         ${program}`,
      ],
      { settings: { STORE_URL: fresh.url } },
    );
    const words: string[] = [];
    child.stdout.on('data', (chunk) => words.push(...String(chunk).trim().split('\n')));
    child.stderr.on('data', (chunk) => words.push(`stderr: ${chunk}`));
    let failure: Error | undefined;
    ended.then(
      () => {
        failure = new Error(`the process has ended: ${words.join('\n')}`);
      },
      (error) => {
        failure = error; // it never started
      },
    );
    return { child, words, failure: () => failure };
  }

  /** Waits until a condition holds, and no longer than all of the processes run. */
  function untilWhile(processes: ReturnType<typeof launch>[], condition: () => unknown): Promise<void> {
    return until(() => {
      for (const { failure } of processes) if (failure()) throw failure();
      return condition();
    }, programMs);
  }

  describe('for workers', () => {
    it('gives each job to exactly one of several workers', async () => {
      const workers = [await newWorker(), await newWorker(), newOptimist(), newOptimist()];
      await times(60, (n) => save(planner, { data: { n } }));
      const taken: unknown[] = [];
      const takeAll = async (worker: AgendaBackend) => {
        for (let job = await take(worker); job; job = await take(worker)) taken.push(job._id);
      };
      await Promise.all([...workers, ...workers, ...workers].map(takeAll));
      expect(new Set(taken)).to.have.property('size', 60);
      expect(taken).to.have.length(60);
    });

    it('gives one job to one worker, however many ask at the same moment', async () => {
      const workers = [await newWorker(), await newWorker(), newOptimist(), newOptimist()];
      for (let round = 0; round < 5; round++) {
        await save(planner);
        const attempts = [...workers, ...workers].map((worker) => take(worker));
        expect((await Promise.all(attempts)).filter(Boolean)).to.have.length(1);
      }
    });

    it('lets Agenda run each job once on several processes', async () => {
      await times(40, (n) => save(planner, { name: 'count', data: n }));
      const program = `
        const agenda = new Agenda({ backend, processEvery: 100, defaultLockLimit: 4, defaultLockLifetime: 10_000 });
        agenda.define('count', async (job) => { say(job.attrs.data); await sleep(5); });
        await agenda.start();`;
      const processes = [launch(program), launch(program), launch(program)];
      const output = () => processes.flatMap(({ words }) => words);
      await untilWhile(processes, async () =>
        (await stored()).every((row) => row.run && row.locked_at === null),
      );
      expect(
        output()
          .map(Number)
          .sort((a, b) => a - b),
      ).to.deep.equal([...Array(40).keys()]);
    });

    it('gives the job that is due first, then the one with the higher priority, and none that is disabled or not due', async () => {
      const worker = await newWorker();
      const at = (ms: number) => ({ nextRunAt: new Date(Date.now() + ms) });
      const same = at(-5_000);
      await save(worker, { data: 'low', ...same, priority: -10 });
      await save(worker, { data: 'high', ...same, priority: 10 });
      await save(worker, { data: 'first', ...at(-9_000), priority: -20 });
      await save(worker, { data: 'later', ...at(60_000) });
      await save(worker, { data: 'off', disabled: true });
      await save(worker, { data: 'other', name: 'other' });
      const given: unknown[] = [];
      for (let job = await take(worker); job; job = await take(worker)) given.push(job.data);
      expect(given).to.deep.equal(['first', 'high', 'low']);
    });
  });

  describe('with leased jobs', () => {
    it('ends a lease by the database’s clock, whatever the worker’s clock says', async () => {
      const [first, second] = [await newWorker(), await newWorker()];
      await save(first);
      await requireTake(first);
      const tomorrow = new Date(Date.now() + 86_400_000);
      expect(await take(second, { asOf: tomorrow })).to.equal(undefined);
      await ageLeases(59_000);
      expect(await take(second, { asOf: tomorrow })).to.equal(undefined);
      await ageLeases(1_001);
      const yesterday = new Date(Date.now() - 86_400_000);
      expect(await take(second, { asOf: yesterday })).to.have.property('name', 'sweep');
    });

    it('ends a lease that was taken while the database’s clock was ahead', async () => {
      const [first, second] = [await newWorker(), await newWorker()];
      await save(planner);
      await requireTake(first);
      await ageLeases(-120_000);
      expect(await take(second)).to.be.an('object');
      expect(await take(first)).to.equal(undefined);
    });

    it('renews a lease by the database’s clock when its worker reports progress', async () => {
      const [first, second] = [await newWorker(), await newWorker()];
      await save(first);
      const job = await requireTake(first);
      await ageLeases(61_000);
      await first.repository.saveJobState({ ...job, lockedAt: new Date(0), progress: 50 }, undefined);
      expect(await take(second)).to.equal(undefined);
      expect((await second.repository.queryJobs({ id: String(job._id) })).jobs[0]).to.have.property(
        'progress',
        50,
      );
    });

    it('does not renew a lease after the run has ended', async () => {
      const worker = await newWorker();
      await save(worker);
      const job = await requireTake(worker);
      const { lockedAt: _, ...ended } = job;
      await worker.repository.saveJobState(ended, undefined);
      await refusal(worker.repository.saveJobState(job, undefined));
      expect(await take(worker)).to.have.property('_id', job._id);
    });

    it('lets a worker change nothing once another one has taken over its lease', async () => {
      const [first, second] = [await newWorker(), await newWorker()];
      await save(first);
      const stale = await requireTake(first);
      await ageLeases(61_000);
      const current = await requireTake(second);
      expect(current._id).to.equal(stale._id);
      const before = await stored();
      const { repository } = first;
      for (const lockedAt of [{}, { lockedAt: new Date() }]) {
        const { lockedAt: _, ...state } = stale;
        const late = { ...state, ...lockedAt, nextRunAt: null, failReason: 'late' };
        expect((await refusal(repository.saveJobState(late, undefined))).message).to.include(
          'another worker has it',
        );
      }
      await repository.unlockJob(stale);
      await repository.unlockJobs([String(stale._id)]);
      expect(await stored()).to.deep.equal(before);
      await second.repository.saveJobState({ ...current, progress: 1 }, undefined);
    });

    it('distinguishes a new lease from one that the same worker lost', async () => {
      const worker = await newWorker();
      await save(worker);
      const stale = await requireTake(worker);
      await ageLeases(61_000);
      await requireTake(worker);
      await refusal(worker.repository.saveJobState(stale, undefined));
      await worker.repository.unlockJob(stale);
      expect(await take(worker)).to.equal(undefined);
    });

    it('does not give a lease back to a process that was frozen for longer', async () => {
      const worker = await newWorker();
      await save(worker);
      const frozen = launch(`
        const agenda = new Agenda({ backend, processEvery: 100, defaultLockLifetime: 1_000 });
        agenda.define('sweep', async () => {
          const told = once(process, 'SIGUSR2');
          say('begun');
          await told;
        });
        agenda.on('complete', () => say('complete'));
        await agenda.start();`);
      const { child, words } = frozen;
      await untilWhile([frozen], () => words.includes('begun'));
      child.kill('SIGSTOP');
      await sleep(1_100);
      const current = await requireTake(worker, { leaseMs: 1_000 });
      await worker.repository.saveJobState({ ...current, progress: 42 }, undefined);
      const before = await stored();
      child.kill('SIGUSR2');
      child.kill('SIGCONT');
      await untilWhile([frozen], () => words.includes('complete'));
      expect(await stored()).to.deep.equal(before);
    });

    it('runs an unfinished job again, even if a later lease on it is returned unused', async () => {
      const worker = await newWorker();
      await save(worker);
      const started = { ...(await requireTake(worker)), nextRunAt: null, lastRunAt: new Date() };
      await worker.repository.saveJobState(started, undefined);
      for (const giveBack of [
        worker.repository.unlockJob,
        ({ _id }: JobParameters) => worker.repository.unlockJobs([String(_id)]),
      ]) {
        await ageLeases(61_000);
        await giveBack(await requireTake(worker));
      }
      await ageLeases(61_000);
      expect(await take(worker))
        .to.have.property('lastRunAt')
        .that.deep.equals(started.lastRunAt);
    });

    it('frees a lease at once when it is returned', async () => {
      const [first, second] = [await newWorker(), await newWorker()];
      await save(first);
      await first.repository.unlockJob(await requireTake(first));
      const job = await requireTake(second);
      await first.repository.unlockJobs([String(job._id)]);
      expect(await take(first)).to.equal(undefined);
      await second.repository.unlockJobs([String(job._id)]);
      expect(await take(first)).to.have.property('_id', job._id);
    });

    it('reports a lease that cannot be returned, without failing', async () => {
      const errors: unknown[] = [];
      const lost = open();
      const worker = createAgendaBackend(lost, { onError: (error) => errors.push(error) });
      await save(worker);
      const job = await requireTake(worker);
      await lost.close();
      await worker.repository.unlockJob(job);
      await worker.repository.unlockJobs([String(job._id)]);
      expect(errors).to.have.length(2);
    });
  });

  describe('for saved jobs', () => {
    it('creates one job when several processes plan it at the same moment', async () => {
      const agendas = (await times(4, () => newWorker())).map((backend) => new Agenda({ backend }));
      for (const name of ['a', 'b', 'c']) {
        const jobs = await Promise.all(agendas.map((agenda) => agenda.every('1 minute', name)));
        expect(new Set(jobs.map(({ attrs }) => attrs._id))).to.have.property('size', 1);
      }
      const names = (await stored()).map(({ name }) => name);
      expect(names.sort()).to.deep.equal(['a', 'b', 'c']);
    });

    it('keeps the due time and the disabled state of a job that is planned again', async () => {
      const agenda = new Agenda({ backend: await newWorker() });
      const planned = await agenda.every('1 hour', 'sweep');
      const later = await planned
        .schedule(new Date(Date.now() + 60_000))
        .disable()
        .save();
      await agenda.every('1 hour', 'sweep');
      const [row] = await stored();
      expect(row?.next_run_at).to.equal(later.attrs.nextRunAt?.getTime());
      expect(Boolean(row?.disabled)).to.equal(true);
    });

    it('returns everything that was saved of a plan and of a run', async () => {
      const worker = await newWorker();
      const { repository } = worker;
      const plan: JobParameters<unknown> = {
        name: 'sweep',
        type: 'normal',
        priority: 10,
        nextRunAt: new Date(Date.now() - 1_000),
        disabled: false,
        data: { text: 'nul \0, 🦊', list: [1, { a: null }] },
        repeatInterval: '0 3 * * *',
        repeatTimezone: 'Europe/Berlin',
        repeatAt: '3:00am',
        startDate: new Date(1_000),
        endDate: new Date(2_000),
        skipDays: [0, 6],
        fork: false,
      };
      const saved = await repository.saveJob(plan, { lastModifiedBy: 'planner' });
      expect(saved).to.deep.include({ ...plan, lastModifiedBy: 'planner' });
      const run = {
        lastRunAt: new Date(3_000),
        lastFinishedAt: new Date(4_000),
        failedAt: new Date(5_000),
        failCount: 2,
        failReason: 'nul \0',
        progress: 12.5,
      };
      await repository.saveJobState({ ...(await requireTake(worker)), ...run }, undefined);
      await save(worker, { name: 'other' });
      const { jobs, total } = await repository.queryJobs({ id: String(saved._id) });
      expect(jobs[0]).to.deep.include({ ...plan, ...run, _id: saved._id, state: 'running' });
      expect(total).to.equal(1);
      expect((await repository.queryJobs()).total).to.equal(2);
    });

    it('saves the end of a run, whatever its handler threw', async () => {
      const worker = await newWorker();
      for (const thrown of [{ self: 1n }, null, 0, 'x'.repeat(200_000), Object.create(null)]) {
        await save(worker);
        const { lockedAt: _, ...job } = await requireTake(worker);
        await worker.repository.saveJobState({ ...job, nextRunAt: null, failReason: thrown }, undefined);
      }
      expect((await stored()).every(({ locked_at }) => locked_at === null)).to.equal(true);
    });
  });

  describe('while it connects', () => {
    /** The URL of a database that does not exist yet, and a function that makes it available. */
    async function awayDatabase() {
      if (!onMariadb) {
        const path = join(folder.path, 'away.db');
        await mkdir(path);
        return { url: `sqlite:${path}`, bring: () => rmdir(path) };
      }
      const { hostname, port, pathname } = new URL(fresh.url);
      const proxy = createServer((socket) => {
        const server = dial(Number(port), hostname);
        socket.pipe(server).pipe(socket);
        socket.on('error', () => server.destroy());
        server.on('error', () => socket.destroy());
      });
      const listen = (at: number) => new Promise<void>((done) => proxy.listen(at, hostname, done));
      await listen(0);
      const at = (proxy.address() as AddressInfo).port;
      await new Promise((done) => proxy.close(done));
      return {
        url: `mysql://root@${hostname}:${at}${pathname}`,
        bring: () => listen(at),
        end: () => proxy.close(),
      };
    }

    it('waits for an unreachable database and for its tables', async () => {
      const away = await awayDatabase();
      const errors: unknown[] = [];
      const other = open(away.url);
      const agenda = new Agenda({
        backend: createAgendaBackend(other, {
          retryMs: 20,
          onError: (error) => errors.push(error),
        }),
        processEvery: 50,
      });
      await until(() => errors.length > 2, programMs);
      await away.bring();
      await createMigrations(other, migrationsFolder).up();
      await agenda.ready;
      await agenda.now('sweep');
      await other.close();
      away.end?.();
    });

    it('gives up when it is disconnected, and then never lets Agenda start', async () => {
      const away = await awayDatabase();
      const errors: unknown[] = [];
      const other = open(away.url);
      const backend = createAgendaBackend(other, {
        retryMs: 20,
        onError: (error) => errors.push(error),
      });
      const agenda = new Agenda({ backend });
      await until(() => errors.length > 0, programMs);
      await backend.disconnect();
      await sleep(50);
      const soFar = errors.length;
      await away.bring();
      if (!onMariadb) await createMigrations(other, migrationsFolder).up();
      expect(await Promise.race([agenda.ready, sleep(150, 'never')])).to.equal('never');
      expect(errors).to.have.length(soFar);
      await backend.connect();
      await other.close();
      away.end?.();
    });
  });

  it('searches by an index only, however many jobs there are', async () => {
    const own = await freshDatabase(); // because an EXPLAIN can leave its connection unusable
    const many = open(own.url);
    const { sequelize } = many;
    await createMigrations(many, migrationsFolder).up();
    for (let first = 0; first < 4_000; first += 1_000) {
      const rows = [...Array(1_000).keys()].map((n) => {
        const dueIn = n % 2 ? -first - n : 9_000_000;
        const id = String(first + n).padStart(36, '0');
        return `('${id}', 'job-${n % 20}', 0, FALSE, ${Date.now() + dueIn}, '{}')`;
      });
      await sequelize.query(
        `INSERT INTO scheduler_jobs (id, name, negative_priority, disabled, next_run_at, plan) VALUES ${rows}`,
      );
    }
    await sequelize.query(onMariadb ? 'ANALYZE TABLE scheduler_jobs' : 'ANALYZE');
    const statements: Statement[] = [];
    const recorded = <Answer>(run: (sql: string, binds: StatementBinds) => Promise<Answer>) => {
      return (sql: string, binds: StatementBinds) => {
        statements.push({ sql, binds });
        return run(sql, binds);
      };
    };
    const select = recorded(many.select) as Database['select'];
    const worker = createAgendaBackend({ ...many, select, execute: recorded(many.execute) });
    const { repository } = worker;
    const job = await requireTake(worker, { name: 'job-1' });
    await repository.saveJobState(job, undefined);
    await repository.unlockJob(job);
    await repository.unlockJobs([String(job._id)]);
    await repository.saveJob(job, undefined);
    await repository.queryJobs({ id: String(job._id) });
    expect(statements).to.have.length.above(8);
    for (const { sql, binds } of [...statements]) {
      const search = sql
        .replace(/^UPDATE (\w+) SET .*? (?=WHERE)/s, 'SELECT * FROM $1 ')
        .replace(/^DELETE/, 'SELECT *');
      const explain = `${onMariadb ? 'EXPLAIN FORMAT = TRADITIONAL' : 'EXPLAIN QUERY PLAN'} ${search}`;
      for (const step of await many.select<Row>(explain, binds)) {
        expect(step.type, search).not.to.be.oneOf(['ALL', 'index']);
        expect(`${step.Extra} ${step.detail}`, search).not.to.match(
          /filesort|SCAN (?!CONSTANT ROW)|ANY\(|TEMP B-TREE/,
        );
      }
    }
    await many.close();
    await own.drop();
  });

  it('refuses to manage jobs, which it is not made for', async () => {
    const agenda = new Agenda({ backend: await newWorker() });
    await save(planner);
    expect((await refusal(agenda.cancel({ name: 'sweep' }))).message).to.include('does not manage');
    expect(await stored()).to.have.length(1);
  });
});
