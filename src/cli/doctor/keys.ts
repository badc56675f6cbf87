import { stat } from 'node:fs/promises';
import { type Config, keyFileOf } from '../../config.ts';
import { requireMatchingKeys } from '../../domain/keyChecks.ts';
import type { Service } from '../../service.ts';
import { errorText } from '../output.ts';
import { type Finding, failure, ok } from './finding.ts';

export async function checkKeys({ database, keyring }: Service): Promise<Finding> {
  try {
    await requireMatchingKeys(database, keyring);
    return ok(
      'keys',
      `master key ${keyring.active.id} is active, of ${keyring.all.size} in all; they match the database`,
    );
  } catch (error) {
    return failure('keys', errorText(error), 'Use the keys that this database was written with.');
  }
}

/** Whether the key file is there, and nobody but its owner can read it. */
export async function checkKeyFile(config: Config): Promise<Finding> {
  const check = 'key file';
  if (config.MASTER_KEYS !== undefined) return ok(check, 'the keys come from MASTER_KEYS');
  const path = keyFileOf(config);
  const stats = await stat(path).catch(() => undefined);
  if (stats === undefined) return failure(check, `${path} is missing`, 'Restore it, or set MASTER_KEYS.');
  return (stats.mode & 0o077) === 0
    ? ok(check, `only its owner can read ${path}`)
    : failure(check, `others can read ${path}`, `Run chmod 600 ${path}.`);
}
