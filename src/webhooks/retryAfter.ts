import { hourMs } from '../time.ts';

const retryAfterMaxMs = 24 * hourMs;

/**
 * How long a Retry-After asks to wait, in seconds or until a date of any form that HTTP knows (RFC 9110, sections 10.2.3
 * and 5.6.7): a day at most, undefined where it asks for nothing.
 */
export function retryAfterMs(header: string | undefined, now: number): number | undefined {
  const requestedMs = parseRetryAfter(header?.trim() ?? '', now);
  return requestedMs > 0 ? Math.min(requestedMs, retryAfterMaxMs) : undefined;
}

function parseRetryAfter(text: string, now: number): number {
  if (/^\d+$/.test(text)) return Number(text) * 1_000;
  const [, date] = /^([A-Z][a-z]{2,8},? .*?)( GMT)?$/.exec(text) ?? [];
  return date === undefined ? 0 : Date.parse(`${date} GMT`) - now;
}
