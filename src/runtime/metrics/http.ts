import { Counter, Histogram, type Registry } from 'prom-client';

/** A response: the template of its route, never a URL. */
type Response = { method: string; route: string; status: number; ms: number };

/** Rate, errors and duration of requests. The status is on the counter alone, which keeps the series few. */
export function createHttpMetrics(registers: Registry[]): (response: Response) => void {
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
