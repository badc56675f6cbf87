import type { Socket } from 'node:net';
import type { Router } from '@koa/router';

export type HealthChecks = {
  /** Refuses with `unavailable` until the database is migrated and its keys are checked. */
  requireReady: () => void;
  /** Refuses with `unavailable` once the process is asked to stop, while it still serves. */
  requireStaying?: () => void;
  /** Refuses with `unavailable` while the database is out of reach, is full, or lacks a migration. */
  checkDatabase: () => Promise<unknown>;
};

const checkEveryMs = 1_000;

/**
 * `/livez`: the process responds; `/up` is its name in Password Pusher. `/readyz`: the database does too, is migrated,
 * and fits the keys, and the process is not about to stop; 503 otherwise. It tells doctor what becomes of the address that a proxy forwards.
 */
export function healthRoutes(
  router: Router,
  {
    requireReady,
    requireStaying,
    checkDatabase,
    isProxy,
  }: HealthChecks & { isProxy: (peer: Socket) => boolean },
): void {
  const check = shared(checkDatabase);
  router.get(['/livez', '/up'], (ctx) => {
    ctx.body = { status: 'alive' };
  });
  router.get('/readyz', async (ctx) => {
    requireReady();
    requireStaying?.();
    await check();
    const forwarded = isProxy(ctx.socket) ? 'used' : 'ignored';
    ctx.body = { status: 'ready', ...(ctx.headers['x-forwarded-for'] !== undefined && { forwarded }) };
  });
}

/** Shares one result among all callers for a second, so that probes cannot keep the database busy. */
function shared<T>(work: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined;
  let settledAt = 0;
  const settle = () => {
    settledAt = performance.now();
  };
  return () => {
    if (result !== undefined && performance.now() < settledAt + checkEveryMs) return result;
    settledAt = Number.POSITIVE_INFINITY;
    result = work();
    result.then(settle, settle);
    return result;
  };
}
