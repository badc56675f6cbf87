import type { ActivityEntry, ListEntry } from '../client/client.ts';
import { eventOutput, presentAs, pushOutput } from './output.ts';
import type { PushIds } from './pushIds.ts';

/** A push by its id, without its link unless `output` has it. */
export async function describePush(entry: ListEntry, ids: PushIds, output = pushOutput): Promise<object> {
  const { name, note } = entry;
  const texts = { ...(name && { name: withoutLinks(name) }), ...(note && { note: withoutLinks(note) }) };
  return presentAs(output, { ...entry, ...texts, id: await ids.idOf(entry) });
}

/** People write links into names and notes. */
const withoutLinks = (text: string): string =>
  text.replace(/(\/[pfr]\/)[\w-]+|[0-9a-hjkmnp-tv-z]{26}/gi, '$1…');

/** What a server found by its link alone is not passed on: matches would spell the link. */
export async function* withoutLinkMatches(entries: AsyncIterable<ListEntry>, search: unknown) {
  const text = String(search ?? '')
    .trim()
    .toLowerCase();
  for await (const entry of entries) {
    const { name, note, url_token } = entry;
    const isNamed = `${name ?? ''}\n${note ?? ''}`.toLowerCase().includes(text);
    const isLinked = !/^[ -~]*$/.test(text) || url_token?.toLowerCase().includes(text);
    if (isNamed || !isLinked) yield entry;
  }
}

/** Without what a viewer's program says of itself: anybody can have it say anything to an assistant. */
export const describeEvent = ({ recipient, ...event }: ActivityEntry): object =>
  presentAs(eventOutput, {
    ...event,
    ...(recipient && { recipient: recipient.name && withoutLinks(recipient.name) }),
  });
