import type { ListedSecretRequest, RequestedSecret, RequestLinkObject } from '../../client/client.ts';
import { print } from '../output.ts';
import { connect, type ServerOptions } from './connect.ts';
import { minutesIn } from './duration.ts';
import { listLinks, type NewLinkOptions, requestByLink } from './requestLinks.ts';
import { fitTable, relativeTime } from './tables.ts';
import { visible } from './terminal.ts';

type NewRequestOptions = NewLinkOptions & { reason?: string };

/** `hushpush request` */
export async function request(from: string[], options: NewRequestOptions): Promise<void> {
  if (options.to && options.link === undefined)
    throw new Error('--to mails a link: add --link TITLE, which says what you ask for.');
  if (options.link !== undefined) return requestByLink(options.link, from, options);
  if (from.length === 0) throw new Error('Say whom to ask, or add --link TITLE to ask anybody by a link.');
  const { client } = await connect(options);
  const due_in_minutes = minutesIn(options) || undefined;
  const sent = await client.requests.create({ from, reason: options.reason, due_in_minutes });
  const people = sent.requests.map(({ provider }) => provider).join(', ');
  const until = relativeTime(sent.expires_at);
  const [answers, requests] =
    sent.requests.length === 1
      ? ['The answer gets', 'the request expires']
      : ['Answers get', 'the requests expire'];
  print(options.json, sent, visible(`Asked ${people}. ${answers} to you in the chat; ${requests} ${until}.`));
}

/** `hushpush requests` */
export async function requests(options: ServerOptions): Promise<void> {
  const { client } = await connect(options);
  const [listed, links] = await Promise.all([client.requests.list(), listLinks(client)]);
  const entries: Entry[] = [
    ...links.map(linkEntry),
    ...listed.received.map((entry) => ({ ...entry, direction: 'from', other: entry.requester })),
    ...listed.sent.map((entry) => ({ ...entry, direction: 'to', other: entry.provider })),
  ];
  print(
    options.json,
    { ...listed, links },
    entries.length === 0 ? 'There are no requests.' : requestTable(entries),
  );
}

/** `hushpush cancel` */
export async function cancel(ids: string[], options: ServerOptions): Promise<void> {
  const { client } = await connect(options);
  const [{ sent }, links] = await Promise.all([client.requests.list(), listLinks(client)]);
  const found = ids.map((id) => findId([...sent, ...links], id)); // before any is cancelled
  const cancelled: (RequestedSecret | RequestLinkObject)[] = [];
  for (const id of found) {
    const isLink = links.some((link) => link.id === id);
    cancelled.push(await (isLink ? client.requests.closeLink(id) : client.requests.cancel(id)));
  }
  const text = cancelled
    .map((ended) =>
      'provider' in ended
        ? `Cancelled the request to ${ended.provider}.`
        : `Closed the link “${ended.title}”. What was sent stays.`,
    )
    .join('\n');
  print(options.json, cancelled, visible(text));
}

/** Ids begin with the time, so that it is their ends that differ. */
const shortIdLength = 8;
const idLength = 32;

/** The whole id of an open request; `id` may be its end, as the table shows it. */
function findId(sent: Pick<Entry, 'id' | 'state'>[], id: string): string {
  if (id.length === idLength) return id;
  const isOpen = (request: Pick<Entry, 'id' | 'state'>) =>
    request.state === 'open' && request.id.endsWith(id);
  const matches = id.length < shortIdLength ? [] : sent.filter(isOpen);
  const [match] = matches;
  if (matches.length > 1) throw new Error(`Several requests end with ${id}: write the whole id.`);
  if (match === undefined) throw new Error(`You have no open request ${id}. See hushpush requests.`);
  return match.id;
}

type Entry = Pick<ListedSecretRequest, 'id' | 'other_name' | 'reason' | 'expires_at'> & {
  state: string;
  direction: string;
  other: string;
};

const linkEntry = ({ id, title, state, answers, answers_used, expires_at }: RequestLinkObject): Entry => ({
  ...{ id, state, expires_at, direction: 'by', other_name: null, reason: title },
  other: `link, ${answers_used} of ${answers}`,
});

function requestTable(entries: Entry[]): string {
  return fitTable([
    { title: 'ID', cells: entries.map(({ id }) => id.slice(-shortIdLength)) },
    {
      title: 'PERSON',
      cells: entries.map(({ direction, other_name, other }) => `${direction} ${other_name ?? other}`),
    },
    { title: 'STATE', cells: entries.map(({ state }) => state) },
    {
      title: 'DUE',
      cells: entries.map(({ state, expires_at }) => (state === 'open' ? relativeTime(expires_at) : '')),
    },
    { title: 'REASON', cells: entries.map(({ reason }) => reason ?? ''), isFlexible: true },
  ]);
}
