import { createHash } from 'node:crypto';
import type { Platform } from '../platform.ts';

type Window = { used: number; endsAt: number };

/** The effect of a rate limit: response headers, and the delay if the request is refused. */
export type Verdict = {
  headers: Record<string, string>;
  retryAfterSeconds: number | undefined;
  scope: 'user' | 'global';
};

/** Rate limits, which use real time: https://docs.discord.com/developers/topics/rate-limits */
export function createLimits({ settings }: Platform) {
  const windows = new Map<string, Window>();
  const overrides = new Map<string, { limit: number; perMs: number }>();

  function windowOf(key: string, perMs: number): Window {
    const known = windows.get(key);
    if (known && known.endsAt > Date.now()) return known;
    const fresh = { used: 0, endsAt: Date.now() + perMs };
    windows.set(key, fresh);
    return fresh;
  }

  /** Counts a request to an operation for its resource, such as a channel. */
  function take(operation: string, about: string, isBound: boolean): Verdict {
    const { limit, perMs } = overrides.get(operation) ?? settings.bucket;
    const global = windowOf('global', 1000);
    if (isBound && global.used >= settings.globalPerSecond)
      return { headers: {}, retryAfterSeconds: secondsTo(global.endsAt), scope: 'global' };
    if (isBound) global.used += 1;
    const window = windowOf(`${operation} ${about}`, perMs);
    const isOver = window.used >= limit;
    if (!isOver) window.used += 1;
    const headers = {
      'x-ratelimit-limit': String(limit),
      'x-ratelimit-remaining': String(limit - window.used),
      'x-ratelimit-reset': (window.endsAt / 1000).toFixed(3),
      'x-ratelimit-reset-after': String(secondsTo(window.endsAt)),
      'x-ratelimit-bucket': createHash('md5').update(operation).digest('hex'),
    };
    return { headers, retryAfterSeconds: isOver ? secondsTo(window.endsAt) : undefined, scope: 'user' };
  }

  return {
    take,
    /** Limits the requests to an operation in a period. */
    set: (operation: string, limit: { limit: number; perMs: number }) => void overrides.set(operation, limit),
  };
}

function secondsTo(time: number): number {
  return Math.max(1, time - Date.now()) / 1000;
}

/** https://docs.discord.com/developers/topics/rate-limits#exceeding-a-rate-limit */
export function tooMany(retryAfterSeconds: number, scope: 'user' | 'shared' | 'global') {
  const headers = {
    'retry-after': String(Math.ceil(retryAfterSeconds)),
    'x-ratelimit-scope': scope,
    ...(scope === 'global' && { 'x-ratelimit-global': 'true' }),
  };
  const whose = scope === 'shared' ? 'The resource is being rate limited.' : 'You are being rate limited.';
  const body = { message: whose, retry_after: retryAfterSeconds, global: scope === 'global' };
  return { status: 429, headers, body };
}
