import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type FileStore, inParts, unavailable } from '../domain/index.ts';
import { refusing } from './refusing.ts';

const partialSuffix = '.part';
/** For each system call. With 64 KiB, they cost more than the bytes. */
const partBytes = 256 * 1024;

/** Stores files in a folder that only the service can read. A file is called `NAME.part` until all of it is on disk. */
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
    const file = await open(pathOf(name)).catch(nullIfNotFound);
    return file && refusing(file.createReadStream({ start, end: end - 1, highWaterMark: partBytes }), refuse);
  }

  async function sizeOf(name: string): Promise<number | null> {
    return (await stat(pathOf(name)).catch(nullIfNotFound))?.size ?? null;
  }

  async function remove(name: string): Promise<void> {
    await rm(pathOf(name), { force: true });
    await rm(pathOf(name) + partialSuffix, { force: true });
  }

  async function* list(prefix: string) {
    const found = (await readdir(folder).catch(nullIfNotFound)) ?? [];
    for (const file of found.filter((file) => file.startsWith(prefix)).sort()) {
      const stats = await stat(pathOf(file)).catch(nullIfNotFound);
      if (stats) yield { name: file.replace(partialSuffix, ''), changedAt: stats.mtimeMs };
    }
  }

  return {
    location: folder,
    put: (name, bytes) => put(name, bytes).catch(refuse),
    read: (name, span) => read(name, span).catch(refuse),
    sizeOf: (name) => sizeOf(name).catch(refuse),
    remove: (name) => remove(name).catch(refuse),
    list: (prefix) => refusing(list(prefix), refuse),
  };
}

/** Writes a part while the next is collected. */
async function write(path: string, bytes: AsyncIterable<Buffer>): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    let written = Promise.resolve();
    for await (const part of inParts(bytes, partBytes)) {
      await written;
      written = file.writeFile(part);
      written.catch(() => {}); // rethrown before the next part is written, or after the last
    }
    await written;
    await file.sync();
  } finally {
    await file.close();
  }
}

/** A new name is on disk only once its folder is synced. */
async function sync(folder: string): Promise<void> {
  const handle = await open(folder);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function nullIfNotFound(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}

/** Converts errors of the file system to refusals. Errors of the source of the bytes stay as they are. */
function refuse(error: unknown): never {
  const { syscall, code } = error as NodeJS.ErrnoException;
  if (syscall === undefined) throw error;
  const isFull = code === 'ENOSPC' || code === 'EDQUOT';
  throw unavailable(isFull ? 'fileStoreFull' : 'fileStoreUnreachable', error, isFull ? 60 : 5);
}
