import { mkdir, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type FileStore, unavailable } from '../domain/index.ts';

const partialSuffix = '.part';
const chunkBytes = 256 * 1024;

/**
 * Keeps files in a folder, readable by the service alone. A file appears under its name once all of it is on the disk;
 * until then it is called `NAME.part`.
 */
export function createLocalStore(folder: string): FileStore {
  const pathOf = (name: string) => join(folder, name);

  async function put(name: string, bytes: AsyncIterable<Buffer>): Promise<void> {
    const path = pathOf(name);
    const partial = path + partialSuffix;
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await write(partial, bytes);
      await rename(partial, path);
      await sync(folder);
    } catch (error) {
      await remove(name).catch(() => {});
      throw error;
    }
  }

  async function read(name: string, { start, end }: { start: number; end: number }) {
    const file = await open(pathOf(name)).catch(absentAsNull);
    return file && refusing(file.createReadStream({ start, end: end - 1, highWaterMark: chunkBytes }));
  }

  async function sizeOf(name: string): Promise<number | null> {
    return (await stat(pathOf(name)).catch(absentAsNull))?.size ?? null;
  }

  async function remove(name: string): Promise<void> {
    await rm(pathOf(name), { force: true });
    await rm(pathOf(name) + partialSuffix, { force: true });
  }

  async function* list(prefix: string) {
    const found = (await readdir(folder).catch(absentAsNull)) ?? [];
    for (const file of found.filter((file) => file.startsWith(prefix)).sort()) {
      const stats = await stat(pathOf(file)).catch(absentAsNull);
      if (stats) yield { name: file.replace(partialSuffix, ''), changedAt: stats.mtimeMs };
    }
  }

  return {
    location: folder,
    put: (name, bytes) => put(name, bytes).catch(refuse),
    read: (name, span) => read(name, span).catch(refuse),
    sizeOf: (name) => sizeOf(name).catch(refuse),
    remove: (name) => remove(name).catch(refuse),
    list: (prefix) => refusing(list(prefix)),
  };
}

async function write(path: string, bytes: AsyncIterable<Buffer>): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await writeFile(file, bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** A name is on the disk once its folder is. */
async function sync(folder: string): Promise<void> {
  const handle = await open(folder);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function absentAsNull(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}

async function* refusing<T>(items: AsyncIterable<T>): AsyncGenerator<T> {
  try {
    yield* items;
  } catch (error) {
    refuse(error as NodeJS.ErrnoException);
  }
}

/** Errors of the file system become refusals; those of whoever gives or takes the bytes stay as they are. */
function refuse(error: NodeJS.ErrnoException): never {
  if (error.syscall === undefined) throw error;
  const isFull = error.code === 'ENOSPC' || error.code === 'EDQUOT';
  throw unavailable(isFull ? 'fileStoreFull' : 'fileStoreUnreachable', error, isFull ? 60 : 5);
}
