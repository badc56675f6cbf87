import { addressUser, type WorkspaceEvent } from '../domain/index.ts';
import { csvLine } from '../http/csv.ts';
import { messagesOf } from '../locales/locales.ts';
import { isoTime } from '../time.ts';

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
export async function* activityCsv(events: AsyncIterable<WorkspaceEvent>): AsyncGenerator<string> {
  yield csvLine(Object.keys(columns));
  for await (const event of events) yield csvLine(Object.values(columns).map((cellOf) => cellOf(event)));
}
