import { AggregatorRegistry, Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Domain, Observer } from '../domain/index.ts';
import { allMetrics } from './processes.ts';

/** Values that are read when metrics are requested. */
type Readings = {
  domain: Pick<Domain, 'notices' | 'pushes' | 'sweeps' | 'files' | 'passwordChecks'>;
  database: { connections(): { open: number; idle: number; waiting: number } };
};

export type Metrics = ReturnType<typeof createMetrics>;

/** The metrics of one process, in the format of Prometheus. */
export function createMetrics() {
  const register = new ScrapedRegistry();
  const registers = [register];
  // Lets the supervisor aggregate the metrics of all web processes. A process responds to it only once it has a
  // registry.
  new AggregatorRegistry();
  AggregatorRegistry.setRegistries(register);

  const jobs = new Histogram({
    name: 'hushpush_job_seconds',
    help: 'Job runs, by result',
    labelNames: ['job', 'result'],
    buckets: [0.01, 0.05, 0.1, 0.5, 1, 5, 30, 120],
    registers,
  });

  /** Adds gauges that are read from the database for each scrape. A gauge that cannot be read is omitted. */
  function addReadings({ domain, database }: Readings): void {
    const outbox = coalesced(domain.notices.backlog);
    const overdue = coalesced(domain.sweeps.overdue);
    const overdueFiles = coalesced(domain.files.overdue);
    const gauge = (name: string, help: string, read: () => Promise<number> | number, ofAll = true) =>
      new Gauge({
        name: `hushpush_${name}`,
        help,
        registers,
        aggregator: ofAll ? 'max' : 'sum',
        async collect() {
          try {
            this.set(await read());
          } catch {
            this.remove();
          }
        },
      });
    gauge('notices_waiting', 'Notices that wait for delivery', async () => (await outbox()).waiting);
    gauge(
      'notices_overdue_seconds',
      'How long the oldest notice has been overdue',
      async () => (await outbox()).overdueMs / 1000,
    );
    gauge('pushes_overdue', 'Expired pushes that are not erased yet', async () => (await overdue()).waiting);
    gauge(
      'pushes_overdue_seconds',
      'How long the oldest of them has been expired',
      async () => (await overdue()).overdueMs / 1000,
    );
    gauge(
      'files_overdue',
      'Files that should have been shredded already',
      async () => (await overdueFiles()).waiting,
    );
    gauge(
      'files_overdue_seconds',
      'How long the oldest of them has been overdue',
      async () => (await overdueFiles()).overdueMs / 1000,
    );
    for (const kind of ['account', 'passphrase'] as const) {
      gauge(
        `${kind}_hashes_waiting`,
        `Callers that wait for a hash: ${kind}`,
        () => domain.passwordChecks()[kind].waiting,
        false,
      );
    }
    for (const work of ['create', 'claim'] as const) {
      gauge(
        `${work}_batch_waiting`,
        `Requests that wait for the next batch: ${work}`,
        () => domain.pushes.waiting()[work],
        false,
      );
    }
    for (const state of ['open', 'idle', 'waiting'] as const) {
      gauge(
        `database_connections_${state}`,
        `Connections to the database: ${state}`,
        () => database.connections()[state],
        false,
      );
    }
  }

  return {
    observer: createEventMetrics(registers),
    addReadings,
    jobRan: (job: string, ms: number, error?: unknown) =>
      jobs.observe({ job, result: error === undefined ? 'done' : 'failed' }, ms / 1000),
    contentType: register.contentType,
    /** The metrics of all processes of the service. */
    text: () => allMetrics(() => register.metrics()),
  };
}

/**
 * A registry that measures the process itself only once somebody scrapes, so from the second scrape on: watching the
 * event loop wakes the process a hundred times a second.
 */
class ScrapedRegistry extends Registry {
  #isScraped = false;

  override getMetricsAsArray() {
    const metrics = super.getMetricsAsArray();
    if (!this.#isScraped) collectDefaultMetrics({ register: this });
    this.#isScraped = true;
    return metrics;
  }
}

/** What the domain does, as it happens. */
function createEventMetrics(registers: Registry[]): Omit<Observer, 'deliveryFailed'> {
  const claims = new Counter({
    name: 'hushpush_claims_total',
    help: 'Attempts to claim a view, by result',
    labelNames: ['result'],
    registers,
  });
  const lag = new Histogram({
    name: 'hushpush_erasure_lag_seconds',
    help: 'Time between the expiry of a push and its erasure',
    buckets: [1, 2, 5, 10, 20, 30, 60, 120, 600, 3_600, 86_400],
    registers,
  });
  const deliveries = new Counter({
    name: 'hushpush_notice_deliveries_total',
    help: 'Attempts to deliver a notice, by result',
    labelNames: ['result'],
    registers,
  });
  const batchSizes = new Histogram({
    name: 'hushpush_batch_size',
    help: 'Requests that were written to the database together, by what they do',
    labelNames: ['work'],
    buckets: [1, 2, 4, 8, 16, 32],
    registers,
  });
  const batchWaits = new Histogram({
    name: 'hushpush_batch_wait_seconds',
    help: 'How long the oldest request of a batch waited for it, by what they do',
    labelNames: ['work'],
    buckets: [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5, 1, 5],
    registers,
  });
  return {
    claimed: (result) => claims.inc({ result }),
    batched(work, size, waitedMs) {
      batchSizes.observe({ work }, size);
      batchWaits.observe({ work }, waitedMs / 1000);
    },
    erased: (lateMs) => lag.observe(lateMs / 1000),
    delivered: (result) => deliveries.inc({ result }),
  };
}

/** Shares one reading among all callers while it is running. */
function coalesced<T>(read: () => Promise<T>): () => Promise<T> {
  let reading: Promise<T> | undefined;
  return () => {
    reading ??= read().finally(() => {
      reading = undefined;
    });
    return reading;
  };
}
