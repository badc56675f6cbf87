import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { type Config, databaseFileOf, keyFileOf } from '../../config.ts';
import type { KeySummary } from '../../domain/index.ts';
import { compareKeys } from '../../domain/keys/keyChecks.ts';
import type { Service } from '../../service.ts';
import { errorText } from '../errorText.ts';
import { usageText } from '../keyUsage.ts';
import { type Finding, report } from './finding.ts';

/** Whether the keys are those of the database, and what needs each of them. */
export async function checkKeys({ database, keyring, domain }: Service): Promise<Finding[]> {
  try {
    await compareKeys(database, keyring);
  } catch (error) {
    return [report('keysDiffer', { error: errorText(error) })];
  }
  const keys = await domain.keys.list();
  const active = keys.find(({ state }) => state === 'active')?.keyId;
  const first =
    active === undefined ? report('keysNotYet') : report('keysMatch', { active, keys: keys.map(wordsOf) });
  return [first, ...keys.flatMap(problemOf)];
}

const wordsOf = ({ keyId, usage }: KeySummary) => `${keyId} encrypts ${usageText(usage) || 'nothing'}`;

function problemOf({ keyId, state, usage, lackedBy }: KeySummary): Finding[] {
  if (state === 'missing') return [report('keyMissing', { keyId, records: usageText(usage) })];
  if (state === 'old' || lackedBy.length === 0) return [];
  return [report(state === 'new' ? 'keyWaits' : 'keyLacked', { keyId, processes: lackedBy })];
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
