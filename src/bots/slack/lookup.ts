import type { webApi } from '@slack/bolt';
import { withinTime } from '../../timeLimit.ts';

type LookupOptions = { freshForMs: number; entriesMax: number; timeoutMs: number };

/**
 * Facts from Slack about a user or a workspace, cached by key. Undefined if Slack fails or does not respond in time; a
 * late response is there for the next lookup.
 */
export function createLookup<T>(
  read: (client: webApi.WebClient, key: string) => Promise<T>,
  { freshForMs, entriesMax, timeoutMs }: LookupOptions,
) {
  const cache = new Map<string, { at: number; value: Promise<T> }>();

  function find(client: webApi.WebClient, key: string, fresh: boolean): Promise<T> {
    const cached = fresh ? undefined : cache.get(key);
    if (cached !== undefined && performance.now() - cached.at < freshForMs) return cached.value;
    if (cache.size >= entriesMax) cache.clear();
    const value = read(client, key);
    cache.set(key, { at: performance.now(), value });
    value.catch(() => cache.delete(key));
    return value;
  }

  return async function lookUp(
    client: webApi.WebClient,
    key: string,
    { fresh = false }: { fresh?: boolean | undefined } = {},
  ): Promise<T | undefined> {
    const found = find(client, key, fresh).catch(() => undefined);
    return (await withinTime(found, timeoutMs))?.value;
  };
}
