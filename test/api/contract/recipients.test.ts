import { createHash } from 'node:crypto';
import { expect } from 'chai';
import type { CreatedPush, Fields } from '../../harness/api.ts';
import { isoTime } from '../../harness/openApi.ts';
import { ann, api, auditOf, expectError, listOf, bob as stranger, useApi } from './api.ts';

describe('A push with recipients, over the API', () => {
  useApi();

  const recipientsOf = ({ push }: CreatedPush) => listOf(push.recipients);
  const pathOf = (url: unknown) => new URL(String(url)).pathname;

  it('gives a link to each, and says in its owner’s lists who has opened it', async () => {
    const created = await api.create({ recipients: ['Bob', 'Carol'], views_per_recipient: 2 }, ann);
    expect(created.push).to.include({ views_total: 4, views_remaining: 4, expire_after_views: 4 });
    const [bob, carol] = recipientsOf(created) as [Fields, Fields];
    expect([bob.name, carol.name]).to.eql(['Bob', 'Carol']);
    expect(bob).to.include({ views_total: 2, views_remaining: 2, opened_at: null, last_opened_at: null });

    const { status, body } = await api.get(pathOf(carol.json_url));
    expect(status).to.equal(200);
    expect(body).to.include({
      payload: 'tulip',
      views_total: 2,
      views_remaining: 1,
      html_url: carol.html_url,
    });
    expect(body).not.to.have.property('recipients');

    const listed = listOf((await api.get('/p/active.json', ann)).json).find(
      ({ url_token }) => url_token === created.token,
    );
    expect(listed).to.include({ views_remaining: 3 });
    const [first, second] = listOf(listed?.recipients) as [Fields, Fields];
    expect(first).to.eql(bob);
    expect(second).to.include({ id: carol.id, views_remaining: 1 });
    expect(second.opened_at).to.match(isoTime).and.to.equal(second.last_opened_at);

    const [, view] = await auditOf(created);
    expect(view).to.deep.include({ kind: 'view', recipient: { id: carol.id, name: 'Carol' } });
  });

  it('opens nothing through its own link, and spends nothing on trying', async () => {
    const created = await api.create({ recipients: ['Bob'] }, ann);
    expectError(
      await api.get(created.json, ann),
      403,
      'That secret opens only through the links of its recipients.',
    );
    const [bob] = recipientsOf(created) as [Fields];
    expect((await api.send('HEAD', pathOf(bob.json_url))).status).to.equal(200);
    expect((await api.get(pathOf(bob.json_url))).body.payload).to.equal('tulip');
    expect((await api.get(created.json)).body).to.include({ expired: true, payload: null });
  });

  it('is named in each response by the SHA-256 of the link in it', async () => {
    const created = await api.create({ recipients: ['Bob', 'Carol'], deletable_by_viewer: true }, ann);
    const [bob, carol] = recipientsOf(created).map(({ json_url }) => pathOf(json_url)) as [string, string];
    const responses = [
      created.response,
      await api.post(`/p/${created.token}/extend.json`, { extension: { minutes: 20_000 } }, ann),
      ...(await Promise.all([bob, bob, carol].map((path) => api.get(path)))), // the second is too late
      await api.send('DELETE', created.json, { headers: ann }),
    ];
    const listed = listOf((await api.get('/p/expired.json', ann)).json);
    for (const body of [...responses.map(({ body }) => body), ...listed])
      expect(body.url_token_sha256).to.equal(
        createHash('sha256').update(String(body.url_token)).digest('hex'),
      );
    expect(new Set(responses.map(({ body }) => body.url_token)).size).to.equal(3);
  });

  it('shows its recipients to nobody but its owner', async () => {
    const created = await api.create({ recipients: ['Bob'], deletable_by_viewer: true }, ann);
    const deleted = await api.send('DELETE', created.json, { headers: stranger });
    expect(deleted.status).to.equal(200);
    expect(deleted.text).not.to.include('recipients');
    expect((await api.send('DELETE', created.json, { headers: ann })).body.recipients).to.have.length(1);
  });

  it('needs an account, and says what is wrong with its recipients', async () => {
    const post = (fields: Fields, headers = ann) =>
      api.post('/p.json', { password: { payload: 'tulip', ...fields } }, headers);
    const anonymous = await api.post('/p.json', { password: { payload: 'tulip', recipients: ['Bob'] } });
    expectError(anonymous, 401, 'A push with recipients needs an account.');
    for (const [fields, error] of [
      [{ recipients: ['Bob'], expire_after_views: 5 }, /^expire_after_views must be 1, /],
      [{ recipients: Array(51).fill('Bob') }, /^recipients must be at most 50$/],
      [{ recipients: Array(40).fill('Bob'), views_per_recipient: 3 }, /^recipients must be at most 33$/],
    ] as const) {
      const { status, body } = await post(fields);
      expect(status).to.equal(422);
      expect(body.error).to.match(error);
    }
  });
});
