import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { SetupError, unavailable } from '../errors.ts';
import type { Database } from './database.ts';
import { createMigrationLock } from './migrationLock.ts';
import { createSchema, type Schema } from './schema.ts';

/** The table that names the applied migrations. */
const journal = 'migrations';

type SchemaStatus = { applied: string[]; pending: string[]; newer: string[] };

export type Migration = { up(schema: Schema): Promise<unknown>; down(schema: Schema): Promise<unknown> };

/**
 * Thrown when the schema and this build do not fit: migrations are pending where they are not applied by themselves, or
 * a newer build has applied more.
 */
export class SchemaMismatch extends SetupError {}

/** The migrations of a folder, applied in the order of their names, by one process at a time. */
export function createMigrations(database: Database, folder: string) {
  const { select, execute } = database;
  const steps = createSchema(database);
  const withLock = createMigrationLock(database, steps);

  const readFiles = async () =>
    (await readdir(folder)).filter((file) => /^\d{4}-.*\.(ts|js)$/.test(file)).sort();

  async function appliedNames(): Promise<string[]> {
    if (!(await database.hasTable(journal))) return [];
    const rows = await select<{ name: string }>(`SELECT name FROM ${journal} ORDER BY name`, {});
    return rows.map(({ name }) => name);
  }

  /** The names of migrations: applied ones, pending ones, and those of the applied that only a newer build knows. */
  async function status(): Promise<SchemaStatus> {
    const known = (await readFiles()).map(nameOf);
    const names = await appliedNames();
    return {
      applied: names,
      pending: known.filter((name) => !names.includes(name)),
      newer: names.filter((name) => !known.includes(name)),
    };
  }

  /** What `down` would revert, in the order of their names. Throws if `to` is not applied. */
  async function revertible(to?: string | 0): Promise<string[]> {
    const applied = await appliedNames();
    if (to === 0) return applied;
    if (to === undefined) return applied.slice(-1);
    if (!applied.includes(to)) throw new Error(`The migration ${to} is not applied.`);
    return applied.slice(applied.indexOf(to));
  }

  async function requireKnown(): Promise<SchemaStatus> {
    const found = await status();
    if (found.newer.length > 0) throw new SchemaMismatch(newerSchema(found.newer));
    return found;
  }

  async function apply(name: string): Promise<void> {
    await run(name, 'up');
    await execute(`INSERT INTO ${journal} (name) VALUES ($name)`, { name });
  }

  async function revert(name: string): Promise<void> {
    await run(name, 'down');
    await execute(`DELETE FROM ${journal} WHERE name = $name`, { name });
  }

  /** A process that dies before the journal is written repeats the migration, which does no harm. */
  async function run(name: string, direction: keyof Migration): Promise<void> {
    const file = (await readFiles()).find((each) => nameOf(each) === name) ?? name;
    try {
      const migration = (await import(pathToFileURL(join(folder, file)).href)) as Migration;
      await migration[direction](steps);
    } catch (error) {
      throw new Error(`The migration ${name} failed: ${(error as Error).message}`, { cause: error });
    }
  }

  return {
    /**
     * Applies pending migrations and returns their names. Waits while another process migrates. Throws SchemaMismatch
     * on the schema of a newer build.
     */
    async up(): Promise<string[]> {
      if ((await requireKnown()).pending.length === 0) return [];
      return withLock(async () => {
        await steps.createTable(journal, { columns: { name: 'VARCHAR(255) NOT NULL PRIMARY KEY' } });
        return inTurn((await status()).pending, apply);
      });
    },
    /**
     * Reverts the newest migration, or all after and including `to`; 0 reverts all. Throws SchemaMismatch on the schema
     * of a newer build, whose migrations would have to be reverted first.
     */
    async down(to?: string | 0): Promise<string[]> {
      await requireKnown();
      return withLock(async () => inTurn((await revertible(to)).reverse(), revert));
    },
    status,
    revertible,
    /** Throws SchemaMismatch unless the schema is that of this build. Changes nothing. */
    async requireCurrent(): Promise<void> {
      const { applied, pending } = await requireKnown();
      if (applied.length === 0)
        throw new SchemaMismatch(
          'The database is empty. Start the service first, or run hushpush migrate up.',
        );
      if (pending.length > 0)
        throw new SchemaMismatch(`Migrations are pending: ${pending.join(', ')}. Run hushpush migrate up.`);
    },
    /**
     * Refuses with `unavailable` while a migration of this build is not applied, as after a rollback beneath a running
     * process. Newer migrations are no reason to stop serving: they only add, so that old processes can run beside new
     * ones.
     */
    async requireApplied(): Promise<void> {
      if ((await status()).pending.length > 0) throw unavailable('schemaReverted');
    },
  };
}

const nameOf = (file: string) => basename(file).replace(/\.(ts|js)$/, '');

function newerSchema(names: string[]): string {
  return `The database has migrations of a newer version: ${names.join(', ')}. Start that version, or revert them with it.`;
}

async function inTurn(names: string[], work: (name: string) => Promise<void>): Promise<string[]> {
  for (const name of names) await work(name);
  return names;
}
