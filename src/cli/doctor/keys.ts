import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { type Config, databaseFileOf, keyFileOf } from '../../config.ts';
import { compareKeys } from '../../domain/keys/keyChecks.ts';
import type { Service } from '../../service.ts';
import { errorText } from '../output.ts';
import { type Finding, report } from './finding.ts';

export async function checkKeys({ database, keyring }: Service): Promise<Finding> {
  try {
    await compareKeys(database, keyring);
    return report('keysMatch', { active: keyring.active.id, count: keyring.all.size });
  } catch (error) {
    return report('keysDiffer', { error: errorText(error) });
  }
}

/** Whether the key file is there, and nobody but its owner can read it. */
export async function checkKeyFile(config: Config): Promise<Finding> {
  if (config.MASTER_KEYS !== undefined) return report('keysFromSettings');
  const path = keyFileOf(config);
  const stats = await stat(path).catch(() => undefined);
  if (stats === undefined)
    return report(isBeforeFirstStart(config) ? 'keyFileNotYet' : 'keyFileMissing', { path });
  return report((stats.mode & 0o077) === 0 ? 'keyFilePrivate' : 'keyFileOpen', { path });
}

function isBeforeFirstStart(config: Config): boolean {
  const database = databaseFileOf(config);
  return config.MASTER_KEYS_FILE === undefined && database !== undefined && !existsSync(database);
}
