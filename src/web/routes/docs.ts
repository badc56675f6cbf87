import type { Router } from '@koa/router';
import { buildOpenApi } from '../../api/openapi.ts';
import type { ApiDependencies } from '../../http/app.ts';
import { packageVersion } from '../../runtime/package.ts';
import { docsPage } from '../pages/docs.tsx';

/** The API describes itself, to programs and to people. */
export function docsRoutes(router: Router, { domain, auth, links, pages }: ApiDependencies): void {
  const openApi = buildOpenApi(
    { pushSchema: domain.pushes.schema, webhookSchema: domain.webhooks.schema },
    { baseUrl: links.baseUrl, version: packageVersion() },
  );
  router.get('/api/v1/openapi.json', async (ctx) => {
    await auth.anonymous(ctx);
    ctx.body = openApi;
  });
  router.get(
    '/docs',
    pages.open(({ page }) => docsPage(page, openApi)),
  );
}
