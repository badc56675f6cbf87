import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { createIdempotency } from '../../src/domain/pushes/create/idempotency.ts';
import { asJson, bearer, type Client, createClient, type Fields } from '../harness/api.ts';
import { readOpenApi } from '../harness/openApi.ts';
import { anonymous, startService, type TestService } from '../harness/service.ts';
import { type Operations, openOperations, operationsIn, type Request, roots } from './operations.ts';

const unknownToken = '0'.repeat(26);
const unknownId = '0'.repeat(32);

describe('Every operation of the API', () => {
  let service: TestService;
  let api: Client;
  /** A service that has had as many requests as it takes, and one that waits for its database. */
  let busy: Client;
  let starting: Client;
  let operations: Operations;
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
    operations = await openOperations(service, api);
    for (const headers of [{}, operations.ann]) await busy.get('/p/active.json', headers);
  });

  after(async () => {
    for (const stop of stops) await stop();
  });

  const isCreation = ({ path }: Request) => path in roots;
  const otherScope = (request: Request) => (isCreation(request) ? 'read' : 'create');
  const isExtension = ({ path }: Request) => path.endsWith('/extend.json');
  const isRetrieval = ({ path }: Request) => /^\/[pfr]\/\w{26}\.json$/.test(path);

  const withKey = (request: Request, key: string): Request => ({
    ...request,
    headers: { ...request.headers, 'idempotency-key': key },
  });

  /** A retrieval whose key another one has used. */
  async function withUsedKey(request: Request): Promise<Request> {
    const key = randomUUID();
    await api.get((await api.create()).json, { 'idempotency-key': key });
    return withKey(request, key);
  }

  function invalidBody({ path }: Request): Fields {
    if (isExtension({ path })) return { extension: { minutes: 0 } };
    if (path.endsWith('/trust-rules.json')) return { trust_rule: { name: 'x' } };
    if (path.endsWith('/requests.json')) return { request: { from: 'Carol' } };
    if (path.endsWith('/request-links.json')) return { request_link: { title: '' } };
    if (path.startsWith('/a/')) return { answer: { payload: '' } };
    const root = roots[path];
    return root === undefined ? { webhook: { url: 'nonsense' } } : { [root]: { expire_after_views: 0 } };
  }

  /** Something else has what the request needs. */
  async function blocked(request: Request): Promise<Request> {
    if (isCreation(request)) {
      const key = randomUUID();
      const { database, keyring } = service;
      const caller = { ...anonymous, account: operations.account };
      await createIdempotency({ database, keyring }).claim(key, caller, 'another request');
      return withKey(request, key);
    }
    if (isRetrieval(request)) {
      const used = await withUsedKey(request);
      await service.database.execute('UPDATE spent_nonces SET view_expires_at = 1', {});
      return used;
    }
    if (isExtension(request)) {
      await api.send('DELETE', request.path.replace('/extend', ''), { headers: operations.ann });
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
    400: (request) => {
      if (isRetrieval(request)) return withKey(request, 'short');
      return request.body === undefined
        ? { ...request, path: `${request.path.replace(/\?.*/, '')}?page=x` }
        : { ...request, headers: { ...request.headers, ...asJson }, body: '{' };
    },
    401: async (request) => {
      if (!request.path.startsWith('/a/'))
        return { ...request, headers: { ...request.headers, ...bearer('x') } };
      const asker = { ...anonymous, account: operations.account };
      const input = { title: 'The VPN', passphrase: 'hush' };
      const { urlToken } = await service.domain.requestLinks.create(asker, input);
      return { ...request, path: `/a/${urlToken}.json` };
    },
    403: (request) => ({
      ...request,
      headers: { ...request.headers, ...operations.limited[otherScope(request)] },
    }),
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
    422: (request) =>
      isRetrieval(request)
        ? withUsedKey(request)
        : {
            ...operations.json(request.path, invalidBody(request)),
            headers: { ...request.headers, ...asJson },
          },
  };

  it('responds with every status that it documents, as it documents it', async () => {
    const { openApi, expectDescribed } = await readOpenApi(api);
    const pairs = operationsIn(openApi).flatMap(({ responses, ...operation }) =>
      Object.keys(responses).map((status) => ({ ...operation, status: Number(status) })),
    );
    const described = pairs.map(({ path, method }) => `${method} ${path}`);
    expect(described).to.include.members(operations.names);
    for (const { path, method, status } of pairs) {
      const sent = await operations.requestOf(path, method);
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
      for (const [scope, token] of Object.entries(operations.limited)) {
        const { path: target, ...request } = await operations.requestOf(
          path,
          method,
          scope === 'create' ? token : undefined,
        );
        const headers = { ...request.headers, ...token };
        const { status, body } = await api.send(method.toUpperCase(), target, { ...request, headers });
        const isRefused = status === 403 && /^This API token may only /.test(String(body.error));
        const isAllowed = sufficient === undefined || sufficient === scope;
        expect(isRefused, `${method} ${path} with a token of scope ${scope}`).to.equal(!isAllowed);
      }
    }
  });
});
