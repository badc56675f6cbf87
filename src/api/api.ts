import type { Router } from '@koa/router';
import { createRouter } from '../http/router.ts';
import type { ApiDependencies } from './dependencies.ts';
import { auditExportRoutes } from './routes/auditExport.ts';
import { descriptionRoutes } from './routes/description.ts';
import { downloadRoutes } from './routes/downloads.ts';
import { pushRoutes } from './routes/pushes.ts';
import { webhookRoutes } from './routes/webhooks.ts';

/** The JSON API. */
export function createApi(dependencies: ApiDependencies): Router {
  const router = createRouter();
  descriptionRoutes(router, dependencies);
  pushRoutes(router, dependencies);
  auditExportRoutes(router, dependencies);
  downloadRoutes(router, dependencies);
  webhookRoutes(router, dependencies);
  return router;
}
