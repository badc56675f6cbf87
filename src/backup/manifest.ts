import { z } from 'zod';
import { DamagedArchive } from './archive.ts';

const schema = z.object({
  format: z.literal(1),
  /** The version of hushpush that made the backup. */
  version: z.string(),
  /** The migrations that had been applied. */
  schema: z.array(z.string()),
  /** By the clock of the database. Nothing in the backup is newer. */
  takenAt: z.iso.datetime(),
  database: z.enum(['sqlite', 'mysql']),
  /** Whether processes served the database meanwhile, or could have. */
  whileServing: z.boolean(),
  withKeys: z.boolean(),
});

/** What a backup says of itself. */
export type Manifest = z.output<typeof schema>;

/** The name of the database in the archive: an SQLite database, or SQL. */
export const databaseNames = { sqlite: 'database.sqlite', mysql: 'database.sql' } as const;
export const keysName = 'master.key';
export const filesFolder = 'files/';

/** Throws DamagedArchive for a manifest that this version does not know. */
export function parseManifest(text: string): Manifest {
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    throw new DamagedArchive('The manifest of the backup is not one that this version can read.');
  }
}
