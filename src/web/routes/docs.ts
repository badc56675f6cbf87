import type { Router } from '@koa/router';
import { buildOpenApi } from '../../api/openapi.ts';
import type { ApiParts } from '../../http/app.ts';
import { packageVersion } from '../../runtime/package.ts';
import { docsPage } from '../pages/docs.tsx';

/** The API describes itself, to programs and to people. */
export function docsRoutes(router: Router, { domain, who, links, pages }: ApiParts): void {
  const openApi = buildOpenApi(
    { newPush: domain.pushes.schema, newWebhook: domain.webhooks.schema },
    { baseUrl: links.baseUrl, version: packageVersion() },
  );
  router.get('/api/v1/openapi.json', async (ctx) => {
    await who.visitor(ctx);
    ctx.body = openApi;
  });
  router.get(
    '/docs',
    pages.open(({ frame }) => docsPage(frame, openApi)),
  );
}
