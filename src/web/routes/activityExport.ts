import { capturedToken } from '../../http/params.ts';
import { activityCsv } from '../activityCsv.ts';
import type { WebDependencies } from '../dependencies.ts';
import type { PageRequest } from '../pageRequest.ts';
import { activityExportPage } from '../pages/activityExport.tsx';
import { messagePage } from '../pages/messagePage.tsx';

const exportPath = /^\/export\/([\w-]+)$/;

/** The page of a link that an admin of a workspace got in the chat: it downloads the activity there, once. */
export function activityExportRoutes({ domain: { chat }, pages }: WebDependencies): void {
  pages.anonymous('/export/:token', { pattern: exportPath, onRefusal: showGone }, async ({ ctx, page }) => {
    const token = capturedToken(ctx);
    const { platform, workspace } = await chat.previewExport(token);
    const label = await chat.installations.labelOf(platform, workspace);
    return activityExportPage(page, { token, platform, workspace: label ?? workspace });
  });

  pages.form('/export/:token', { pattern: exportPath, onRefusal: showGone }, async ({ ctx }) => {
    const events = await chat.exportActivity(capturedToken(ctx));
    const day = new Date().toISOString().slice(0, 10);
    return { file: { name: `activity-${day}.csv`, content: activityCsv(events) } };
  });
}

/** The page of a link that was used, or is too old. */
function showGone({ ctx, page }: PageRequest): string | undefined {
  return ctx.status === 404 ? messagePage(page, page.messages.activityExport.gone) : undefined;
}
