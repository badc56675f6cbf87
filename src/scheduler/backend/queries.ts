import {
  computeJobState,
  type JobId,
  type JobParameters,
  type JobsOverview,
  type JobsQueryOptions,
  type JobsResult,
  type JobsSort,
  type JobWithState,
  type RemoveJobsOptions,
} from 'agenda';
import type { Transaction } from 'sequelize';
import type { StatementBinds } from '../../database/runner.ts';
import { type JobRow, toJob } from './job.ts';
import { createConditions, type JobStore } from './store.ts';

export type JobQueries = ReturnType<typeof createJobQueries>;

type Filter = JobsQueryOptions & RemoveJobsOptions;

const chunkSize = 500;

/**
 * Reads jobs, and changes all jobs that match a query. The database filters by id and name. Everything else is
 * filtered here, in memory, because databases differ in their JSON functions.
 */
export function createJobQueries({ select, execute, now }: JobStore, jobs: string) {
  /** The jobs found by the end of a SELECT, from its WHERE on. */
  async function find<DATA>(end: string, binds: StatementBinds, transaction?: Transaction) {
    const readAt = Date.now();
    const sql = `SELECT *, ${now} - locked_at AS locked_for FROM ${jobs} ${end}`;
    return (await select<JobRow>(sql, binds, transaction)).map((row) => toJob<DATA>(row, readAt));
  }

  async function queryJobs(options: Filter = {}): Promise<JobsResult> {
    const { skip = 0, limit = 0, sort = { nextRunAt: 'desc', lastRunAt: 'desc' } } = options;
    const { where, binds } = conditionsOf(options);
    const found = (await find(where(), binds)).map(withState).filter((job) => matches(job, options));
    found.sort((a, b) => compare(a, b, sort));
    return { jobs: found.slice(skip, limit > 0 ? skip + limit : undefined), total: found.length };
  }

  async function getJobsOverview(): Promise<JobsOverview[]> {
    const overviews = new Map<string, JobsOverview>();
    for (const { name, state, disabled } of (await queryJobs({ sort: { name: 'asc' } })).jobs) {
      const overview = overviews.get(name) ?? { name, total: 0, ...none };
      overviews.set(name, overview);
      overview.total += 1;
      overview[state] += 1;
      if (disabled) overview.paused += 1;
    }
    return [...overviews.values()];
  }

  async function getDistinctJobNames(): Promise<string[]> {
    const names = await select<{ name: string }>(`SELECT DISTINCT name FROM ${jobs} ORDER BY name`, {});
    return names.map(({ name }) => name);
  }

  async function getQueueSize(): Promise<number> {
    const sql = `SELECT COUNT(*) AS total FROM ${jobs} WHERE next_run_at < $now`;
    const [counted] = await select<{ total: number }>(sql, { now: Date.now() });
    return Number(counted?.total);
  }

  /** Runs a statement (given without its WHERE) on all matching jobs. Without a condition it runs on none. */
  async function executeMatching(statement: string, options: RemoveJobsOptions): Promise<number> {
    if (options.data === undefined) {
      const { where, binds } = conditionsOf(options);
      return where() === '' ? 0 : execute(`${statement} ${where()}`, binds);
    }
    const ids = (await queryJobs(options)).jobs.map(({ _id }) => _id);
    let changed = 0;
    while (ids.length > 0) changed += await executeMatching(statement, { ids: ids.splice(0, chunkSize) });
    return changed;
  }

  return {
    find,
    getJobById: async (id: string) => (await find('WHERE id = $id', { id }))[0] ?? null,
    queryJobs,
    getJobsOverview,
    getDistinctJobNames,
    getQueueSize,
    removeJobs: (options: RemoveJobsOptions) => executeMatching(`DELETE FROM ${jobs}`, options),
    disableJobs: (options: RemoveJobsOptions) =>
      executeMatching(`UPDATE ${jobs} SET disabled = TRUE`, options),
    enableJobs: (options: RemoveJobsOptions) =>
      executeMatching(`UPDATE ${jobs} SET disabled = FALSE`, options),
    purgeAllJobs: () => execute(`DELETE FROM ${jobs}`, {}),
  };
}

const none = { running: 0, scheduled: 0, queued: 0, completed: 0, failed: 0, repeating: 0, paused: 0 };

/** As in Agenda's own backends, an empty list is no condition. */
function conditionsOf({ id, ids, name, names, notNames }: Filter) {
  const conditions = createConditions();
  conditions.add(id ?? ids, (list) => `id IN (${list})`);
  conditions.add(name ?? names, (list) => `name IN (${list})`);
  conditions.add(notNames, (list) => `name NOT IN (${list})`);
  return conditions;
}

function withState(job: JobParameters): JobWithState {
  return { ...job, _id: job._id as JobId, state: computeJobState(job) };
}

function matches(job: JobWithState, { search = '', state, data, includeDisabled = true }: Filter): boolean {
  return (
    job.name.toLowerCase().includes(search.toLowerCase()) &&
    (includeDisabled || !job.disabled) &&
    (state === undefined || (state === 'paused' ? job.disabled === true : job.state === state)) &&
    (data === undefined || contains(job.data, data))
  );
}

/** Whether everything expected is present: the keys of an object, the elements of a list. */
function contains(actual: unknown, expected: unknown): boolean {
  if (!isObject(actual) || !isObject(expected)) return actual === expected;
  if (Array.isArray(expected)) {
    return Array.isArray(actual) && expected.every((item) => actual.some((value) => contains(value, item)));
  }
  return Object.entries(expected).every(([key, value]) => contains(actual[key], value));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function compare(a: JobWithState, b: JobWithState, sort: JobsSort): number {
  for (const [key, direction] of Object.entries(sort) as [keyof JobsSort, string][]) {
    const [first, second] = [a[key] ?? undefined, b[key] ?? undefined] as (Date | undefined)[];
    const order = compareDates(first, second, direction);
    if (order !== 0) return order;
  }
  return 0;
}

/** A missing date comes last, in either direction. */
function compareDates(a: Date | undefined, b: Date | undefined, direction: string): number {
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
  const order = Number(a > b) - Number(a < b);
  return direction === 'asc' ? order : -order;
}
