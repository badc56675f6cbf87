import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { type Finding, failure, ok, warning } from '../../config/checks.ts';
import { type Config, databaseFileOf, keyFileOf } from '../../config.ts';
import { compareKeys, type KeySummary } from '../../domain/index.ts';
import type { Service } from '../../service.ts';
import { errorText } from '../errorText.ts';
import { usageText } from '../keyUsage.ts';

/** Whether the keys are those of the database, and what needs each of them. */
export async function checkKeys({ database, keyring, domain }: Service): Promise<Finding[]> {
  try {
    await compareKeys(database, keyring);
  } catch (error) {
    return [
      failure('keysDiffer', 'keys', errorText(error), 'Use the keys that this database was written with.'),
    ];
  }
  const keys = await domain.keys.list();
  const active = keys.find(({ state }) => state === 'active')?.keyId;
  const uses = keys
    .map(({ keyId, usage }) => `${keyId} encrypts ${usageText(usage) || 'nothing'}`)
    .join('; ');
  const first =
    active === undefined
      ? ok('keysNotYet', 'keys', 'nothing is encrypted yet')
      : ok('keysMatch', 'keys', `they match the database, and master key ${active} is active: ${uses}`);
  return [first, ...keys.flatMap(problemOf)];
}

function problemOf({ keyId, state, usage, lackedBy }: KeySummary): Finding[] {
  if (state === 'missing')
    return [
      failure(
        'keyMissing',
        'keys',
        `master key ${keyId} is missing; ${usageText(usage)} cannot be decrypted`,
        'Restore the key from a backup, and put it behind the others.',
      ),
    ];
  if (state === 'old' || lackedBy.length === 0) return [];
  const processes = lackedBy.join(', ');
  const advice =
    'Give it to these processes: copy the key file to their machines, or set MASTER_KEYS and restart them.';
  return [
    state === 'new'
      ? warning(
          'keyWaits',
          'keys',
          `master key ${keyId} waits until every process has it: ${processes}`,
          advice,
        )
      : failure(
          'keyLacked',
          'keys',
          `master key ${keyId} encrypts new records, but some processes do not have it: ${processes}`,
          advice,
        ),
  ];
}

/** Whether the key file is there, and who can read it. */
export async function checkKeyFile(config: Config): Promise<Finding> {
  if (config.MASTER_KEYS !== undefined)
    return ok('keysFromSettings', 'key file', 'the keys come from MASTER_KEYS');
  const path = keyFileOf(config);
  const stats = await stat(path).catch(() => undefined);
  if (stats === undefined)
    return isBeforeFirstStart(config)
      ? warning(
          'keyFileNotYet',
          'key file',
          `${path} does not exist yet`,
          'Start the service, which creates it, and back it up.',
        )
      : failure('keyFileMissing', 'key file', `${path} is missing`, 'Restore it, or set MASTER_KEYS.');
  return readersOf(path, stats.mode);
}

/** A group may be meant to: on Kubernetes the service reads its secrets as one of a group. */
function readersOf(path: string, mode: number): Finding {
  const advice = `Run chmod 600 ${path}`;
  if ((mode & 0o007) !== 0)
    return failure('keyFileOpen', 'key file', `everybody on this machine can read ${path}`, `${advice}.`);
  return (mode & 0o070) === 0
    ? ok('keyFilePrivate', 'key file', `only its owner can read ${path}`)
    : warning(
        'keyFileOfGroup',
        'key file',
        `its group can read ${path}`,
        `${advice}, unless the service alone is in that group, as on Kubernetes.`,
      );
}

function isBeforeFirstStart(config: Config): boolean {
  const database = databaseFileOf(config);
  return config.MASTER_KEYS_FILE === undefined && database !== undefined && !existsSync(database);
}
