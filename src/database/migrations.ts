import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { DataTypes } from 'sequelize';
import { SequelizeStorage, Umzug } from 'umzug';
import { SetupError, unavailable } from '../errors.ts';
import type { Database } from './database.ts';
import { createMigrationLock } from './migrationLock.ts';
import { createSchema, type Schema } from './schema.ts';

type SchemaStatus = { applied: string[]; pending: string[]; newer: string[] };

export type Migration = { up(schema: Schema): Promise<unknown>; down(schema: Schema): Promise<unknown> };

/**
 * Thrown when the schema and this build do not fit: migrations are pending where they are not applied by themselves, or
 * a newer build has applied more.
 */
export class SchemaMismatch extends SetupError {}

/** The migrations of a folder, applied in the order of their names, by one process at a time. */
export function createMigrations(database: Database, folder: string) {
  const { sequelize, select } = database;
  const steps = createSchema(database);
  const withLock = createMigrationLock(database, steps);
  const journal = sequelize.define(
    'migrations',
    { name: { type: DataTypes.STRING, primaryKey: true } },
    { charset: 'utf8mb4', collate: 'utf8mb4_bin' }, // umzug's own model uses utf8mb3
  );

  const readFiles = async () =>
    (await readdir(folder)).filter((file) => /^\d{4}-.*\.(ts|js)$/.test(file)).sort();

  async function umzug() {
    return new Umzug({
      migrations: (await readFiles()).map((file) => ({
        name: nameOf(file),
        up: async () => (await load(join(folder, file))).up(steps),
        down: async () => (await load(join(folder, file))).down(steps),
      })),
      storage: new SequelizeStorage({ model: journal }),
      logger: undefined,
    });
  }

  async function appliedNames(): Promise<string[]> {
    if (!(await sequelize.getQueryInterface().tableExists(journal.tableName))) return [];
    const rows = await select<{ name: string }>(`SELECT name FROM ${journal.tableName} ORDER BY name`, {});
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

  async function requireKnown(): Promise<SchemaStatus> {
    const found = await status();
    if (found.newer.length > 0) throw new SchemaMismatch(newerSchema(found.newer));
    return found;
  }

  return {
    /**
     * Applies pending migrations and returns their names. Waits while another process migrates. Throws SchemaMismatch
     * on the schema of a newer build.
     */
    async up(): Promise<string[]> {
      if ((await requireKnown()).pending.length === 0) return [];
      return withLock(async () => (await (await umzug()).up()).map(({ name }) => name));
    },
    /**
     * Reverts the newest migration, or all after and including `to`; 0 reverts all. Throws SchemaMismatch on the schema
     * of a newer build, whose migrations would have to be reverted first.
     */
    async down(to?: string | 0): Promise<string[]> {
      await requireKnown();
      return withLock(async () =>
        (await (await umzug()).down(to === undefined ? {} : { to })).map(({ name }) => name),
      );
    },
    status,
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

async function load(path: string): Promise<Migration> {
  return (await import(pathToFileURL(path).href)) as Migration;
}
