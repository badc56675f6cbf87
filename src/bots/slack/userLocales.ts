import { setTimeout as sleep } from 'node:timers/promises';
import type { webApi } from '@slack/bolt';
import { hourMs } from '../../time.ts';
import { userOf } from './caller.ts';

const freshForMs = hourMs;
const cacheMax = 50_000;
/** Slack waits three seconds for a response, of which a submission may take 2.2 after this. */
const lookupTimeoutMs = 500;

export type UserLocales = ReturnType<typeof createUserLocales>;

/** The languages that users have chosen in Slack, by their addresses. Cached for an hour. */
export function createUserLocales() {
  const cache = new Map<string, { at: number; locale: Promise<string | undefined> }>();

  /** The language tag of a user; undefined if Slack does not tell it in time. */
  async function maybeLocale(client: webApi.WebClient, address: string): Promise<string | undefined> {
    const timeout = new AbortController();
    const { signal } = timeout;
    const known = lookUp(client, address).catch(() => undefined);
    const late = sleep(lookupTimeoutMs, undefined, { ref: false, signal }).catch(() => undefined);
    return Promise.race([known, late]).finally(() => timeout.abort());
  }

  function lookUp(client: webApi.WebClient, address: string): Promise<string | undefined> {
    const cached = cache.get(address);
    if (cached !== undefined && performance.now() - cached.at < freshForMs) return cached.locale;
    if (cache.size >= cacheMax) cache.clear();
    const locale = readLocale(client, address);
    cache.set(address, { at: performance.now(), locale });
    locale.catch(() => cache.delete(address));
    return locale;
  }

  return { maybeLocale };
}

async function readLocale(client: webApi.WebClient, address: string): Promise<string | undefined> {
  const { user } = await client.users.info({ user: userOf(address), include_locale: true });
  return user?.locale;
}
