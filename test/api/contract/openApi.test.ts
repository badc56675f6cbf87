import { expect } from 'chai';
import type { Fields } from '../../harness/api.ts';
import { type DescribedOperation, readOpenApi } from '../../harness/openApi.ts';
import { ann, api, useApi } from './api.ts';

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

  it('describes every form of a push', async () => {
    const { expectDescribed } = description;
    for (const fields of [
      { name: 'n', note: 'o' },
      { passphrase: 'p', kind: 'qr' },
      { recipients: ['Bob'], views_per_recipient: 2 },
    ])
      expectDescribed('/p.json', 'post', (await api.create(fields, ann)).response);
    const { json } = await api.create();
    expectDescribed('/p/{url_token}.json', 'get', await api.get(json, { purpose: 'prefetch' }));
    await api.send('DELETE', json);
    const expired = await api.get(json);
    expect(expired.body.payload).to.equal(null);
    expectDescribed('/p/{url_token}.json', 'get', expired);
  });

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
