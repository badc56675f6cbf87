import type { webApi } from '@slack/bolt';
import {
  addressUser,
  addressWorkspace,
  bindingWorkspace,
  type ChatCaller,
  type FindStanding,
  isTimeZone,
  type Standing,
} from '../../domain/index.ts';
import { hourMs } from '../../time.ts';
import { createLookup } from '../lookup.ts';
import type { Authorization } from './authorization.ts';
import { addressOf, type UserProfile } from './caller.ts';
import { isSlackUnreachable } from './errors.ts';

type SlackUser = NonNullable<webApi.UsersInfoResponse['user']>;
type Member = NonNullable<webApi.UsersListResponse['members']>[number];
type Names = Map<string, string | undefined>;

const pageSize = 1_000;
const pagesMax = 5;
/** Slack waits three seconds for a response, of which a submission may take 2.2 after this. */
const profileTimeoutMs = 500;
/** A command must be answered, or open its form, within three seconds, and a submitted form be answered. */
const timeoutMs = 1_000;

export type SlackPeople = ReturnType<typeof createSlackPeople>;

/** What Slack says of its users, cached for an hour, or ten minutes where it decides what somebody may do. */
export function createSlackPeople({ maybeClient }: Pick<Authorization, 'maybeClient'>) {
  const lookUp = createLookup(readUser, { timeoutMs });
  const lookUpProfile = createLookup(readUser, { freshForMs: hourMs, timeoutMs: profileTimeoutMs });
  const lookUpNames = createLookup(readNames, { entriesMax: 100, timeoutMs });

  /** A user by their address, as far as Slack tells in time. */
  async function profileOf(client: webApi.WebClient, address: string): Promise<UserProfile> {
    const { locale, tz, name, profile } = (await lookUpProfile(address, client)) ?? {};
    const timeZone = tz !== undefined && isTimeZone(tz) ? tz : undefined;
    return { locale, timeZone, name: profile?.display_name || name };
  }

  const standings: FindStanding = async (chatUser, workspace, { fresh } = {}) => {
    const client = await maybeClient(addressWorkspace(chatUser));
    const user = client && (await lookUp(chatUser.address, client, { fresh }));
    return user === undefined ? undefined : standingIn(workspace, user, chatUser.address);
  };

  /** The members with these names. Undefined is who there is none for, or several, or all if Slack is slow. */
  async function find(
    client: webApi.WebClient,
    caller: ChatCaller,
    names: string[],
  ): Promise<(string | undefined)[]> {
    const ids = await lookUpNames(bindingWorkspace(caller), client);
    const found = names.map((name) => ids?.get(name.toLowerCase()));
    return found.map((user) => user && addressOf(addressWorkspace(caller.chatUser), user));
  }

  return { profileOf, standings, find };
}

/** A user by their address; null for one that Slack does not show us. */
async function readUser(address: string, client: webApi.WebClient): Promise<SlackUser | null> {
  try {
    const { user } = await client.users.info({ user: addressUser(address), include_locale: true });
    return user ?? null;
  } catch (error) {
    if (isSlackUnreachable(error)) return null;
    throw error;
  }
}

/** In an organisation, Slack tells of the user's own workspace, which may be another one than that where they act. */
export function standingIn(workspace: string, user: SlackUser | null, address: string): Standing {
  if (user === null || user.is_stranger) return 'stranger';
  const { enterprise_user: ofOrganisation, team_id: team } = user;
  const isAtHome = team === workspace;
  const organisation = addressWorkspace({ platform: 'slack', address });
  if (!isAtHome && ofOrganisation?.enterprise_id !== organisation) return 'stranger';
  if (user.is_restricted || user.is_ultra_restricted) return 'guest';
  const isAdmin = isAtHome && (user.is_admin || user.is_owner);
  return isAdmin || ofOrganisation?.is_admin || ofOrganisation?.is_owner ? 'admin' : 'member';
}

/** The members of a workspace by their names. One that several members have matches none of them. */
async function readNames(team_id: string, client: webApi.WebClient): Promise<Names> {
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

/** What people may call a member, in small letters. */
function namesIn({ name, deleted, is_bot, profile }: Member): Set<string> {
  const all = deleted || is_bot ? [] : [name, profile?.display_name];
  return new Set(all.flatMap((each) => each?.toLowerCase() || []));
}
