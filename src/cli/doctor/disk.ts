import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Config } from '../../config.ts';
import { type Finding, failure, ok, warning } from './finding.ts';

const lowBytes = 512 * 1024 ** 2;

/** The disk of the embedded database, or of the working folder. */
export async function checkDisk({ DATABASE_URL }: Config): Promise<Finding> {
  const check = 'disk';
  const isEmbedded = DATABASE_URL.startsWith('sqlite:');
  const folder = isEmbedded ? dirname(DATABASE_URL.slice('sqlite:'.length)) : process.cwd();
  const disk = await statfs(folder).catch(() => undefined);
  if (disk === undefined)
    return failure(check, `${folder} does not exist`, 'Create the folder, or correct DATABASE_URL.');
  const freeBytes = disk.bavail * disk.bsize;
  const finding = `${Math.round(freeBytes / 1024 ** 2)} MiB free at ${folder}`;
  return freeBytes > lowBytes
    ? ok(check, finding)
    : warning(check, finding, 'Free some space: on a full disk nothing can be pushed or revealed.');
}
