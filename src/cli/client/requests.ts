import type { ListedSecretRequest } from '../../client/client.ts';
import { print } from '../output.ts';
import { connect, type ServerOptions } from './connect.ts';
import { fitTable, relativeTime } from './tables.ts';

/** `hushpush request` */
export async function request(from: string, options: ServerOptions & { reason?: string }): Promise<void> {
  const { client } = await connect(options);
  const requested = await client.requests.create({ from, reason: options.reason });
  const { provider, expires_at } = requested;
  const text = `Asked ${provider}. The answer gets to you in the chat; the request expires ${relativeTime(expires_at)}.`;
  print(options.json, requested, text);
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

type Entry = ListedSecretRequest & { direction: string; other: string };

function requestTable(entries: Entry[]): string {
  return fitTable([
    {
      title: 'PERSON',
      cells: entries.map(({ direction, other_name, other }) => `${direction} ${other_name ?? other}`),
    },
    { title: 'STATE', cells: entries.map(({ state }) => state) },
    { title: 'ASKED', cells: entries.map(({ created_at }) => relativeTime(created_at)) },
    { title: 'REASON', cells: entries.map(({ reason }) => reason ?? ''), isFlexible: true },
  ]);
}
