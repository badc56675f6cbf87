import type { Command } from 'commander';
import { ConfigError, keyFileOf } from '../config.ts';
import { addMasterKey } from '../runtime/keyFile.ts';
import { openKeys } from '../runtime/keys.ts';
import type { Cli } from './cli.ts';
import { formatTable, print } from './output.ts';

type OutputOptions = { json?: true };

/** `hushpush keys …`. Prints the ids of keys, never a key. */
export function keyCommands(program: Command, { config }: Cli): void {
  const keys = program.command('keys').description('Manage the master keys that encrypt pushes.');

  keys
    .command('add')
    .description(
      'Add a master key that encrypts new pushes after a restart. The older keys still decrypt theirs.',
    )
    .option('--json', 'print {"key_id","file"}')
    .action(async ({ json }: OutputOptions) => {
      const settings = config();
      if (settings.MASTER_KEYS !== undefined) {
        throw new ConfigError(
          'The keys are in MASTER_KEYS: prepend a new one there, as in MASTER_KEYS="2:NEW,1:OLD".',
        );
      }
      const file = keyFileOf(settings);
      const id = await addMasterKey(file);
      print(
        json,
        { key_id: id, file },
        `Added master key ${id} to ${file}. Copy the file to every machine, then restart all processes.`,
      );
    });

  keys
    .command('list')
    .description('List the ids of the master keys; the active one encrypts.')
    .option('--json', 'print an array')
    .action(async ({ json }: OutputOptions) => {
      const { keyring } = await openKeys(config());
      const rows = [...keyring.all.keys()].map((id) => ({ key_id: id, active: id === keyring.active.id }));
      print(json, rows, formatTable(rows, 'There are no keys.'));
    });
}
