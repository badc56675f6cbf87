import type { Router } from '@koa/router';

export type HealthChecks = {
  /** Refuses with `unavailable` until the database is migrated and its keys are checked. */
  requireReady: () => void;
  /** Refuses with `unavailable` while the database is out of reach, or lacks a migration. */
  checkDatabase: () => Promise<unknown>;
};

const checkEveryMs = 1_000;

/** `/livez`: the process responds. `/readyz`: the database does too, is migrated, and fits the keys; 503 otherwise. */
export function healthRoutes(router: Router, { requireReady, checkDatabase }: HealthChecks): void {
  const check = shared(checkDatabase);
  router.get('/livez', (ctx) => {
    ctx.body = { status: 'alive' };
  });
  router.get('/readyz', async (ctx) => {
    requireReady();
    await check();
    ctx.body = { status: 'ready' };
  });
}

/** Shares one result among all callers until a second after it is there: anybody may probe, but not keep the database busy. */
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
