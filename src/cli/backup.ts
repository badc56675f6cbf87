import type { Command } from 'commander';
import { packageVersion } from '../runtime/package.ts';
import type { Cli } from './cli.ts';
import { print } from './output.ts';

type BackupOptions = { files: boolean; withKeys?: true; json?: true };

/** `hushpush backup FILE` */
export function backupCommand(program: Command, { config, withService }: Cli): void {
  program
    .command('backup <file>')
    .description('Write the database and the files to a tar archive, also while the service runs.')
    .option('--no-files', 'leave the files out; only a backup of a stopped service can give them back')
    .option('--with-keys', 'add the encryption keys, so that whoever has the archive can decrypt it')
    .option('--json', 'print {"file","taken_at","files","while_serving"}')
    .addHelpText('after', '\nExample:\n  hushpush backup /backups/hushpush-2026-01-02.tar')
    .action(async (file: string, { files: withFiles, withKeys, json }: BackupOptions) => {
      await withService(async ({ database, migrations, keyring, domain, fileStore }) => {
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
        print(
          json,
          {
            file,
            taken_at: result.takenAt,
            files: result.files,
            while_serving: result.whileServing,
          },
          `Wrote ${file}: the database of ${result.takenAt} and ${result.files} files, ${withKeys ? 'with' : 'without'} the keys.`,
        );
      });
    });
}
