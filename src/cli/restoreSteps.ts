import type { Manifest } from '../backup/manifest.ts';
import { openBackup, readBackupKeys, restoreDatabase, restoreFiles } from '../backup/restore.ts';
import { type Config, ConfigError, databaseFileOf, keyFileOf } from '../config.ts';
import { requireMatchingKeys } from '../domain/keys/keyChecks.ts';
import { createKeyFile, parseKeyFile } from '../runtime/keyFile.ts';
import { readKeys } from '../runtime/keys.ts';
import type { Service } from '../service.ts';
import type { Cli } from './cli.ts';
import { requireConsent } from './consent.ts';
import { requireNoProcesses } from './processes.ts';

type RestoreOptions = { keepsPushes: boolean; yes?: true };

/** Replaces the store by a backup, and ends what was live when it was taken, unless told to keep it. */
export async function restoreStore(
  file: string,
  { config, withService }: Cli,
  { keepsPushes, ...options }: RestoreOptions,
) {
  const manifest = await openBackup(file);
  const settings = await config();
  requireFitting(manifest, settings, keepsPushes);
  await provideKeys(settings, file);
  await withService((service) => clear(service, manifest, options), { check: false });
  const path = databaseFileOf(settings);
  await restoreDatabase(file, path === undefined ? { url: settings.DATABASE_URL } : { file: path });
  return withService(
    async ({ migrations, database, keyring, domain, fileStore }) => {
      await migrations.up();
      await requireMatchingKeys(database, keyring);
      const ended = await domain.restoration.finish({ keepsPushes });
      const files = await restoreFiles(file, domain.files, fileStore);
      const { endedPushes = 0, endedSessions = 0 } = ended ?? {};
      return { takenAt: manifest.takenAt, endedPushes, endedSessions, files };
    },
    { check: false },
  );
}

/** Ends what was live when a backup was taken that was restored by other means. */
export function finishRestore(
  { withService }: Cli,
  takenAt: number | undefined,
  confirm: () => Promise<void>,
) {
  return withService(
    async ({ migrations, database, keyring, domain: { restoration } }) => {
      await migrations.requireCurrent();
      await requireMatchingKeys(database, keyring);
      await confirm();
      return restoration.finish({ takenAt });
    },
    { check: false },
  );
}

function requireFitting(manifest: Manifest, config: Config, keepsPushes: boolean): void {
  const kind = databaseFileOf(config) === undefined ? 'mysql' : 'sqlite';
  if (manifest.database !== kind)
    throw new ConfigError(`The backup is of ${manifest.database}, but DATABASE_URL is of ${kind}.`);
  if (keepsPushes && manifest.whileServing)
    throw new Error(
      'The backup was taken while the service ran, so secrets in it may have been viewed or deleted since. --keep-pushes needs a backup of a stopped service.',
    );
}

/** Without keys the service would create new ones, which cannot decrypt the backup. */
async function provideKeys(config: Config, file: string): Promise<void> {
  if ((await readKeys(config)) !== undefined) return;
  const path = keyFileOf(config);
  const keys = await readBackupKeys(file);
  if (keys === undefined)
    throw new ConfigError(
      `The backup has no keys. Put the key file of its service at ${path} first, or set MASTER_KEYS.`,
    );
  await createKeyFile(path, parseKeyFile(keys, file));
}

/** Makes room for the backup in the database, unless somebody would miss what is there. */
async function clear(
  { database, migrations, domain: { processes, restoration } }: Service,
  { schema, version, takenAt }: Manifest,
  options: { yes?: true },
): Promise<void> {
  await requireNoProcesses(processes);
  const { applied, pending } = await migrations.status();
  if (schema.some((name) => !applied.includes(name) && !pending.includes(name)))
    throw new Error(`The backup is of version ${version}, which is newer. Restore it with that version.`);
  if (!(await restoration.isEmpty()))
    await requireConsent(`This replaces all data in the database by the backup of ${takenAt}.`, options);
  if (database.dialect.name === 'mysql') await migrations.down(0);
}
