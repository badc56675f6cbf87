import type { Router } from '@koa/router';
import type { WebDependencies } from '../dependencies.ts';

/** The API described for people. */
export function docsRoutes(router: Router, { pages, readOpenApi }: WebDependencies): void {
  router.get(
    '/docs',
    pages.page(async ({ page }) => {
      const { docsPage } = await import('../pages/docs/docs.tsx'); // few ever read it
      return docsPage(page, await readOpenApi());
    }),
  );
}
