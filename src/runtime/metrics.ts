import { AggregatorRegistry, Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Domain, Observer } from '../domain/index.ts';
import { allMetrics } from './processes.ts';

/** What is read when metrics are requested, rather than counted as it happens. */
type Readings = {
  domain: Pick<Domain, 'notices' | 'sweeps' | 'files'>;
  database: { connections(): { open: number; idle: number; waiting: number } };
};

/** What one process counts and measures, in the form that Prometheus reads. */
export function createMetrics() {
  const register = new Registry();
  const registers = [register];
  collectDefaultMetrics({ register });
  // so that the first of several processes can add up those of all of them: only once there is one does this process answer
  new AggregatorRegistry();
  AggregatorRegistry.setRegistries(register);

  const claims = new Counter({
    name: 'hushpush_claims_total',
    help: 'Attempts to claim a view, by what came of them',
    labelNames: ['result'],
    registers,
  });
  const lag = new Histogram({
    name: 'hushpush_erasure_lag_seconds',
    help: 'From the end of the time of a push to its erasure',
    buckets: [1, 2, 5, 10, 20, 30, 60, 120, 600, 3_600, 86_400],
    registers,
  });
  const deliveries = new Counter({
    name: 'hushpush_notice_deliveries_total',
    help: 'Attempts to deliver a notice, by what came of them',
    labelNames: ['result'],
    registers,
  });
  const jobs = new Histogram({
    name: 'hushpush_job_seconds',
    help: 'Runs of jobs, by how they ended',
    labelNames: ['job', 'result'],
    buckets: [0.01, 0.05, 0.1, 0.5, 1, 5, 30, 120],
    registers,
  });

  const observer: Omit<Observer, 'deliveryFailed'> = {
    claimed: (result) => claims.inc({ result }),
    erased: (lateMs) => lag.observe(lateMs / 1000),
    delivered: (result) => deliveries.inc({ result }),
  };

  /** Adds what is read from the database at each look. A reading that fails is left out. */
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
    gauge('notices_waiting', 'Notices that wait to be delivered', async () => (await outbox()).waiting);
    gauge(
      'notices_overdue_seconds',
      'For how long the longest overdue notice has been due',
      async () => (await outbox()).overdueMs / 1000,
    );
    gauge(
      'pushes_overdue',
      'Pushes past their time and not yet erased',
      async () => (await overdue()).waiting,
    );
    gauge(
      'pushes_overdue_seconds',
      'For how long the first of them has been past its time',
      async () => (await overdue()).overdueMs / 1000,
    );
    gauge(
      'files_overdue',
      'Files to be shredded, and still there',
      async () => (await overdueFiles()).waiting,
    );
    gauge(
      'files_overdue_seconds',
      'For how long the first of them should have been gone',
      async () => (await overdueFiles()).overdueMs / 1000,
    );
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
    observer,
    addReadings,
    jobRan: (job: string, ms: number, error?: unknown) =>
      jobs.observe({ job, result: error === undefined ? 'done' : 'failed' }, ms / 1000),
    contentType: register.contentType,
    /** Those of all processes of the service. */
    text: () => allMetrics(() => register.metrics()),
  };
}

/** One reading for all who ask while it is under way. */
function coalesced<T>(read: () => Promise<T>): () => Promise<T> {
  let reading: Promise<T> | undefined;
  return () => {
    reading ??= read().finally(() => {
      reading = undefined;
    });
    return reading;
  };
}
