import type { IncomingMessage } from 'node:http';
import type { Router } from '@koa/router';
import type { Context } from 'koa';
import { isSameToken } from '../domain/index.ts';
import { bearerOf } from './auth.ts';
import { plainAddress } from './client.ts';
import { RequestError } from './errors.ts';

/** Where metrics come from, and who may read them. */
export type MetricsSource = {
  contentType: string;
  text: () => Promise<string>;
  /** Called for each response. */
  responded: (response: { method: string; route: string; status: number; ms: number }) => void;
  token: string | undefined;
  /** Whether only this machine can reach the service. */
  isLoopback: boolean;
};

/**
 * `/metrics` for Prometheus. It needs METRICS_TOKEN as a bearer token; if that is not set, the service must listen on
 * loopback, and the request must come from this machine, with no header but those of a scraper. Everybody else gets 404.
 */
export function metricsRoutes(router: Router, metrics: MetricsSource): void {
  router.get('/metrics', async (ctx) => {
    if (!mayReadMetrics(ctx, metrics)) throw new RequestError(404, 'not-found');
    ctx.set('Content-Type', metrics.contentType);
    ctx.body = await metrics.text();
  });
}

function mayReadMetrics({ req }: Context, { token: expected, isLoopback }: MetricsSource): boolean {
  if (expected === undefined) return isLoopback && isFromThisMachine(req);
  return isSameToken(bearerOf(req.headers.authorization ?? ''), expected);
}

const loopbackHost = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i;
/**
 * What a scraper on this machine sends: Prometheus and its agents, curl, the `fetch` of Node.js. Proxies, tunnels and content networks
 * each mark requests with headers of their own, and new ones appear, so that no list of theirs is complete.
 */
const scraperHeaders = new Set([
  'host',
  'connection',
  'user-agent',
  'accept',
  'accept-encoding',
  'accept-language',
  'sec-fetch-mode',
  'x-prometheus-scrape-timeout-seconds',
]);

/**
 * Any other name in Host, and any other header, came through a proxy; or the name is one that a web page pointed at this machine (DNS rebinding).
 */
function isFromThisMachine({ socket, headers }: IncomingMessage): boolean {
  const isLocalPeer = /^(?:127\.|::1$)/.test(plainAddress(socket.remoteAddress ?? ''));
  return (
    isLocalPeer &&
    loopbackHost.test(headers.host ?? '') &&
    Object.keys(headers).every((name) => scraperHeaders.has(name))
  );
}
