import type { Router } from '@koa/router';
import type { WebDependencies } from '../dependencies.ts';
import { docsPage } from '../pages/docs/docs.tsx';

/** The API described for people. */
export function docsRoutes(router: Router, { pages, openApi }: WebDependencies): void {
  router.get(
    '/docs',
    pages.page(({ page }) => docsPage(page, openApi)),
  );
}
