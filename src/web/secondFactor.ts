import type { Context } from 'koa';
import type { SecondFactorRequired } from '../domain/index.ts';
import type { Cookies } from '../http/cookies.ts';

/** The cookie that ties the second step of a sign-in to the browser of the first. */
export const stepCookie = 'second-factor';
const maxAgeSeconds = 10 * 60;

/** Keeps the first step in this browser, and returns where the second one is done. */
export function beginSecondStep(
  ctx: Context,
  cookies: Cookies,
  error: SecondFactorRequired,
  next?: string,
): string {
  cookies.set(ctx, stepCookie, error.step, { sameSite: 'lax', maxAgeSeconds });
  const target = error.next ?? next;
  return target === undefined ? '/second-factor' : `/second-factor?next=${encodeURIComponent(target)}`;
}

export function clearStepCookie(ctx: Context, cookies: Cookies): void {
  cookies.set(ctx, stepCookie, '', { sameSite: 'lax', maxAgeSeconds: 0 });
}
