import type { AgendaBackend } from 'agenda';
import type { Sequelize } from 'sequelize';
import { retry } from '../../retry.ts';
import { createJobLeases } from './leases.ts';
import { createJobLog } from './log.ts';
import { createJobQueries } from './queries.ts';
import { createJobSaving } from './saving.ts';
import { createJobStore } from './store.ts';

export type BackendOptions = {
  jobsTable?: string;
  logTable?: string;
  /** The pause between two attempts to reach the database. */
  retryMs?: number;
  /** Told what would otherwise be lost: why the database was not reached, or a job not given back. */
  onError?: (error: unknown) => void;
};

/**
 * Agenda's store on a database that the caller has opened, will close, and has given the two tables: MySQL 8 or later,
 * MariaDB 10.6 or later, Galera, SQLite. On MySQL its connections should be READ COMMITTED, which locks no gaps.
 * Any number of processes may share the tables; each job is one process's until its lease ends by the database's clock.
 */
export function createSequelizeBackend(
  sequelize: Sequelize,
  {
    jobsTable = 'scheduler_jobs',
    logTable = 'scheduler_log',
    retryMs = 1_000,
    onError = () => {},
  }: BackendOptions = {},
): AgendaBackend {
  const store = createJobStore(sequelize);
  const queries = createJobQueries(store, jobsTable);
  let connecting = new AbortController();

  /**
   * Resolves once the jobs can be read, however long that takes. After `disconnect` it stays pending for ever: Agenda
   * calls it without a catch, and would begin to work if it resolved.
   */
  async function connect(): Promise<void> {
    const { signal } = connecting;
    await retry(() => store.probe(jobsTable), { delayMs: () => retryMs, onRetry: onError, signal }).catch(
      () => {},
    );
    return signal.aborted ? new Promise(() => {}) : undefined;
  }

  async function disconnect(): Promise<void> {
    connecting.abort();
    connecting = new AbortController();
  }

  return {
    name: `Sequelize (${sequelize.getDialect()})`,
    ownsConnection: false,
    connect,
    disconnect,
    repository: {
      connect,
      ...queries,
      ...createJobSaving(store, jobsTable, queries),
      ...createJobLeases(store, jobsTable, queries, onError),
    },
    logger: createJobLog(store, logTable),
  };
}
