import { expect } from 'chai';
import { type ApiResponse, bearer, type Fields } from '../../harness/api.ts';
import { type DescribedOperation, readOpenApi } from '../../harness/openApi.ts';
import { ann, api, bob, unknownToken, useApi } from './api.ts';

describe('GET /api/v1/openapi.json', () => {
  useApi();

  let description: Awaited<ReturnType<typeof readOpenApi>>;

  before(async () => {
    description = await readOpenApi(api);
  });

  it('is OpenAPI 3.1, with schemas that compile and that do not accept everything', () => {
    const { openApi, compile } = description;
    expect(openApi.openapi).to.match(/^3\.1\./);
    let compiled = 0;
    for (const operations of [...Object.values(openApi.paths), ...Object.values(openApi.webhooks)]) {
      for (const { requestBody, responses = {} } of Object.values(
        operations,
      ) as Partial<DescribedOperation>[]) {
        for (const { content = {} } of [requestBody ?? {}, ...Object.values(responses)]) {
          for (const { schema } of Object.values(content)) {
            expect(compile(schema)({ surprise: true })).to.equal(false);
            compiled += 1;
          }
        }
      }
    }
    expect(compiled).to.be.above(40);
  });

  it('names every operation and its schemas, so that clients can be generated from it', () => {
    const { openApi } = description;
    const operations = Object.values(openApi.paths).flatMap((methods) => Object.values(methods));
    const ids = operations.map(({ operationId }) => operationId);
    expect(new Set(ids).size).to.equal(ids.length);
    expect(ids).to.include.members(['createPush', 'retrievePush', 'expirePush', 'listActivePushes']);
    const tags = openApi.tags.map(({ name }) => name);
    for (const operation of operations) {
      expect(tags).to.include.members(operation.tags);
      expect(operation.description).to.match(/\.$/);
    }
    expect(openApi.components.schemas).to.include.all.keys(
      'Push',
      'RevealedPush',
      'AuditRow',
      'Error',
      'Event',
    );
    expect(openApi.webhooks).to.include.all.keys('push.viewed', 'push.expired');
  });

  it('has examples that its own schemas accept', () => {
    const { openApi, problemsWith } = description;
    const contents = Object.values(openApi.paths)
      .flatMap((methods) => Object.values(methods))
      .flatMap(({ requestBody, responses }) => [requestBody ?? {}, ...Object.values(responses)])
      .flatMap(({ content = {} }) => Object.values(content))
      .filter(({ example }) => example !== undefined);
    expect(contents).to.have.length.above(6);
    for (const { schema, example } of contents) expect(problemsWith(schema, example)).to.deep.equal([]);
  });

  it('describes every endpoint', () => {
    const named = Object.entries(description.openApi.paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method} ${path}`),
    );
    expect(named).to.include.members([
      'post /p.json',
      'post /f.json',
      'post /r.json',
      'get /p/{url_token}.json',
      'delete /p/{url_token}.json',
      'get /p/{url_token}/preview.json',
      'get /p/{url_token}/audit.json',
      'get /p/active.json',
      'get /p/expired.json',
      'get /api/v1/version.json',
    ]);
  });

  async function expectTakenAsDescribed(path: string, body: Fields): Promise<void> {
    const answer = await api.post(path, body, ann);
    expect(answer.status).to.equal(201);
    const { operation, problemsWith } = description;
    const { schema = {} } = operation(path, 'post').requestBody?.content['application/json'] ?? {};
    expect(problemsWith(schema, body), JSON.stringify(body)).to.deep.equal([]);
  }

  it('describes the requests that are accepted', async () => {
    await expectTakenAsDescribed('/r.json', { url: { payload: 'https://example.com' } });
    for (const options of [
      {},
      { expire_after_days: 90, expire_after_views: 100, deletable_by_viewer: true, retrieval_step: false },
      { name: null, note: '', passphrase: 'ü', kind: 'qr' },
      { expire_after_hours: 2160 },
      { expire_after_minutes: 5 },
    ]) {
      await expectTakenAsDescribed('/p.json', { password: { payload: 'x', ...options } });
    }
  });

  const answers: [string, string, number, () => Promise<ApiResponse>][] = [
    ['/p.json', 'post', 201, async () => (await api.create({ name: 'n', note: 'o' }, ann)).response],
    ['/p.json', 'post', 201, async () => (await api.create({ passphrase: 'p', kind: 'qr' })).response],
    ['/p.json', 'post', 400, () => api.post('/p.json', {})],
    ['/p.json', 'post', 401, () => api.post('/p.json', { password: { payload: 'x' } }, bearer('x'))],
    ['/p.json', 'post', 403, () => api.post('/p.json', { password: { kind: 'file' } }, ann)],
    ['/p.json', 'post', 413, () => api.post('/p.json', { a: 'x'.repeat(6_300_000) })],
    ['/p.json', 'post', 415, () => api.send('POST', '/p.json', { headers: { 'content-type': 'text/xml' } })],
    ['/p.json', 'post', 422, () => api.post('/p.json', { password: { expire_after_views: 0 } })],
    ['/r.json', 'post', 201, () => api.post('/r.json', { url: { payload: 'http://a' } }, ann)],
    ['/r.json', 'post', 401, () => api.post('/r.json', { url: { payload: 'http://a' } })],
    ['/f.json', 'post', 403, () => api.post('/f.json', { file: {} }, ann)],
    ['/api/v1/version.json', 'get', 200, () => api.get('/api/v1/version')],
    ['/p/{url_token}.json', 'get', 200, async () => api.get((await api.create({}, ann)).json, ann)],
    [
      '/p/{url_token}.json',
      'get',
      200,
      async () => api.get((await api.create()).json, { purpose: 'prefetch' }),
    ],
    [
      '/p/{url_token}.json',
      'get',
      200,
      async () => {
        const { json } = await api.create();
        await api.send('DELETE', json);
        return api.get(json);
      },
    ],
    ['/p/{url_token}.json', 'get', 401, async () => api.get((await api.create({ passphrase: 'p' })).json)],
    ['/p/{url_token}.json', 'get', 404, () => api.get(`/p/${unknownToken}.json`)],
    ['/p/{url_token}.json', 'delete', 200, async () => api.send('DELETE', (await api.create()).json)],
    [
      '/p/{url_token}.json',
      'delete',
      401,
      async () => api.send('DELETE', (await api.create({ deletable_by_viewer: false })).json),
    ],
    [
      '/p/{url_token}.json',
      'delete',
      403,
      async () => {
        const { json } = await api.create({ deletable_by_viewer: false }, ann);
        return api.send('DELETE', json, { headers: bob });
      },
    ],
    ['/p/{url_token}.json', 'delete', 404, () => api.send('DELETE', `/p/${unknownToken}.json`)],
    [
      '/p/{url_token}/preview.json',
      'get',
      200,
      async () => api.get(`/p/${(await api.create()).token}/preview.json`),
    ],
    ['/p/{url_token}/preview.json', 'get', 404, () => api.get(`/p/${unknownToken}/preview.json`)],
    [
      '/p/{url_token}/audit.json',
      'get',
      200,
      async () => api.get(`/p/${(await api.create({}, ann)).token}/audit.json`, ann),
    ],
    ['/p/{url_token}/audit.json', 'get', 400, () => api.get(`/p/${unknownToken}/audit.json?page=x`, ann)],
    ['/p/{url_token}/audit.json', 'get', 401, () => api.get(`/p/${unknownToken}/audit.json`)],
    [
      '/p/{url_token}/audit.json',
      'get',
      403,
      async () => api.get(`/p/${(await api.create({}, ann)).token}/audit.json`, bob),
    ],
    ['/p/{url_token}/audit.json', 'get', 404, () => api.get(`/p/${unknownToken}/audit.json`, ann)],
    ['/p/active.json', 'get', 200, () => api.get('/p/active.json', ann)],
    ['/p/active.json', 'get', 400, () => api.get('/p/active.json?page=201', ann)],
    ['/p/active.json', 'get', 401, () => api.get('/p/active.json')],
    ['/p/expired.json', 'get', 200, () => api.get('/p/expired.json', ann)],
    ['/p/expired.json', 'get', 400, () => api.get('/p/expired.json?page=x', ann)],
    ['/p/expired.json', 'get', 401, () => api.get('/p/expired.json', bearer('x'))],
    ['/api/v1/version.json', 'get', 200, () => api.get('/api/v1/version.json')],
  ];
  for (const [index, [path, method, status, ask]] of answers.entries()) {
    it(`describes the response ${status} to ${method.toUpperCase()} ${path} (${index + 1})`, async () => {
      const answer = await ask();
      expect(answer.status).to.equal(status);
      description.expectDescribed(path, method, answer);
    });
  }

  it('describes responses so precisely that a missing field or a wrong type does not match', async () => {
    const { push } = await api.create();
    const { responseOf, problemsWith } = description;
    const { schema = {} } = responseOf('/p.json', 'post', 201).content?.['application/json'] ?? {};
    const { kind, ...incomplete } = push;
    expect(kind).to.equal('text');
    for (const wrong of [incomplete, { ...push, views_total: '5' }, { ...push, created_at: 'today' }]) {
      expect(problemsWith(schema, wrong)).to.not.be.empty;
    }
  });
});
