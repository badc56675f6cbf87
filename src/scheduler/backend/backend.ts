import { createHash } from 'node:crypto';
import {
  type AgendaBackend,
  computeJobState,
  type JobId,
  type JobParameters,
  type JobRepositoryOptions,
  type JobsQueryOptions,
  type JobsResult,
} from 'agenda';
import { newUuid } from '../../crypto/ids.ts';
import type { Database } from '../../database/database.ts';
import { galeraProbe } from '../../database/mysql/open.ts';
import { retry } from '../../retry.ts';
import { findJobs, jobs, plannedColumns } from './job.ts';
import { createJobLeases } from './leases.ts';

export type BackendOptions = {
  /** The delay between two attempts to reach the database. */
  retryMs?: number;
  /** Receives errors that no caller sees: the database is unreachable, or a job could not be released. */
  onError?: (error: unknown) => void;
};

/** What a saved job sets in its row, but for the time at which an existing job is due. Null leaves it disabled or not. */
const assigned = `negative_priority = $negative_priority, disabled = COALESCE($disabled, disabled),
  last_modified_by = $last_modified_by, plan = $plan`;

/**
 * Agenda's store on a database: the part that runs jobs and plans them, without `unique` and its debouncing, and without
 * what manages jobs. The caller opens and closes the connection and creates the table. On MySQL, connections should use
 * READ COMMITTED, which takes no gap locks. Any number of processes may share the table; a job belongs to one process
 * until its lease ends by the database's clock.
 */
export function createAgendaBackend(
  database: Database,
  { retryMs = 1_000, onError = () => {} }: BackendOptions = {},
): AgendaBackend {
  const { select, execute, dialect } = database;
  let hasRowLocks = false;
  let connecting = new AbortController();

  /**
   * Resolves once the jobs can be read, however long that takes. After `disconnect` it never resolves: Agenda does
   * not catch its rejection, and would start to work if it resolved.
   */
  async function connect(): Promise<void> {
    const { signal } = connecting;
    await retry(probe, { delayMs: () => retryMs, onRetry: onError, signal }).catch(() => {});
    return signal.aborted ? new Promise(() => {}) : undefined;
  }

  /** Fails unless the table can be read. On Galera a row lock is known to one node only. */
  async function probe(): Promise<void> {
    await select(`SELECT 1 FROM ${jobs} LIMIT 1`, {});
    hasRowLocks = dialect.skipLocked !== '' && (await select(galeraProbe, {})).length === 0;
  }

  async function disconnect(): Promise<void> {
    connecting.abort();
    connecting = new AbortController();
  }

  /** A job of type `single` is unique by its name. Saving it again, even concurrently, changes the existing job. */
  async function saveJob<DATA>(
    job: JobParameters<DATA>,
    { lastModifiedBy }: JobRepositoryOptions = {},
  ): Promise<JobParameters<DATA>> {
    const columns = plannedColumns(job, lastModifiedBy);
    const saved = await (job._id ? update<DATA>(job._id, columns) : insert<DATA>(job, columns));
    return saved[0] ?? job;
  }

  async function update<DATA>(id: string, columns: ReturnType<typeof plannedColumns>) {
    const sql = `UPDATE ${jobs} SET ${assigned}, next_run_at = $next_run_at WHERE id = $id AND name = $name`;
    await execute(sql, { ...columns, id });
    return findJobs<DATA>(database, 'WHERE id = $id', { id });
  }

  /** Does not postpone an existing job that is due. */
  async function insert<DATA>(job: JobParameters<DATA>, columns: ReturnType<typeof plannedColumns>) {
    const isDue = job.nextRunAt && job.nextRunAt.getTime() <= Date.now();
    const nextRunAt = isDue ? 'COALESCE(next_run_at, $next_run_at)' : '$next_run_at';
    const isSingle = job.type === 'single';
    const unique_key = isSingle ? sha256(JSON.stringify([job.name, job.type])) : null;
    const id = newUuid();
    await execute(
      `INSERT INTO ${jobs}
         (id, unique_key, name, negative_priority, disabled, next_run_at, last_modified_by, plan)
       VALUES ($id, $unique_key, $name, $negative_priority, COALESCE($disabled, FALSE), $next_run_at,
         $last_modified_by, $plan)
       ${dialect.onConflict('unique_key', [], `${assigned}, next_run_at = ${nextRunAt}`)}`,
      { ...columns, id, unique_key },
    );
    return isSingle
      ? findJobs<DATA>(database, 'WHERE unique_key = $unique_key', { unique_key })
      : findJobs<DATA>(database, 'WHERE id = $id', { id });
  }

  /** All jobs, or the one with an id. */
  async function queryJobs({ id }: JobsQueryOptions = {}): Promise<JobsResult> {
    const found = await (id === undefined
      ? findJobs(database, '', {})
      : findJobs(database, 'WHERE id = $id', { id }));
    const states = found.map((job) => ({ ...job, _id: job._id as JobId, state: computeJobState(job) }));
    return { jobs: states, total: found.length };
  }

  return {
    name: dialect.name,
    ownsConnection: false,
    connect,
    disconnect,
    repository: {
      connect,
      queryJobs,
      saveJob,
      ...createJobLeases(database, { hasRowLocks: () => hasRowLocks, onError }),
      // What Agenda calls for those who manage jobs through it, and lockJob, which it never calls.
      lockJob: refuse,
      getJobById: refuse,
      getJobsOverview: refuse,
      getDistinctJobNames: refuse,
      getQueueSize: refuse,
      removeJobs: refuse,
      disableJobs: refuse,
      enableJobs: refuse,
      purgeAllJobs: refuse,
    },
  };
}

const sha256 = (text: string) => createHash('sha256').update(text).digest();

async function refuse(): Promise<never> {
  throw new Error('this store runs and plans jobs; it does not manage them');
}
