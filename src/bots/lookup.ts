import { withinTime } from '../retry.ts';
import { minuteMs } from '../time.ts';

type CacheOptions = { freshForMs?: number; entriesMax?: number };
type FindOptions = { fresh?: boolean | undefined };

/** Facts from a chat, by key, each of which is read once while it is fresh. A failure is not kept. */
export function createCache<T, Source = void>(
  read: (key: string, source: Source) => Promise<T>,
  { freshForMs = 10 * minuteMs, entriesMax = 50_000 }: CacheOptions = {},
) {
  const cache = new Map<string, { at: number; value: Promise<T> }>();

  return function find(key: string, source: Source, { fresh = false }: FindOptions = {}): Promise<T> {
    const cached = fresh ? undefined : cache.get(key);
    if (cached !== undefined && performance.now() - cached.at < freshForMs) return cached.value;
    if (cache.size >= entriesMax) cache.clear();
    const value = read(key, source);
    cache.set(key, { at: performance.now(), value });
    value.catch(() => cache.delete(key));
    return value;
  };
}

/** The same, undefined if the chat fails or does not respond in time; a late response is there for the next lookup. */
export function createLookup<T, Source = void>(
  read: (key: string, source: Source) => Promise<T>,
  { timeoutMs, ...options }: CacheOptions & { timeoutMs: number },
) {
  const find = createCache(read, options);

  return async function lookUp(key: string, source: Source, more?: FindOptions): Promise<T | undefined> {
    const found = find(key, source, more).catch(() => undefined);
    return (await withinTime(found, timeoutMs))?.value;
  };
}
