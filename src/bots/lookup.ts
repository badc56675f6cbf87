import { withinTime } from '../retry.ts';

type CacheOptions = { freshForMs: number; entriesMax: number };

/** Facts from a chat, by key, each of which is read once while it is fresh. A failure is not kept. */
export function createCache<Source, T>(
  read: (source: Source, key: string) => Promise<T>,
  { freshForMs, entriesMax }: CacheOptions,
) {
  const cache = new Map<string, { at: number; value: Promise<T> }>();

  return function find(source: Source, key: string, { fresh = false } = {}): Promise<T> {
    const cached = fresh ? undefined : cache.get(key);
    if (cached !== undefined && performance.now() - cached.at < freshForMs) return cached.value;
    if (cache.size >= entriesMax) cache.clear();
    const value = read(source, key);
    cache.set(key, { at: performance.now(), value });
    value.catch(() => cache.delete(key));
    return value;
  };
}

/** The same, undefined if the chat fails or does not respond in time; a late response is there for the next lookup. */
export function createLookup<Source, T>(
  read: (source: Source, key: string) => Promise<T>,
  { timeoutMs, ...options }: CacheOptions & { timeoutMs: number },
) {
  const find = createCache(read, options);

  return async function lookUp(
    source: Source,
    key: string,
    { fresh = false }: { fresh?: boolean | undefined } = {},
  ): Promise<T | undefined> {
    const found = find(source, key, { fresh }).catch(() => undefined);
    return (await withinTime(found, timeoutMs))?.value;
  };
}
