import { unavailable } from '../../errors.ts';

/**
 * Where the sealed bytes of files are kept, under names of hexadecimal digits that are used once. The domain declares it,
 * adapters build it. Every function refuses with `unavailable` while the store is away, full or not usable as it is set.
 */
export type FileStore = {
  /** Where that is, for the operator. */
  location: string;
  /** Keeps bytes as they come: they are durable when it resolves, and none of them are left when it rejects. */
  put(name: string, bytes: AsyncIterable<Buffer>): Promise<void>;
  /** Bytes from `start` up to and without `end`; null when there is nothing of that name. */
  read(name: string, span: { start: number; end: number }): Promise<AsyncIterable<Buffer> | null>;
  /** How many bytes there are; null when there is nothing of that name. */
  sizeOf(name: string): Promise<number | null>;
  /** Removes what is there, whole or the rest of a `put` that was cut off; does nothing when there is nothing. */
  remove(name: string): Promise<void>;
  /** All names that begin with a prefix, in ascending order, and when each was changed last (epoch milliseconds by its own clock). */
  list(prefix: string): AsyncIterable<{ name: string; changedAt: number }>;
};

function refuseWithoutStore(): never {
  throw unavailable('noFileStore');
}

/** For a service that keeps no files. */
export const noStore: FileStore = {
  location: 'nowhere',
  put: async () => refuseWithoutStore(),
  read: async () => refuseWithoutStore(),
  sizeOf: async () => refuseWithoutStore(),
  remove: async () => refuseWithoutStore(),
  async *list() {},
};
