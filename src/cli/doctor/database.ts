import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Config, databaseFileOf } from '../../config.ts';
import type { Service } from '../../service.ts';
import { type Finding, report } from './finding.ts';
import { nearestFolder } from './folders.ts';

const clockSkewMs = 2_000;

/** Whether the embedded database can be created, if it does not exist yet. */
export async function checkDatabaseFile(config: Config): Promise<Finding | undefined> {
  const path = databaseFileOf(config);
  if (path === undefined || existsSync(path)) return undefined;
  const { folder, isWritable } = await nearestFolder(dirname(path));
  if (!isWritable) return report('databaseNotCreatable', { path, folder });
  return report(folder === dirname(path) ? 'databaseNotYet' : 'databaseFolderNotYet', { path, folder });
}

export async function checkDatabase({ DATABASE_URL }: Config, { database }: Service): Promise<Finding> {
  return report('databaseResponds', {
    version: await database.version(),
    url: withoutPassword(DATABASE_URL),
  });
}

export async function checkSchema({ migrations }: Service): Promise<Finding> {
  const { pending, newer } = await migrations.status();
  if (newer.length > 0) return report('schemaNewer', { names: newer });
  return pending.length === 0 ? report('schemaCurrent') : report('migrationsPending', { names: pending });
}

export async function checkClock({ domain }: Service): Promise<Finding> {
  const startedAt = Date.now();
  const skewMs = (await domain.clock()) - (startedAt + Date.now()) / 2;
  return Math.abs(skewMs) < clockSkewMs
    ? report('clockAgrees', { ms: Math.round(skewMs) })
    : report('clockDiffers', { seconds: Math.round(skewMs / 1000) });
}

function withoutPassword(url: string): string {
  return url.replace(/^(\w+:\/\/[^:@/]*):.*@/, '$1:…@');
}
