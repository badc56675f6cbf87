import type { Context } from 'koa';
import type { ClientInfo, Domain } from '../domain/index.ts';
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
async function replaceSession(
  ctx: Context,
  cookies: Cookies,
  sessions: Pick<Domain['sessions'], 'revokeByToken'>,
  token: string,
): Promise<void> {
  await endSession(ctx, cookies, sessions);
  setSessionCookie(ctx, cookies, token);
}

/** The longest time that browsers keep a cookie (RFC 6265bis, section 5.5). */
const browserMaxAgeSeconds = 400 * 24 * 3_600;

/** A client that signs in, with what its browser shows of having done so before. */
export const clientSigningIn = (ctx: Context, cookies: Cookies, client: ClientInfo): ClientInfo => ({
  ...client,
  browserProof: cookies.get(ctx, 'browser'),
});

/**
 * Starts a session in this browser, in place of the one that it had. From now on, the browser can prove that it has signed in to this
 * account.
 */
export async function startSession(
  ctx: Context,
  cookies: Cookies,
  { sessions, knownBrowsers }: Pick<Domain, 'sessions' | 'knownBrowsers'>,
  { session, email }: { session: string; email: string },
): Promise<void> {
  await replaceSession(ctx, cookies, sessions, session);
  const proof = knownBrowsers.prove(email, cookies.get(ctx, 'browser'));
  cookies.set(ctx, 'browser', proof, { sameSite: 'lax', maxAgeSeconds: browserMaxAgeSeconds });
}
