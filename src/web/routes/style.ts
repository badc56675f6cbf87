import type { Router } from '@koa/router';
import type { WebDependencies } from '../dependencies.ts';

/** The style page, for whoever works on the pages: a service at an address of this machine alone has it. */
export function styleRoutes(router: Router, { pages, links }: WebDependencies): void {
  if (!['127.0.0.1', '[::1]', 'localhost'].includes(new URL(links.baseUrl).hostname)) return;
  router.get(
    '/style',
    pages.page(async ({ page }) => (await import('../pages/style/stylePage.tsx')).stylePage(page)),
  );
}
