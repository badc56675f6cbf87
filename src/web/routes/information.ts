import type { Router } from '@koa/router';
import type { WebDependencies } from '../dependencies.ts';
import { privacyPage, supportPage } from '../pages/information.tsx';

/** Public information on this server: what it stores, and who helps. Chats ask for both pages to list an app. */
export function informationRoutes(
  router: Router,
  { domain: { pushes, chat }, pages, operator }: WebDependencies,
): void {
  const { retentionMs, showsPlaces } = pushes.settings;
  const { graceMs } = chat.workspaceRemoval;

  router.get(
    '/privacy',
    pages.page(({ page }) =>
      privacyPage(page, { operator, retentionMs, graceMs: graceMs.slack, showsPlaces }),
    ),
  );

  router.get(
    '/support',
    pages.page(({ page }) => supportPage(page, { operator })),
  );
}
