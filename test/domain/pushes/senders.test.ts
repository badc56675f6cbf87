import { expect } from 'chai';
import { bearer, type Client, createClient, type Fields } from '../../harness/api.ts';
import { createForms, payloadShown } from '../../harness/forms.ts';
import { createAccount, startService, type TestService } from '../../harness/service.ts';

const sender = 'Ana, IT';

describe('What a sender says of themselves', () => {
  let service: TestService;
  let api: Client;
  let ann: { authorization: string };

  before(async () => {
    service = await startService();
    api = createClient(service.port);
    ann = bearer((await createAccount(service.domain)).token);
  });
  after(async () => {
    api.close();
    await service.stop();
  });

  const create = (fields: Fields = {}) => api.create({ sender, ...fields }, ann);
  const storedOf = () =>
    service.database.select<{ sender: Buffer | null }>(
      'SELECT sender FROM pushes ORDER BY created_at DESC',
      {},
    );

  it('is on the page of the secret, and on no page before it', async () => {
    const { page } = await create({ expire_after_views: 1 });
    const forms = createForms(service.domain, api);
    const form = await forms.loadForm(page);
    expect((await api.get(page)).text).to.not.include('Ana');
    const opened = await forms.submit(page, form);
    expect(payloadShown(opened)).to.equal('tulip');
    expect(opened.text).to.include('The sender says they are:').and.include(`>${sender}</bdi>`);
    const again = await forms.submit(page, form); // from the copy of the view
    expect(again.text).to.include(`>${sender}</bdi>`);
  });

  it('comes with the payload in the API, and in no other answer', async () => {
    const { json, push, token } = await create();
    expect(JSON.stringify(push)).to.not.include('Ana');
    const scanner = { 'user-agent': 'Slackbot-LinkExpanding 1.0' };
    for (const answer of [
      await api.get(json, scanner),
      await api.get(`/p/${token}/preview.json`),
      await api.get(`/p/${token}/audit.json`, ann),
      await api.get('/p/active.json', ann),
    ])
      expect(answer.text).to.not.include('Ana');
    expect((await api.get(json)).body).to.include({ payload: 'tulip', sender });
    expect((await api.get((await api.create({}, ann)).json)).body).to.not.have.property('sender');
  });

  it('is stored encrypted, and erased with the payload', async () => {
    const { json } = await create({ expire_after_views: 1 });
    expect(String((await storedOf())[0]?.sender))
      .to.have.length.above(30)
      .and.not.include('Ana');
    await api.get(json);
    expect((await storedOf())[0]?.sender).to.equal(null);
    const deleted = await create();
    await api.send('DELETE', deleted.json, { headers: ann });
    expect((await storedOf())[0]?.sender).to.equal(null);
  });

  it('has at most 100 characters, and no power over its page', async () => {
    const refused = await api.post('/p.json', { password: { payload: 'tulip', sender: 'x'.repeat(101) } });
    expect(refused.status).to.equal(422);
    expect(refused.body.error).to.equal('sender must have at most 100 characters');
    const { page } = await create({ sender: '<b>\u202eAna</b>' });
    const { text } = await createForms(service.domain, api).reveal({ page });
    expect(text).to.include('>&lt;b>Ana&lt;/b></bdi>');
  });
});
