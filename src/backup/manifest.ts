import { z } from 'zod';
import { DamagedArchive } from './archive.ts';

const schema = z.object({
  format: z.literal(2),
  /** The version of hushpush that made the backup. */
  version: z.string(),
  /** The migrations that had been applied, and the fingerprint of what they make. */
  schema: z.object({ migrations: z.array(z.string()), fingerprint: z.string() }),
  /** By the clock of the database. Nothing in the backup is newer. */
  takenAt: z.iso.datetime(),
  database: z.enum(['sqlite', 'mysql']),
  /** Whether processes served the database meanwhile, or could have. */
  whileServing: z.boolean(),
  withKeys: z.boolean(),
});

/** What a backup says of itself. */
export type Manifest = z.output<typeof schema>;

/** Thrown for a backup of a version whose databases this one cannot use. */
class EarlyBackup extends Error {}

/** The name of the database in the archive: an SQLite database, or rows as lines of JSON. */
export const databaseNames = { sqlite: 'database.sqlite', mysql: 'database.ndjson' } as const;
export const filesFolder = 'files/';

/** Throws DamagedArchive for a manifest that this version does not know, and EarlyBackup for that of an early version. */
export function parseManifest(text: string): Manifest {
  try {
    const manifest = JSON.parse(text);
    if (manifest.format === 1) throw new EarlyBackup(early);
    return schema.parse(manifest);
  } catch (error) {
    if (error instanceof EarlyBackup) throw error;
    throw new DamagedArchive('The manifest of the backup is not one that this version can read.');
  }
}

const early =
  'This backup was made by hushpush 1.0.0-rc.1 or an earlier development version, whose databases this version cannot use. It has no seal either, so nothing tells whether somebody has changed it. Nothing was read from it, and nothing was changed. To see what is in it, restore it with the version that made it.';
