import type { UserProfile } from '@mattermost/types/users';
import { type FindStanding, isTimeZone, type Standing } from '../../domain/index.ts';
import { hourMs } from '../../time.ts';
import type { TimeReader } from '../inWords.ts';
import { createCache, createLookup } from '../lookup.ts';
import { isUnknown, type MattermostApi, MattermostError, UnreachableError } from './api.ts';

const timeoutMs = 500;
const standingTimeoutMs = 1_000;

export type MattermostPeople = ReturnType<typeof createPeople>;

/** What Mattermost says of its users, and how they are reached. */
export function createPeople(api: MattermostApi) {
  const lookUpProfile = createLookup((id) => api.user(id), { freshForMs: hourMs, timeoutMs });
  /** By ids, or names, with commas between them. */
  const lookUpNames = createLookup((ids) => api.users(ids.split(',')), { freshForMs: hourMs, timeoutMs });
  const lookUpByNames = createLookup((names) => api.usersByNames(names.split(',')), {
    entriesMax: 1_000,
    timeoutMs: standingTimeoutMs,
  });
  const lookUpStanding = createLookup(readStanding, { timeoutMs: standingTimeoutMs });
  const teams = createCache(() => api.myTeams());
  const me = createCache(() => api.me(), { freshForMs: Number.POSITIVE_INFINITY });
  const directChannelOf = createCache(openDirect);

  async function readerOf(id: string): Promise<TimeReader> {
    const profile = await lookUpProfile(id);
    return profile === undefined ? {} : { locale: profile.locale, timeZone: timeZoneOf(profile) };
  }

  /** The names of users, by their ids, as far as Mattermost tells them in time. */
  async function namesOf(ids: string[]): Promise<Map<string, string>> {
    const found = ids.length === 0 ? [] : await lookUpNames(ids.toSorted().join(','));
    return new Map(found?.map(({ id, username }) => [id, username]));
  }

  async function find(names: string[]): Promise<(string | undefined)[]> {
    const wanted = names.map((name) => name.toLowerCase());
    const found = (await lookUpByNames(wanted.join(','))) ?? [];
    return wanted.map((name) => found.find((user) => user.username === name && isActive(user))?.id);
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
    lookUpStanding(`${team} ${address}`, undefined, { fresh });

  /**
   * The team whose rules apply where Mattermost names none, as in direct messages: the first of ours that somebody is in, whose
   * command they could have used as well.
   */
  async function maybeTeamOf(address: string): Promise<string | undefined> {
    const ours = await teams('ours');
    for (const { id } of ours)
      if ((await standings({ platform: 'mattermost', address }, id)) !== 'stranger') return id;
    return ours[0]?.id;
  }

  /** Throws `UnreachableError` for users who have left, and where the server allows no direct message. */
  async function openDirect(user: string): Promise<string> {
    const profile = await orNull(api.user(user));
    if (profile === null || !isActive(profile)) throw new UnreachableError('has no such user');
    try {
      return await api.openDirect((await me('me')).id, user);
    } catch (error) {
      if (error instanceof MattermostError && error.status === 403)
        throw new UnreachableError('allows no direct message');
      throw error;
    }
  }

  return { readerOf, namesOf, find, standings, maybeTeamOf, directChannelOf };
}

const isActive = ({ delete_at, is_bot }: UserProfile): boolean => delete_at === 0 && !is_bot;

function timeZoneOf({ timezone }: UserProfile): string | undefined {
  const { useAutomaticTimezone, automaticTimezone = '', manualTimezone = '' } = timezone ?? {};
  const name = String(useAutomaticTimezone) === 'true' ? automaticTimezone : manualTimezone;
  return name !== '' && isTimeZone(name) ? name : undefined;
}

/** Null for what Mattermost does not know. */
const orNull = <T>(work: Promise<T>): Promise<T | null> =>
  work.catch((error) => {
    if (isUnknown(error)) return null;
    throw error;
  });
