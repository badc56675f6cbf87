import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { unavailable } from '../errors.ts';
import { secondMs } from '../time.ts';
import { isFull } from './errors.ts';

/** Longer than a process waits that tries to write again after a failure. */
const rememberedMs = 10 * secondMs;
/** The disk of an embedded database has room for the largest push at least. */
const freeBytesMin = 1024 ** 2;

/**
 * Knows whether the database has room to write, without writing: by the errors of the last ten seconds, and by the disk of
 * an embedded one. `file` is its path.
 */
export function watchSpace(file?: string) {
  let found: { error: unknown; at: number } | undefined;
  const wasFull = () => found !== undefined && performance.now() < found.at + rememberedMs;

  return {
    /** To be called with each error of a statement. */
    failed(error: unknown): void {
      if (isFull(error)) found = { error, at: performance.now() };
    },
    /** Whether a write found no room a moment ago. */
    wasFull,
    /** Refuses with `unavailable` while nothing can be written. */
    async requireSpace(): Promise<void> {
      if (wasFull()) throw unavailable('databaseFull', found?.error);
      if (file === undefined) return;
      const { blocks, bavail, bsize } = await statfs(dirname(file));
      if (blocks > 0 && bavail * bsize < freeBytesMin) throw unavailable('databaseFull');
    },
  };
}
