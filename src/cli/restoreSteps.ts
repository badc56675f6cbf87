import type { Manifest } from '../backup/manifest.ts';
import {
  type Backup,
  openBackup,
  requireKnownSchema,
  restoreFiles,
  restoreRows,
  restoreSqlite,
} from '../backup/restore.ts';
import { type Config, databaseFileOf, keyFileOf } from '../config.ts';
import { checkSeal } from '../crypto/backupSeal.ts';
import { requireMatchingKeys } from '../domain/index.ts';
import { ConfigError } from '../errors.ts';
import { createKeyFile, type KeyFile, parseKeyFile } from '../runtime/keyFile.ts';
import { keyringOf, readKeys } from '../runtime/keys.ts';
import type { Service } from '../service.ts';
import type { Cli } from './cli.ts';
import { requireConsent } from './consent.ts';
import { requireNoProcesses } from './processes.ts';

type Consent = { yes?: true };
type RestoreOptions = Consent & { keepsPushes: boolean; acceptsUnsealed: boolean };

/**
 * Replaces the store by a backup, and ends what was live when it was taken, unless told to keep it. Before the archive is
 * authentic, whole, and of a schema that this version knows, nothing of it is used and nothing is written.
 */
export async function restoreStore(
  file: string,
  { config, withService }: Cli,
  { keepsPushes, acceptsUnsealed, ...consent }: RestoreOptions,
) {
  const settings = await config();
  const ownKeys = await readKeys(settings);
  const backup = await openBackup(file);
  const keys = ownKeys ?? keysIn(backup, keyFileOf(settings));
  await requireSeal(backup, {
    keyring: keyringOf(keys, settings),
    isSelfMade: ownKeys === undefined,
    acceptsUnsealed,
    consent,
  });
  requireFitting(backup.about, settings, keepsPushes);
  await requireKnownSchema(backup.about);
  if (ownKeys === undefined) await createKeyFile(keyFileOf(settings), keys);
  const path = databaseFileOf(settings);
  await withService(
    async (service) => {
      await clear(service, backup.about, consent);
      const { migrations, domain } = service;
      if (path === undefined)
        await restoreRows(backup, settings.DATABASE_URL, { migrations, mark: domain.restoration.mark });
    },
    { check: false },
  );
  if (path !== undefined) await restoreSqlite(backup, path);
  return withService(
    async ({ migrations, database, keyring, domain, fileStore }) => {
      await migrations.up();
      await requireMatchingKeys(database, keyring);
      const ended = await domain.restoration.finish({ keepsPushes });
      const files = await restoreFiles(backup, domain.files, fileStore);
      const { endedPushes = 0, endedRequestLinks = 0, endedSessions = 0 } = ended ?? {};
      return { takenAt: backup.about.takenAt, endedPushes, endedRequestLinks, endedSessions, files };
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

type SealOptions = {
  keyring: Service['keyring'];
  /** Whether the keys come from the archive, so that whoever made it could seal it. */
  isSelfMade: boolean;
  acceptsUnsealed: boolean;
  consent: Consent;
};

/**
 * Refuses an archive that was changed, or that nothing tells who made, unless the operator says that nobody else could write
 * it.
 */
async function requireSeal(
  { path, sumsText, seal }: Backup,
  { keyring, isSelfMade, acceptsUnsealed, consent }: SealOptions,
): Promise<void> {
  if (seal === undefined) {
    if (!acceptsUnsealed)
      throw new Error(
        `${path} has no seal, so anyone with write access to it may have changed it. If only you have that, add --unsealed.`,
      );
    return requireConsent(
      `${path} has no seal: anyone with write access to it may have added accounts, webhooks and passwords.`,
      consent,
    );
  }
  const found = checkSeal(keyring, sumsText, seal);
  if (found === 'otherPepper')
    throw new Error(
      `${path} was sealed under another PEPPER than the one here, or was changed. Use the keys of the service that made it.`,
    );
  if (found === 'changed')
    throw new Error(`${path} was changed after it was sealed. Nothing of it was used.`);
  if (isSelfMade)
    await requireConsent(
      `The keys are taken from ${path} itself, so its seal does not prove its origin: anyone with write access to it may have replaced it.`,
      consent,
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
function keysIn({ keys, path: source }: Backup, path: string): KeyFile {
  if (keys !== undefined) return parseKeyFile(keys, source);
  throw new ConfigError(
    `The backup has no keys. Put the key file of its service at ${path} first, or set MASTER_KEYS.`,
  );
}

/** Empties the database for the backup, unless it contains data worth keeping. */
async function clear(
  { database, migrations, domain: { processes, restoration } }: Service,
  { takenAt }: Manifest,
  consent: Consent,
): Promise<void> {
  await requireNoProcesses(processes);
  if (!(await restoration.isEmpty()))
    await requireConsent(`This replaces all data in the database by the backup of ${takenAt}.`, consent);
  if (database.dialect.name === 'mysql') await migrations.down(0);
}
