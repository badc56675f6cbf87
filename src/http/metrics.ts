import { timingSafeEqual } from 'node:crypto';
import type { Router } from '@koa/router';
import type { Context } from 'koa';
import { digestOf } from '../domain/index.ts';
import { bearerOf } from './auth.ts';
import { RequestError } from './errors.ts';

/** Where metrics come from, and who may have them. */
export type MetricsSource = {
  contentType: string;
  text: () => Promise<string>;
  token: string | undefined;
  /** Whether the service can be reached from its own machine only. */
  isLoopback: boolean;
};

/**
 * `/metrics` for Prometheus: with METRICS_TOKEN for whoever sends it as a bearer token; without one only while the service
 * listens on loopback, and then not through a proxy. For everybody else there is no such page.
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
