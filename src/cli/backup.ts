import type { Command } from 'commander';
import { packageVersion } from '../runtime/package.ts';
import { isoTime } from '../time.ts';
import type { Cli } from './cli.ts';
import { requireConsent } from './consent.ts';
import { print } from './output.ts';

type BackupOptions = { files: boolean; withKeys?: true; json?: true };

/** `hushpush backup FILE` */
export function backupCommand(program: Command, { config, report }: Cli): void {
  program
    .command('backup <file>')
    .description('Write the database and the files to a tar archive, also while the service runs.')
    .option('--no-files', 'leave the files out; only a backup of a stopped service can give them back')
    .option('--with-keys', 'add the encryption keys, so that whoever has the archive can decrypt it')
    .option('--json', 'print {"file","taken_at","files","while_serving"}')
    .addHelpText('after', '\nExample:\n  hushpush backup /backups/hushpush-2026-01-02.tar')
    .action((file: string, { files: withFiles, withKeys, json }: BackupOptions) =>
      report(json, async ({ database, migrations, keyring, domain, fileStore }) => {
        const { backUp } = await import('../backup/backup.ts');
        const { sealText } = await import('../crypto/backupSeal.ts');
        const { keyFileText } = await import('../runtime/keyFile.ts');
        const { readKeys } = await import('../runtime/keys.ts');
        const settings = await config();
        const keys = withKeys && (await readKeys(settings));
        const result = await backUp(
          {
            database,
            migrations,
            domain,
            fileStore,
            version: packageVersion(),
            seal: (sums) => sealText(keyring, sums),
          },
          file,
          { withFiles, keys: keys && keyFileText(keys) },
        );
        return [
          {
            file,
            taken_at: result.takenAt,
            files: result.files,
            while_serving: result.whileServing,
          },
          `Wrote ${file}: the database of ${result.takenAt} and ${result.files} files, ${withKeys ? 'with' : 'without'} the keys.`,
        ];
      }),
    );
}

type RestoreOptions = { keepPushes?: boolean; unsealed?: boolean; yes?: true; json?: true };
type AfterRestoreOptions = { taken?: string; yes?: true; json?: true };

/** `hushpush restore FILE` and `hushpush after-restore` */
export function restoreCommands(program: Command, cli: Cli): void {
  restoreCommand(program, cli);
  afterRestoreCommand(program, cli);
}

function restoreCommand(program: Command, cli: Cli): void {
  program
    .command('restore <file>')
    .description(
      'Restore a backup, and end every push, request link and session that was live when it was taken.',
    )
    .option('--keep-pushes', 'end nothing: to move a service that has not run since the backup')
    .option('--unsealed', 'accept an archive without a seal, in which somebody may have changed anything')
    .option(
      '--yes',
      'do not ask: neither before data is replaced, nor where no seal tells who made the archive',
    )
    .option('--json', 'print {"taken_at","ended_pushes","ended_request_links","ended_sessions","files"}')
    .addHelpText('after', '\nExample:\n  hushpush restore /backups/hushpush-2026-01-02.tar')
    .action(
      async (file: string, { keepPushes = false, unsealed = false, json, ...options }: RestoreOptions) => {
        const { restoreStore } = await import('./restoreSteps.ts');
        const { takenAt, files, ...ended } = await restoreStore(file, cli, {
          keepsPushes: keepPushes,
          acceptsUnsealed: unsealed,
          ...options,
        });
        print(
          json,
          { taken_at: takenAt, ...countsOf(ended), files },
          `Restored the backup of ${takenAt}, with ${files} files.\n${summaryOf(ended)}`,
        );
      },
    );
}

function afterRestoreCommand(program: Command, cli: Cli): void {
  program
    .command('after-restore')
    .description(
      'After you restored a backup by other means, end every push, request link and session that was live when it was taken.',
    )
    .option('--taken <time>', 'when it was taken, or later if in doubt; backups by hushpush contain it')
    .option('--yes', 'do not ask')
    .option('--json', 'print {"taken_at","ended_pushes","ended_request_links","ended_sessions"}')
    .addHelpText('after', '\nExample:\n  hushpush after-restore --taken 2026-01-02T03:04:05Z')
    .action(async ({ taken, json, ...options }: AfterRestoreOptions) => {
      const takenAt = taken === undefined ? undefined : timeOf(taken);
      const { finishRestore } = await import('./restoreSteps.ts');
      const result = await finishRestore(cli, takenAt, async () => {
        if (takenAt !== undefined)
          await requireConsent(
            `This ends every push and request link that was created before ${taken}.`,
            options,
          );
      });
      if (result === undefined)
        throw new Error(
          'This database does not come from a backup by hushpush. Say when its backup was taken: --taken 2026-01-02T03:04:05Z',
        );
      print(json, { taken_at: isoTime(result.takenAt), ...countsOf(result) }, summaryOf(result));
    });
}

type Ended = Record<'endedPushes' | 'endedRequestLinks' | 'endedSessions', number>;

const countsOf = ({ endedPushes, endedRequestLinks, endedSessions }: Ended) => ({
  ended_pushes: endedPushes,
  ended_request_links: endedRequestLinks,
  ended_sessions: endedSessions,
});

function summaryOf({ endedPushes, endedRequestLinks, endedSessions }: Ended): string {
  return `Ended ${endedPushes} pushes, ${endedRequestLinks} request links and ${endedSessions} sessions that were live then.
Accounts, passwords and API tokens are as they were then: revoke again what was revoked since.`;
}

function timeOf(text: string): number {
  const time = /T.*(?:Z|[+-]\d\d:\d\d)$/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(time))
    throw new Error('--taken needs a time with a time zone, such as 2026-01-02T03:04:05Z.');
  return time;
}
