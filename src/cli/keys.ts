import { type Command, InvalidArgumentError } from 'commander';
import type { KeySummary } from '../domain/index.ts';
import { SetupError } from '../errors.ts';
import { isoTime } from '../time.ts';
import type { Cli } from './cli.ts';
import { usageText } from './keyUsage.ts';
import { formatTable, type OutputOptions, print } from './output.ts';

/** `hushpush admin keys …`. Prints the ids of keys, never a key. */
export function keyCommands(program: Command, { config, report, withService }: Cli): void {
  const keys = program.command('keys').description('Manage the master keys that encrypt secrets.');

  keys
    .command('add')
    .description('Add a master key to the key file. It encrypts new records once every process has it.')
    .option('--json', 'print {"key_id","file"}')
    .action(async ({ json }: OutputOptions) => {
      const { keyFileOf } = await import('../config.ts');
      const { addMasterKey } = await import('../runtime/keyFile.ts');
      const settings = await config();
      if (settings.MASTER_KEYS !== undefined) {
        throw new SetupError(
          'The keys are in MASTER_KEYS: put a new one in front there, as in MASTER_KEYS="2:NEW,1:OLD", on every machine, and restart the processes one after the other.',
        );
      }
      const file = keyFileOf(settings);
      const id = await withService(async ({ domain }) =>
        addMasterKey(file, (await domain.keys.highestId()) + 1),
      );
      print(
        json,
        { key_id: id, file },
        `Added master key ${id} to ${file}. Copy the file to every machine. It encrypts new records once every process has read it, in a few seconds; see hushpush admin keys list.`,
      );
    });

  keys
    .command('list')
    .description('List the master keys, and what each of them encrypts.')
    .option('--json', 'print an array')
    .action(({ json }: OutputOptions) =>
      report(
        json,
        async ({ domain }) => {
          const found = await domain.keys.list();
          return [found.map(jsonOf), formatTable(found.map(rowOf), 'There are no keys.')];
        },
        { readOnly: true },
      ),
    );

  keys
    .command('reseal')
    .description('Encrypt the records of older keys under the active key now. A job does it every hour.')
    .option('--json', 'print {"resealed","unreadable"}')
    .action(({ json }: OutputOptions) =>
      report(json, async ({ domain }) => {
        const result = await domain.keys.reseal();
        const { resealed, unreadable } = result;
        const left = unreadable === 0 ? '' : ` ${unreadable} cannot be decrypted.`;
        const rows = resealed === 1 ? 'row' : 'rows';
        return [result, `Encrypted ${resealed} ${rows} under the active key.${left}`];
      }),
    );

  keys
    .command('remove <id>')
    .description('Remove a master key from the key file, unless something still needs it.')
    .option('--json', 'print {"key_id","file"}; the file is null if the keys are in MASTER_KEYS')
    .addHelpText('after', '\nExample:\n  hushpush admin keys remove 1')
    .action(async (id: string, { json }: OutputOptions) => {
      const keyId = keyIdOf(id);
      const { keyFileOf } = await import('../config.ts');
      const { removeMasterKey } = await import('../runtime/keyFile.ts');
      const settings = await config();
      const file = settings.MASTER_KEYS === undefined ? keyFileOf(settings) : null;
      await withService(({ domain }) => domain.keys.requireRemovable(keyId));
      if (file !== null) await removeMasterKey(file, keyId);
      print(
        json,
        { key_id: keyId, file },
        file === null
          ? `Nothing needs master key ${keyId}. Remove it from MASTER_KEYS on every machine, and restart the processes one after the other.`
          : `Removed master key ${keyId} from ${file}. Copy the file to every machine.`,
      );
    });
}

function jsonOf({ keyId, state, usage, lackedBy }: KeySummary) {
  return {
    key_id: keyId,
    state,
    records: Object.fromEntries(usage.map(({ kind, records }) => [kind, records])),
    ...expiringOf(usage),
    lacked_by: lackedBy,
  };
}

function rowOf({ keyId, state, usage, lackedBy }: KeySummary) {
  const { expiring, until } = expiringOf(usage);
  return {
    key_id: keyId,
    state: state === 'new' && lackedBy.length > 0 ? `new, not yet at ${lackedBy.join(', ')}` : state,
    encrypts: usageText(usage) || 'nothing',
    cannot_be_resealed: expiring === 0 ? null : `${expiring}, until ${until}`,
  };
}

/** The records that can only expire, and when the last of them has. */
function expiringOf(usage: KeySummary['usage']): { expiring: number; until: string | null } {
  const expiring = usage.reduce((total, each) => total + each.expiring, 0);
  return {
    expiring,
    until: expiring === 0 ? null : isoTime(Math.max(...usage.map(({ until }) => until ?? 0))),
  };
}

function keyIdOf(text: string): number {
  if (!/^[1-9]\d{0,9}$/.test(text)) throw new InvalidArgumentError('It must be the id of a key.');
  return Number(text);
}
