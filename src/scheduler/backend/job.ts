import { inspect } from 'node:util';
import { datefields, type JobParameters } from 'agenda';
import type { Database } from '../../database/database.ts';
import type { StatementBinds } from '../../database/runner.ts';

export const jobs = 'scheduler_jobs';

/**
 * Columns that statements use are separate, all others are JSON: `plan` is written by those who save a job, `run` by
 * its worker.
 */
type JobRow = {
  id: string;
  name: string;
  negative_priority: number;
  disabled: number;
  next_run_at: number | null;
  /** How long ago the lease was acquired or renewed, by the database's clock. */
  locked_for: number | null;
  lease: number;
  last_modified_by: string | null;
  plan: string;
  run: string | null;
};

/** A symbol, so that Agenda copies it with a job's attributes and nothing else sees it. */
const lease = Symbol('lease');

/** The number of a job's current or last lease when the job was read. Null if the job was not read from the database. */
export function leaseOf(job: JobParameters): number | null {
  return (job as { [lease]?: number })[lease] ?? null;
}

/** The jobs found by the end of a SELECT, from its WHERE on. */
export async function findJobs<DATA>(
  { select, dialect }: Pick<Database, 'select' | 'dialect'>,
  end: string,
  binds: StatementBinds,
): Promise<JobParameters<DATA>[]> {
  const readAt = Date.now();
  const sql = `SELECT *, ${dialect.now} - locked_at AS locked_for FROM ${jobs} ${end}`;
  return (await select<JobRow>(sql, binds)).map((row) => toJob<DATA>(row, readAt));
}

/** `readAt` is when the row was read by this process's clock, which Agenda compares with `lockedAt`. */
function toJob<DATA>(row: JobRow, readAt: number): JobParameters<DATA> {
  const attributes = {
    ...JSON.parse(row.plan),
    ...JSON.parse(row.run ?? '{}'),
    _id: row.id,
    name: row.name,
    priority: 0 - row.negative_priority,
    disabled: Boolean(row.disabled),
    nextRunAt: row.next_run_at,
    lockedAt: row.locked_for === null ? undefined : readAt - row.locked_for,
    lastModifiedBy: row.last_modified_by ?? undefined,
    [lease]: row.lease,
  };
  for (const field of datefields) if (attributes[field]) attributes[field] = new Date(attributes[field]);
  return attributes;
}

/** The columns written when a job is saved. */
export function plannedColumns(job: JobParameters<unknown>, lastModifiedBy = '') {
  const { type, data, repeatInterval, repeatTimezone, repeatAt, startDate, endDate, skipDays, fork } = job;
  const plan = { type, data, repeatInterval, repeatTimezone, repeatAt, startDate, endDate, skipDays, fork };
  return {
    name: job.name,
    negative_priority: 0 - job.priority,
    disabled: job.disabled ?? null,
    next_run_at: msOf(job.nextRunAt),
    last_modified_by: lastModifiedBy || null,
    plan: JSON.stringify(plan),
  };
}

/**
 * The columns written by a job's worker. A handler may throw anything, and a state that cannot be saved would leave
 * its job locked.
 */
export function runColumns(job: JobParameters, lastModifiedBy = '') {
  const { lastRunAt, lastFinishedAt, failedAt, failCount, progress } = job;
  const failReason = job.failReason === undefined ? undefined : textOf(job.failReason);
  return {
    next_run_at: msOf(job.nextRunAt),
    last_modified_by: lastModifiedBy || null,
    run: JSON.stringify({ lastRunAt, lastFinishedAt, failedAt, failCount, failReason, progress }),
  };
}

function textOf(thrown: unknown): string {
  return (typeof thrown === 'string' ? thrown : inspect(thrown)).slice(0, 10_000);
}

function msOf(date: Date | null | undefined): number | null {
  return date ? new Date(date).getTime() : null;
}
