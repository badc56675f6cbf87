import type { Router } from '@koa/router';

export type HealthChecks = {
  /** Refuses with `unavailable` until the database is migrated and its keys are checked. */
  requireReady: () => void;
  /** Asks the database for something; refuses with `unavailable` while it is out of reach. */
  pingDatabase: () => Promise<unknown>;
};

/** `/livez`: the process responds. `/readyz`: the database does too, is migrated, and fits the keys; 503 otherwise. */
export function healthRoutes(router: Router, { requireReady, pingDatabase }: HealthChecks): void {
  router.get('/livez', (ctx) => {
    ctx.body = { status: 'alive' };
  });
  router.get('/readyz', async (ctx) => {
    requireReady();
    await pingDatabase();
    ctx.body = { status: 'ready' };
  });
}
