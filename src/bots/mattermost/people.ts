import type { UserProfile } from '@mattermost/types/users';
import { type FindStanding, isTimeZone, type Standing } from '../../domain/index.ts';
import { hourMs, minuteMs } from '../../time.ts';
import type { TimeReader } from '../inWords.ts';
import { createCache, createLookup } from '../lookup.ts';
import { isUnknown, type MattermostApi, MattermostError, UnreachableError } from './api.ts';

const timeoutMs = 500;
const standingTimeoutMs = 1_000;

export type MattermostPeople = ReturnType<typeof createPeople>;

/** What Mattermost says of its users, and how they are reached. */
export function createPeople(api: MattermostApi) {
  const readFor = { freshForMs: hourMs, entriesMax: 50_000 };
  const lookUpProfile = createLookup((_: undefined, id) => api.user(id), { ...readFor, timeoutMs });
  /** By ids with commas between them. */
  const lookUpNames = createLookup((_: undefined, ids) => api.users(ids.split(',')), {
    ...readFor,
    timeoutMs,
  });
  const lookUpByNames = createLookup(
    (_: undefined, names) => api.usersByNames(names.toLowerCase().split(',')),
    {
      freshForMs: 10 * minuteMs,
      entriesMax: 1_000,
      timeoutMs: standingTimeoutMs,
    },
  );
  const lookUpStanding = createLookup((_: undefined, key) => readStanding(key), {
    freshForMs: 10 * minuteMs,
    entriesMax: 50_000,
    timeoutMs: standingTimeoutMs,
  });
  const teams = createCache((_: undefined, _key) => api.myTeams(), {
    freshForMs: 10 * minuteMs,
    entriesMax: 1,
  });
  const me = createCache((_: undefined, _key) => api.me(), {
    freshForMs: Number.POSITIVE_INFINITY,
    entriesMax: 1,
  });
  const directChannels = createCache((_: undefined, user) => openDirect(user), {
    freshForMs: 10 * minuteMs,
    entriesMax: 50_000,
  });

  async function readerOf(id: string): Promise<TimeReader> {
    const profile = await lookUpProfile(undefined, id);
    return profile === undefined ? {} : { locale: profile.locale, timeZone: timeZoneOf(profile) };
  }

  /** The names of users, by their ids, as far as Mattermost tells them in time. */
  async function namesOf(ids: string[]): Promise<Map<string, string>> {
    const found = ids.length === 0 ? [] : await lookUpNames(undefined, ids.toSorted().join(','));
    return new Map(found?.map(({ id, username }) => [id, username]));
  }

  async function find(names: string[]): Promise<{ addresses: string[]; unknown: string[] }> {
    const found = names.length === 0 ? [] : await lookUpByNames(undefined, names.join(','));
    const ids = new Map((found ?? []).filter(isActive).map(({ id, username }) => [username, id]));
    return {
      addresses: names.flatMap((name) => ids.get(name.toLowerCase()) ?? []),
      unknown: names.filter((name) => !ids.has(name.toLowerCase())),
    };
  }

  /** What somebody is in a team: `TEAM USER`. */
  async function readStanding(key: string): Promise<Standing> {
    const [team = '', id = ''] = key.split(' ');
    const [user, member] = await Promise.all([orNull(api.user(id)), orNull(api.member(team, id))]);
    if (user === null || member === null || !isActive(user) || member.delete_at !== 0) return 'stranger';
    const roles = `${user.roles} ${member.roles}`.split(' ');
    if (roles.includes('system_admin') || roles.includes('team_admin') || member.scheme_admin) return 'admin';
    return member.scheme_guest || roles.includes('system_guest') ? 'guest' : 'member';
  }

  const standings: FindStanding = ({ address }, team, { fresh } = {}) =>
    lookUpStanding(undefined, `${team} ${address}`, { fresh });

  /**
   * The team whose rules apply where Mattermost names none, as in direct messages: the first of ours that somebody is in, whose
   * command they could have used as well.
   */
  async function maybeTeamOf(address: string): Promise<string | undefined> {
    const ours = await teams(undefined, '');
    for (const { id } of ours)
      if ((await standings({ platform: 'mattermost', address }, id)) !== 'stranger') return id;
    return ours[0]?.id;
  }

  /** Throws `UnreachableError` for users who have left, and where the server allows no direct message. */
  async function openDirect(user: string): Promise<string> {
    const profile = await orNull(api.user(user));
    if (profile === null || !isActive(profile)) throw new UnreachableError('Mattermost has no such user');
    try {
      return await api.openDirect((await me(undefined, '')).id, user);
    } catch (error) {
      if (error instanceof MattermostError && error.status === 403)
        throw new UnreachableError('Mattermost allows no direct message');
      throw error;
    }
  }

  return {
    readerOf,
    namesOf,
    find,
    standings,
    maybeTeamOf,
    directChannelOf: (user: string) => directChannels(undefined, user),
  };
}

const isActive = ({ delete_at, is_bot }: UserProfile): boolean => delete_at === 0 && !is_bot;

function timeZoneOf({ timezone }: UserProfile): string | undefined {
  const { useAutomaticTimezone, automaticTimezone = '', manualTimezone = '' } = timezone ?? {};
  const name = String(useAutomaticTimezone) === 'true' ? automaticTimezone : manualTimezone;
  return name !== '' && isTimeZone(name) ? name : undefined;
}

/** Null for what Mattermost does not know. */
async function orNull<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (isUnknown(error)) return null;
    throw error;
  }
}
