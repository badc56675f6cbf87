import { randomUUID } from 'node:crypto';
import type { JobId, JobParameters, JobRepositoryOptions } from 'agenda';
import type { Database, Statements } from '../../database/database.ts';
import type { StatementBinds } from '../../database/runner.ts';
import { findJobs, jobs, leaseOf, runColumns } from './job.ts';

/** Whether a job of this name can run: its lease has ended after `lifetime`, or it is due before `horizon`, both in ms. */
type Question = { name: string; horizon: number; lifetime: number };

type LeaseOptions = {
  /** Whether rows can be locked one by one, and others pass over locked rows. */
  hasRowLocks: () => boolean;
  onError: (error: unknown) => void;
};

/**
 * Decides who may run a job. Each acquisition increments the job's `lease`. So a worker that stalled for longer than
 * its lease, and lost the job without noticing, cannot overwrite the state of the next worker.
 */
export function createJobLeases(database: Database, { hasRowLocks, onError }: LeaseOptions) {
  const { execute, dialect } = database;
  const { now } = dialect;
  const workerId = randomUUID();
  const isRunnable = createScan(database);
  const released = 'locked_at = NULL, locked_by = NULL';
  const isFree = 'name = $name AND disabled = FALSE';

  const abandoned = { condition: `${isFree} AND ${isAbandoned(now, '$lifetime')}`, order: 'locked_at' };
  const due = { condition: `${isFree} AND ${isDue('$horizon')}`, order: 'next_run_at, negative_priority' };

  /** Acquires the first job that matches. Without row locks another worker may be faster; then it tries the next one. */
  async function acquire(
    { condition, order }: { condition: string; order: string },
    binds: StatementBinds,
    statements: Statements,
  ): Promise<JobParameters | undefined> {
    const [found] = await statements.select<{ id: string; lease: number }>(
      `SELECT id, lease FROM ${jobs} WHERE ${condition} ORDER BY ${order} LIMIT 1
       ${hasRowLocks() ? dialect.skipLocked : ''}`,
      binds,
    );
    if (!found) return undefined;
    const updated = await statements.execute(
      `UPDATE ${jobs} SET locked_at = ${now}, locked_by = $workerId, lease = lease + 1, last_modified_by = $modifier
       WHERE ${condition} AND id = $id AND lease = $lease`,
      { ...binds, ...found, workerId },
    );
    const leased = { id: found.id, lease: found.lease + 1 };
    const [job] =
      updated > 0
        ? await findJobs({ ...statements, dialect }, 'WHERE id = $id AND lease = $lease', leased)
        : [];
    return job ?? acquire({ condition, order }, binds, statements);
  }

  /**
   * Acquires a job whose lease has ended, or else the next due job. The database's clock decides when a lease ends,
   * Agenda's clock what is due. Without row locks, the statement that acquires a row verifies that nobody was faster.
   */
  async function getNextJobToRun(
    name: string,
    nextScanAt: Date,
    lockDeadline: Date,
    asOf: Date = new Date(),
    { lastModifiedBy }: JobRepositoryOptions = {},
  ): Promise<JobParameters | undefined> {
    const lifetime = asOf.getTime() - lockDeadline.getTime();
    const binds = { name, horizon: nextScanAt.getTime(), lifetime, modifier: lastModifiedBy ?? null };
    if (!(await isRunnable(binds))) return undefined; // the usual case, without any lock
    const acquireNext = async (statements: Statements) =>
      (await acquire(abandoned, binds, statements)) ?? acquire(due, binds, statements);
    return hasRowLocks() ? database.transaction(acquireNext) : acquireNext(database);
  }

  /**
   * Renews the lease if `lockedAt` is set, otherwise releases it. Throws if the job no longer exists or another
   * worker has it, and for a renewal after the release: two statements of one worker may arrive out of order.
   */
  async function saveJobState(job: JobParameters, options: JobRepositoryOptions = {}): Promise<void> {
    const lease = leaseOf(job);
    const isMine = lease === null ? 'locked_by IS NULL' : 'lease = $lease';
    const isHeld = lease === null ? isMine : `${isMine} AND locked_by IS NOT NULL`;
    const changed = await execute(
      `UPDATE ${jobs} SET next_run_at = $next_run_at, last_modified_by = $last_modified_by, run = $run,
         ${job.lockedAt ? `locked_at = ${now}` : released}
       WHERE id = $id AND name = $name AND ${job.lockedAt ? isHeld : isMine}`,
      { ...runColumns(job, options.lastModifiedBy), id: job._id ?? null, name: job.name, lease },
    );
    if (changed === 0)
      throw new Error(`job ${job.name} ${job._id} no longer exists, or another worker has it`);
  }

  /**
   * Releases a job that this process has acquired but not started. Never rejects, as leases end by themselves. A job
   * without a next run was started by a worker that died; if released, it would never run again.
   */
  async function unlock(condition: string, binds: StatementBinds): Promise<void> {
    const sql = `UPDATE ${jobs} SET ${released} WHERE id = $id AND ${condition} AND next_run_at IS NOT NULL`;
    await execute(sql, binds).catch(onError);
  }

  const unlockJob = (job: JobParameters) =>
    unlock('lease = $lease', { id: job._id ?? null, lease: leaseOf(job) });

  async function unlockJobs(ids: (JobId | string)[]): Promise<void> {
    for (const id of ids) await unlock('locked_by = $workerId', { id, workerId });
  }

  return { getNextJobToRun, saveJobState, unlockJob, unlockJobs };
}

/**
 * The condition that a job's lease has ended, after a lifetime in ms. One from the future was taken before the database's
 * clock was set back: that of an embedded database is this machine's.
 */
const isAbandoned = (now: string, lifetime: string) =>
  `(locked_at <= ${now} - ${lifetime} OR locked_at > ${now} + ${lifetime})`;

/** The condition that a job is free, and due before a horizon. */
const isDue = (horizon: string) => `locked_at IS NULL AND next_run_at <= ${horizon}`;

/**
 * Agenda looks for the next job of every name at the same moment, again and again. One statement answers all questions
 * of a moment, without any lock.
 */
function createScan({ select, dialect }: Database) {
  let asked: { questions: Question[]; answers: Promise<boolean[]> } | undefined;

  async function isRunnable(question: Question): Promise<boolean> {
    asked ??= collect();
    const { questions, answers } = asked;
    const index = questions.push(question) - 1;
    return (await answers)[index] === true;
  }

  function collect() {
    const questions: Question[] = [];
    const answers = Promise.resolve().then(() => {
      asked = undefined;
      return answer(questions);
    });
    return { questions, answers };
  }

  async function answer(questions: Question[]): Promise<boolean[]> {
    const binds: StatementBinds = {};
    const columns = questions.map(({ name, horizon, lifetime }, index) => {
      Object.assign(binds, {
        [`name${index}`]: name,
        [`horizon${index}`]: horizon,
        [`lifetime${index}`]: lifetime,
      });
      return `EXISTS (SELECT 1 FROM ${jobs} WHERE name = $name${index} AND disabled = FALSE
        AND (${isAbandoned(dialect.now, `$lifetime${index}`)} OR (${isDue(`$horizon${index}`)}))) AS job${index}`;
    });
    const [row] = await select<Record<string, number>>(`SELECT ${columns}`, binds);
    return questions.map((_, index) => Boolean(row?.[`job${index}`]));
  }

  return isRunnable;
}
