import type { ActivityEntry, ListEntry } from '../client/client.ts';
import type { PushIds } from './pushIds.ts';

/** What a tool answers, as JSON Schema: the fields of an object, those of `optional` not always. */
export type OutputSchema = { type: 'object'; properties: Record<string, object>; required: string[] };

export const objectOf = (properties: Record<string, object>, optional: string[] = []): OutputSchema => ({
  type: 'object',
  properties,
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
});

export const listOf = (items: object) => ({ type: 'array', items });

const text = { type: 'string' };
const maybeText = { type: ['string', 'null'] };
const integer = { type: 'integer' };
const boolean = { type: 'boolean' };

const pushProperties = {
  kind: text,
  name: maybeText,
  note: maybeText,
  created_at: text,
  expires_at: text,
  expired: boolean,
  expired_on: maybeText,
  deleted: boolean,
  views_remaining: integer,
  views_total: integer,
  passphrase: { ...maybeText, description: 'Asterisks if it has one' },
  retrieval_step: boolean,
  deletable_by_viewer: boolean,
};
const id = {
  ...maybeText,
  description: 'What other tools take; it opens nothing. Null if the push is unreadable',
};

/** A push. Of its fields only the id is sure: other servers know fewer. */
export const pushOutput = objectOf({ id, ...pushProperties }, Object.keys(pushProperties));

/** A new push, with its link. */
export const createdOutput = objectOf(
  {
    id,
    html_url: { ...text, description: 'The link to pass on; if there are recipients, it opens nothing' },
    recipients: { ...listOf(text), description: 'Who gets a link in a mail' },
    ...pushProperties,
  },
  ['recipients', ...Object.keys(pushProperties)],
);

const eventProperties = {
  kind: text,
  created_at: text,
  updated_at: text,
  successful: boolean,
  times: { ...integer, description: 'How many events it stands for' },
  opened_by: text,
  recipient: { ...maybeText, description: 'Through whose link a view came' },
  ip: text,
};

/** What happened to a push. */
export const eventOutput = objectOf(eventProperties, Object.keys(eventProperties));

/** A request for a secret. */
export const requestOutput = objectOf({ id: text, provider: text, state: text, expires_at: text });

const linkProperties = {
  id: { ...text, description: 'What other tools take; it opens nothing' },
  title: maybeText,
  note: maybeText,
  accepts: text,
  passphrase: { ...maybeText, description: 'Asterisks if it has one' },
  answers: { ...integer, description: 'How many it takes' },
  answers_used: integer,
  answers_expire_after_days: { type: 'number' },
  state: { ...text, description: 'open, answered (all answers are here), closed or expired' },
  created_at: text,
  expires_at: text,
};

/** A link by which people without an account send a secret. */
export const requestLinkOutput = objectOf(linkProperties, Object.keys(linkProperties));

/** A new one, with its address. */
export const createdLinkOutput = objectOf(
  { html_url: { ...text, description: 'The link to pass on; it opens nothing' }, ...linkProperties },
  Object.keys(linkProperties),
);

/** An answer to one. Whoever sends it writes its name, and could have it say anything to an assistant. */
export const answerOutput = objectOf({
  receipt: { ...maybeText, description: 'The code that whoever answered has, too' },
  waiting: { ...boolean, description: 'Whether it can still be opened' },
  created_at: text,
  expires_at: text,
});

/** The fields of an object that a schema names: nothing else that a server sends gets into a conversation. */
export function presentAs({ properties }: OutputSchema, given: object): Record<string, unknown> {
  const fields = new Map<string, unknown>(Object.entries(given));
  return Object.fromEntries(
    Object.keys(properties)
      .filter((name) => fields.has(name))
      .map((name) => [name, fields.get(name)]),
  );
}

/** A push by its id, without its link unless `output` has it. */
export async function describePush(entry: ListEntry, ids: PushIds, output = pushOutput): Promise<object> {
  const { name, note, recipients } = entry;
  const texts = {
    ...(name && { name: withoutLinks(name) }),
    ...(note && { note: withoutLinks(note) }),
    ...(recipients && { recipients: recipients.map((recipient) => withoutLinks(recipient.name ?? '')) }),
  };
  return presentAs(output, { ...entry, ...texts, id: await ids.idOf(entry) });
}

/** People write links into names and notes. */
export const withoutLinks = (text: string): string =>
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
