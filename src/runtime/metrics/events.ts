import { Counter, Histogram, type Registry } from 'prom-client';
import type { Observer } from '../../domain/index.ts';

/** What the domain does, as it happens. */
export function createEventMetrics(registers: Registry[]): Omit<Observer, 'deliveryFailed' | 'acted'> {
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
