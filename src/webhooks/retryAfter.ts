import { hourMs } from '../time.ts';

const retryAfterMaxMs = 24 * hourMs;

/** The delay of a Retry-After header, in seconds or as an HTTP date (RFC 9110, sections 10.2.3 and 5.6.7): at most a day. */
export function retryAfterMs(header: string | undefined, now: number): number | undefined {
  const requestedMs = parseRetryAfter(header?.trim() ?? '', now);
  return requestedMs > 0 ? Math.min(requestedMs, retryAfterMaxMs) : undefined;
}

function parseRetryAfter(text: string, now: number): number {
  if (/^\d+$/.test(text)) return Number(text) * 1_000;
  const [, date] = /^([A-Z][a-z]{2,8},? .*?)( GMT)?$/.exec(text) ?? [];
  return date === undefined ? 0 : Date.parse(`${date} GMT`) - now;
}
