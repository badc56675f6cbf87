import { platforms } from '../../platforms.ts';
import type { WebDependencies } from '../dependencies.ts';
import { privacyPage, supportPage } from '../pages/information.tsx';

/** Public information on this server: what it stores, who helps, and its API. Chats ask for the first two to list an app. */
export function informationRoutes({
  domain: { pushes },
  pages,
  operator,
  readOpenApi,
}: WebDependencies): void {
  const { retentionMs, showsPlaces } = pushes.settings;

  pages.page('/privacy', ({ page }) =>
    privacyPage(page, { operator, retentionMs, graceMs: platforms.slack.graceMs, showsPlaces }),
  );

  pages.page('/support', ({ page }) => supportPage(page, { operator }));

  pages.page('/docs', async ({ page }) => {
    const { docsPage } = await import('../pages/docs/docs.tsx'); // few ever read it
    return docsPage(page, await readOpenApi());
  });
}
