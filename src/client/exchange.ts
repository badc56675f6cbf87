import { ConnectionError, isRecord } from './errors.ts';
import { type ClientOptions, createTransport } from './transport.ts';
import type { GrantedScope } from './wire.ts';

/** An API token that ends by itself, after so many seconds. */
export type ExchangedToken = { token: string; scope: GrantedScope; expiresInSeconds: number };

type ExchangeOptions = Omit<ClientOptions, 'token' | 'email' | 'retryDelaysMs'> & {
  /** The token that an issuer gave to this program: a JSON Web Token. It works once. */
  identityToken: string;
  /** The id of the trust rule. It can be left out if the audience of the token names the rule. */
  rule?: string | undefined;
};

/**
 * Exchanges a token that this program has from somebody else for an API token, by a trust rule of an account on hushpush (RFC 8693).
 * Throws like the calls of a client; the message says what is wrong with the token.
 */
export async function exchangeToken({
  identityToken,
  rule,
  ...options
}: ExchangeOptions): Promise<ExchangedToken> {
  const { call } = createTransport(options);
  const parameters = {
    grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
    subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
    subject_token: identityToken,
    ...(rule && { client_id: rule }),
  };
  const isToken = (body: unknown) => isRecord(body) && typeof body.access_token === 'string';
  const granted = await call<{ access_token: string; scope: GrantedScope; expires_in: number }>(
    'oauth/token',
    isToken,
    { method: 'POST', body: new URLSearchParams(parameters), missing: 'The server exchanges no tokens.' },
  );
  return { token: granted.access_token, scope: granted.scope, expiresInSeconds: granted.expires_in };
}

type GithubOptions = {
  /** `ACTIONS_ID_TOKEN_REQUEST_URL` and `ACTIONS_ID_TOKEN_REQUEST_TOKEN` of a job with the permission `id-token: write`. */
  requestUrl: string;
  requestToken: string;
  /** The id of the trust rule. */
  rule: string;
  fetch?: typeof fetch | undefined;
};

/** The token with which GitHub says which workflow a job is of, for a trust rule alone. Throws a ConnectionError. */
export async function githubIdentity(options: GithubOptions): Promise<string> {
  const url = new URL(options.requestUrl);
  url.searchParams.set('audience', `hushpush:${options.rule}`);
  const headers = { authorization: `Bearer ${options.requestToken}`, accept: 'application/json' };
  const failed = (reason: string, cause?: unknown) =>
    new ConnectionError('unreachable', `GitHub gave this job no identity (${reason}).`, cause);
  const response = await (options.fetch ?? fetch)(url, { headers, redirect: 'error' }).catch((error) => {
    throw failed('no answer', error);
  });
  const body: unknown = await response.json().catch(() => undefined);
  if (!response.ok || !isRecord(body) || typeof body.value !== 'string')
    throw failed(String(response.status));
  return body.value;
}
