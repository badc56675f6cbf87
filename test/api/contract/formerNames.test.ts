import { expect } from 'chai';
import { ann, api, expectError, kindsOf, listOf, newAccount, unknownToken, useApi } from './api.ts';

describe('The JSON API', () => {
  useApi();

  for (const prefix of ['f', 'r']) {
    it(`serves every endpoint of a push under /${prefix}`, async () => {
      const created = await api.create({ expire_after_views: 9, name: 'rose' }, ann);
      const { token, push } = created;
      expect((await api.get(`/${prefix}/${token}.json`)).body).to.include({
        payload: 'tulip',
        json_url: push.json_url,
        kind: 'text',
      });
      expect((await api.get(`/${prefix}/${token}/preview.json`)).body).to.deep.equal({
        url: push.html_url,
      });
      const { body } = await api.get(`/${prefix}/${token}/audit.json`, ann);
      expect(listOf(body.views).map(({ kind }) => kind)).to.deep.equal(['creation', 'view']);
      expect((await api.send('HEAD', `/${prefix}/${token}.json`)).status).to.equal(200);
      const deleted = await api.send('DELETE', `/${prefix}/${token}.json`);
      expect(deleted.body).to.include({ expired: true, deleted: true });
      expect(await kindsOf(created)).to.deep.equal(['creation', 'view', 'expire']);
      expectError(await api.get(`/${prefix}/${unknownToken}.json`), 404, 'not-found');
    });

    it(`lists all kinds under /${prefix}`, async () => {
      const carol = await newAccount();
      const active = await api.create({}, carol);
      const expired = await api.create({ kind: 'url', payload: 'https://example.com' }, carol);
      await api.send('DELETE', expired.json);
      for (const [state, token] of [
        ['active', active.token],
        ['expired', expired.token],
      ]) {
        const { json } = await api.get(`/${prefix}/${state}.json`, carol);
        expect(listOf(json).map(({ url_token }) => url_token)).to.deep.equal([token]);
        expect((await api.get(`/${prefix}/${state}.json`)).status).to.equal(401);
      }
    });

    it(`redirects browsers from /${prefix} to /p, with their query`, async () => {
      const { token } = await api.create();
      for (const [query, kept] of [
        ['', ''],
        ['?passphrase=a%20b&x=%41', '?passphrase=a%20b&x=%41'],
      ]) {
        const { status, headers } = await api.get(`/${prefix}/${token}${query}`);
        expect(status).to.equal(301);
        expect(headers.location).to.be.oneOf([`/p/${token}${kept}`, `http://push.test/p/${token}${kept}`]);
      }
    });

    it(`requires credentials to create under /${prefix}`, async () => {
      const root = prefix === 'f' ? 'file_push' : 'url';
      const answer = await api.post(`/${prefix}.json`, { [root]: { payload: 'https://example.com' } });
      expect(answer.status).to.equal(401);
    });
  }

  it('redirects browsers from former addresses with a step or a language', async () => {
    const { token } = await api.create();
    for (const path of [`/p/${token}/r`, `/p/${token}/passphrase`, `/en/p/${token}`, `/pt-BR/f/${token}/r`]) {
      const { status, headers } = await api.get(`${path}?a=%41`);
      expect(status, path).to.equal(301);
      expect(headers.location).to.match(new RegExp(`^(?:http://push\\.test)?/p/${token}\\?a=%41$`));
    }
  });

  it('serves every JSON path behind a language, as older PowerShell clients send it', async () => {
    for (const language of ['en', 'de', 'pt-BR', 'zh-cn']) {
      const created = await api.post(`/${language}/p.json`, { password: { payload: 'tulip' } }, ann);
      expect(created.status, language).to.equal(201);
      const token = String(created.body.url_token);
      expect(created.body.json_url).to.equal(`http://push.test/p/${token}.json`);
      for (const [path, headers] of [
        [`/p/${token}.json`, {}],
        [`/f/${token}/preview.json`, {}],
        [`/p/${token}/audit.json`, ann],
        ['/p/active.json', ann],
        ['/r/expired.json', ann],
        ['/api/v1/version', {}],
        ['/api/v1/version.json', {}],
      ] as const) {
        expect((await api.get(`/${language}${path}`, headers)).status, path).to.equal(200);
      }
      expect((await api.send('DELETE', `/${language}/p/${token}.json`)).body.deleted).to.equal(true);
      expectError(await api.get(`/${language}/api/v2/version.json`), 404, 'not-found');
    }
    for (const prefix of ['e', 'eng', 'EN', 'en-', 'en/en', 'de_DE'])
      expectError(await api.get(`/${prefix}/p/active.json`), 404, 'not-found');
  });

  it('speaks the language in front of the path in messages alone', async () => {
    const { token } = await api.create({ passphrase: 'p' });
    const [english, german] = await Promise.all(
      ['en', 'de'].map((language) => api.get(`/${language}/p/${token}.json`)),
    );
    expect(german?.body.error).to.equal(english?.body.error);
    expect(german?.body.message).to.not.equal(english?.body.message);
    const invalid = await api.post('/de/p.json', { password: {} });
    expect(invalid.body.errors).to.deep.equal(['payload must not be blank']);
  });

  it('redirects browsers from the pages that people have bookmarked, in any language', async () => {
    const targets = {
      '/users/sign_in': '/sign-in',
      '/users/token': '/account/tokens',
      '/p/new': '/',
      '/d/active': '/pushes',
      '/d/expired': '/pushes?state=expired',
      '/help/api': '/docs',
    };
    const redirectOf = async (path: string) => {
      const { status, headers } = await api.get(path);
      return `${status} ${headers.location}`;
    };
    for (const [path, target] of Object.entries(targets)) {
      expect(await redirectOf(path)).to.equal(`301 http://push.test${target}`);
      expect(await redirectOf(`/pt-BR${path}`)).to.equal(`301 http://push.test${target}`);
      const query = target.includes('?') ? '&' : '?';
      expect(await redirectOf(`/de${path}`)).to.equal(`301 http://push.test${target}${query}locale=de`);
    }
    expect(await redirectOf('/de')).to.equal('301 http://push.test/?locale=de');
    expect(await redirectOf('/fr/')).to.equal('301 http://push.test/');
  });

  it('reports its health at /up too', async () => {
    expect((await api.get('/up')).body).to.deep.equal({ status: 'alive' });
  });

  it('creates URL pushes at /r.json', async () => {
    const answer = await api.post(
      '/r.json',
      { url: { payload: 'https://example.com/', expire_after_views: 1, kind: 'text' } },
      ann,
    );
    expect(answer.status).to.equal(201);
    expect(answer.body).to.include({ kind: 'url', views_total: 1 });
    expect(answer.body.json_url).to.equal(`http://push.test/p/${answer.body.url_token}.json`);
    const bad = await api.post('/r.json', { url: { payload: 'no address' } }, ann);
    expect(bad.status).to.equal(422);
  });

  it('requires the root object that belongs to each former name', async () => {
    const wrong = { password: { payload: 'https://example.com' } };
    const missing = 'param is missing or the value is empty or invalid';
    expectError(await api.post('/r.json', wrong, ann), 400, `${missing}: url`);
    expectError(await api.post('/f.json', wrong, ann), 400, `${missing}: file_push`);
    expectError(await api.post('/p.json', { url: wrong.password }, ann), 400, `${missing}: password`);
  });

  it('accepts both root objects at /f.json', async () => {
    for (const root of ['file_push', 'file']) {
      const answer = await api.post('/f.json', { [root]: { payload: 'x' } }, ann);
      expectError(answer, 403, 'File attachments require a subscription.');
      expect(answer.body.message)
        .to.include('hushpush admin account subscribe')
        .and.not.match(/rate limit/i);
    }
  });
});
