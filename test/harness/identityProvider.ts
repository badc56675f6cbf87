import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWK } from 'jose';
import Provider from 'oidc-provider';
import { endsWithTest } from './endsWithTest.ts';

export const clientId = 'hushpush';
export const clientSecret = 'a secret of the client that is long enough for HS256';

/** Somebody at a provider. Their subject is their name there. */
type Person = { email?: string; email_verified?: boolean; [claim: string]: unknown };

type Options = {
  /** The address of the service that people sign in to, and its name for this provider. */
  base: string;
  name: string;
  people?: Record<string, Person>;
  /** Where the e-mail address and groups are: in the ID token as well, or at UserInfo alone. */
  claimsIn?: 'idToken' | 'userInfo';
  signedWith?: 'RS256' | 'HS256';
  /** Whether it always says when somebody has signed in there (`auth_time`), as Slack does. */
  saysWhen?: boolean;
};

export type TestIdentityProvider = Awaited<ReturnType<typeof startIdentityProvider>>;

/** Starts a certified OpenID provider (`oidc-provider`) on a free port. Whoever comes is `as`, or is asked for their name. */
export async function startIdentityProvider(options: Options) {
  const { base, name, people = {}, claimsIn = 'idToken', signedWith = 'RS256', saysWhen = false } = options;
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const issuer = `http://127.0.0.1:${port}`;
  const key = await newKey(`${name}-key`);
  /** How often each path was requested. */
  const requests = new Map<string, number>();
  const state: { as: string | undefined; handle: Handle | undefined } = { as: undefined, handle: undefined };

  const provider = new Provider(issuer, {
    jwks: { keys: [key.jwk] },
    cookies: { keys: ['some key'], long: { path: '/' }, short: { path: '/' }, names: cookieNames(name) },
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: [`${base}/sign-in/${name}/callback`],
        post_logout_redirect_uris: [`${base}/sign-in`],
        backchannel_logout_uri: `${base}/sign-in/${name}/logout`,
        backchannel_logout_session_required: true,
        id_token_signed_response_alg: signedWith,
        require_auth_time: saysWhen,
      },
      {
        ...{ client_id: 'workload', client_secret: clientSecret, grant_types: ['client_credentials'] },
        ...{ redirect_uris: [], response_types: [] },
      },
    ],
    claims: {
      openid: ['sub', 'sid', 'amr', 'acr'],
      email: ['email', 'email_verified'],
      profile: [
        'groups',
        '_claim_names',
        'hd',
        'name',
        ...['team_id', 'team_name', 'user_id'].map((claim) => `https://slack.com/${claim}`),
      ],
    },
    conformIdTokenClaims: claimsIn === 'userInfo',
    findAccount: (_ctx, sub) => ({ accountId: sub, claims: async () => ({ sub, ...people[sub] }) }),
    extraTokenClaims: (_ctx, token) => (token.kind === 'ClientCredentials' ? { repository: 'acme/app' } : {}),
    pkce: { required: () => true },
    acrValues: ['urn:acme:strong'],
    ttl: { Interaction: 600, Session: 600, Grant: 600, AccessToken: 600, IdToken: 600 },
    interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
    features: {
      devInteractions: { enabled: false },
      backchannelLogout: { enabled: true },
      clientCredentials: { enabled: true },
      // Access tokens of programs are signed (RFC 9068), for the resource that they ask for
      resourceIndicators: {
        enabled: true,
        defaultResource: () => [],
        getResourceServerInfo: (_ctx, resource) => ({
          ...{ scope: '', audience: resource, accessTokenTTL: 300 },
          ...{ accessTokenFormat: 'jwt', jwt: { sign: { alg: 'RS256' } } },
        }),
      },
      rpInitiatedLogout: {
        enabled: true,
        logoutSource: async (ctx, form) => {
          ctx.body = `<main>${form}<button type="submit" form="op.logoutForm" name="logout" value="yes">Yes</button></main>`;
        },
      },
    },
    enabledJWA: { idTokenSigningAlgValues: ['RS256', 'HS256'] },
    // The library's dispatcher keeps away from this machine
    fetch: (url, init) => fetch(url, { ...init, dispatcher: undefined } as RequestInit),
  });
  const respond = provider.callback();

  server.on('request', (req, res) => {
    const { pathname } = new URL(req.url ?? '/', issuer);
    requests.set(pathname, (requests.get(pathname) ?? 0) + 1);
    const [, uid] = /^\/interaction\/([\w-]+)$/.exec(pathname) ?? [];
    if (state.handle?.(req, res)) return;
    if (uid === undefined) return void respond(req, res);
    interact(req, res).catch((error) => res.writeHead(500).end(String(error)));
  });

  /** Signs in whoever comes, and grants what is asked. */
  async function interact(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { prompt, params, session } = await provider.interactionDetails(req, res);
    if (prompt.name === 'login') {
      const who = state.as ?? new URL(req.url ?? '/', issuer).searchParams.get('name') ?? undefined;
      if (who === undefined) {
        res.setHeader('Content-Type', 'text/html');
        res.end('<main><form><label>Name <input name="name"></label><button>Go on</button></form></main>');
        return;
      }
      if (who === 'nobody')
        return provider.interactionFinished(req, res, { error: 'access_denied', error_description: 'no' });
      return provider.interactionFinished(req, res, {
        login: { accountId: who, ...amrOf(people[who]) },
      });
    }
    const grant = new provider.Grant({ accountId: session?.accountId ?? '', clientId });
    grant.addOIDCScope(String(params.scope));
    await provider.interactionFinished(req, res, { consent: { grantId: await grant.save() } });
  }

  /** A token of the program `workload` for an audience, as the provider gives it: signed, with an id, for five minutes. */
  async function tokenOfWorkload(audience: string): Promise<string> {
    const response = await fetch(`${issuer}/token`, {
      method: 'POST',
      headers: { Authorization: `Basic ${btoa(`workload:${encodeURIComponent(clientSecret)}`)}` },
      body: new URLSearchParams({ grant_type: 'client_credentials', resource: audience }),
    });
    const { access_token: token, ...others } = (await response.json()) as Record<string, unknown>;
    if (typeof token !== 'string') throw new Error(JSON.stringify(others));
    return token;
  }

  return {
    issuer,
    name,
    tokenOfWorkload,
    key,
    people,
    /** Signs in whoever comes from now on as this person, without asking them. */
    as: (person: string | undefined) => {
      state.as = person;
    },
    /** Lets somebody else answer first from now on; undefined ends that. */
    answer: (handle: Handle | undefined) => {
      state.handle = handle;
    },
    requested: (path: string) => requests.get(path) ?? 0,
    settings: settingsOf(name, issuer),
    stop: endsWithTest(async () => closeServer(server)),
  };
}

