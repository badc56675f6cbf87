import { expect } from 'chai';
import { expirePushIn, times } from '../../harness/api.ts';
import {
  ann,
  api,
  bob,
  documentedFields,
  expectError,
  kindsOf,
  ms,
  passwordPusherFields,
  service,
  unknownToken,
  useApi,
} from './api.ts';

describe('DELETE /p/TOKEN.json', () => {
  useApi();

  it('expires the push at once, and returns it as deleted', async () => {
    const created = await api.create({ deletable_by_viewer: false, passphrase: 'p' }, ann);
    const { status, body } = await api.send('DELETE', created.json, { headers: ann });
    expect(status).to.equal(200);
    expect(body).to.have.all.keys(passwordPusherFields.concat(documentedFields));
    expect(body).to.deep.include({ expired: true, deleted: true, passphrase: null, files: [] });
    expect(ms(body.expired_on)).to.be.at.least(ms(created.push.created_at));
    const after = await api.get(created.json);
    expect(after.status).to.equal(200);
    expect(after.body).to.include({ payload: null, expired: true, deleted: true });
    expect(after.body.expired_on).to.equal(body.expired_on);
  });

  it('changes nothing the second time', async () => {
    const created = await api.create({}, ann);
    const first = await api.send('DELETE', created.json);
    const second = await api.send('DELETE', created.json);
    expect(second.status).to.equal(200);
    expect(second.body).to.deep.equal(first.body);
    expect(await kindsOf(created)).to.deep.equal(['creation', 'expire']);
  });

  it('writes one audit row for a hundred simultaneous deletions', async () => {
    const created = await api.create({}, ann);
    const answers = await times(100, () => api.send('DELETE', created.json));
    expect(new Set(answers.map(({ status }) => status))).to.deep.equal(new Set([200]));
    expect(new Set(answers.map(({ body }) => body.expired_on))).to.have.property('size', 1);
    expect(await kindsOf(created)).to.deep.equal(['creation', 'expire']);
  });

  it('does not mark a push as deleted that had already expired', async () => {
    const viewed = await api.create({ expire_after_views: 1 }, ann);
    const { body } = await api.get(viewed.json).then(() => api.get(viewed.json));
    const outlived = await api.create({}, ann);
    await expirePushIn(service, outlived.token, -1000);
    const answers = [
      await api.send('DELETE', viewed.json, { headers: ann }),
      await api.send('DELETE', outlived.json, { headers: ann }),
    ];
    for (const answer of answers) {
      expect(answer.status).to.equal(200);
      expect(answer.body).to.include({ expired: true, deleted: false });
    }
    expect(answers[0]?.body.expired_on).to.equal(body.expired_on);
    expect(answers[1]?.body.expired_on).to.equal(answers[1]?.body.expires_at);
    expect(await kindsOf(outlived)).to.deep.equal(['creation']);
  });

  it('is allowed to anyone, even without the passphrase, if the push is deletable by viewers', async () => {
    const { json } = await api.create({ passphrase: 'p' }, ann);
    expect((await api.send('DELETE', json)).body).to.include({ expired: true, deleted: true });
    const another = await api.create({}, ann);
    expect((await api.send('DELETE', another.json, { headers: bob })).body.deleted).to.equal(true);
  });

  it('is forbidden to everyone but the owner if the push is not deletable by viewers', async () => {
    const { json } = await api.create({ deletable_by_viewer: false }, ann);
    const anonymous = await api.send('DELETE', json);
    expectError(anonymous, 401, 'That push is not deletable by viewers.');
    const other = await api.send('DELETE', json, { headers: bob });
    expectError(other, 403, 'That push is not deletable by viewers.');
    expect((await api.get(json)).body.payload).to.equal('tulip');
  });

  it('is forbidden to everyone if the push has no owner and is not deletable by viewers', async () => {
    const { json } = await api.create({ deletable_by_viewer: false });
    expectError(await api.send('DELETE', json), 401, 'That push is not deletable by viewers.');
    const known = await api.send('DELETE', json, { headers: ann });
    expectError(known, 403, 'That push is not deletable by viewers.');
    expect((await api.get(json)).body.payload).to.equal('tulip');
  });

  it('returns name and note to the owner only', async () => {
    const { json } = await api.create({ name: 'rose', note: 'thorn' }, ann);
    expect((await api.send('DELETE', json)).body).to.include({ name: null, note: null });
    const owners = await api.send('DELETE', json, { headers: ann });
    expect(owners.body).to.include({ name: 'rose', note: 'thorn' });
  });

  it('responds with 404 to an unknown token', async () => {
    expectError(await api.send('DELETE', `/p/${unknownToken}.json`), 404, 'not-found');
  });
});
