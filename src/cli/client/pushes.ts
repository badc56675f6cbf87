import type { ActivityEntry, ListEntry, ListParams, PushClient } from '../../client/client.ts';
import { takeFirst } from '../../client/pages.ts';
import { print } from '../output.ts';
import { connect, type ServerOptions } from './connect.ts';
import { type DurationOptions, minutesIn } from './duration.ts';
import { namesRequestLink, sendLinkAgain } from './requestLinks.ts';
import { fitTable, localTime, relativeTime } from './tables.ts';
import { note, visible } from './terminal.ts';

export type ListOptions = ServerOptions & { limit: number };

/** `hushpush list` */
export async function list(options: ListOptions & ListParams & { expired?: true }): Promise<void> {
  const { client } = await connect(options);
  const { search, recipient, kind, sort } = options;
  const state = options.expired ? 'expired' : 'active';
  const { first: entries, hasMore } = await takeFirst(
    client.list(state, { search, recipient, kind, sort }),
    options.limit,
  );
  const isFiltered = [search, recipient, kind].some((filter) => filter !== undefined);
  const none = isFiltered ? `No ${state} push matches.` : `There are no ${state} pushes.`;
  print(options.json, entries, entries.length === 0 ? none : pushTable(entries));
  if (hasMore) note(`There are more: add --limit ${options.limit * 10}.`, options);
}

/** `hushpush activity` */
export async function activity(push: string, options: ListOptions): Promise<void> {
  const { client } = await connect(options, push);
  const { first: entries, hasMore } = await takeFirst(
    client.activity(await resolveId(client, push)),
    options.limit,
  );
  print(options.json, entries, entries.length === 0 ? 'Nothing has happened yet.' : activityTable(entries));
  if (hasMore) note(`There is more: add --limit ${options.limit * 10}.`, options);
}

/** `hushpush expire` */
export async function expire(push: string, options: ServerOptions): Promise<void> {
  const { client } = await connect(options, push);
  const expired = await client.expire(await resolveId(client, push));
  print(options.json, expired, expired.deleted ? 'Expired, and erased.' : 'It had expired already.');
}

/** `hushpush extend` */
export async function extend(push: string, options: ServerOptions & DurationOptions): Promise<void> {
  const total = minutesIn(options);
  if (total === 0) throw new Error('Say for how long: with --days, --hours or --minutes, from now.');
  const { client } = await connect(options, push);
  const extended = await client.extend(await resolveId(client, push), total);
  print(options.json, extended, `Expires ${relativeTime(extended.expires_at)}.`);
}

/** `hushpush send-again` */
export async function sendAgain(named: string, address: string, options: ServerOptions): Promise<void> {
  const sent = namesRequestLink(named)
    ? await sendLinkAgain(named, address, options)
    : await sendPushAgain(named, address, options);
  print(options.json, sent, `A mail with the link is on its way to ${visible(address)}.`);
}

async function sendPushAgain(push: string, address: string, options: ServerOptions) {
  const { client } = await connect(options, push);
  return client.recipients.sendAgain(await resolveId(client, push), address);
}

/** `hushpush withdraw` */
export async function withdraw(push: string, address: string, options: ServerOptions): Promise<void> {
  if (namesRequestLink(push))
    throw new Error('A request link is the same for everybody who has it: hushpush cancel closes it.');
  const { client } = await connect(options, push);
  const withdrawn = await client.recipients.withdraw(await resolveId(client, push), address);
  print(options.json, withdrawn, `The link of ${visible(address)} opens nothing any more.`);
}

const shortIdLength = 12;

/** What an argument names: a short id, as the table shows it, is looked for among your pushes. */
async function resolveId(client: PushClient, push: string): Promise<string> {
  if (!/^[0-9a-f]+$/.test(push) || push.length !== shortIdLength) return push;
  for (const state of ['active', 'expired'] as const)
    for await (const { url_token_sha256 } of client.list(state))
      if (url_token_sha256?.startsWith(push)) return url_token_sha256;
  return push;
}

function pushTable(entries: ListEntry[]): string {
  return fitTable([
    { title: entries.some(({ url_token }) => url_token) ? 'TOKEN' : 'ID', cells: entries.map(nameOf) },
    { title: 'KIND', cells: entries.map(({ kind }) => kind ?? '') },
    { title: 'VIEWS', cells: entries.map(viewsOf) },
    {
      title: 'EXPIRES',
      cells: entries.map(({ expires_at, expired_on }) => relativeTime(expired_on ?? expires_at)),
    },
    { title: 'NAME', cells: entries.map(({ name }) => name ?? ''), isFlexible: true },
  ]);
}

/** Where a token may not see links, the beginning of an id, as `resolveId` reads it. */
const nameOf = ({ url_token, url_token_sha256 }: ListEntry) =>
  url_token ?? url_token_sha256?.slice(0, shortIdLength) ?? 'unreadable';

const viewsOf = ({ views_total, views_remaining }: ListEntry) =>
  `${views_total - views_remaining}/${views_total}`;

function activityTable(entries: ActivityEntry[]): string {
  return fitTable([
    { title: 'TIME', cells: entries.map(({ created_at }) => localTime(created_at)) },
    { title: 'EVENT', cells: entries.map(({ kind, times = 1 }) => (times > 1 ? `${kind} ×${times}` : kind)) },
    { title: 'ADDRESS', cells: entries.map(({ ip }) => ip) },
    {
      title: entries.some(({ place }) => place) ? 'PLACE AND PROGRAM' : 'PROGRAM',
      cells: entries.map(({ place, user_agent }) =>
        [place?.city, place?.country, user_agent].filter((text) => text !== undefined).join(', '),
      ),
      isFlexible: true,
    },
  ]);
}
