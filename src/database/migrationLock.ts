import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { unavailable } from '../errors.ts';
import type { Database } from './database.ts';
import { toRefusal } from './errors.ts';
import type { Schema } from './schema.ts';

const lockMs = 15_000;
// By then the lease of a dead process has ended; a service that is stopping may wait 25 s.
const lockTimeoutMs = lockMs + 5_000;

/**
 * Runs work that changes the schema, in one process at a time; others wait. The lock is a row with a lease: a
 * named lock of MySQL (GET_LOCK) only holds on one node of a Galera cluster.
 */
export function createMigrationLock(database: Database, { createTable }: Pick<Schema, 'createTable'>) {
  const { sequelize, dialect, execute } = database;
  const runner = randomUUID();

  async function acquireLock(): Promise<void> {
    await createTable('migration_lock', {
      columns: { id: 'INT NOT NULL PRIMARY KEY', runner: 'VARCHAR(36)', held_until: 'BIGINT NOT NULL' },
    });
    await sequelize.query(
      dialect.insertIgnore('id', 'INTO migration_lock (id, runner, held_until) VALUES (1, NULL, 0)'),
    );
    const deadline = Date.now() + lockTimeoutMs;
    while ((await renewLock()) === 0) {
      if (Date.now() > deadline) throw unavailable('migrationLocked');
      await sleep(200);
    }
  }

  const renewLock = () =>
    execute(
      `UPDATE migration_lock SET runner = $runner, held_until = ${dialect.now} + $lockMs
         WHERE id = 1 AND (runner = $runner OR held_until < ${dialect.now})`,
      { runner, lockMs },
    );

  const releaseLock = () =>
    execute('UPDATE migration_lock SET held_until = 0 WHERE id = 1 AND runner = $runner', { runner });

  return async function withLock<T>(work: () => Promise<T>): Promise<T> {
    await acquireLock();
    const renewal = setInterval(() => renewLock().catch(() => {}), lockMs / 5);
    try {
      return await work();
    } catch (error) {
      // The name of the migration must not hide that the database is unreachable.
      throw toRefusal((error as Error).cause) ?? error;
    } finally {
      clearInterval(renewal);
      await releaseLock().catch(() => {});
    }
  };
}
