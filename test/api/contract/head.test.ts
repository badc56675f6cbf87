import { expect } from 'chai';
import { ann, api, kindsOf, prefixes, unknownToken, useApi } from './api.ts';

describe('HEAD /p/TOKEN.json', () => {
  useApi();

  for (const prefix of prefixes) {
    it(`counts no view, writes no audit row and has no body under /${prefix}`, async () => {
      const created = await api.create({ expire_after_views: 1 }, ann);
      for (const path of [
        `/${prefix}/${created.token}.json`,
        `/${prefix}/${created.token}/preview.json`,
        `/${prefix}/${created.token}/audit.json`,
        `/${prefix}/active.json`,
        `/${prefix}/expired.json`,
      ]) {
        const { status, text, headers } = await api.send('HEAD', path, { headers: ann });
        expect(status, path).to.equal(200);
        expect(text).to.equal('');
        expect(headers['content-type']).to.match(/^application\/json/);
      }
      expect(await kindsOf(created)).to.deep.equal(['creation']);
      expect((await api.get(created.json)).body).to.include({ payload: 'tulip', views_remaining: 0 });
    });
  }

  it('writes no audit row for an expired push, nor for one with a passphrase', async () => {
    const expired = await api.create({ expire_after_views: 1 }, ann);
    await api.get(expired.json);
    const locked = await api.create({ passphrase: 'p' }, ann);
    await api.send('HEAD', expired.json);
    await api.send('HEAD', locked.json);
    await api.send('HEAD', `${locked.json}?passphrase=x`);
    await api.send('HEAD', locked.json, { headers: { 'sec-purpose': 'prefetch' } });
    expect(await kindsOf(expired)).to.deep.equal(['creation', 'view']);
    expect(await kindsOf(locked)).to.deep.equal(['creation']);
  });

  it('responds with the status of GET', async () => {
    expect((await api.send('HEAD', `/p/${unknownToken}.json`)).status).to.equal(404);
    expect((await api.send('HEAD', '/p/active.json')).status).to.equal(401);
    expect((await api.send('HEAD', '/nowhere')).status).to.equal(404);
    expect((await api.send('HEAD', '/api/v1/version')).status).to.equal(200);
  });
});
