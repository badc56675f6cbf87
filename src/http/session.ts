import type { Context } from 'koa';
import type { Domain } from '../domain/index.ts';
import type { Cookies } from './cookies.ts';

/** As long as the longest session. */
const maxAgeSeconds = 12 * 3_600;

export function setSessionCookie(ctx: Context, cookies: Cookies, token: string): void {
  cookies.set(ctx, 'session', token, { sameSite: 'lax', maxAgeSeconds });
}

export function clearSessionCookie(ctx: Context, cookies: Cookies): void {
  cookies.set(ctx, 'session', '', { sameSite: 'lax', maxAgeSeconds: 0 });
}

/** Ends the session that this browser has. Its cookie stays. */
async function endSession(
  ctx: Context,
  cookies: Cookies,
  { revokeByToken }: Pick<Domain['sessions'], 'revokeByToken'>,
): Promise<void> {
  const token = cookies.get(ctx, 'session');
  if (token !== undefined) await revokeByToken(token);
}

/** Gives this browser a new session, and ends the one that it had: whoever planted that one does not get the new one (CWE-384). */
export async function replaceSession(
  ctx: Context,
  cookies: Cookies,
  sessions: Pick<Domain['sessions'], 'revokeByToken'>,
  token: string,
): Promise<void> {
  await endSession(ctx, cookies, sessions);
  setSessionCookie(ctx, cookies, token);
}
