import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { createIdempotency } from '../../src/domain/pushes/idempotency.ts';
import { asJson, asMultipart, bearer, type Client, createClient, type Fields } from '../harness/api.ts';
import { connectChat } from '../harness/chat.ts';
import { downloadPath, filePart, filesOf, multipartForm } from '../harness/files.ts';
import { readOpenApi } from '../harness/openApi.ts';
import { anonymous, createAccount, startService, type TestService } from '../harness/service.ts';

type Request = { path: string; headers?: Record<string, string>; body?: string | Buffer };

const unknownToken = '0'.repeat(26);
const unknownId = '0'.repeat(32);
const roots: Record<string, string> = { '/p.json': 'password', '/f.json': 'file', '/r.json': 'url' };

describe('Every operation of the API', () => {
  let service: TestService;
  let api: Client;
  /** A service that has had as many requests as it takes, and one that waits for its database. */
  let busy: Client;
  let starting: Client;
  let ann: { authorization: string };
  /** API tokens of Ann’s, by their scope. */
  let limited: Record<'create' | 'read', { authorization: string }>;
  let subscriber: { authorization: string };
  const stops: (() => unknown)[] = [];

  async function start(environment: Record<string, string>, options: { isReady?: boolean } = {}) {
    const started = await startService(environment, options);
    const client = createClient(started.port);
    stops.unshift(client.close, started.stop);
    return { started, client };
  }

  before(async () => {
    ({ started: service, client: api } = await start({}));
    const once = { RATE_LIMITS: 'on', LIMIT_REQUESTS: '1/1h', LIMIT_AUTHENTICATED_REQUESTS: '1/1h' };
    ({ client: busy } = await start({ ...service.shared, ...once }));
    ({ client: starting } = await start(service.shared, { isReady: false }));
    ann = bearer((await createAccount(service.domain)).token);
    limited = { create: await tokenOfAnn('create'), read: await tokenOfAnn('read') };
    subscriber = bearer((await createAccount(service.domain, undefined, { subscribed: true })).token);
    await connectChat(
      service.domain,
      { platform: 'slack', address: 'T1:UANN' },
      { account: await accountOfAnn() },
    );
    for (const headers of [{}, ann]) await busy.get('/p/active.json', headers);
  });

  after(async () => {
    for (const stop of stops) await stop();
  });

  const accountOfAnn = async () =>
    (await service.domain.apiTokens.authenticate(ann.authorization.slice(7))).account;

  const tokenOfAnn = async (scope: 'create' | 'read') =>
    bearer(await service.domain.apiTokens.create(await accountOfAnn(), { name: scope, scope }));

  const json = (path: string, body: object): Request => ({
    path,
    headers: { ...asJson, ...ann },
    body: JSON.stringify(body),
  });

  const withFile = (path: string, headers = subscriber): Request => ({
    path,
    headers: { ...asMultipart, ...headers },
    body: multipartForm([{ ...filePart('a.txt', 'tulip'), name: `${roots[path]}[files][]` }]),
  });

  async function tokenPath(suffix: string): Promise<Request> {
    const { page } = await api.create({ deletable_by_viewer: false }, ann);
    return { path: `${page}${suffix}`, headers: ann };
  }

  async function webhookPath(path: string): Promise<Request> {
    const account = await accountOfAnn();
    const { webhooks } = service.domain;
    for (const { id } of await webhooks.list(account)) await webhooks.remove(account, id);
    const { id } = await webhooks.create(account, { url: 'https://example.com/hook' });
    const delivery = await webhooks.test(account, id);
    return { path: `/api/v1/webhooks${path}?id=${id}&delivery_id=${delivery.id}`, headers: ann };
  }

  async function requestPath(): Promise<Request> {
    const from = ['slack:T1:UCAROL'];
    const [{ id }] = await service.domain.chat.requestSecret(await accountOfAnn(), { from });
    return { path: `/api/v1/requests.json?id=${id}`, headers: ann };
  }

  async function fileDownload(): Promise<Request> {
    const created = await api.send('POST', '/f.json', withFile('/f.json'));
    const [file = {}] = filesOf((await api.get(`/p/${created.body.url_token}.json`)).body);
    return { path: downloadPath(file) };
  }

  async function extension(): Promise<Request> {
    const { path } = await tokenPath('/extend.json');
    return json(path, { extension: { minutes: 20_160 } });
  }

  /** A request of each operation that succeeds. */
  const requests: Record<string, () => Request | Promise<Request>> = {
    'post /p.json': () => json('/p.json', { password: { payload: 'tulip' } }),
    'post /r.json': () => json('/r.json', { url: { payload: 'https://example.com' } }),
    'post /f.json': () => withFile('/f.json'),
    'get /p/{url_token}.json': () => tokenPath('.json'),
    'delete /p/{url_token}.json': () => tokenPath('.json'),
    'post /p/{url_token}/extend.json': extension,
    'get /p/{url_token}/preview.json': () => tokenPath('/preview.json'),
    'get /p/{url_token}/audit.json': () => tokenPath('/audit.json'),
    'get /p/{url_token}/audit.csv': () => tokenPath('/audit.csv'),
    'get /p/{url_token}/audit.ndjson': () => tokenPath('/audit.ndjson'),
    'get /p/active.json': () => ({ path: '/p/active.json', headers: ann }),
    'get /p/expired.json': () => ({ path: '/p/expired.json', headers: ann }),
    'get /download/{grant}/{number}': fileDownload,
    'get /api/v1/webhooks.json': () => ({ path: '/api/v1/webhooks.json', headers: ann }),
    'post /api/v1/webhooks.json': () =>
      json('/api/v1/webhooks.json', { webhook: { url: `https://example.com/${randomUUID()}` } }),
    'delete /api/v1/webhooks.json': () => webhookPath('.json'),
    'get /api/v1/webhooks/deliveries.json': () => webhookPath('/deliveries.json'),
    'post /api/v1/webhooks/test.json': () => webhookPath('/test.json'),
    'post /api/v1/webhooks/redeliver.json': () => webhookPath('/redeliver.json'),
    'post /api/v1/webhooks/secret.json': () => webhookPath('/secret.json'),
    'post /api/v1/webhooks/types.json': async () =>
      json((await webhookPath('/types.json')).path, { webhook: { types: ['push.viewed'] } }),
    'get /api/v1/requests.json': () => ({ path: '/api/v1/requests.json', headers: ann }),
    'post /api/v1/requests.json': () =>
      json('/api/v1/requests.json', { request: { from: 'slack:T1:UCAROL', reason: 'the VPN' } }),
    'delete /api/v1/requests.json': requestPath,
    'get /api/v1/version.json': () => ({ path: '/api/v1/version.json' }),
  };

  const isCreation = ({ path }: Request) => path in roots;
  const otherScope = (request: Request) => (isCreation(request) ? 'read' : 'create');
  const isExtension = ({ path }: Request) => path.endsWith('/extend.json');

  function invalidBody({ path }: Request): Fields {
    if (isExtension({ path })) return { extension: { minutes: 0 } };
    if (path.endsWith('/requests.json')) return { request: { from: 'Carol' } };
    const root = roots[path];
    return root === undefined ? { webhook: { url: 'nonsense' } } : { [root]: { expire_after_views: 0 } };
  }

  /** Something else has what the request needs. */
  async function blocked(request: Request): Promise<Request> {
    if (isCreation(request)) {
      const key = randomUUID();
      for (const headers of [ann, subscriber]) {
        const { account } = await service.domain.apiTokens.authenticate(headers.authorization.slice(7));
        const { database, keyring } = service;
        await createIdempotency(database, keyring).claim(key, { ...anonymous, account }, 'another request');
      }
      return { ...request, headers: { ...request.headers, 'idempotency-key': key } };
    }
    if (isExtension(request)) {
      await api.send('DELETE', request.path.replace('/extend', ''), { headers: ann });
      return request;
    }
    const id = /\bid=(\w+)/.exec(request.path)?.[1];
    const endpoint = id && (await service.domain.webhooks.maybeEndpoint(id));
    if (endpoint) await service.domain.webhooks.recordResult(endpoint, 'gone');
    else await api.send('POST', request.path, request);
    return request;
  }

  /** Makes a request fail with a status. */
  const failures: Record<number, (request: Request) => Request | Promise<Request>> = {
    400: (request) =>
      request.body === undefined
        ? { ...request, path: `${request.path.replace(/\?.*/, '')}?page=x` }
        : { ...request, headers: { ...request.headers, ...asJson }, body: '{' },
    401: (request) => ({ ...request, headers: { ...request.headers, ...bearer('x') } }),
    403: (request) => ({ ...request, headers: { ...request.headers, ...limited[otherScope(request)] } }),
    404: (request) => ({
      ...request,
      path: request.path
        .replace(/^\/(\w)\/\w{26}\b/, `/$1/${unknownToken}`)
        .replace(/\bid=\w+/, `id=${unknownId}`)
        .replace(/^\/download\/[^/]+/, '/download/unknown'),
    }),
    409: blocked,
    413: (request) => ({
      ...request,
      headers: { ...request.headers, ...asJson },
      body: JSON.stringify('x'.repeat(6_300_000)),
    }),
    415: (request) => ({ ...request, headers: { ...request.headers, 'content-type': 'text/xml' } }),
    416: (request) => ({ ...request, headers: { ...request.headers, range: 'bytes=99-' } }),
    422: (request) => ({
      ...json(request.path, invalidBody(request)),
      headers: { ...request.headers, ...asJson },
    }),
  };

  const operationsIn = ({ paths }: Awaited<ReturnType<typeof readOpenApi>>['openApi']) =>
    Object.entries(paths).flatMap(([path, operations]) =>
      Object.entries(operations).map(([method, operation]) => ({ ...operation, path, method })),
    );

  /** A request that succeeds. Those under /f and /r are like those under /p. */
  async function requestOf(path: string, method: string): Promise<Request> {
    const [, prefix] = /^\/([fr])\//.exec(path) ?? [];
    const name = `${method} ${prefix === undefined ? path : path.replace(`/${prefix}/`, '/p/')}`;
    const valid = await requests[name]?.();
    if (valid === undefined) throw new Error(`there is no request of ${name}`);
    return prefix === undefined ? valid : { ...valid, path: valid.path.replace('/p/', `/${prefix}/`) };
  }

  it('responds with every status that it documents, as it documents it', async () => {
    const { openApi, expectDescribed } = await readOpenApi(api);
    const pairs = operationsIn(openApi).flatMap(({ responses, ...operation }) =>
      Object.keys(responses).map((status) => ({ ...operation, status: Number(status) })),
    );
    const described = pairs.map(({ path, method }) => `${method} ${path}`);
    expect(described).to.include.members(Object.keys(requests));
    for (const { path, method, status } of pairs) {
      const sent = await requestOf(path, method);
      const { path: target, ...options } = (await failures[status]?.(sent)) ?? sent;
      if (status === 206) options.headers = { ...options.headers, range: 'bytes=0-1' };
      const client = status === 429 ? busy : status === 503 ? starting : api;
      const response = await client.send(method.toUpperCase(), target, options);
      expect(response.status, `${method} ${path} ${status}: ${response.text}`).to.equal(status);
      expectDescribed(path, method, response);
      expect(response.headers).to.include.keys('x-request-id');
      if (status === 429 || status === 503)
        expect(response.headers, `${method} ${path}`).to.include.keys('retry-after');
    }
  });

  it('lets an API token do what it documents for the scope of the token, and nothing else', async () => {
    const { openApi } = await readOpenApi(api);
    for (const { path, method, 'x-token-scope': sufficient } of operationsIn(openApi)) {
      for (const [scope, token] of Object.entries(limited)) {
        const { path: target, ...request } = await requestOf(path, method);
        const headers = { ...request.headers, ...token };
        const { status, body } = await api.send(method.toUpperCase(), target, { ...request, headers });
        const isRefused = status === 403 && /^This API token may only /.test(String(body.error));
        const isAllowed = sufficient === undefined || sufficient === scope;
        expect(isRefused, `${method} ${path} with a token of scope ${scope}`).to.equal(!isAllowed);
      }
    }
  });
});
