import { expect } from 'chai';
import { times } from '../../harness/api.ts';
import { ann, api, auditOf, bob, expectError, kindsOf, ms, unknownToken, useApi } from './api.ts';

describe('GET /p/TOKEN/audit.json', () => {
  useApi();

  it('starts with the creation and lists all events in order', async () => {
    const created = await api.create({ passphrase: 'p', expire_after_views: 2 }, ann);
    await api.get(created.json);
    await api.get(created.json, { 'sec-purpose': 'prefetch' });
    await api.get(`${created.json}?passphrase=p`);
    await api.send('DELETE', created.json);
    await api.get(created.json);
    expect(await kindsOf(created)).to.deep.equal([
      'creation',
      'failed_passphrase',
      'preview',
      'view',
      'expire',
      'failed_view',
    ]);
  });

  it('says which events were successful', async () => {
    const created = await api.create({ passphrase: 'p', expire_after_views: 1 }, ann);
    for (const query of ['', '?passphrase=p', '?passphrase=p']) await api.get(created.json + query);
    const rows = await auditOf(created);
    expect(rows.map(({ kind, successful }) => `${kind} ${successful}`)).to.deep.equal([
      'creation true',
      'failed_passphrase false',
      'view true',
      'failed_view false',
    ]);
  });

  it('returns the seven fields of a record, with the time of the creation', async () => {
    const created = await api.create({}, ann);
    const [row, ...more] = await auditOf(created);
    expect(more).to.be.empty;
    expect(row).to.deep.equal({
      ip: '127.0.0.1',
      user_agent: '',
      referrer: '',
      created_at: created.push.created_at,
      updated_at: created.push.created_at,
      kind: 'creation',
      successful: true,
    });
  });

  it('returns user agent and referrer, truncated to 255 characters', async () => {
    const created = await api.create({}, ann);
    await api.get(created.json, { 'user-agent': 'u'.repeat(300), referer: '-'.repeat(300) });
    await api.get(created.json, { 'user-agent': 'curl/8', referer: 'https://example.com/x' });
    const [, long, short] = await auditOf(created);
    expect(long).to.include({ user_agent: 'u'.repeat(255), referrer: '-'.repeat(255) });
    expect(short).to.include({ user_agent: 'curl/8', referrer: 'https://example.com/x' });
  });

  it('returns 50 records per page, without gaps or duplicates', async () => {
    const created = await api.create({ expire_after_views: 100 }, ann);
    for (let view = 0; view < 70; view += 10) {
      await times(10, (i) => api.get(created.json, { 'user-agent': `viewer ${view + i}` }));
    }
    const [first, second, third] = await times(3, (i) => auditOf(created, ann, i + 1));
    expect(first).to.have.length(50);
    expect(second).to.have.length(21);
    expect(third).to.deep.equal([]);
    expect(first?.[0]?.kind).to.equal('creation');
    const rows = [...(first ?? []), ...(second ?? [])];
    expect(new Set(rows.map(({ user_agent }) => user_agent))).to.have.property('size', 71);
    const stamps = rows.map(({ created_at }) => ms(created_at));
    expect(stamps).to.deep.equal(stamps.toSorted((a, b) => a - b));
  });

  it('still returns a view after a flood of other events, and stays below 2,000 records', async () => {
    const created = await api.create({ passphrase: 'p' }, ann);
    for (let flood = 0; flood < 450; flood += 50) await times(50, () => api.get(created.json));
    await api.get(`${created.json}?passphrase=p`);
    const pages = await times(10, (i) => auditOf(created, ann, i + 1));
    const kinds = pages.flat().map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === 'view')).to.have.length(1);
    expect(kinds.length).to.be.within(300, 430);
  });

  it('is forbidden to everyone but the owner', async () => {
    const { token } = await api.create({}, ann);
    const answer = await api.get(`/p/${token}/audit.json`, bob);
    expectError(answer, 403, "That push doesn't belong to you.");
    expect(answer.headers).to.not.have.property('retry-after');
    expect((await api.get(`/p/${token}/audit.json`)).status).to.equal(401);
    expectError(await api.get(`/p/${unknownToken}/audit.json`, ann), 404, 'not-found');
  });

  it('is forbidden to everyone if the push has no owner', async () => {
    const { token } = await api.create();
    expectError(await api.get(`/p/${token}/audit.json`, ann), 403, "That push doesn't belong to you.");
    expect((await api.get(`/p/${token}/audit.json`)).status).to.equal(401);
  });

  it('authenticates before it validates the page parameter', async () => {
    const { token } = await api.create({}, ann);
    expect((await api.get(`/p/${token}/audit.json?page=x`)).status).to.equal(401);
  });

  it('validates the page parameter as the lists do', async () => {
    const created = await api.create({}, ann);
    for (const page of ['0', '-7', '1']) {
      const { body } = await api.get(`/p/${created.token}/audit.json?page=${page}`, ann);
      expect(body.views).to.have.length(1);
    }
    expect((await api.get(`/p/${created.token}/audit.json?page=200`, ann)).body.views).to.deep.equal([]);
    for (const page of ['201', 'x', '1.5', '1e1']) {
      const answer = await api.get(`/p/${created.token}/audit.json?page=${page}`, ann);
      expectError(answer, 400, 'Invalid page parameter');
    }
  });

  it('works after the push expired', async () => {
    const created = await api.create({}, ann);
    await api.send('DELETE', created.json, { headers: ann });
    expect(await kindsOf(created)).to.deep.equal(['creation', 'expire']);
  });
});
