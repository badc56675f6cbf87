import { setTimeout as sleep } from 'node:timers/promises';
import { AggregatorRegistry, Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Config } from '../../config.ts';
import type { Observer } from '../../domain/index.ts';
import { packageVersion } from '../package.ts';
import { allMetrics } from '../processes.ts';
import { addFreeSpace, addReadings, type Readings } from './readings.ts';

export type Metrics = ReturnType<typeof createMetrics>;

/** The metrics of one process, in the format of Prometheus. */
export function createMetrics() {
  const register = new ScrapedRegistry();
  const registers = [register];
  // Lets the supervisor aggregate the metrics of all web processes. A process responds to it only once it has a
  // registry.
  new AggregatorRegistry();
  AggregatorRegistry.setRegistries(register);

  const build = new Gauge({
    name: 'hushpush_build_info',
    help: 'Always 1; the version of hushpush and of Node.js',
    labelNames: ['version', 'node'],
    aggregator: 'first',
    registers,
  });
  build.set({ version: packageVersion(), node: process.version }, 1);

  const jobs = new Histogram({
    name: 'hushpush_job_seconds',
    help: 'Job runs, by result',
    labelNames: ['job', 'result'],
    buckets: [0.01, 0.05, 0.1, 0.5, 1, 5, 30, 120],
    registers,
  });

  return {
    observer: createEventMetrics(registers),
    /** Adds what is read from the database for each scrape. */
    addReadings: (readings: Readings) => addReadings(registers, readings),
    /** Adds what is read from the disk for each scrape. */
    addFreeSpace: (config: Config) => addFreeSpace(registers, config),
    jobRan: (job: string, ms: number, error?: unknown) =>
      jobs.observe({ job, result: error === undefined ? 'done' : 'failed' }, ms / 1000),
    responded: createHttpMetrics(registers),
    contentType: register.contentType,
    /** The metrics of all processes of the service. */
    text: () => allMetrics(() => register.metrics()),
  };
}

const mailResults = ['handed_over', 'refused', 'refused_by_policy', 'later', 'unavailable'];

/** What the domain does, as it happens. */
function createEventMetrics(
  registers: Registry[],
): Omit<Observer, 'deliveryFailed' | 'acted' | 'signInFailed'> {
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
  const mails = new Counter({
    name: 'hushpush_mails_total',
    help: 'Attempts to hand a mail to the mail server, by result',
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
    mailed(result) {
      for (const each of mailResults) mails.inc({ result: each }, each === result ? 1 : 0); // all from 0 on, so that increases count
    },
  };
}

/** A response: the template of its route, never a URL. */
type Response = { method: string; route: string; status: number; ms: number };

/** Rate, errors and duration of requests. The status is on the counter alone, which keeps the series few. */
function createHttpMetrics(registers: Registry[]): (response: Response) => void {
  const requests = new Counter({
    name: 'hushpush_http_requests_total',
    help: 'Requests that were responded to',
    labelNames: ['method', 'route', 'status'],
    registers,
  });
  const durations = new Histogram({
    name: 'hushpush_http_request_seconds',
    help: 'Time until a request was responded to, or its download began',
    labelNames: ['method', 'route'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  });
  return ({ method, route, status, ms }) => {
    requests.inc({ method, route, status });
    durations.observe({ method, route }, ms / 1000);
  };
}

/** How often the event loop is measured. The first time measures nothing yet. */
const measureEveryMs = 10;
const firstMeasures = 3;

/**
 * A registry that measures the process itself only from the first scrape on: watching the event loop wakes the process a
 * hundred times a second. That scrape waits for the first measurement, so that it has all that later ones have.
 */
export class ScrapedRegistry extends Registry {
  #measuring: Promise<void> | undefined;

  override async metrics() {
    await this.#measure();
    return super.metrics();
  }

  /** What the supervisor of several web processes asks each of them for. */
  override async getMetricsAsJSON() {
    await this.#measure();
    return super.getMetricsAsJSON();
  }

  #measure(): Promise<void> {
    if (this.#measuring === undefined) {
      collectDefaultMetrics({ register: this, eventLoopMonitoringPrecision: measureEveryMs });
      this.#measuring = waitForMeasures();
    }
    return this.#measuring;
  }
}

/** In steps: on a busy machine, timers that are due at the same time run at the same time. */
async function waitForMeasures(): Promise<void> {
  for (let step = 0; step < firstMeasures; step++) await sleep(measureEveryMs + 1);
}
