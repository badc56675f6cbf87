import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SetupError } from '../errors.ts';
import type { Database } from './database.ts';
import type { AppliedMigration } from './journal.ts';
import { schemaLines } from './schemaLines.ts';

/** What each migration makes of the schema: lines that it adds, and after a minus those that it removes. */
export type SchemaChanges = Record<string, string[]>;

/** The file with these lines, beside the migrations. `npm run docs` writes it. */
const changesFile = 'schema.json';

/**
 * Thrown when the schema and this build do not fit: migrations are pending where they are not applied by themselves, a newer
 * build has applied more, or the tables are not those that this build makes.
 */
export class SchemaMismatch extends SetupError {}

/** Identifies what migrations make. The same on every database. */
export function fingerprintOf(names: string[], changes: SchemaChanges): string {
  const lines = names.map((name) => [name, ...(changes[name] ?? [])].join('\n'));
  return createHash('sha256').update(lines.join('\n\n')).digest('hex');
}

export async function readChanges(folder: string): Promise<SchemaChanges> {
  return JSON.parse(await readFile(join(folder, changesFile), 'utf8')) as SchemaChanges;
}

/** The lines of the schema that migrations make together. */
export function linesAfter(names: string[], changes: SchemaChanges): Set<string> {
  const lines = new Set<string>();
  for (const change of names.flatMap((name) => changes[name] ?? [])) {
    if (change.startsWith('-')) lines.delete(change.slice(1));
    else lines.add(change);
  }
  return lines;
}

/** What a database and this build know of each other. */
type Comparison = { rows: AppliedMigration[]; known: string[]; changes: SchemaChanges };

/**
 * Whether the database was made before fingerprints were kept, and so before schemas were frozen. Even where its tables are
 * the same, links are found in another way since.
 */
export const isFromBefore = (rows: AppliedMigration[]) =>
  rows.length > 0 && rows.every(({ fingerprint }) => fingerprint == null);

/** Why the names and fingerprints of the applied migrations are not those of this build, if so. Reads nothing. */
export function journalProblem({ rows, known, changes }: Comparison): string | undefined {
  if (isFromBefore(rows)) return madeBefore;
  const unknown = rows.map(({ name }) => name).filter((name) => !known.includes(name));
  if (unknown.length > 0) return newerSchema(unknown);
  const other = rows.find(
    ({ name, fingerprint }) => fingerprint && fingerprint !== fingerprintOf([name], changes),
  );
  return other && changedSchema(`its migration ${other.name} is another one`);
}

/** The same, after a look at the tables themselves. */
export async function schemaProblem(database: Database, comparison: Comparison): Promise<string | undefined> {
  const { rows } = comparison;
  const problem = journalProblem(comparison);
  if (problem !== undefined || rows.length === 0) return problem;
  const expected = linesAfter(
    rows.map(({ name }) => name),
    comparison.changes,
  );
  const found = await schemaLines(database);
  const tables = new Set([...expected].filter(isColumn).map(tableOf));
  const needed = [...found]
    .filter((line) => isNeeded(line) && tables.has(tableOf(line)) && !expected.has(line))
    .map((line) => `it has “${line}”`);
  const missing = [...expected].filter((line) => !found.has(line)).map((line) => `it lacks “${line}”`);
  const differences = [...needed, ...missing];
  return differences.length === 0 ? undefined : changedSchema(shortened(differences));
}

const isColumn = (line: string) => /^\w+\.\w+ /.test(line);
const tableOf = (line: string) => line.split('.')[0] ?? '';
/** Whether rows cannot be inserted without a value for this column. Others that somebody has added do no harm. */
const isNeeded = (line: string) => isColumn(line) && line.endsWith(' not null');

const shownMax = 3;

function shortened(differences: string[]): string {
  const more = differences.length - shownMax;
  return differences.slice(0, shownMax).join(', ') + (more > 0 ? `, and ${more} more` : '');
}

const madeBefore =
  'This database was made by hushpush 1.0.0-rc.1 or an earlier development version, which this version cannot use. Nothing was changed. Keep the old version running until its pushes are over, and take from it what you need; then start this version with an empty database, and create the accounts anew.';

function changedSchema(difference: string): string {
  return `The schema of this database is not the one that this version makes: ${difference}. Nothing was changed. It comes from a version between two releases, or was altered by hand. Start the version that made it, undo the alteration, or restore a backup.`;
}

function newerSchema(names: string[]): string {
  return `The database has migrations of a newer version: ${names.join(', ')}. Start that version, or revert them with it.`;
}
