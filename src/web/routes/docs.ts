import type { WebDependencies } from '../dependencies.ts';

/** The API described for people. */
export function docsRoutes({ pages, readOpenApi }: WebDependencies): void {
  pages.page('/docs', async ({ page }) => {
    const { docsPage } = await import('../pages/docs/docs.tsx'); // few ever read it
    return docsPage(page, await readOpenApi());
  });
}
