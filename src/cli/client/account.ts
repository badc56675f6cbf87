import type { SecurityLogEntry } from '../../client/client.ts';
import { takeFirst } from '../../client/pages.ts';
import { print } from '../output.ts';
import { connect, type ServerOptions } from './connect.ts';
import { fitTable, localTime } from './tables.ts';
import { note } from './terminal.ts';

/** `hushpush account security` */
export async function security(options: ServerOptions & { limit: number }): Promise<void> {
  const { client } = await connect(options);
  const { first: entries, hasMore } = await takeFirst(client.account.security(), options.limit);
  print(options.json, entries, entries.length === 0 ? 'Nothing has happened yet.' : securityTable(entries));
  if (hasMore) note(`There are more: add --limit ${options.limit * 10}.`, options);
}

const securityTable = (entries: SecurityLogEntry[]): string =>
  fitTable([
    { title: 'TIME', cells: entries.map(({ last_at }) => localTime(last_at)) },
    { title: 'EVENT', cells: entries.map(nameOf) },
    { title: 'FROM', cells: entries.map(({ ip, actor }) => actor ?? ip) },
    { title: 'PROGRAM', cells: entries.map(({ user_agent }) => user_agent), isFlexible: true },
  ]);

function nameOf({ kind, detail, times }: SecurityLogEntry): string {
  const text = detail === null ? kind : `${kind} (${detail})`;
  return times > 1 ? `${text} ×${times}` : text;
}
