import { randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { DataTypes } from 'sequelize';
import { SequelizeStorage, Umzug } from 'umzug';
import { unavailable } from '../errors.ts';
import type { Database } from './database.ts';
import { toRefusal } from './errors.ts';
import { createSchema, type Schema } from './schema.ts';

export type Migration = { up(schema: Schema): Promise<unknown>; down(schema: Schema): Promise<unknown> };

const lockMs = 15_000;
// By then the lease of a dead process has ended; a service that is stopping may wait 25 s.
const lockTimeoutMs = lockMs + 5_000;

/** The migrations of a folder, applied in the order of their names, by one process at a time. */
export function createMigrations(database: Database, folder: string) {
  const { sequelize, dialect, execute, withRetries } = database;
  const runner = randomUUID();
  const steps = createSchema(database);
  const applied = sequelize.define(
    'migrations',
    { name: { type: DataTypes.STRING, primaryKey: true } },
    { charset: 'utf8mb4', collate: 'utf8mb4_bin' }, // umzug's own model uses utf8mb3
  );

  async function umzug() {
    const files = (await readdir(folder)).filter((file) => /^\d{4}-.*\.(ts|js)$/.test(file)).sort();
    return new Umzug({
      migrations: files.map((file) => ({
        name: basename(file).replace(/\.(ts|js)$/, ''),
        up: async () => (await load(join(folder, file))).up(steps),
        down: async () => (await load(join(folder, file))).down(steps),
      })),
      storage: new SequelizeStorage({ model: applied }),
      logger: undefined,
    });
  }

  /**
   * The lock is a row with a lease. umzug only has a lock for one machine (a file), and a named lock of MySQL
   * (GET_LOCK) only holds on one node of a Galera cluster.
   */
  async function acquireLock(): Promise<void> {
    await steps.createTable('migration_lock', {
      columns: { id: 'INT NOT NULL PRIMARY KEY', runner: 'VARCHAR(36)', held_until: 'BIGINT NOT NULL' },
    });
    const ignore = dialect.name === 'mysql' ? 'INSERT IGNORE' : 'INSERT OR IGNORE';
    await sequelize.query(`${ignore} INTO migration_lock (id, runner, held_until) VALUES (1, NULL, 0)`);
    const deadline = Date.now() + lockTimeoutMs;
    while ((await renewLock()) === 0) {
      if (Date.now() > deadline) throw unavailable('migrationLocked');
      await sleep(200);
    }
  }

  const renewLock = () =>
    withRetries(() =>
      execute(
        `UPDATE migration_lock SET runner = $runner, held_until = ${dialect.now} + $lockMs
         WHERE id = 1 AND (runner = $runner OR held_until < ${dialect.now})`,
        { runner, lockMs },
      ),
    );

  const releaseLock = () =>
    withRetries(() =>
      execute('UPDATE migration_lock SET held_until = 0 WHERE id = 1 AND runner = $runner', { runner }),
    );

  async function withLock<T>(work: () => Promise<T>): Promise<T> {
    await acquireLock();
    const renewal = setInterval(() => renewLock().catch(() => {}), lockMs / 5);
    try {
      return await work();
    } catch (error) {
      // umzug wraps the error, which would hide that the database is unreachable.
      throw toRefusal((error as Error).cause) ?? error;
    } finally {
      clearInterval(renewal);
      await releaseLock().catch(() => {});
    }
  }

  return {
    /** Applies pending migrations and returns their names. Waits while another process migrates. */
    up: async (): Promise<string[]> => {
      if ((await (await umzug()).pending()).length === 0) return [];
      return withLock(async () => (await (await umzug()).up()).map(({ name }) => name));
    },
    /** Reverts the newest migration, or all after and including `to`; 0 reverts all. */
    down: async (to?: string | 0): Promise<string[]> =>
      withLock(async () =>
        (await (await umzug()).down(to === undefined ? {} : { to })).map(({ name }) => name),
      ),
    /** The names of applied and of pending migrations. */
    status: async (): Promise<{ applied: string[]; pending: string[] }> => {
      const runnerOfAll = await umzug();
      return {
        applied: (await runnerOfAll.executed()).map(({ name }) => name),
        pending: (await runnerOfAll.pending()).map(({ name }) => name),
      };
    },
  };
}

async function load(path: string): Promise<Migration> {
  return (await import(pathToFileURL(path).href)) as Migration;
}
