import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Gauge, type Registry } from 'prom-client';
import { type Config, databaseFileOf, fileStoreSettings } from '../../config.ts';

/** Adds the free space of the folders that hold data. One that cannot be read is omitted. */
export function addFreeSpace(registers: Registry[], config: Config): void {
  const file = databaseFileOf(config);
  const files = fileStoreSettings(config);
  const folders = {
    ...(file !== undefined && { database: dirname(file) }),
    ...('folder' in files && { files: files.folder }),
  };
  new Gauge({
    name: 'hushpush_folder_free_bytes',
    help: 'Free space for the embedded database, and for files in a folder',
    labelNames: ['folder'],
    aggregator: 'min',
    registers,
    async collect() {
      this.reset();
      const readings = Object.entries(folders).map(async ([folder, path]) =>
        this.set({ folder }, await freeBytes(path)),
      );
      await Promise.allSettled(readings);
    },
  });
}

/** The free space where a folder is, or will be once something is stored there. */
async function freeBytes(path: string): Promise<number> {
  try {
    const { bavail, bsize } = await statfs(path);
    return bavail * bsize;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || path === dirname(path)) throw error;
    return freeBytes(dirname(path));
  }
}
