import { addressUser, type WorkspaceEvent } from '../../domain/index.ts';
import { csvLine } from '../../http/csv.ts';
import { capturedToken } from '../../http/params.ts';
import { messagesOf } from '../../locales/locales.ts';
import { isoTime } from '../../time.ts';
import type { WebDependencies } from '../dependencies.ts';
import { activityExportPage } from '../pages/activityExport.tsx';
import { showGoneOf } from '../pages/messagePage.tsx';

const link = { pattern: /^\/export\/([\w-]+)$/, onRefusal: showGoneOf('activityExport') };

/** The page of a link that an admin of a workspace got in the chat: it downloads the activity there, once. */
export function activityExportRoutes({ domain: { chat }, pages }: WebDependencies): void {
  pages.anonymous('/export/:token', link, async ({ ctx, page }) => {
    const token = capturedToken(ctx);
    const { platform, workspace } = await chat.previewExport(token);
    const label = await chat.installations.labelOf(platform, workspace);
    return activityExportPage(page, { token, platform, workspace: label ?? workspace });
  });

  pages.form('/export/:token', link, async ({ ctx }) => {
    const events = await chat.exportActivity(capturedToken(ctx));
    const day = new Date().toISOString().slice(0, 10);
    return { file: { name: `activity-${day}.csv`, content: activityCsv(events) } };
  });
}

const en = messagesOf('en');

/** The columns, in English. Times are in UTC; people are the ids that the chat has for them. Nothing that only owners know of a push. */
const columns = {
  created_at: ({ createdAt }) => isoTime(createdAt),
  updated_at: ({ updatedAt }) => isoTime(updatedAt),
  push: ({ pushId }) => pushId.toString('hex'),
  creator: ({ creator }) => addressUser(creator),
  kind: ({ kind }) => kind,
  times: ({ times }) => times,
  recipient: ({ recipient }) => addressUser(recipient?.address ?? ''),
  opened_by: ({ openedBy }) => openedBy,
  ip: ({ ip }) => ip,
  place: ({ place }) => place && en.place(place),
} satisfies Record<string, (event: WorkspaceEvent) => string | number | null>;

/** The activity of a workspace as CSV, line by line. */
async function* activityCsv(events: AsyncIterable<WorkspaceEvent>): AsyncGenerator<string> {
  yield csvLine(Object.keys(columns));
  for await (const event of events) yield csvLine(Object.values(columns).map((cellOf) => cellOf(event)));
}
