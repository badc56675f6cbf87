import type { Context } from 'koa';
import { DomainError, SecondFactorRequired } from '../domain/index.ts';
import type { Cookies } from '../http/cookies.ts';
import { SignInRequired, signInPath } from './signInRequired.ts';

/** The page of an account's second factors. */
export const factorsPath = '/account/second-factor';

/** The cookie that ties the second step of a sign-in to the browser of the first. */
export const stepCookie = 'second-factor';
const maxAgeSeconds = 10 * 60;

/** Keeps the first step in this browser, and returns where the second one is done. */
function beginSecondStep(ctx: Context, cookies: Cookies, error: SecondFactorRequired, next?: string): string {
  cookies.set(ctx, stepCookie, error.step, { sameSite: 'lax', maxAgeSeconds });
  const target = error.next ?? next;
  return target === undefined ? '/second-factor' : `/second-factor?next=${encodeURIComponent(target)}`;
}

export function clearStepCookie(ctx: Context, cookies: Cookies): void {
  cookies.set(ctx, stepCookie, '', { sameSite: 'lax', maxAgeSeconds: 0 });
}

/** The page to go to before the requested one: to sign in, to do the second step of it, or to set up a second factor. */
export function maybeElsewhere(
  ctx: Context,
  cookies: Cookies,
  error: unknown,
  next: string | undefined,
): string | undefined {
  if (error instanceof SignInRequired) return signInPath(ctx);
  if (error instanceof SecondFactorRequired) return beginSecondStep(ctx, cookies, error, next);
  const isMissing = error instanceof DomainError && error.messageCode === 'secondFactorMissing';
  return isMissing ? `${factorsPath}?required=yes` : undefined;
}
