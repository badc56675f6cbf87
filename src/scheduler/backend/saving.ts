import { createHash } from 'node:crypto';
import type { JobParameters, JobRepositoryOptions } from 'agenda';
import { newUuid } from '../../crypto/ids.ts';
import { plannedColumns } from './job.ts';
import type { JobQueries } from './queries.ts';
import type { JobStore } from './store.ts';

type Job = JobParameters<unknown>;
type Columns = ReturnType<typeof plannedColumns>;

/** SQL expressions by column. */
type Expressions = Record<string, string>;

/** Saves planned jobs. Does not change what belongs to a run. */
export function createJobSaving({ execute, onConflict }: JobStore, jobs: string, { find }: JobQueries) {
  /**
   * A job of type `single` is unique by its name, and one with `unique` by its name and an equal `unique`. Saving it
   * again, even concurrently, changes the existing job.
   */
  async function saveJob<DATA>(
    job: JobParameters<DATA>,
    options: JobRepositoryOptions = {},
  ): Promise<JobParameters<DATA>> {
    const columns = plannedColumns(job, options.lastModifiedBy);
    const saved = await (job._id ? update<DATA>(job._id, columns) : insert<DATA>(job, columns));
    return saved[0] ?? job;
  }

  async function update<DATA>(id: string, columns: Columns) {
    const binds = { ...columns, id };
    await execute(`UPDATE ${jobs} SET ${assignments(columns)} WHERE id = $id AND name = $name`, binds);
    return find<DATA>('WHERE id = $id', binds);
  }

  async function insert<DATA>(job: Job, columns: Columns) {
    const now = Date.now();
    const row = { ...columns, ...debouncedColumns(job, now) };
    const values = { ...placeholders(row), disabled: 'COALESCE($disabled, FALSE)' };
    const unique_key = uniqueKeyOf(job);
    const binds = { ...row, id: newUuid(), unique_key, now, max_wait: debounceOf(job)?.maxWait ?? null };
    const insertsOnly = job.uniqueOpts?.insertOnly && !debounceOf(job);
    await execute(
      `INSERT INTO ${jobs} (id, unique_key, ${Object.keys(values)}) VALUES ($id, $unique_key, ${Object.values(values)})
       ${onConflict('unique_key', [], insertsOnly ? 'id = id' : assignments(row, rescheduledColumns(job, now)))}`,
      binds,
    );
    return find<DATA>(unique_key ? 'WHERE unique_key = $unique_key' : 'WHERE id = $id', binds);
  }

  return { saveJob };
}

function debounceOf(job: Job) {
  return job.type !== 'single' && job.unique ? job.uniqueOpts?.debounce : undefined;
}

/** The columns that debouncing sets for a new job. */
function debouncedColumns(job: Job, now: number) {
  const debounce = debounceOf(job);
  if (!debounce) return {};
  if (debounce.strategy === 'leading') return { debounce_started_at: now };
  return { next_run_at: now + debounce.delay, debounce_started_at: now };
}

/** When an existing job is due after it is saved again. MySQL assigns from left to right. */
function rescheduledColumns(job: Job, now: number): Expressions {
  const planned = 'COALESCE(next_run_at, $next_run_at)';
  if (job.type === 'single')
    return job.nextRunAt && job.nextRunAt.getTime() <= now ? { next_run_at: planned } : {};
  const debounce = debounceOf(job);
  if (!debounce) return {};
  const started = 'COALESCE(debounce_started_at, $now)';
  if (debounce.strategy === 'leading') return { next_run_at: planned, debounce_started_at: started };
  const isOver = '$now - debounce_started_at >= $max_wait';
  return {
    next_run_at: `CASE WHEN ${isOver} THEN $now ELSE $next_run_at END`,
    debounce_started_at: `CASE WHEN ${isOver} THEN NULL ELSE ${started} END`,
  };
}

function uniqueKeyOf({ name, type, unique }: Job): Buffer | null {
  if (type !== 'single' && !unique) return null;
  const uniqueness = type === 'single' ? type : Object.entries(unique ?? {}).sort();
  return createHash('sha256')
    .update(JSON.stringify([name, uniqueness]))
    .digest();
}

function placeholders(row: object): Expressions {
  return Object.fromEntries(Object.keys(row).map((column) => [column, `$${column}`]));
}

function assignments(row: object, expressions: Expressions = {}): string {
  const all = { ...placeholders(row), disabled: 'COALESCE($disabled, disabled)', ...expressions };
  return Object.entries(all)
    .map(([column, expression]) => `${column} = ${expression}`)
    .join(', ');
}
