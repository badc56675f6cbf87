import type { webApi } from '@slack/bolt';
import { minuteMs } from '../../time.ts';
import { createLookup } from '../lookup.ts';

type Names = Map<string, string | undefined>;

const pageSize = 1_000;
const pagesMax = 5;
/** A command must be answered, or open its form, within three seconds. */
const timeoutMs = 1_000;

export type Directory = ReturnType<typeof createDirectory>;

/** Finds the members of workspaces by the names that people type. Names are cached for ten minutes. */
export function createDirectory() {
  const namesOf = createLookup(readMembers, { freshForMs: 10 * minuteMs, entriesMax: 100, timeoutMs });

  /** The ids of the members with these names. Unknown is who there is none for, or several, or all if Slack is slow. */
  async function find(
    client: webApi.WebClient,
    team: string,
    names: string[],
  ): Promise<{ users: string[]; unknown: string[] }> {
    const ids = names.length === 0 ? undefined : await namesOf(client, team);
    const idOf = (name: string) => ids?.get(name.toLowerCase());
    return {
      users: names.flatMap((name) => idOf(name) ?? []),
      unknown: names.filter((name) => idOf(name) === undefined),
    };
  }

  return { find };
}

/** A name that several members have matches none of them. */
async function readMembers(client: webApi.WebClient, team_id: string): Promise<Names> {
  const names: Names = new Map();
  let cursor: string | undefined;
  for (let page = 0; page < pagesMax; page++) {
    const answer = await client.users.list({ team_id, limit: pageSize, ...(cursor && { cursor }) });
    for (const member of answer.members ?? [])
      for (const name of namesIn(member)) names.set(name, names.has(name) ? undefined : member.id);
    cursor = answer.response_metadata?.next_cursor;
    if (!cursor) break;
  }
  return names;
}

type Member = NonNullable<webApi.UsersListResponse['members']>[number];

/** What people may call a member, in small letters. */
function namesIn({ name, deleted, is_bot, profile }: Member): Set<string> {
  const all = deleted || is_bot ? [] : [name, profile?.display_name];
  return new Set(all.flatMap((each) => each?.toLowerCase() || []));
}
