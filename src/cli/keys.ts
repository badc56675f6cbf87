import type { Command } from 'commander';
import { ConfigError, keyFileOf } from '../config.ts';
import { addMasterKey } from '../runtime/keyFile.ts';
import { openKeys } from '../runtime/keys.ts';
import type { Cli } from './cli.ts';
import { formatTable, print } from './output.ts';

type Output = { json?: true };

/** `hushpush keys …`: the master keys that seal pushes. Keys themselves are never printed. */
export function keyCommands(program: Command, { config }: Cli): void {
  const keys = program.command('keys').description('Manage the master keys that seal pushes.');

  keys
    .command('add')
    .description(
      'Add a fresh master key, which seals from the next start on; the older ones go on opening what they sealed.',
    )
    .option('--json', 'print {"key_id","file"}')
    .action(async ({ json }: Output) => {
      const settings = config();
      if (settings.MASTER_KEYS !== undefined) {
        throw new ConfigError(
          'The keys are in MASTER_KEYS: put a new one in front there, as in MASTER_KEYS="2:NEW,1:OLD".',
        );
      }
      const file = keyFileOf(settings);
      const id = await addMasterKey(file);
      print(
        json,
        { key_id: id, file },
        `Master key ${id} is in ${file}. Copy the file to every process, then restart them.`,
      );
    });

  keys
    .command('list')
    .description('List the ids of the master keys; the active one seals.')
    .option('--json', 'print an array')
    .action(async ({ json }: Output) => {
      const { keyring } = await openKeys(config());
      const rows = [...keyring.all.keys()].map((id) => ({ key_id: id, active: id === keyring.active.id }));
      print(json, rows, formatTable(rows, 'There are no keys.'));
    });
}
