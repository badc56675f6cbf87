import type { Context } from 'koa';
import { type Domain, DomainError, type Owner, type Person, type Visit } from '../domain/index.ts';

type Credential = { token: string; email?: string };

export type Who = ReturnType<typeof createWho>;

/** Who asks: every handler starts here. A request counts against its token's limit, or its client's without one. */
export function createWho(
  { apiTokens, sessions, limits }: Domain,
  visitOf: (ctx: Context) => Visit,
  sessionOf: (ctx: Context) => string | undefined,
) {
  /** The visitor, and the account whose credential came along, if any. Refuses a credential that is wrong. */
  async function maybeAccount(ctx: Context): Promise<{ owner: Owner | null; visit: Visit }> {
    const visit = visitOf(ctx);
    const credential = credentialOf(ctx);
    if (credential === undefined) {
      await limits.consume('requests', visit);
      return { owner: null, visit };
    }
    const { owner, tokenId } = await authenticate(credential, visit);
    await limits.consume('tokenRequests', { id: tokenId });
    return { owner, visit };
  }

  async function authenticate({ token, email }: Credential, visit: Visit) {
    try {
      return await apiTokens.authenticate(token, email);
    } catch (error) {
      await limits.consume('requests', visit);
      throw error;
    }
  }

  /** As maybeAccount, but refuses a request without a credential. */
  async function requireAccount(ctx: Context): Promise<{ owner: Owner; visit: Visit }> {
    const { owner, visit } = await maybeAccount(ctx);
    if (owner === null)
      throw new DomainError(
        'unauthenticated',
        'This needs an API token: send it as “Authorization: Bearer TOKEN”.',
      );
    return { owner, visit };
  }

  /** A visitor whose credentials are of no interest, such as a person with a browser. */
  async function visitor(ctx: Context): Promise<{ owner: null; visit: Visit }> {
    const visit = visitOf(ctx);
    await limits.consume('requests', visit);
    return { owner: null, visit };
  }

  /** Whoever is signed in with this browser, if anybody is: what pages ask, and the JSON API never does. */
  async function maybePerson(ctx: Context): Promise<{ person: Person | null; visit: Visit }> {
    const visit = visitOf(ctx);
    const token = sessionOf(ctx);
    const person = token === undefined ? null : await sessions.authenticate(token);
    await (person === null
      ? limits.consume('requests', visit)
      : limits.consume('tokenRequests', { id: person.sessionId }));
    return { person, visit };
  }

  return { maybeAccount, requireAccount, maybePerson, visitor };
}

/** The deprecated pair of headers decides where a client sends both forms. An e-mail alone is no credential. */
function credentialOf(ctx: Context): Credential | undefined {
  const [email, token] = [ctx.get('X-User-Email').trim(), ctx.get('X-User-Token').trim()];
  if (email !== '' && token !== '') return { email, token };
  const authorization = ctx.get('Authorization').trim();
  if (authorization !== '') return { token: bearerOf(authorization) };
  return token === '' ? undefined : { token: '' };
}

/** The token of an Authorization header (RFC 6750, section 2.1); empty where it holds none. */
export function bearerOf(authorization: string): string {
  return /^bearer\s+(\S+)$/i.exec(authorization)?.[1] ?? '';
}
