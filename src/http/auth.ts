import type { Context } from 'koa';
import {
  type AccountCaller,
  type Caller,
  type ClientInfo,
  type Domain,
  DomainError,
  type LimitUse,
  requireScope,
  type SignedIn,
  type TokenScope,
} from '../domain/index.ts';

/**
 * Authenticates requests; every handler starts here. A request with a valid credential counts against its token or
 * session, its account and its client; any other against its client.
 */
export function createAuth(
  { apiTokens, sessions, limits }: Domain,
  clientOf: (ctx: Context) => ClientInfo,
  sessionOf: (ctx: Context) => string | undefined,
) {
  /**
   * The caller, with the account of its credential if it has one. Refuses a wrong credential, and a token whose scope is
   * neither full nor the `scope` that suffices for the operation.
   */
  function maybeAccount(ctx: Context, scope: TokenScope = 'full'): Promise<Caller> {
    const token = tokenOf(ctx);
    return token === undefined ? anonymous(ctx) : withToken(ctx, token, scope);
  }

  async function withToken(ctx: Context, token: string, scope: TokenScope): Promise<Caller> {
    const client = clientOf(ctx);
    const { account, tokenId, scope: granted } = await authenticate(token, client);
    setRateLimitHeaders(
      ctx,
      await limits.consume('request', { client, account: account.id, token: tokenId }),
    );
    ctx.set('X-Token-Scope', granted);
    requireScope(granted, scope);
    return { account, client, token: { id: tokenId, scope: granted } };
  }

  async function authenticate(token: string, client: ClientInfo) {
    try {
      if (token === '') throw new DomainError('unauthenticated', 'emptyToken');
      return await apiTokens.authenticate(token, client);
    } catch (error) {
      await limits.consume('anonymousRequest', { client });
      throw error;
    }
  }

  /** As `maybeAccount`, but refuses a request without a credential. */
  async function requireAccount(ctx: Context, scope?: TokenScope): Promise<AccountCaller> {
    const { account, ...caller } = await maybeAccount(ctx, scope);
    if (account === null) throw new DomainError('unauthenticated', 'tokenRequired');
    return { account, ...caller };
  }

  /** Ignores credentials. */
  async function anonymous(ctx: Context): Promise<Caller> {
    const client = clientOf(ctx);
    setRateLimitHeaders(ctx, await limits.consume('anonymousRequest', { client }));
    return { account: null, client };
  }

  /**
   * The account signed in with this browser, if any. For pages; the JSON API ignores cookies. Throws `forbidden` for one that must set up
   * its second factor, except for what is needed for that.
   */
  async function maybeSignedIn(ctx: Context, isSettingUp = false): Promise<Visiting> {
    const client = clientOf(ctx);
    const token = sessionOf(ctx);
    const signedIn = token === undefined ? null : await sessions.authenticate(token, isSettingUp);
    await (signedIn === null
      ? limits.consume('anonymousRequest', { client })
      : limits.consume('request', { client, account: signedIn.id, token: signedIn.sessionId }));
    return { signedIn, client };
  }

  return { maybeAccount, requireAccount, maybeSignedIn, anonymous };
}

type Visiting = { signedIn: SignedIn | null; client: ClientInfo };

/** Whether a request has a credential, right or wrong. Without one it is anonymous. */
export function hasCredential(ctx: Context): boolean {
  return tokenOf(ctx) !== undefined;
}

/**
 * The API token of a request, right or wrong. The deprecated pair of headers takes precedence when a client sends both
 * forms; it needs its e-mail, whatever that says, because Password Pusher never compared it. An e-mail alone is no credential.
 */
function tokenOf(ctx: Context): string | undefined {
  const [email, token] = [ctx.get('X-User-Email').trim(), ctx.get('X-User-Token').trim()];
  if (email !== '' && token !== '') return token;
  const authorization = ctx.get('Authorization').trim();
  if (authorization !== '') return bearerOf(authorization);
  return token === '' ? undefined : '';
}

/** The token of an Authorization header (RFC 6750, section 2.1); empty if there is none. */
export function bearerOf(authorization: string): string {
  return /^bearer\s+(\S+)$/i.exec(authorization)?.[1] ?? '';
}

/**
 * Tells a client its limits, and how many requests each of them has left (draft-ietf-httpapi-ratelimit-headers, as of its
 * version 08). When a window ends would take another query; a refusal says it in Retry-After.
 */
function setRateLimitHeaders(ctx: Context, uses: LimitUse[]): void {
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
