import { access, constants, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/** The folder, or the nearest one above it that exists, and whether this user may create something in it. */
export async function nearestFolder(folder: string): Promise<{ folder: string; isWritable: boolean }> {
  const stats = await stat(folder).catch(() => undefined);
  if (stats === undefined && folder !== dirname(folder)) return nearestFolder(dirname(folder));
  const isWritable =
    stats?.isDirectory() === true &&
    (await access(folder, constants.W_OK | constants.X_OK).then(
      () => true,
      () => false,
    ));
  return { folder, isWritable };
}
