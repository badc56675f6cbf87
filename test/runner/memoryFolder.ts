import { statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';

const memoryFolder = '/dev/shm';
const requiredBytes = 3 * 1024 ** 3;

/** A folder in memory if it has enough space, otherwise the temp folder. What tests write need not survive the machine. */
export async function preferMemoryFolder(): Promise<string> {
  const space = await statfs(memoryFolder).catch(() => undefined);
  return space !== undefined && space.bavail * space.bsize >= requiredBytes ? memoryFolder : tmpdir();
}
