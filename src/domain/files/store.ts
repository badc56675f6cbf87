import { unavailable } from '../../errors.ts';

/**
 * Stores the encrypted bytes of files, under hexadecimal names that are used once. Adapters implement it. Every
 * function throws `unavailable` while the store is unreachable, full or misconfigured.
 */
export type FileStore = {
  /** Where the store is, for the operator. */
  location: string;
  /** Stores bytes as they arrive. They are durable when it resolves, and none are left when it rejects. */
  put(name: string, bytes: AsyncIterable<Buffer>): Promise<void>;
  /** Bytes from `start` up to but excluding `end`; null if there is no such object. */
  read(name: string, span: { start: number; end: number }): Promise<AsyncIterable<Buffer> | null>;
  /** The size in bytes; null if there is no such object. */
  sizeOf(name: string): Promise<number | null>;
  /** Removes an object, whole or the rest of an interrupted `put`. Does nothing if there is none. */
  remove(name: string): Promise<void>;
  /** All names with a prefix in ascending order, and when each was last changed (epoch milliseconds by the store's clock). */
  list(prefix: string): AsyncIterable<{ name: string; changedAt: number }>;
};

function refuseWithoutStore(): never {
  throw unavailable('noFileStore');
}

/** For a service that stores no files. */
export const noStore: FileStore = {
  location: 'nowhere',
  put: async () => refuseWithoutStore(),
  read: async () => refuseWithoutStore(),
  sizeOf: async () => refuseWithoutStore(),
  remove: async () => refuseWithoutStore(),
  async *list() {},
};
