import type { Context } from 'koa';
import type { LimitUse } from '../domain/index.ts';

/**
 * Tells a client its limits, and how many requests each of them has left (draft-ietf-httpapi-ratelimit-headers, as of its
 * version 08). When a window ends would take another query; a refusal says it in Retry-After.
 */
export function setRateLimitHeaders(ctx: Context, uses: LimitUse[]): void {
  if (uses.length === 0) return;
  const named = uses.map(({ setting, rate, remaining }) => ({
    name: `"${nameOf(setting)}-${rate.seconds}s"`,
    rate,
    remaining,
  }));
  const policies = named.map(({ name, rate }) => `${name};q=${rate.points};w=${rate.seconds}`);
  ctx.set('RateLimit-Policy', policies.join(', '));
  ctx.set('RateLimit', named.map(({ name, remaining }) => `${name};r=${remaining}`).join(', '));
}

/** The setting `tokenRequests` limits as `token-requests`. */
function nameOf(setting: string): string {
  return setting.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
