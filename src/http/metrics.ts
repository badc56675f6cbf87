import { timingSafeEqual } from 'node:crypto';
import type { Router } from '@koa/router';
import type { Context } from 'koa';
import { digestOf } from '../domain/index.ts';
import { bearerOf } from './auth.ts';
import { RequestError } from './errors.ts';

/** Where metrics come from, and who may read them. */
export type MetricsSource = {
  contentType: string;
  text: () => Promise<string>;
  token: string | undefined;
  /** Whether only this machine can reach the service. */
  isLoopback: boolean;
};

/**
 * `/metrics` for Prometheus. It needs METRICS_TOKEN as a bearer token; if that is not set, the service must listen on
 * loopback, and the request must not come through a proxy. Everybody else gets 404.
 */
export function metricsRoutes(router: Router, metrics: MetricsSource): void {
  router.get('/metrics', async (ctx) => {
    if (!mayReadMetrics(ctx, metrics)) throw new RequestError(404, 'not-found');
    ctx.set('Content-Type', metrics.contentType);
    ctx.body = await metrics.text();
  });
}

function mayReadMetrics({ req }: Context, { token: wanted, isLoopback }: MetricsSource): boolean {
  const { authorization = '', 'x-forwarded-for': forwardedFor, forwarded } = req.headers;
  if (wanted === undefined) return isLoopback && forwardedFor === undefined && forwarded === undefined;
  return timingSafeEqual(digestOf(bearerOf(authorization)), digestOf(wanted));
}
