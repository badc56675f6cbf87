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
const lockTimeoutMs = lockMs + 5_000; // the lease of a dead process has ended by then, and a service that is stopped may wait 25 s

/** The migrations of a folder, applied in the order of their names by one process at a time. */
export function createMigrations(database: Database, folder: string) {
  const { sequelize, dialect, execute, withRetries } = database;
  const runner = randomUUID();
  const steps = createSchema(database);
  const applied = sequelize.define(
    'migrations',
    { name: { type: DataTypes.STRING, primaryKey: true } },
    { charset: 'utf8mb4', collate: 'utf8mb4_bin' }, // umzug's own model has utf8mb3
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
   * A row with a lease: umzug has a lock for one machine only (a file), and a named lock of MySQL (GET_LOCK) holds on one node
   * of a Galera cluster only.
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
      throw toRefusal((error as Error).cause) ?? error; // umzug wraps it: nobody could tell that the database is away
    } finally {
      clearInterval(renewal);
      await releaseLock().catch(() => {});
    }
  }

  return {
    /** Applies what is pending and gives the names of what it applied. Waits while another process migrates. */
    up: async (): Promise<string[]> => {
      if ((await (await umzug()).pending()).length === 0) return [];
      return withLock(async () => (await (await umzug()).up()).map(({ name }) => name));
    },
    /** Takes back the newest migration, or every one after and including `to`; all of them where that is 0. */
    down: async (to?: string | 0): Promise<string[]> =>
      withLock(async () =>
        (await (await umzug()).down(to === undefined ? {} : { to })).map(({ name }) => name),
      ),
    /** The names of what is applied and of what is not. */
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
