import type { DiscordRest } from './restClient.ts';

const cacheMax = 10_000;

/** The channels of users' direct messages. They never change, so they are cached; opening one again is harmless. */
export function createDirectChannels(rest: Pick<DiscordRest, 'openDm'>) {
  const cache = new Map<string, string>();

  async function open(userId: string): Promise<string> {
    const cached = cache.get(userId);
    if (cached !== undefined) return cached;
    const channel = await rest.openDm(userId);
    if (cache.size >= cacheMax) cache.clear();
    cache.set(userId, channel);
    return channel;
  }

  return { open };
}
