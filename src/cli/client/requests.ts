import type { ListedSecretRequest, RequestedSecret } from '../../client/client.ts';
import { print } from '../output.ts';
import { connect, type ServerOptions } from './connect.ts';
import { type DurationOptions, minutesIn } from './duration.ts';
import { fitTable, relativeTime } from './tables.ts';
import { visible } from './terminal.ts';

type NewRequestOptions = ServerOptions & DurationOptions & { reason?: string };

/** `hushpush request` */
export async function request(from: string[], options: NewRequestOptions): Promise<void> {
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
  const listed = await client.requests.list();
  const entries = [
    ...listed.received.map((entry) => ({ ...entry, direction: 'from', other: entry.requester })),
    ...listed.sent.map((entry) => ({ ...entry, direction: 'to', other: entry.provider })),
  ];
  print(options.json, listed, entries.length === 0 ? 'There are no requests.' : requestTable(entries));
}

/** `hushpush cancel` */
export async function cancel(ids: string[], options: ServerOptions): Promise<void> {
  const { client } = await connect(options);
  const { sent } = await client.requests.list();
  const found = ids.map((id) => findId(sent, id)); // before any is cancelled
  const cancelled: RequestedSecret[] = [];
  for (const id of found) cancelled.push(await client.requests.cancel(id));
  const text = cancelled.map(({ provider }) => `Cancelled the request to ${provider}.`).join('\n');
  print(options.json, cancelled, visible(text));
}

/** Ids begin with the time, so that it is their ends that differ. */
const shortIdLength = 8;
const idLength = 32;

/** The whole id of an open request; `id` may be its end, as the table shows it. */
function findId(sent: ListedSecretRequest[], id: string): string {
  if (id.length === idLength) return id;
  const isOpen = (request: ListedSecretRequest) => request.state === 'open' && request.id.endsWith(id);
  const matches = id.length < shortIdLength ? [] : sent.filter(isOpen);
  const [match] = matches;
  if (matches.length > 1) throw new Error(`Several requests end with ${id}: write the whole id.`);
  if (match === undefined) throw new Error(`You have no open request ${id}. See hushpush requests.`);
  return match.id;
}

type Entry = ListedSecretRequest & { direction: string; other: string };

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
