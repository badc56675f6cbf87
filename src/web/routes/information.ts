import type { WebDependencies } from '../dependencies.ts';
import { privacyPage, supportPage } from '../pages/information.tsx';

/** Public information on this server: what it stores, who helps, and its API. Chats ask for the first two to list an app. */
export function informationRoutes({
  domain: { pushes, chat },
  pages,
  operator,
  readOpenApi,
}: WebDependencies): void {
  const { retentionMs, showsPlaces } = pushes.settings;
  const { graceMs } = chat.workspaceRemoval;

  pages.page('/privacy', ({ page }) =>
    privacyPage(page, { operator, retentionMs, graceMs: graceMs.slack, showsPlaces }),
  );

  pages.page('/support', ({ page }) => supportPage(page, { operator }));

  pages.page('/docs', async ({ page }) => {
    const { docsPage } = await import('../pages/docs/docs.tsx'); // few ever read it
    return docsPage(page, await readOpenApi());
  });
}
