import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { unavailable } from '../errors.ts';
import type { Database } from './database.ts';
import { createJournal } from './journal.ts';
import { createMigrationLock } from './migrationLock.ts';
import { tablesOf } from './rows.ts';
import { createSchema, type Schema } from './schema.ts';
import {
  fingerprintOf,
  isFromBefore,
  journalProblem,
  linesAfter,
  readChanges,
  type SchemaChanges,
  SchemaMismatch,
  schemaProblem,
} from './schemaCheck.ts';

type SchemaStatus = { applied: string[]; pending: string[]; newer: string[] };

export type Migration = { up(schema: Schema): Promise<unknown>; down(schema: Schema): Promise<unknown> };

/** The folder of this build. */
export const ownMigrations = join(import.meta.dirname, '..', '..', 'migrations');

export type Migrations = ReturnType<typeof createMigrations>;

/** The migrations of a folder, applied in the order of their names, by one process at a time. */
export function createMigrations(database: Database, folder: string) {
  const steps = createSchema(database);
  const journal = createJournal(database, steps);
  const withLock = createMigrationLock(database, steps);

  let read: Promise<SchemaChanges> | undefined;
  const changes = () => {
    read ??= readChanges(folder);
    return read;
  };
  const readFiles = async () =>
    (await readdir(folder)).filter((file) => /^\d{4}-.*\.(ts|js)$/.test(file)).sort();

  const appliedNames = async () => (await journal.applied()).map(({ name }) => name);
  const knownNames = async () => (await readFiles()).map(nameOf);

  const compared = async () => ({
    rows: await journal.applied(),
    known: await knownNames(),
    changes: await changes(),
  });

  /** The names of migrations: applied ones, pending ones, and those of the applied that only a newer build knows. */
  async function status(): Promise<SchemaStatus> {
    const known = await knownNames();
    const rows = await journal.applied();
    const names = rows.map(({ name }) => name);
    return {
      applied: names,
      pending: known.filter((name) => !names.includes(name)),
      newer: isFromBefore(rows) ? [] : names.filter((name) => !known.includes(name)),
    };
  }

  /** Why this build cannot use the schema as far as it is applied, if so: it is a newer one, or its tables differ. */
  const problem = async () => schemaProblem(database, await compared());

  /** What `down` would revert, in the order of their names. Throws if `to` is not applied. */
  async function revertible(to?: string | 0): Promise<string[]> {
    const applied = await appliedNames();
    if (to === 0) return applied;
    if (to === undefined) return applied.slice(-1);
    if (!applied.includes(to)) throw new Error(`The migration ${to} is not applied.`);
    return applied.slice(applied.indexOf(to));
  }

  async function requireKnown(): Promise<void> {
    const found = await problem();
    if (found !== undefined) throw new SchemaMismatch(found);
  }

  const fingerprint = async (names: string[]) => fingerprintOf(names, await changes());

  async function apply(name: string): Promise<void> {
    await run(name, 'up');
    await journal.add(name, await fingerprint([name]));
  }

  async function revert(name: string): Promise<void> {
    await run(name, 'down');
    await journal.remove(name);
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
     * on a schema that this build cannot use, which it does not touch. `only` leaves out all others.
     */
    async up(only?: string[]): Promise<string[]> {
      await requireKnown();
      const pending = async () =>
        (await status()).pending.filter((name) => only === undefined || only.includes(name));
      if ((await pending()).length === 0) return [];
      const applied = await withLock(async () => {
        await journal.open();
        return inTurn(await pending(), apply);
      });
      await requireKnown();
      return applied;
    },
    /**
     * Reverts the newest migration, or all after and including `to`; 0 reverts all. Throws SchemaMismatch on the schema
     * of another build, whose migrations only that one can revert.
     */
    async down(to?: string | 0): Promise<string[]> {
      await requireKnown();
      return withLock(async () => inTurn((await revertible(to)).reverse(), revert));
    },
    status,
    problem,
    /** Identifies what migrations of this build make together. */
    fingerprint,
    /** The tables that migrations of this build make together. */
    tables: async (names: string[]) => tablesOf(linesAfter(names, await changes())),
    revertible,
    /** Throws SchemaMismatch unless the schema is that of this build. Changes nothing. */
    async requireCurrent(): Promise<void> {
      await requireKnown();
      const { applied, pending } = await status();
      if (applied.length === 0)
        throw new SchemaMismatch(
          'The database is empty. Start the service first, or run hushpush migrate up.',
        );
      if (pending.length > 0)
        throw new SchemaMismatch(`Migrations are pending: ${pending.join(', ')}. Run hushpush migrate up.`);
    },
    /**
     * Refuses with `unavailable` while a migration of this build is not applied, as after a rollback beneath a running
     * process, or is another one. Newer migrations are no reason to stop serving: they only add, so that old processes
     * can run beside new ones.
     */
    async requireApplied(): Promise<void> {
      const { rows, known, changes } = await compared();
      const own = rows.filter(({ name }) => known.includes(name));
      if (own.length < known.length) throw unavailable('schemaReverted');
      if (journalProblem({ rows: own, known, changes }) !== undefined) throw unavailable('schemaDiffers');
    },
  };
}

const nameOf = (file: string) => basename(file).replace(/\.(ts|js)$/, '');

async function inTurn(names: string[], work: (name: string) => Promise<void>): Promise<string[]> {
  for (const name of names) await work(name);
  return names;
}