/** The ways in which somebody proves who they are there, if they are said to. */
const amrOf = ({ amr, acr }: Record<string, unknown> = {}) => ({
  ...(Array.isArray(amr) && { amr: amr.map(String) }),
  ...(typeof acr === 'string' && { acr }),
});

/** Answers a request instead of the provider, and returns whether it does. */
type Handle = (req: IncomingMessage, res: ServerResponse) => boolean;

/** Browsers do not tell ports apart when they send cookies. */
const cookieNames = (name: string) => ({
  session: `${name}_s`,
  interaction: `${name}_i`,
  resume: `${name}_r`,
  state: `${name}_t`,
});

function settingsOf(name: string, issuer: string): Record<string, string> {
  const prefix = name === 'oidc' ? 'OIDC' : `OIDC_${name.toUpperCase()}`;
  return {
    [`${prefix}_ISSUER`]: issuer,
    [`${prefix}_CLIENT_ID`]: clientId,
    [`${prefix}_CLIENT_SECRET`]: clientSecret,
  };
}

export async function newKey(kid: string): Promise<{ jwk: JWK; privateKey: CryptoKey }> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  return { jwk: { ...(await exportJWK(privateKey)), kid, use: 'sig', alg: 'RS256' }, privateKey };
}

async function closeServer(server: Server): Promise<void> {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
}
