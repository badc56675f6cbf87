import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type Config, databaseFileOf } from '../../config.ts';
import { type Finding, report } from './finding.ts';
import { nearestFolder } from './folders.ts';

const lowBytes = 512 * 1024 ** 2;

/** The disk of the embedded database, or of the working folder. */
export async function checkDisk(config: Config): Promise<Finding> {
  const file = databaseFileOf(config);
  const { folder } = await nearestFolder(file === undefined ? process.cwd() : dirname(file));
  const { bavail, bsize } = await statfs(folder);
  const values = { mib: Math.round((bavail * bsize) / 1024 ** 2), folder };
  return report(bavail * bsize > lowBytes ? 'diskRoomy' : 'diskLow', values);
}
