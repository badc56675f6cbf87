import type * as Client from 'openid-client';
import { isLoopback, type ProviderSettings } from '../config.ts';
import { type Identified, type IdentityProvider, lacksClaims, type SignInFlow } from '../domain/index.ts';
import { hourMs, secondMs } from '../time.ts';
import { createLogoutTokenReader, timeoutSeconds, toleranceSeconds } from './logoutToken.ts';
import { refusingProvider } from './refusing.ts';

/** Knows no `prompt=login`. */
const google = 'https://accounts.google.com';

/** Addresses of this service that providers must know. */
type Addresses = { redirectUri: string; signedOutUri: string };

/** What is known of a provider, and the library that speaks to it. */
type Connection = { oidc: typeof Client; config: Client.Configuration };

/**
 * An OpenID Connect provider, by `openid-client`, which is loaded when somebody first asks for it. What the provider says of
 * itself is kept, and read again in the background once it is an hour old, so that nobody waits for it twice.
 */
export function createIdentityProvider(settings: ProviderSettings, addresses: Addresses): IdentityProvider {
  const { name, label, issuer, rules, scopes } = settings;
  const refused = refusingProvider(label);
  const connect = createConnector(settings);
  const readLogoutToken = createLogoutTokenReader(settings);

  const authorizationUrl = (
    { state, nonce, codeVerifier }: SignInFlow,
    { isFresh = false }: { isFresh?: boolean | undefined } = {},
  ): Promise<string> =>
    refused(async () => {
      const { oidc, config } = await connect();
      const url = oidc.buildAuthorizationUrl(config, {
        response_type: 'code',
        redirect_uri: addresses.redirectUri,
        scope: scopes,
        state,
        nonce,
        // RFC 9700, section 2.1.1: always, also where the provider does not ask for it
        code_challenge: await oidc.calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: 'S256',
        ...(rules.acrValues.length > 0 && { acr_values: rules.acrValues.join(' ') }),
        ...(isFresh && { max_age: '0', prompt: issuer === google ? 'select_account' : 'login' }),
      });
      return url.href;
    });

  /** The library checks state and `iss` (RFC 9207), then the ID token as OpenID Connect Core 1.0, section 3.1.3.7 says. */
  const identify = (
    answer: URLSearchParams,
    { state, nonce, codeVerifier }: SignInFlow,
  ): Promise<Identified> =>
    refused(async () => {
      const { oidc, config } = await connect();
      const url = new URL(addresses.redirectUri);
      url.search = String(answer);
      const tokens = await oidc.authorizationCodeGrant(config, url, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: codeVerifier,
        idTokenExpected: true,
      });
      const claims = tokens.claims();
      if (claims === undefined || tokens.id_token === undefined) throw new Error('no ID token');
      const { iss, sub, sid, auth_time: seconds } = claims;
      return {
        issuer: iss,
        subject: sub,
        providerSession: typeof sid === 'string' ? sid : undefined,
        idToken: tokens.id_token,
        authenticatedAt: seconds === undefined ? undefined : seconds * secondMs,
        claims: lacksClaims(rules, claims) ? await withUserInfo(tokens.access_token, claims) : claims,
      };
    });

  /** Adds claims of UserInfo, for the same subject. An address and its proof come from one place: never one from each. */
  async function withUserInfo(accessToken: string, claims: Client.IDToken): Promise<Record<string, unknown>> {
    const { oidc, config } = await connect();
    if (config.serverMetadata().userinfo_endpoint === undefined) return claims;
    const { email, email_verified, xms_edov, ...others } = await oidc.fetchUserInfo(
      config,
      accessToken,
      claims.sub,
    );
    const address = claims.email === undefined ? { email, email_verified, xms_edov } : {};
    return { ...others, ...address, ...claims };
  }

  const maybeEndSessionUrl = (idToken: string | undefined): Promise<string | undefined> =>
    refused(async () => {
      const { oidc, config } = await connect();
      if (config.serverMetadata().end_session_endpoint === undefined) return undefined;
      const hint: Record<string, string> = idToken === undefined ? {} : { id_token_hint: idToken };
      const back = { post_logout_redirect_uri: addresses.signedOutUri };
      return oidc.buildEndSessionUrl(config, { ...back, ...hint }).href;
    });

  return {
    name,
    label,
    issuer,
    rules,
    authorizationUrl,
    identify,
    readLogoutToken: (token) => refused(async () => readLogoutToken((await connect()).config, token)),
    maybeEndSessionUrl,
  };
}

/** Returns what connects to a provider, once for all who ask at the same time. */
function createConnector(settings: ProviderSettings): () => Promise<Connection> {
  let known: { connection: Connection; readAt: number } | undefined;
  let reading: Promise<Connection> | undefined;

  async function read(): Promise<Connection> {
    const connection = await discover(settings);
    known = { connection, readAt: performance.now() };
    return connection;
  }

  function readOnce(): Promise<Connection> {
    reading ??= read().finally(() => {
      reading = undefined;
    });
    return reading;
  }

  return async () => {
    if (known === undefined) return readOnce();
    if (performance.now() - known.readAt > hourMs) readOnce().catch(() => {}); // goes on with what is known
    return known.connection;
  };
}

async function discover({ issuer, clientId, clientSecret }: ProviderSettings): Promise<Connection> {
  const oidc = await import('openid-client');
  const server = new URL(issuer);
  /** OpenID Connect Discovery 1.0, section 3: a provider that names no methods knows `client_secret_basic`. */
  const authenticate: Client.ClientAuth = (as, ...request) => {
    if (clientSecret === undefined) return oidc.None()(as, ...request);
    const methods = as.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    const usesBasic = methods.includes('client_secret_basic');
    const method = usesBasic ? oidc.ClientSecretBasic(clientSecret) : oidc.ClientSecretPost(clientSecret);
    return method(as, ...request);
  };
  const config = await oidc.discovery(
    server,
    clientId,
    { [oidc.clockTolerance]: toleranceSeconds },
    authenticate,
    {
      timeout: timeoutSeconds,
      // Signatures are verified although TLS vouches for the token endpoint: only keys of the provider's JWKS, so neither
      // `none` nor HS256 (RFC 8725, sections 3.1 and 3.2)
      execute: [
        oidc.enableNonRepudiationChecks,
        ...(server.protocol === 'http:' && isLoopback(server.hostname) ? [oidc.allowInsecureRequests] : []),
      ],
    },
  );
  if (config.serverMetadata().issuer.includes('{')) throw new Error('the issuer is that of all tenants');
  return { oidc, config };
}
