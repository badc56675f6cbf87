import { expect } from 'chai';
import { ann, api, expectError, kindsOf, unknownToken, useApi } from './api.ts';

describe('GET /p/TOKEN/preview.json', () => {
  useApi();

  it('returns only the URL, counts no view and writes no audit row', async () => {
    const created = await api.create({ expire_after_views: 1, passphrase: 'p' }, ann);
    const { status, body } = await api.get(`/p/${created.token}/preview.json`);
    expect(status).to.equal(200);
    expect(body).to.deep.equal({ url: `http://push.test/p/${created.token}` });
    expect(await kindsOf(created)).to.deep.equal(['creation']);
    expect((await api.get(`${created.json}?passphrase=p`)).body.views_remaining).to.equal(0);
  });

  it('works for expired pushes too', async () => {
    const created = await api.create({ expire_after_views: 1 }, ann);
    await api.get(created.json);
    const { status, body } = await api.get(`/p/${created.token}/preview.json`);
    expect(status).to.equal(200);
    expect(body).to.deep.equal({ url: created.push.html_url });
    expect(await kindsOf(created)).to.deep.equal(['creation', 'view']);
  });

  it('responds with 404 to an unknown token', async () => {
    expectError(await api.get(`/p/${unknownToken}/preview.json`), 404, 'not-found');
  });
});
