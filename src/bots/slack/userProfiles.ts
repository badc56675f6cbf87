import type { webApi } from '@slack/bolt';
import { addressUser, isTimeZone } from '../../domain/index.ts';
import { hourMs } from '../../time.ts';
import { createLookup } from '../lookup.ts';
import type { UserProfile } from './caller.ts';

/** Slack waits three seconds for a response, of which a submission may take 2.2 after this. */
const timeoutMs = 500;

export type UserProfiles = ReturnType<typeof createUserProfiles>;

/** Profiles of Slack users, by address. Cached for an hour. */
export function createUserProfiles() {
  const maybeProfile = createLookup(readProfile, { freshForMs: hourMs, entriesMax: 50_000, timeoutMs });

  return {
    maybeProfile,
    maybeLocale: async (client: webApi.WebClient, address: string): Promise<string | undefined> =>
      (await maybeProfile(client, address))?.locale,
  };
}

async function readProfile(client: webApi.WebClient, address: string): Promise<UserProfile> {
  const { user } = await client.users.info({ user: addressUser(address), include_locale: true });
  return {
    locale: user?.locale,
    timeZone: user?.tz !== undefined && isTimeZone(user.tz) ? user.tz : undefined,
  };
}
