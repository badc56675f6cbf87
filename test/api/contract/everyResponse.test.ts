import { expect } from 'chai';
import { type ApiResponse, bearer, sendRaw } from '../../harness/api.ts';
import { ann, api, service, unknownToken, useApi } from './api.ts';

describe('The JSON API', () => {
  useApi();

  const requests: [string, number, () => Promise<ApiResponse>][] = [
    ['a creation', 201, async () => (await api.create()).response],
    ['a retrieval', 200, async () => api.get((await api.create()).json)],
    ['a last view', 200, async () => api.get((await api.create({ expire_after_views: 1 })).json)],
    [
      'an expired push',
      200,
      async () => {
        const { json } = await api.create();
        await api.send('DELETE', json);
        return api.get(json);
      },
    ],
    ['a wrong passphrase', 401, async () => api.get((await api.create({ passphrase: 'p' })).json)],
    ['a deletion', 200, async () => api.send('DELETE', (await api.create()).json)],
    ['a preview', 200, async () => api.get(`/p/${(await api.create()).token}/preview.json`)],
    ['an audit log', 200, async () => api.get(`/p/${(await api.create({}, ann)).token}/audit.json`, ann)],
    ['another’s audit log', 403, async () => api.get(`/p/${(await api.create()).token}/audit.json`, ann)],
    ['a list', 200, () => api.get('/p/active.json', ann)],
    ['the version', 200, () => api.get('/api/v1/version.json')],
    ['a wrong credential', 401, () => api.get('/p/active.json', bearer('x'))],
    ['an unknown push', 404, () => api.get(`/p/${unknownToken}.json`)],
    ['an unknown route', 404, () => api.get('/nowhere')],
    ['a wrong method', 405, () => api.send('PUT', '/p.json')],
    ['a bad page', 400, () => api.get('/p/active.json?page=x', ann)],
    ['no root object', 400, () => api.post('/p.json', {})],
    ['a bad value', 422, () => api.post('/p.json', { password: { payload: '' } })],
    ['too large a body', 413, () => api.post('/p.json', { a: 'x'.repeat(6_300_000) })],
    ['a strange body', 415, () => api.send('POST', '/p.json', { headers: { 'content-type': 'text/xml' } })],
    ['no HTTP', 400, () => sendRaw(service.port, 'nonsense\r\n\r\n')],
  ];
  for (const [name, status, ask] of requests) {
    it(`responds with JSON that must not be stored: ${name}`, async () => {
      const answer = await ask();
      expect(answer.status).to.equal(status);
      expect(answer.headers).to.include({
        'content-type': 'application/json; charset=utf-8',
        'cache-control': 'no-store',
      });
      expect(answer.headers).to.not.have.any.keys('etag', 'last-modified', 'set-cookie');
      if (status >= 400) expect(answer.body.error).to.be.a('string').that.is.not.empty;
    });
  }

  it('responds with JSON that must not be stored to a request without Host, and to an unknown Expect', async () => {
    for (const head of ['Connection: close', 'Host: x\r\nConnection: close\r\nExpect: a-miracle']) {
      const answer = await sendRaw(service.port, `GET /api/v1/version HTTP/1.1\r\n${head}\r\n\r\n`);
      expect(answer.status).to.be.within(400, 499);
      expect(answer.headers).to.include({ 'cache-control': 'no-store' });
      expect(answer.body.error).to.be.a('string');
    }
  });

  describe('for scripts of other sites', () => {
    const site = { origin: 'https://elsewhere.test' };
    const reader = ({ headers }: ApiResponse) => headers['access-control-allow-origin'];
    const preflight = (origin: string, requested: string) =>
      api.send('OPTIONS', '/p.json', {
        headers: {
          origin,
          'access-control-request-method': 'POST',
          'access-control-request-headers': requested,
        },
      });
    const create = (headers: Record<string, string>) =>
      api.post('/p.json', { password: { payload: 'tulip' } }, headers);

    it('creates pushes with an API token', async () => {
      for (const asked of ['authorization,content-type', 'Content-Type, X-User-Email, X-User-Token']) {
        const permission = await preflight(site.origin, asked);
        expect(permission.status).to.equal(204);
        expect(permission.headers['access-control-allow-methods']).to.equal('POST');
        expect(reader(permission)).to.equal('*');
      }
      const created = await create({ ...site, ...ann });
      expect(created.status).to.equal(201);
      expect(reader(created)).to.equal('*');
      const refused = await create({ ...site, ...bearer('x') });
      expect(refused.status).to.equal(401);
      expect(reader(refused)).to.equal('*');
    });

    it('creates nothing without one, so no site acts through the browsers of a network', async () => {
      expect(reader(await preflight(site.origin, 'content-type'))).to.equal(undefined);
      for (const origin of [site.origin, 'null', 'http://push.test.evil.test', 'https://push.test']) {
        const refused = await create({ origin });
        expect(refused.status, origin).to.equal(403);
        expect(reader(refused)).to.equal(undefined);
        expect(refused.headers).to.not.have.property('retry-after');
      }
      expect((await create({ origin: 'http://push.test' })).status).to.equal(201);
    });

    it('creates pushes for browser extensions, which alone read the response', async () => {
      for (const scheme of ['chrome', 'moz', 'safari-web']) {
        const origin = `${scheme}-extension://abcdefghijklmnop`;
        expect(reader(await preflight(origin, 'content-type'))).to.equal(origin);
        const created = await create({ origin });
        expect(created.status).to.equal(201);
        expect(reader(created)).to.equal(origin);
        expect(created.headers.vary).to.equal('Origin');
      }
    });

    it('lets those of browser extensions use the whole API', async () => {
      const origin = 'moz-extension://abcdefghijklmnop';
      const { token, json } = await api.create({ passphrase: 'p' }, ann);
      for (const [path, methods] of [
        [json, 'DELETE, GET, HEAD'],
        [`/p/${token}/audit.json`, 'GET, HEAD'],
        [`/p/${token}/audit.csv`, 'GET, HEAD'],
        ['/p/active.json', 'GET, HEAD'],
        ['/api/v1/webhooks.json', 'DELETE, GET, HEAD, POST'],
      ] as const) {
        const headers = { origin, 'access-control-request-headers': 'authorization, x-passphrase' };
        const permission = await api.send('OPTIONS', path, { headers });
        expect(permission.status, path).to.equal(204);
        expect(reader(permission), path).to.equal(origin);
        expect(permission.headers['access-control-allow-methods'], path).to.equal(methods);
        expect(permission.headers['access-control-allow-headers']).to.match(/Authorization.*X-Passphrase/);
      }
      const list = await api.get('/p/active.json', { origin, ...ann });
      expect(list.status).to.equal(200);
      expect(reader(list)).to.equal(origin);
      expect(list.headers['access-control-expose-headers']).to.match(/Link.*X-Request-Id/);
      const expired = await api.send('DELETE', json, { headers: { origin, ...ann } });
      expect([expired.status, reader(expired)]).to.deep.equal([200, origin]);
    });

    it('gives nothing else away', async () => {
      const created = await api.create();
      const paths = [created.json, `/p/${created.token}/preview.json`, '/p/active.json', '/api/v1/version'];
      for (const path of paths) expect(reader(await api.get(path, { ...site, ...ann }))).to.equal(undefined);
      const permission = await api.send('OPTIONS', created.json, { headers: site });
      expect(reader(permission)).to.equal(undefined);
    });
  });

  it('ignores cookies', async () => {
    const token = ann.authorization.slice('Bearer '.length);
    const cookie = `session=${token}; api_token=${token}`;
    expect((await api.get('/p/active.json', { cookie })).status).to.equal(401);
    expect((await api.create({}, { cookie: 'session=nonsense' })).response.status).to.equal(201);
  });
});
