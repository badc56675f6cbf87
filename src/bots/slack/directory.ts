import { setTimeout as sleep } from 'node:timers/promises';
import type { webApi } from '@slack/bolt';
import { minuteMs } from '../../time.ts';

type Names = Map<string, string | undefined>;

const freshForMs = 10 * minuteMs;
const workspacesMax = 100;
const pageSize = 1_000;
const pagesMax = 5;
/** A command must be answered, or open its form, within three seconds. */
const lookupTimeoutMs = 1_000;

export type Directory = ReturnType<typeof createDirectory>;

/** Finds the members of workspaces by the names that people type. Names are cached for ten minutes. */
export function createDirectory() {
  const cache = new Map<string, { at: number; names: Promise<Names> }>();

  /** The id of the one member with this name; undefined if there is none, there are several, or Slack is slow. */
  async function maybeUserId(
    client: webApi.WebClient,
    team: string,
    name: string,
  ): Promise<string | undefined> {
    const found = namesOf(client, team).then((names) => names.get(name.toLowerCase()));
    return Promise.race([found, sleep(lookupTimeoutMs, undefined, { ref: false })]).catch(() => undefined);
  }

  function namesOf(client: webApi.WebClient, team: string): Promise<Names> {
    const cached = cache.get(team);
    if (cached !== undefined && performance.now() - cached.at < freshForMs) return cached.names;
    if (cache.size >= workspacesMax) cache.clear();
    const names = readNames(client, team);
    cache.set(team, { at: performance.now(), names });
    names.catch(() => cache.delete(team));
    return names;
  }

  return { maybeUserId };
}

/** Names that several members have lead to nobody. */
async function readNames(client: webApi.WebClient, team_id: string): Promise<Names> {
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
