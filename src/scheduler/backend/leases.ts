import { randomUUID } from 'node:crypto';
import type { JobId, JobParameters, JobRepositoryOptions } from 'agenda';
import type { Transaction } from 'sequelize';
import type { StatementBinds } from '../../database/runner.ts';
import { leaseOf, msOf, runColumns } from './job.ts';
import type { JobQueries } from './queries.ts';
import { createScan, isAbandoned, isDue } from './scan.ts';
import { createConditions, type JobStore } from './store.ts';

/**
 * Decides who may run a job. Each acquisition increments the job's `lease`. So a worker that stalled for longer than
 * its lease, and lost the job without noticing, cannot overwrite the state of the next worker.
 */
export function createJobLeases(
  { now, select, execute, withRowLocks }: JobStore,
  jobs: string,
  { find }: JobQueries,
  onError: (error: unknown) => void,
) {
  const workerId = randomUUID();
  const isRunnable = createScan({ now, select }, jobs);
  const released = 'locked_at = NULL, locked_by = NULL';
  const isFree = 'name = $name AND disabled = FALSE';

  const abandoned = { condition: `${isFree} AND ${isAbandoned(now, '$lifetime')}`, order: 'locked_at' };
  const due = { condition: `${isFree} AND ${isDue('$horizon')}`, order: 'next_run_at, negative_priority' };

  /**
   * Acquires the first job that matches. Without row locks another worker may be faster; then it tries the next one.
   */
  async function acquire(
    { condition, order }: { condition: string; order: string },
    binds: StatementBinds,
    transaction?: Transaction,
  ): Promise<JobParameters | undefined> {
    const [found] = await select<{ id: string; lease: number }>(
      `SELECT id, lease FROM ${jobs} WHERE ${condition} ORDER BY ${order} LIMIT 1
       ${transaction ? 'FOR UPDATE SKIP LOCKED' : ''}`,
      binds,
      transaction,
    );
    if (!found) return undefined;
    const updated = await execute(
      `UPDATE ${jobs} SET locked_at = ${now}, locked_by = $workerId, lease = lease + 1, last_modified_by = $modifier
       WHERE ${condition} AND id = $id AND lease = $lease`,
      { ...binds, ...found, workerId },
      transaction,
    );
    const leased = { id: found.id, lease: found.lease + 1 };
    const [job] = updated > 0 ? await find('WHERE id = $id AND lease = $lease', leased, transaction) : [];
    return job ?? acquire({ condition, order }, binds, transaction);
  }

  /**
   * Acquires a job whose lease has ended, or else the next due job. The database's clock decides when a lease ends,
   * Agenda's clock what is due.
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
    return withRowLocks(
      async (transaction) =>
        (await acquire(abandoned, binds, transaction)) ?? acquire(due, binds, transaction),
    );
  }

  async function lockJob(
    { _id, name, nextRunAt }: JobParameters,
    { lastModifiedBy }: JobRepositoryOptions = {},
  ): Promise<JobParameters | undefined> {
    const binds = { id: _id ?? null, name, next: msOf(nextRunAt), modifier: lastModifiedBy ?? null };
    const condition = `${isFree} AND locked_at IS NULL AND id = $id AND next_run_at = $next`;
    return withRowLocks((transaction) => acquire({ condition, order: 'id' }, binds, transaction));
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
   * Releases jobs that this process has acquired but not started. Never rejects, as leases end by themselves. A job
   * without a next run was started by a worker that died; if released, it would never run again.
   */
  async function unlock(where: string, binds: StatementBinds): Promise<void> {
    const sql = `UPDATE ${jobs} SET ${released} ${where} AND next_run_at IS NOT NULL`;
    await execute(sql, binds).catch(onError);
  }

  async function unlockJob(job: JobParameters): Promise<void> {
    await unlock('WHERE id = $id AND lease = $lease', { id: job._id ?? null, lease: leaseOf(job) });
  }

  async function unlockJobs(ids: (JobId | string)[]): Promise<void> {
    const { add, where, binds } = createConditions();
    add(ids, (list) => `id IN (${list})`);
    add(workerId, (worker) => `locked_by = ${worker}`);
    if (ids.length > 0) await unlock(where(), binds);
  }

  return { getNextJobToRun, lockJob, saveJobState, unlockJob, unlockJobs };
}
