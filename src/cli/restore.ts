import type { Command } from 'commander';
import type { Manifest } from '../backup/manifest.ts';
import { openBackup, readBackupKeys, restoreDatabase, restoreFiles } from '../backup/restore.ts';
import { type Config, ConfigError, databaseFileOf, keyFileOf } from '../config.ts';
import { requireMatchingKeys } from '../domain/keys/keyChecks.ts';
import { createKeyFile, parseKeyFile } from '../runtime/keyFile.ts';
import { readKeys } from '../runtime/keys.ts';
import type { Service } from '../service.ts';
import type { Cli } from './cli.ts';
import { requireConsent } from './consent.ts';
import { print } from './output.ts';
import { requireNoProcesses } from './processes.ts';

type RestoreOptions = { keepPushes?: boolean; yes?: true; json?: true };
type AfterRestoreOptions = { taken?: string; yes?: true; json?: true };

/** `hushpush restore FILE` and `hushpush after-restore` */
export function restoreCommands(program: Command, cli: Cli): void {
  restoreCommand(program, cli);
  afterRestoreCommand(program, cli);
}

function restoreCommand(program: Command, { config, withService }: Cli): void {
  program
    .command('restore <file>')
    .description('Restore a backup, and end every push and session that was live when it was taken.')
    .option('--keep-pushes', 'end nothing: for the move of a service that has not run since the backup')
    .option('--yes', 'do not ask before a database with data is replaced')
    .option('--json', 'print {"taken_at","ended_pushes","ended_sessions","files"}')
    .addHelpText('after', '\nExample:\n  hushpush restore /backups/hushpush-2026-01-02.tar')
    .action(async (file: string, { keepPushes = false, json, ...options }: RestoreOptions) => {
      const manifest = await openBackup(file);
      const settings = config();
      requireFitting(manifest, settings, keepPushes);
      await provideKeys(settings, file);
      await withService((service) => clear(service, manifest, options), { check: false });
      const database = databaseFileOf(settings);
      await restoreDatabase(
        file,
        database === undefined ? { url: settings.DATABASE_URL } : { file: database },
      );
      await withService(
        async ({ migrations, database, keyring, domain, fileStore }) => {
          await migrations.up();
          await requireMatchingKeys(database, keyring);
          const ended = await domain.restoration.finish({ keepsPushes: keepPushes });
          const files = await restoreFiles(file, domain.files, fileStore);
          const { endedPushes = 0, endedSessions = 0 } = ended ?? {};
          print(
            json,
            { taken_at: manifest.takenAt, ended_pushes: endedPushes, ended_sessions: endedSessions, files },
            `Restored the backup of ${manifest.takenAt}, with ${files} files.\n${summaryOf(endedPushes, endedSessions)}`,
          );
        },
        { check: false },
      );
    });
}

function afterRestoreCommand(program: Command, { withService }: Cli): void {
  program
    .command('after-restore')
    .description(
      'End every push and session that was live when a backup was taken that you restored yourself.',
    )
    .option(
      '--taken <time>',
      'when it was taken, rather later than earlier; backups of hushpush say it themselves',
    )
    .option('--yes', 'do not ask')
    .option('--json', 'print {"taken_at","ended_pushes","ended_sessions"}')
    .addHelpText('after', '\nExample:\n  hushpush after-restore --taken 2026-01-02T03:04:05Z')
    .action(async ({ taken, json, ...options }: AfterRestoreOptions) => {
      const takenAt = taken === undefined ? undefined : timeOf(taken);
      await withService(
        async ({ migrations, database, keyring, domain: { restoration } }) => {
          await migrations.requireCurrent();
          await requireMatchingKeys(database, keyring);
          if (takenAt !== undefined)
            await requireConsent(`This ends every push that was created before ${taken}.`, options);
          const result = await restoration.finish({ takenAt });
          if (result === undefined)
            throw new Error(
              'This database is no backup of hushpush. Say when it was taken: --taken 2026-01-02T03:04:05Z',
            );
          const { endedPushes, endedSessions } = result;
          print(
            json,
            {
              taken_at: new Date(result.takenAt).toISOString(),
              ended_pushes: endedPushes,
              ended_sessions: endedSessions,
            },
            summaryOf(endedPushes, endedSessions),
          );
        },
        { check: false },
      );
    });
}

function summaryOf(endedPushes: number, endedSessions: number): string {
  return `Ended ${endedPushes} pushes and ${endedSessions} sessions that were live then.
Accounts, passwords and API tokens are as they were then: revoke again what was revoked since.`;
}

function timeOf(text: string): number {
  const time = /T.*(?:Z|[+-]\d\d:\d\d)$/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(time))
    throw new Error('--taken needs a time with a time zone, such as 2026-01-02T03:04:05Z.');
  return time;
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
  { database, migrations, domain: { presence, restoration } }: Service,
  { schema, version, takenAt }: Manifest,
  options: { yes?: true },
): Promise<void> {
  await requireNoProcesses(presence);
  const { applied, pending } = await migrations.status();
  if (schema.some((name) => !applied.includes(name) && !pending.includes(name)))
    throw new Error(`The backup is of version ${version}, which is newer. Restore it with that version.`);
  if (!(await restoration.isEmpty()))
    await requireConsent(`This replaces all data in the database by the backup of ${takenAt}.`, options);
  if (database.dialect.name === 'mysql') await migrations.down(0);
}
