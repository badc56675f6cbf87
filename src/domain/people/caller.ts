import { redactUrlTokens } from '../../crypto/tokens.ts';
import { DomainError } from '../../errors.ts';

/** An owner of pushes, as the rest of the domain and the adapters need it. `notify` is encoded notice preferences. */
export type Account = { id: Buffer; email: string; subscribed: boolean; notify: number };

/**
 * The condition under which an account, from the table accounts as `a`, may do or receive anything. Every way in
 * decides by it: tokens, sessions, sign-in, chats and notices.
 */
export const isEnabled = 'a.disabled_at IS NULL';

/** The condition under which the account of a chat user, given as two SQL expressions, is disabled. */
export const isShutOut = (platform: string, address: string): string =>
  `EXISTS (SELECT 1 FROM chat_identities i JOIN accounts a ON a.id = i.account_id
     WHERE i.platform = ${platform} AND i.address = ${address} AND NOT (${isEnabled}))`;

/** What a token may do: everything, create pushes and expire those, or read lists and audit logs, in which it sees no link. */
export const tokenScopes = ['full', 'create', 'read'] as const;
export type TokenScope = (typeof tokenScopes)[number];

const refusals = { create: 'tokenOnlyCreates', read: 'tokenOnlyReads' } as const;

/** Throws `forbidden` unless a token's scope includes an operation. */
export function requireScope(scope: TokenScope, needed: TokenScope): void {
  if (scope !== 'full' && scope !== needed) throw new DomainError('forbidden', refusals[scope]);
}

const textMax = 255;

/** What is known about a client. Texts that it did not send are empty. */
export type ClientInfo = {
  ip: string;
  userAgent: string;
  referrer: string;
  /** Whether it is one of the programs that fetch links to show previews. */
  isPreviewer: () => boolean;
  /** Whether a page of another site had the browser send this, such as for an image. */
  isCrossSite?: boolean;
  /**
   * Whether the client has disconnected, so that nobody waits for the result. One that only closed its own direction
   * has, too: the two look alike, and Node.js then closes the other direction without the response.
   */
  isGone?: () => boolean;
  /** By what a browser shows that it has signed in before. Only pages that sign somebody in read it. */
  browserProof?: string | undefined;
};

/**
 * A client as the columns of a row. Texts are cut at 255 characters, and url tokens are removed: a browser sends a
 * push's page as the referrer of its form, and a token in clear would open what is encrypted under it.
 */
export function clientColumns({ ip, userAgent, referrer }: ClientInfo) {
  return {
    ip: ip.slice(0, 45),
    userAgent: truncate(redactUrlTokens(userAgent)),
    referrer: truncate(redactUrlTokens(referrer)),
  };
}

function truncate(text: string): string {
  return text.length <= textMax ? text : [...text.slice(0, 2 * textMax)].slice(0, textMax).join('');
}

/** The API token of a request. */
type CallerToken = { id: Buffer; scope: TokenScope };

/** The caller: the account of the request, if any, its client, and the API token if it came with one. */
export type Caller = { account: Account | null; client: ClientInfo; token?: CallerToken | undefined };

/** A caller with an account. */
export type AccountCaller = Caller & { account: Account };

/** The account whose things are listed, and the API token of the request if it came with one. */
export type ListCaller = Omit<AccountCaller, 'client'>;

/** A caller who came without an API token, from a page or a chat. */
export type TokenlessCaller = Omit<Caller, 'token'> & { token?: undefined };

/**
 * Whether a caller may see the links of pushes. A link is a credential: a token that may not open it gets none, except in
 * the answer to a creation.
 */
export const seesLinks = ({ token }: Pick<Caller, 'token'>): boolean =>
  token === undefined || token.scope === 'full';

/** A text as a caller may see it: without anything that could be a link, unless they may see links. */
export const textFor = <Text extends string | null>(caller: Pick<Caller, 'token'>, text: Text): Text =>
  (seesLinks(caller) || text === null ? text : redactUrlTokens(text)) as Text;
