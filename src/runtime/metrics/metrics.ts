import { AggregatorRegistry, Gauge, Histogram } from 'prom-client';
import type { Config } from '../../config.ts';
import { packageVersion } from '../package.ts';
import { allMetrics } from '../processes.ts';
import { createEventMetrics } from './events.ts';
import { addFreeSpace } from './freeSpace.ts';
import { createHttpMetrics } from './http.ts';
import { addReadings, type Readings } from './readings.ts';
import { ScrapedRegistry } from './registry.ts';

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
