import { unavailable } from '../errors.ts';
import { isOutcomeUnknown } from './errors.ts';

/** How items of one kind run together. */
type BatchWork<Item, Result> = {
  /** Runs items in one statement or transaction. Returns their results in the same order, or fails as a whole. */
  run: (items: Item[]) => Promise<Result[]>;
  /** Items with the same key run in one batch or in one after the other, never in two at once. */
  keyOf?: (item: Item) => string;
  /** The size of an item in the packet that a batch sends to the database. */
  bytesOf?: (item: Item) => number;
  /** Called when a batch starts, with its size and how long its oldest item has waited. */
  onStart?: (size: number, waitedMs: number) => void;
};

type BatchLimits = {
  /** How many items a batch has at most, and how large they are together, unless a single one is larger. */
  size: number;
  bytes: number;
  /** How many batches run at once. */
  running: number;
  /** How many items may wait, and for how long. */
  waiting: number;
  waitingMs: number;
};

type Entry<Item, Result> = {
  item: Item;
  key: string | undefined;
  since: number;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
};

const defaults = { size: 32, bytes: 1_048_576, waiting: 1_000, waitingMs: 5_000 };

/**
 * Collects what arrives while batches run, and runs it together in the next one. An item runs at once while fewer
 * batches than `running` do, so an idle service waits for nothing. When a batch fails, its items run again one by one,
 * so that none fails because of another, unless the outcome is unknown: then all fail. Refuses with `unavailable` when
 * too many items wait, or one for too long.
 */
export function createBatches<Item, Result>(
  { run, keyOf, bytesOf = () => 0, onStart }: BatchWork<Item, Result>,
  limits: Pick<BatchLimits, 'running'> & Partial<BatchLimits>,
) {
  const { size, bytes, running, waiting, waitingMs } = { ...defaults, ...limits };
  const queue = new Set<Entry<Item, Result>>();
  const busyKeys = new Set<string | undefined>();
  /** Of the oldest item that waits. */
  let timer: NodeJS.Timeout | undefined;
  let batches = 0;
  /** The items of failed batches that run one by one. */
  let singles = 0;

  function submit(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      if (queue.size + singles >= waiting) return reject(tooBusy());
      queue.add({ item, key: keyOf?.(item), since: performance.now(), resolve, reject });
      startBatches();
      limitWait();
    });
  }

  /** Refuses items that wait for too long, when that time comes. Those who came first are in front. */
  function limitWait(): void {
    if (timer !== undefined) return;
    const [oldest] = queue;
    if (oldest === undefined) return;
    timer = setTimeout(refuseOverdue, oldest.since + waitingMs - performance.now()).unref();
  }

  function refuseOverdue(): void {
    timer = undefined;
    const since = performance.now() - waitingMs;
    for (const entry of queue) {
      if (entry.since > since) break;
      queue.delete(entry);
      entry.reject(tooBusy());
    }
    limitWait();
  }

  function startBatches(): void {
    while (batches < running) {
      const batch = takeBatch();
      if (batch.length === 0) return;
      batches += 1;
      if (keyOf) for (const { key } of batch) busyKeys.add(key);
      void runBatch(batch).then(() => {
        batches -= 1;
        for (const { key } of batch) busyKeys.delete(key);
        startBatches();
      });
    }
  }

  /** Takes the oldest items that may run now out of the queue. */
  function takeBatch(): Entry<Item, Result>[] {
    const batch: Entry<Item, Result>[] = [];
    let room = bytes;
    for (const entry of queue) {
      if (batch.length === size) break;
      if (busyKeys.has(entry.key)) continue;
      room -= bytesOf(entry.item);
      if (room < 0 && batch.length > 0) break;
      batch.push(entry);
      queue.delete(entry);
    }
    return batch;
  }

  async function runBatch(batch: Entry<Item, Result>[]): Promise<void> {
    onStart?.(batch.length, performance.now() - Number(batch[0]?.since));
    await settle(batch).catch((error) => fail(batch, error));
  }

  function fail(batch: Entry<Item, Result>[], error: unknown): void {
    const isFinal = batch.length === 1 || isOutcomeUnknown(error);
    for (const entry of batch) {
      if (isFinal) entry.reject(error);
      else void runSingle(entry);
    }
  }

  async function runSingle(entry: Entry<Item, Result>): Promise<void> {
    singles += 1;
    await settle([entry]).catch(entry.reject);
    singles -= 1;
  }

  async function settle(batch: Entry<Item, Result>[]): Promise<void> {
    const results = await run(batch.map(({ item }) => item));
    for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result);
  }

  return { submit, waiting: () => queue.size };
}

function tooBusy() {
  return unavailable('databaseBusy', undefined, 1);
}
