import { type BatchEntry, type BatchQueueLimits, createBatchQueue, tooBusy } from './batchQueue.ts';
import { sizeFor } from './batchSizes.ts';
import { isOutcomeUnknown } from './errors.ts';

/** How items of one kind run together. */
type BatchWork<Item, Result> = {
  /** Runs items in one statement or transaction. Returns their results in the same order, or fails as a whole. */
  run: (items: Item[]) => Promise<Result[]>;
  /** Items with the same key run in one batch or in one after the other, never in two at once. */
  keyOf?: (item: Item) => string;
  /** The size of an item in the packet that a batch sends to the database. */
  bytesOf?: (item: Item) => number;
  /** The result of an item that no longer needs to run when its turn comes, such as when its client has disconnected. */
  withoutRun?: (item: Item) => Result | undefined;
  /** Whether no item may run again after a batch failed like this. */
  isFinal?: (error: unknown) => boolean;
  /** Called once the database has the statement of a batch, with its size and how long its oldest item has waited. */
  onStart?: (size: number, waitedMs: number) => void;
};

type BatchLimits = BatchQueueLimits & {
  /** How many items may wait. */
  waiting: number;
  /** How many batches run at once: a further one starts once it is full, or once the last one has run for `slowMs`. */
  running: number;
  slowMs: number;
};

const defaults = { size: 32, bytes: 1_048_576, waiting: 1_000, waitingMs: 5_000, slowMs: 20 };

/**
 * Collects what arrives while a batch runs, and runs it together in the next one. An item runs at once while no batch
 * does, so an idle service waits for nothing; a batch that hangs does not stop the others. When a batch fails, its items
 * run again one by one, so that none fails because of another, unless the failure is final: by default, if the outcome is
 * unknown. Then all fail. Refuses with `unavailable` when too many items wait, or one for too long.
 */
export function createBatches<Item, Result>(
  {
    run,
    keyOf,
    bytesOf = () => 0,
    withoutRun = () => undefined,
    isFinal = isOutcomeUnknown,
    onStart,
  }: BatchWork<Item, Result>,
  limits: Pick<BatchLimits, 'running'> & Partial<BatchLimits>,
) {
  const { running, slowMs, waiting, ...queueLimits } = { ...defaults, ...limits };
  const queue = createBatchQueue<Item, Result>(bytesOf, queueLimits);
  const busyKeys = new Set<string | undefined>();
  let batches = 0;
  /** When the last batch started. */
  let startedAt = 0;
  let slowTimer: NodeJS.Timeout | undefined;
  /** The items of failed batches that run one by one. */
  let singles = 0;

  function submit(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      if (queue.count() + singles >= waiting) return reject(tooBusy());
      queue.add({ item, key: keyOf?.(item), resolve, reject });
      startBatches();
    });
  }

  /** `answered`: how many items the batch had that has just ended. */
  function startBatches(answered = 0): void {
    while (mayStart()) {
      const { batch, waitedMs } = queue.take(busyKeys, evenSize(answered));
      if (batch.length === 0) return;
      const needed = batch.filter((entry) => !endWithoutRun(entry));
      if (needed.length > 0) start(needed, waitedMs);
    }
    startSoon();
  }

  function endWithoutRun({ item, resolve }: BatchEntry<Item, Result>): boolean {
    const result = withoutRun(item);
    if (result !== undefined) resolve(result);
    return result !== undefined;
  }

  /**
   * Clients that were answered usually ask again while the next batch runs, so it takes half of them and of those who wait,
   * rounded up to a size that batches have. If it took everybody who waits, large batches would alternate with small ones,
   * and few would be left to be answered while a large one runs. A single item says nothing of what comes.
   */
  const evenSize = (answered: number) =>
    answered > 1 ? sizeFor(Math.ceil((queue.count() + answered) / 2)) : queue.count();

  /** One batch at a time makes the largest groups. */
  function mayStart(): boolean {
    if (batches === 0) return true;
    if (batches === running) return false;
    return queue.isFull() || performance.now() - startedAt >= slowMs;
  }

  /** Starts what waits beside a batch that takes long. */
  function startSoon(): void {
    if (slowTimer !== undefined || batches === running || queue.count() === 0) return;
    slowTimer = setTimeout(() => {
      slowTimer = undefined;
      startBatches();
    }, slowMs).unref();
  }

  function start(batch: BatchEntry<Item, Result>[], waitedMs: number): void {
    batches += 1;
    startedAt = performance.now();
    if (keyOf) for (const { key } of batch) busyKeys.add(key);
    void settle(batch)
      .catch((error) => fail(batch, error))
      .then(() => {
        batches -= 1;
        for (const { key } of batch) busyKeys.delete(key);
        startBatches(batch.length);
      });
    if (onStart) process.nextTick(onStart, batch.length, waitedMs); // a connection is awaited before
  }

  function fail(batch: BatchEntry<Item, Result>[], error: unknown): void {
    const isOver = batch.length === 1 || isFinal(error);
    for (const entry of batch) {
      if (isOver) entry.reject(error);
      else void runSingle(entry);
    }
  }

  async function runSingle(entry: BatchEntry<Item, Result>): Promise<void> {
    singles += 1;
    await settle([entry]).catch(entry.reject);
    singles -= 1;
  }

  async function settle(batch: BatchEntry<Item, Result>[]): Promise<void> {
    const results = await run(batch.map(({ item }) => item));
    for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result);
  }

  return { submit, waiting: queue.count };
}
