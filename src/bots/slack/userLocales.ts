import type { webApi } from '@slack/bolt';
import { addressUser } from '../../domain/index.ts';
import { hourMs } from '../../time.ts';
import { createLookup } from './lookup.ts';

/** Slack waits three seconds for a response, of which a submission may take 2.2 after this. */
const timeoutMs = 500;

export type UserLocales = ReturnType<typeof createUserLocales>;

/** The languages that users have chosen in Slack, by their addresses. Cached for an hour. */
export const createUserLocales = () => ({
  maybeLocale: createLookup(readLocale, { freshForMs: hourMs, entriesMax: 50_000, timeoutMs }),
});

async function readLocale(client: webApi.WebClient, address: string): Promise<string | undefined> {
  const { user } = await client.users.info({ user: addressUser(address), include_locale: true });
  return user?.locale;
}
