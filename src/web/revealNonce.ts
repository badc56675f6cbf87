import type { Context } from 'koa';
import { digestOf, type Push, type RevealNonce, randomBytes, type Signing } from '../domain/index.ts';
import type { Cookies } from '../http/cookies.ts';
import { minuteMs } from '../time.ts';
import { urlTokenLabel } from './urlTokenLabel.ts';

const earliestMs = 500;
const latestMs = 10 * minuteMs;
/** For how long a browser is reminded that it opened a push. */
const openedSeconds = 3_600;

/** A nonce that this service issued to this browser for a push. All its pages reveal once together. */
export type IssuedNonce = RevealNonce & { at: number };

/** That a browser opened a push; its nonce is unknown once the cookie that it was signed for has gone. */
export type OpenedBefore = { at: number; nonce: RevealNonce | undefined };

export type RevealNonces = ReturnType<typeof createRevealNonces>;

/**
 * A nonce in the form of a push's page: the time of issue by the database's clock, random bytes, and a signature over
 * both, the push, and a SameSite=Strict cookie of this browser. Nothing is stored until it reveals a push. The cookie has
 * another name for each push, so that two pages can be open side by side. What is spent is the cookie: two tabs that are
 * pressed in the same instant use one view.
 */
export function createRevealNonces(signing: Signing, cookies: Cookies) {
  /** Creates a nonce for a push, and sets its cookie: another one if that which the browser has is spent. */
  function issue(ctx: Context, { urlToken, now }: Push, { isSpent }: { isSpent: boolean }): string {
    const name = cookieName(urlToken);
    const holder = (isSpent ? undefined : cookies.get(ctx, name)) ?? randomBytes(16).toString('base64url');
    cookies.set(ctx, name, holder, { sameSite: 'strict', maxAgeSeconds: latestMs / 1000 });
    return signNonce(signing, { urlToken, holder, at: now });
  }

  /** The nonce of a form, or undefined for one that this browser has not got from here. Its secret is known to it alone. */
  function maybeIssued(ctx: Context, urlToken: string, nonce = ''): IssuedNonce | undefined {
    const holder = cookies.get(ctx, cookieName(urlToken));
    if (holder === undefined) return undefined;
    const [at = '', random = '', signature = ''] = nonce.split('.');
    if (!signing.isSigned(signature, 'reveal', urlToken, holder, at, random)) return undefined;
    const secret = `${urlToken}.${holder}`;
    return { at: Number(at), digest: digestOf(secret), secret };
  }

  /** Saves in this browser when it opened a push, and with which nonce. */
  function saveOpened(ctx: Context, { urlToken, now }: Push, nonce: string): void {
    const options = { sameSite: 'strict', maxAgeSeconds: openedSeconds } as const;
    cookies.set(ctx, openedName(urlToken), `${now}.${nonce}`, options);
  }

  /** When this browser opened a push, and the nonce that shows the view again for a minute. */
  function maybeOpened(ctx: Context, urlToken: string): OpenedBefore | undefined {
    const saved = cookies.get(ctx, openedName(urlToken)) ?? '';
    const [, at = '', nonce] = /^(\d{1,15})\.(.+)$/.exec(saved) ?? [];
    if (nonce === undefined) return undefined;
    return { at: Number(at), nonce: maybeIssued(ctx, urlToken, nonce) };
  }

  return { issue, maybeIssued, saveOpened, maybeOpened };
}

/** Why a nonce does not reveal, at a time by the database's clock. Forms that come back at once are not from people. */
export function nonceProblem(
  nonce: IssuedNonce | undefined,
  now: number,
): 'foreign' | 'early' | 'late' | undefined {
  if (nonce === undefined) return 'foreign';
  const age = now - nonce.at;
  if (age > latestMs) return 'late';
  return age < earliestMs ? 'early' : undefined;
}

/** A nonce issued `at` a time, in epoch milliseconds by the database's clock. */
export function signNonce(
  signing: Signing,
  { urlToken, holder, at }: { urlToken: string; holder: string; at: number },
): string {
  const random = randomBytes(8).toString('base64url');
  return `${at}.${random}.${signing.sign('reveal', urlToken, holder, String(at), random)}`;
}

const cookieName = (urlToken: string) => `reveal-${urlTokenLabel(urlToken)}`;

const openedName = (urlToken: string) => `opened-${urlTokenLabel(urlToken)}`;
