import { expect } from 'chai';
import { ann, api, bob, expectError, kindsOf, unknownToken, useApi } from './api.ts';

describe('POST /p/TOKEN/extend.json', () => {
  useApi();

  const extend = (token: string, minutes: unknown, headers = ann) =>
    api.post(`/p/${token}/extend.json`, { extension: { minutes } }, headers);

  it('sets a later end for a push of the caller, and uses no view', async () => {
    const created = await api.create({ expire_after_days: 1 }, ann);
    const { status, body } = await extend(created.token, 3 * 24 * 60);
    expect(status).to.equal(200);
    expect(body).to.include({ url_token: created.token, days_remaining: 3, views_remaining: 5 });
    expect(await kindsOf(created)).to.deep.equal(['creation', 'edit']);
  });

  it('refuses an earlier end, a push that has ended, and a time out of bounds', async () => {
    const { token, json } = await api.create({ expire_after_days: 2 }, ann);
    expect((await extend(token, 60)).status).to.equal(409);
    for (const minutes of [0, 1.5, 'tulip', 91 * 24 * 60])
      expect((await extend(token, minutes)).status, String(minutes)).to.equal(422);
    await api.send('DELETE', json, { headers: ann });
    expect((await extend(token, 3 * 24 * 60)).status).to.equal(409);
  });

  it('refuses what exceeds the longest life, counted from the creation, and says so', async () => {
    const { token } = await api.create({ expire_after_days: 2 }, ann);
    const sentence = 'No link lives longer than 90 days here, counted from when it was created.';
    expectError(await extend(token, 90 * 24 * 60), 409, sentence);
    expect((await extend(token, 89 * 24 * 60)).body).to.include({ days_remaining: 89 });
  });

  it('is only for the owner', async () => {
    const { token } = await api.create({}, ann);
    expect((await extend(token, 20_000, bob)).status).to.equal(403);
    expect((await api.post(`/p/${token}/extend.json`, { extension: { minutes: 20_000 } })).status).to.equal(
      401,
    );
    expectError(await extend(unknownToken, 20_000), 404, 'not-found');
  });

  it('needs its root object', async () => {
    const { token } = await api.create({}, ann);
    expect((await api.post(`/p/${token}/extend.json`, { minutes: 20_000 }, ann)).status).to.equal(400);
  });
});
