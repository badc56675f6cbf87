import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { platforms } from '../../platforms.ts';
import type { WebDependencies } from '../dependencies.ts';
import { privacyPage, supportPage } from '../pages/information.tsx';

/** Public information on this server: what it stores, who helps, and its API. Chats ask for the first two to list an app. */
export function informationRoutes({ domain, pages, operator, readOpenApi }: WebDependencies): void {
  const { retentionMs, showsPlaces } = domain.pushes.settings;

  pages.page('/privacy', ({ page }) =>
    privacyPage(page, {
      ...{ operator, retentionMs, graceMs: platforms.slack.graceMs, showsPlaces },
      sendsMail: domain.mailLinks.isOn,
    }),
  );

  pages.page('/support', ({ page }) => supportPage(page, { operator }));

  /** Compressed, unlike other pages: it is long, and nothing in it is secret or depends on an account. */
  pages.page('/docs', async ({ ctx, page }) => {
    const { docsPage } = await import('../pages/docs/docs.tsx'); // few ever read it
    const html = docsPage(page, await readOpenApi());
    ctx.vary('Accept-Encoding');
    if (!ctx.acceptsEncodings('gzip')) return html;
    ctx.set('Content-Encoding', 'gzip');
    return promisify(gzip)(html);
  });
}
