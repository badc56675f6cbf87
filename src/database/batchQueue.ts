import { unavailable } from '../errors.ts';
import { sizeWithin } from './batchSizes.ts';

/** What waits for a batch. */
export type BatchEntry<Item, Result> = {
  item: Item;
  /** Entries with the same key are never in two batches at once. */
  key: string | undefined;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
};

export type BatchQueueLimits = {
  /** How many items a batch has at most, and how large they are together, unless a single one is larger. */
  size: number;
  bytes: number;
  /** For how long an item may wait. */
  waitingMs: number;
};

type Waiting<Item, Result> = BatchEntry<Item, Result> & { since: number };

/** Items in the order in which they came. Refuses with `unavailable` what waits for too long. */
export function createBatchQueue<Item, Result>(
  bytesOf: (item: Item) => number,
  { size, bytes, waitingMs }: BatchQueueLimits,
) {
  // An array: a Set keeps links from each table that it outgrew to the next, so that V8 finds what was in them alive for long.
  let queue: Waiting<Item, Result>[] = [];
  /** Of the oldest item. */
  let timer: NodeJS.Timeout | undefined;

  function add({ item, key, resolve, reject }: BatchEntry<Item, Result>): void {
    queue.push({ item, key, resolve, reject, since: performance.now() });
    limitWait();
  }

  /**
   * Takes out a batch of the oldest items whose keys are not busy, `sizeMax` at most; smaller ones pass what has no room
   * beside them. `waitedMs` is how long the first has waited.
   */
  function take(
    busyKeys: Set<string | undefined>,
    sizeMax: number,
  ): { batch: BatchEntry<Item, Result>[]; waitedMs: number } {
    const fitting: Waiting<Item, Result>[] = [];
    const most = Math.min(size, sizeMax);
    let room = bytes;
    for (const entry of queue) {
      const entryBytes = bytesOf(entry.item);
      const hasRoom = fitting.length < most && (entryBytes <= room || fitting.length === 0);
      if (!hasRoom || busyKeys.has(entry.key)) continue;
      fitting.push(entry);
      room -= entryBytes;
    }
    const batch = fitting.slice(0, sizeWithin(fitting.length));
    const taken = new Set(batch);
    queue = queue.filter((entry) => !taken.has(entry));
    const [first] = batch;
    return { batch, waitedMs: first === undefined ? 0 : performance.now() - first.since };
  }

  /** Refuses items that wait for too long, when that time comes. */
  function limitWait(): void {
    if (timer !== undefined) return;
    const [oldest] = queue;
    if (oldest === undefined) return;
    timer = setTimeout(refuseOverdue, oldest.since + waitingMs - performance.now()).unref();
  }

  function refuseOverdue(): void {
    timer = undefined;
    const since = performance.now() - waitingMs;
    const overdue = queue.filter((entry) => entry.since <= since);
    queue = queue.filter((entry) => entry.since > since);
    for (const { reject } of overdue) reject(tooBusy());
    limitWait();
  }

  /** Whether a batch of what waits would have no room for more. */
  const isFull = (): boolean =>
    queue.length >= size || queue.reduce((total, { item }) => total + bytesOf(item), 0) >= bytes;

  return { add, take, isFull, count: () => queue.length };
}

/** The refusal of what the queue has no room or no time for. */
export function tooBusy() {
  return unavailable('databaseBusy', undefined, 1);
}
