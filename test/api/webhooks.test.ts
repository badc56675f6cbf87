import { expect } from 'chai';
import {
  type ApiResponse,
  asForm,
  bearer,
  type Client,
  createClient,
  type Fields,
  times,
} from '../harness/api.ts';
import { isoTime, readOpenApi } from '../harness/openApi.ts';
import { createAccount, startService, type TestService } from '../harness/service.ts';

type Headers = Record<string, string>;

const path = '/api/v1/webhooks.json';
const deliveriesPath = '/api/v1/webhooks/deliveries.json';
const secretPath = '/api/v1/webhooks/secret.json';
const testPath = '/api/v1/webhooks/test.json';
const redeliverPath = '/api/v1/webhooks/redeliver.json';
const typesPath = '/api/v1/webhooks/types.json';
const unknownId = '0'.repeat(32);

describe('the API of webhooks', () => {
  let service: TestService;
  let api: Client;
  let ann: Headers;
  let ben: Headers;

  before(async () => {
    service = await startService();
    api = createClient(service.port);
  });

  after(async () => {
    api.close();
    await service.stop();
  });

  beforeEach(async () => {
    ann = bearer((await createAccount(service.domain)).token);
    ben = bearer((await createAccount(service.domain)).token);
  });

  const accountOf = async ({ authorization = '' }: Headers) =>
    (await service.domain.apiTokens.authenticate(authorization.slice('Bearer '.length))).account;
  const register = (url: unknown, headers = ann) => api.post(path, { webhook: { url } }, headers);
  const remove = (query: string, headers = ann) => api.send('DELETE', `${path}?${query}`, { headers });
  const deliveriesOf = (query: string, headers = ann) => api.get(`${deliveriesPath}?${query}`, headers);
  const act =
    (action: string) =>
    (query: string, headers = ann) =>
      api.send('POST', `${action}?${query}`, { headers });
  const [rotate, test, redeliver] = [act(secretPath), act(testPath), act(redeliverPath)];

  async function registered(url: string, headers = ann): Promise<Fields & { id: string }> {
    const { status, body, text } = await register(url, headers);
    expect(status, text).to.equal(201);
    return { ...body, id: String(body.id) };
  }

  function expectRefused(
    { status, body, headers }: ApiResponse,
    wanted: number,
    error: string | RegExp,
  ): void {
    expect(status).to.equal(wanted);
    expect(headers['content-type']).to.equal('application/json; charset=utf-8');
    expect(headers['cache-control']).to.match(/no-store/);
    expect(body.error).to.match(typeof error === 'string' ? new RegExp(`^${error}$`) : error);
  }

  it('registers an address and shows its secret, this once', async () => {
    const { id, secret, created_at, ...rest } = await registered('https://Example.com/hook');
    expect(rest).to.deep.equal({
      url: 'https://example.com/hook',
      types: null,
      disabled: false,
      failing_since: null,
    });
    expect(id).to.match(/^[0-9a-f]{32}$/);
    expect(secret).to.match(/^whsec_[0-9A-Za-z+/]{43}=$/);
    expect(created_at).to.match(isoTime);
    const listed = await api.get(path, ann);
    expect(listed.status).to.equal(200);
    expect(listed.json).to.deep.equal([{ id, created_at, ...rest }]);
    expect(listed.headers['cache-control']).to.match(/no-store/);
    expect((await api.get(path, ben)).json).to.deep.equal([]);
    expect(service.logged()).to.not.include(String(secret)).and.not.include('example.com/hook');
  });

  it('gets the types of events that it chose, and no others', async () => {
    const types = ['push.viewed', 'push.locked'];
    const chosen = await api.post(path, { webhook: { url: 'https://example.com/some', types } }, ann);
    expect(chosen.status).to.equal(201);
    expect(chosen.body.types).to.deep.equal(types);
    const all = await registered('https://example.com/all');
    const { token, json } = await api.create({ expire_after_views: 3 }, ann);
    await api.get(json);
    await service.domain.webhooks.enable(await accountOf(ann), String(chosen.body.id)); // keeps the choice
    await api.send('DELETE', `/p/${token}.json`, { headers: ann });
    const eventsOf = async (id: unknown) =>
      ((await deliveriesOf(`id=${id}`)).body.deliveries as Fields[]).map(({ event }) => event).toSorted();
    expect(await eventsOf(chosen.body.id)).to.deep.equal(['viewed']);
    expect(await eventsOf(all.id)).to.deep.equal(['deleted', 'viewed']);
    for (const [wrong, field, problem] of [
      [['push.viewed', 'push.burned'], 'types.1', /^must be one of push\.viewed, /],
      [[], 'types', /^must not be blank$/],
      ['push.viewed', 'types', /^is invalid$/],
    ] as const) {
      const refused = await api.post(path, { webhook: { url: 'https://example.com/x', types: wrong } }, ann);
      expect(refused.status).to.equal(422);
      const [text] = (refused.body.fields as Record<string, string[]>)[field] ?? [];
      expect(text).to.match(problem);
    }
    const body =
      'webhook[url]=https://example.com/form&webhook[types][]=push.viewed&webhook[types][]=push.viewed';
    const form = await api.send('POST', path, { headers: { ...asForm, ...ann }, body });
    expect(form.body.types).to.deep.equal(['push.viewed']);
  });

  it('gets other types of events from when they are changed, and keeps its address and secret', async () => {
    const { secret: _, ...webhook } = await registered('https://example.com/hook');
    const change = (types: unknown, id = webhook.id, headers = ann) =>
      api.post(`${typesPath}?id=${id}`, { webhook: { types } }, headers);
    const eventsAfterView = async () => {
      const { json } = await api.create({ expire_after_views: 9 }, ann);
      await api.get(json);
      return ((await deliveriesOf(`id=${webhook.id}`)).body.deliveries as Fields[]).length;
    };
    expect(await eventsAfterView()).to.equal(1);
    const changed = await change(['push.expired', 'push.expired']);
    expect(changed.status, changed.text).to.equal(200);
    expect(changed.body).to.deep.equal({ ...webhook, types: ['push.expired'] });
    expect((await api.get(path, ann)).json).to.deep.equal([changed.body]);
    expect(await eventsAfterView()).to.equal(1);
    expect((await change(null)).body).to.deep.equal(webhook);
    expect(await eventsAfterView()).to.equal(2);
    for (const [wrong, problem] of [
      [undefined, 'must not be blank'],
      [[], 'must not be blank'],
      ['push.viewed', 'is invalid'],
    ] as const)
      expect((await change(wrong)).body.fields).to.deep.equal({ types: [problem] });
    expectRefused(await change(null, unknownId), 404, 'not-found');
    expectRefused(await change(null, webhook.id, ben), 404, 'not-found');
    expectRefused(await api.post(`${typesPath}?id=${webhook.id}`, {}, ann), 400, /: webhook$/);
  });

  it('stays disabled when its types of events are changed, until it is enabled with them', async () => {
    const { webhooks } = service.domain;
    const account = await accountOf(ann);
    const { id } = await registered('https://example.com/hook');
    const endpoint = await webhooks.maybeEndpoint(id);
    if (endpoint !== null) await webhooks.recordResult(endpoint, 'gone');
    const { body } = await api.post(`${typesPath}?id=${id}`, { webhook: { types: ['push.viewed'] } }, ann);
    expect(body).to.include({ disabled: true });
    const { json, token } = await api.create({ expire_after_views: 9 }, ann);
    await api.get(json);
    expect((await deliveriesOf(`id=${id}`)).body.deliveries).to.deep.equal([]);
    await webhooks.enable(account, id);
    await api.get(json);
    await api.send('DELETE', `/p/${token}.json`, { headers: ann });
    const events = ((await deliveriesOf(`id=${id}`)).body.deliveries as Fields[]).map(({ event }) => event);
    expect(events).to.deep.equal(['viewed']);
  });

  it('takes a test, and a delivery again, for later', async () => {
    const { id } = await registered('https://example.com/hook');
    const asked = await test(`id=${id}`);
    expect(asked.status).to.equal(202);
    expect(asked.body).to.include({ event: 'test', state: 'waiting', attempts: 0 });
    const again = await redeliver(`id=${id}&delivery_id=${asked.body.id}`);
    expect(again.status).to.equal(202);
    expect(again.body.id).to.equal(asked.body.id);
    const other = await registered('https://example.com/other');
    for (const query of [
      `id=${other.id}&delivery_id=${asked.body.id}`,
      `id=${id}&delivery_id=notice_${unknownId}`,
      `id=${id}&delivery_id=x`,
    ])
      expectRefused(await redeliver(query), 404, 'not-found');
    expectRefused(await redeliver(`id=${id}`), 400, /: delivery_id$/);
    const endpoint = await service.domain.webhooks.maybeEndpoint(id);
    if (endpoint !== null) await service.domain.webhooks.recordResult(endpoint, 'gone');
    for (const refused of [await test(`id=${id}`), await redeliver(`id=${id}&delivery_id=${asked.body.id}`)])
      expectRefused(refused, 409, /disabled/);
  });

  it('replaces a secret, and shows the new one, this once', async () => {
    const { id, secret } = await registered('https://example.com/hook');
    const rotated = await rotate(`id=${id}`);
    expect(rotated.status).to.equal(200);
    expect(rotated.body).to.have.all.keys('id', 'secret', 'previous_secret_until');
    expect(rotated.body.secret)
      .to.match(/^whsec_[0-9A-Za-z+/]{43}=$/)
      .and.not.equal(secret);
    expect(rotated.body.previous_secret_until).to.match(isoTime);
    expect((await api.get(path, ann)).text).to.not.include('whsec_');
    const endpoint = await service.domain.webhooks.maybeEndpoint(id);
    expect(endpoint?.secrets).to.deep.equal([rotated.body.secret, secret]);
  });

  it('takes a form as well', async () => {
    const body = 'webhook[url]=https%3A%2F%2Fexample.com%2Fform';
    const answer = await api.send('POST', path, { headers: { ...asForm, ...ann }, body });
    expect(answer.status).to.equal(201);
    expect(answer.body.url).to.equal('https://example.com/form');
  });

  it('lists the oldest first, with those that fail and those that are disabled', async () => {
    const { id: first } = await registered('https://example.com/1');
    const { id: second } = await registered('https://example.com/2');
    const { webhooks } = service.domain;
    for (const [id, result] of [
      [first, 'failed'],
      [second, 'gone'],
    ] as const) {
      const endpoint = await webhooks.maybeEndpoint(id);
      if (endpoint !== null) await webhooks.recordResult(endpoint, result);
    }
    const rows = (await api.get(path, ann)).json as Fields[];
    expect(rows.map(({ id, disabled }) => ({ id, disabled }))).to.deep.equal([
      { id: first, disabled: false },
      { id: second, disabled: true },
    ]);
    for (const row of rows) expect(row.failing_since).to.match(isoTime);
  });

  it('refuses what is no address for it, by name', async () => {
    for (const [url, problem] of [
      [undefined, 'must be an absolute http or https address'],
      ['ftp://example.com', 'must be an absolute http or https address'],
      [['https://example.com'], 'must be an absolute http or https address'],
      ['https://ann:tulip@example.com', 'must not hold a user name or a password'],
      ['http://169.254.169.254/latest', 'must not lead to this machine or a private network'],
      ['http://localhost:5100/', 'must not lead to this machine or a private network'],
    ] as const) {
      const answer = await register(url);
      expectRefused(answer, 422, `url ${problem}`);
      expect(answer.body.fields).to.deep.equal({ url: [problem] });
      expect(answer.text).to.not.include('tulip');
    }
    for (const body of [{}, { webhook: null }, { webhook: [] }, { webhook: 'x' }, { url: 'https://x.org' }]) {
      expectRefused(await api.post(path, body, ann), 400, /^param is missing or .*: webhook$/);
    }
    expect((await api.get(path, ann)).json).to.deep.equal([]);
  });

  it('refuses an address that the account has, and a twenty-first', async () => {
    await registered('https://example.com/0');
    expectRefused(await register('https://example.com/0'), 409, /already/);
    await registered('https://example.com/0', ben);
    await times(19, (index) => registered(`https://example.com/${index + 1}`));
    expectRefused(await register('https://example.com/20'), 409, /has 20 webhooks already/);
  });

  it('removes a webhook, once', async () => {
    const { id } = await registered('https://example.com/hook');
    const answer = await remove(`id=${id}`);
    expect({ status: answer.status, body: answer.body }).to.deep.equal({
      status: 200,
      body: { id, deleted: true },
    });
    expect((await api.get(path, ann)).json).to.deep.equal([]);
    expectRefused(await remove(`id=${id}`), 404, 'not-found');
  });

  it('shows what was sent and what waits, the newest first', async () => {
    const { id } = await registered('https://example.com/hook');
    expect((await deliveriesOf(`id=${id}`)).json).to.deep.equal({ deliveries: [] });
    const { json } = await api.create({ expire_after_views: 3 }, ann);
    await api.get(json);
    const answer = await deliveriesOf(`id=${id}`);
    expect(answer.status).to.equal(200);
    const [delivery, ...others] = answer.body.deliveries as Fields[];
    expect(others).to.deep.equal([]);
    expect(delivery?.id).to.match(/^notice_[0-9a-f]{32}$/);
    expect(delivery?.happened_at).to.match(isoTime);
    expect(delivery?.next_attempt_at).to.match(isoTime);
    expect(delivery).to.include({
      event: 'viewed',
      times: 1,
      state: 'waiting',
      attempts: 0,
      last_problem: null,
    });
    expect((await deliveriesOf(`id=${id}&page=2`)).json).to.deep.equal({ deliveries: [] });
    for (const page of ['x', '201', '1.5']) {
      expectRefused(await deliveriesOf(`id=${id}&page=${page}`), 400, 'Invalid page parameter');
    }
  });

  it('knows no webhook of another account, and none without an id', async () => {
    const { id } = await registered('https://example.com/hook');
    for (const [query, headers] of [
      [`id=${id}`, ben],
      [`id=${unknownId}`, ann],
      [`id=${id.toUpperCase()}`, ann],
      ['id=1', ann],
      [`id=${encodeURIComponent("' OR 1=1 --")}`, ann],
    ] as const) {
      for (const send of [remove, deliveriesOf, rotate, test, redeliver]) {
        const answer = await send(`${query}&delivery_id=x`, headers);
        expectRefused(answer, 404, 'not-found');
      }
    }
    for (const query of ['', 'id=', `ID=${id}`]) {
      for (const send of [remove, deliveriesOf, rotate, test, redeliver]) {
        const answer = await send(query);
        expectRefused(answer, 400, /^param is missing or .*: id$/);
      }
    }
    expect((await api.get(path, ann)).json).to.have.length(1);
  });

  it('needs a credential for everything, and asks for it first', async () => {
    const { id } = await registered('https://example.com/hook');
    for (const headers of [{}, bearer('nonsense'), bearer(`hp_${'0'.repeat(38)}`)] as Headers[]) {
      for (const answer of [
        await api.get(path, headers),
        await register('https://example.com/other', headers),
        await register('nonsense', headers),
        await api.send('POST', path, { headers, body: 'no JSON' }),
        await remove(`id=${id}`, headers),
        await remove('', headers),
        await deliveriesOf(`id=${id}`, headers),
        await deliveriesOf('page=x', headers),
        await rotate(`id=${id}`, headers),
        await test(`id=${id}`, headers),
        await redeliver(`id=${id}&delivery_id=x`, headers),
      ]) {
        expectRefused(answer, 401, /./);
      }
    }
    expect((await api.get(path, ann)).json).to.have.length(1);
  });

  it('knows its methods and no others', async () => {
    for (const [known, allowed] of [
      [path, 'DELETE, GET, HEAD, OPTIONS, POST'],
      [deliveriesPath, 'GET, HEAD, OPTIONS'],
    ] as const) {
      for (const method of ['PUT', 'PATCH']) {
        const answer = await api.send(method, known, { headers: ann });
        expect(answer.status).to.equal(405);
        expect(answer.headers.allow).to.equal(allowed);
      }
    }
    expect((await api.send('HEAD', path, { headers: ann })).status).to.equal(200);
  });

  it('is described in OpenAPI as it answers, and on the page for people', async () => {
    const { operation, problemsWith, expectDescribed } = await readOpenApi(api);
    const made = await register('https://example.com/hook');
    const { json } = await api.create({ expire_after_views: 1 }, ann);
    await api.get(json);
    const { schema = {} } = operation(path, 'post').requestBody?.content['application/json'] ?? {};
    expect(problemsWith(schema, { webhook: { url: 'https://example.com/hook' } })).to.deep.equal([]);
    expect(problemsWith(schema, { webhook: {} })).to.not.be.empty;
    expectDescribed(path, 'post', made);
    expectDescribed(path, 'post', await register('https://example.com/hook'));
    expectDescribed(path, 'post', await register('nonsense'));
    expectDescribed(path, 'get', await api.get(path, ann));
    expectDescribed(path, 'get', await api.get(path));
    const log = await deliveriesOf(`id=${made.body.id}`);
    expect(log.body.deliveries).to.not.be.empty;
    expectDescribed(deliveriesPath, 'get', log);
    expectDescribed(deliveriesPath, 'get', await deliveriesOf(`id=${unknownId}`));
    expectDescribed(path, 'delete', await remove(`id=${made.body.id}`));
    expectDescribed(path, 'delete', await remove(''));
    const { text } = await api.get('/docs');
    for (const heading of [`GET ${path}`, `POST ${path}`, `DELETE ${path}`, `GET ${deliveriesPath}`]) {
      expect(text).to.include(heading);
    }
    expect(text.replaceAll('<wbr/>', '')).to.include('webhook[url]');
  });
});
