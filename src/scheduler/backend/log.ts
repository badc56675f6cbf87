import type { JobLogEntry, JobLogger, JobLogQuery } from 'agenda';
import { newUuid } from '../../crypto/ids.ts';
import { createConditions, type JobStore } from './store.ts';

/** Agenda's log of job events, in a table. Only `clearLogs` deletes from it. */
export function createJobLog({ select, execute }: JobStore, log: string): JobLogger {
  return {
    async log(entry) {
      const { level, event, jobId: job_id = null, jobName: job_name } = entry;
      const logged_at = entry.timestamp.getTime();
      await execute(
        `INSERT INTO ${log} (id, logged_at, level, event, job_id, job_name, entry)
         VALUES ($id, $logged_at, $level, $event, $job_id, $job_name, $entry)`,
        { id: newUuid(), logged_at, level, event, job_id, job_name, entry: JSON.stringify(entry) },
      );
    },

    async getLogs(query = {}) {
      const { where, binds } = conditionsOf(query);
      const order = query.sort === 'asc' ? 'ASC' : 'DESC';
      // MySQL cannot bind these.
      const page = `LIMIT ${Math.trunc(query.limit ?? 50)} OFFSET ${Math.trunc(query.offset ?? 0)}`;
      const [counted] = await select<{ total: number }>(
        `SELECT COUNT(*) AS total FROM ${log} ${where()}`,
        binds,
      );
      const found = await select<{ id: string; entry: string }>(
        `SELECT id, entry FROM ${log} ${where()} ORDER BY logged_at ${order}, id ${order} ${page}`,
        binds,
      );
      return { entries: found.map(entryOf), total: Number(counted?.total) };
    },

    async clearLogs(query = {}) {
      const { where, binds } = conditionsOf(query);
      return execute(`DELETE FROM ${log} ${where()}`, binds);
    },
  };
}

function conditionsOf({ jobId, jobName, level, event, from, to }: JobLogQuery) {
  const conditions = createConditions();
  conditions.add(jobId, (id) => `job_id = ${id}`);
  conditions.add(jobName, (name) => `job_name = ${name}`);
  conditions.add(level, (levels) => `level IN (${levels})`);
  conditions.add(event, (events) => `event IN (${events})`);
  conditions.add(from?.getTime(), (ms) => `logged_at >= ${ms}`);
  conditions.add(to?.getTime(), (ms) => `logged_at <= ${ms}`);
  return conditions;
}

function entryOf({ id, entry }: { id: string; entry: string }): JobLogEntry {
  const logged = JSON.parse(entry);
  return { ...logged, _id: id, timestamp: new Date(logged.timestamp) };
}
