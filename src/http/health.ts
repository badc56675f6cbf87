import type { Router } from '@koa/router';
import type { ApiDependencies } from './app.ts';

/** `/livez`: the process answers. `/readyz`: the database answers too, is migrated, and fits the keys; 503 otherwise. */
export function healthRoutes(
  router: Router,
  { domain, requireReady }: Pick<ApiDependencies, 'domain' | 'requireReady'>,
): void {
  router.get('/livez', (ctx) => {
    ctx.body = { status: 'alive' };
  });
  router.get('/readyz', async (ctx) => {
    requireReady();
    await domain.clock();
    ctx.body = { status: 'ready' };
  });
}
