import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A request as it arrived. */
export type RecordedRequest = { method: string; path: string; headers: IncomingHttpHeaders; body: string };

export type PasswordPusher = Awaited<ReturnType<typeof startPasswordPusher>>;

/** The token of the only account. */
export const pusherToken = 'pusher-token';
const pageSize = 2;

/**
 * Records requests and answers them as Password Pusher 2 does, at its version 1 of the API: `note` is empty rather than
 * null, a 422 has nothing but the fields, wrong passphrases and tokens are told by sentences, and lists end with an empty
 * page, without a `Link`.
 */
export async function startPasswordPusher() {
  const requests: RecordedRequest[] = [];
  const pushes: object[] = [];
  const overrides = new Map<string, (res: ServerResponse) => void>();

  const server = createServer(async (req, res) => {
    const { method = '', url: path = '', headers } = req;
    const request = { method, path, headers, body: await text(req) };
    requests.push(request);
    const override = overrides.get(`${method} ${path}`);
    if (override !== undefined) return override(res);
    const [status, body] = respond(request);
    res.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(body));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  function respond({ method, path, headers, body }: RecordedRequest): [number, unknown] {
    const { pathname, searchParams } = new URL(path, url);
    const isSignedIn = headers.authorization === `Bearer ${pusherToken}`;
    const page = Number(searchParams.get('page') ?? 1);
    if (pathname === '/api/v1/version.json')
      return [200, { application_version: '2.11.4', api_version: '1.0', edition: 'oss' }];
    if (headers.authorization !== undefined && !isSignedIn) return [401, { error: 'Invalid API token' }];
    if (method === 'POST' && pathname === '/p.json') return create(body);
    if (pathname === '/p/active.json' || pathname === '/p/expired.json')
      return isSignedIn
        ? [200, pushes.slice((page - 1) * pageSize, page * pageSize)]
        : [401, { error: 'You need to sign in or sign up before continuing.' }];
    const [, token, end] = /^\/p\/([\w-]+)(\/preview|\/audit)?\.json$/.exec(pathname) ?? [];
    if (token === undefined || token === 'unknown') return [404, { error: 'not-found' }];
    if (end === '/preview') return [200, { url: `${url}/p/${token}` }];
    if (end === '/audit') return [200, { views: page === 1 ? [view] : [] }];
    if (token === 'guarded' && searchParams.get('passphrase') !== 'open sesame')
      return [401, { error: 'That passphrase is incorrect.' }];
    if (method === 'DELETE') return [200, { ...pushOf(token), expired: true, deleted: true }];
    return [200, { ...pushOf(token), payload: 'tulip' }];
  }

  function create(body: string): [number, unknown] {
    const { password } = JSON.parse(body) as { password: { payload?: string } };
    if (!password.payload) return [422, { payload: ["can't be blank"] }];
    pushes.unshift(pushOf(`token-${pushes.length + 1}`));
    return [201, pushes[0]];
  }

  const pushOf = (token: string) => ({
    expire_after_days: 7,
    expire_after_views: 5,
    expired: false,
    url_token: token,
    deletable_by_viewer: true,
    retrieval_step: false,
    expired_on: null,
    passphrase: token === 'guarded' ? '********' : null,
    created_at: '2026-01-01T01:00:00.000Z',
    updated_at: '2026-01-01T01:00:00.000Z',
    expires_at: '2026-01-08T01:00:00.000Z',
    deleted: false,
    json_url: `${url}/p/${token}.json`,
    html_url: `${url}/p/${token}`,
    days_remaining: 7,
    views_remaining: 5,
    views_total: 5,
    files: [],
    note: '',
    name: '',
    kind: 'text',
  });

  return {
    url,
    requests,
    /** Answers one request in another way from now on; it is named like `GET /p/token.json`. */
    override: (request: string, answer: (res: ServerResponse) => void) => overrides.set(request, answer),
    async close(): Promise<void> {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const view = {
  ip: '192.0.2.1',
  user_agent: 'curl/8',
  referrer: '',
  created_at: '2026-01-01T02:00:00.000Z',
  updated_at: '2026-01-01T02:00:00.000Z',
  kind: 'view',
};
