import type { WebDependencies } from '../dependencies.ts';
import { privacyPage, supportPage } from '../pages/information.tsx';

/** Public information on this server: what it stores, and who helps. Chats ask for both pages to list an app. */
export function informationRoutes({ domain: { pushes, chat }, pages, operator }: WebDependencies): void {
  const { retentionMs, showsPlaces } = pushes.settings;
  const { graceMs } = chat.workspaceRemoval;

  pages.page('/privacy', ({ page }) =>
    privacyPage(page, { operator, retentionMs, graceMs: graceMs.slack, showsPlaces }),
  );

  pages.page('/support', ({ page }) => supportPage(page, { operator }));
}
