import { expect } from 'chai';
import { dayMs } from '../../../src/time.ts';
import { storePushes } from '../../../tools/bench/fill.ts';
import { bearer, expirePushIn, times } from '../../harness/api.ts';
import { createAccount } from '../../harness/service.ts';
import { api, expectError, listOf, ms, newAccount, passwordPusherFields, service, useApi } from './api.ts';

describe('GET /p/active.json and /p/expired.json', () => {
  useApi();

  it('return the caller’s own pushes in two states, newest first', async () => {
    const carol = await newAccount();
    const made: string[] = [];
    for (let count = 0; count < 4; count++) made.push((await api.create({}, carol)).token);
    await api.send('DELETE', `/p/${made[1]}.json`);
    await expirePushIn(service, String(made[2]), -1);
    const active = await api.get('/p/active.json', carol);
    const expired = await api.get('/p/expired.json', carol);
    expect(active.status).to.equal(200);
    expect(listOf(active.json).map(({ url_token }) => url_token)).to.deep.equal([made[3], made[0]]);
    expect(listOf(expired.json).map(({ url_token }) => url_token)).to.deep.equal([made[1], made[2]]);
    expect(listOf(active.json).map(({ expired }) => expired)).to.deep.equal([false, false]);
    expect(listOf(expired.json).map(({ deleted }) => deleted)).to.deep.equal([true, false]);
  });

  it('return each push as its creation did, without the payload', async () => {
    const carol = await newAccount();
    const { push } = await api.create({ name: 'rose', note: 'thorn', passphrase: 'p' }, carol);
    const [entry] = listOf((await api.get('/p/active.json', carol)).json);
    expect(entry).to.deep.equal(push);
    expect(Object.keys(entry ?? {}).slice(0, 12)).to.deep.equal(passwordPusherFields);
  });

  it('never list a push as active that reached a limit', async () => {
    const carol = await newAccount();
    const viewed = await api.create({ expire_after_views: 1 }, carol);
    await api.get(viewed.json);
    const outlived = await api.create({}, carol);
    await expirePushIn(service, outlived.token, 0);
    expect((await api.get('/p/active.json', carol)).json).to.deep.equal([]);
    const expired = listOf((await api.get('/p/expired.json', carol)).json);
    expect(expired.map(({ url_token }) => url_token)).to.deep.equal([viewed.token, outlived.token]);
    for (const { expired_on } of expired) ms(expired_on);
  });

  it('return 50 entries per page', async () => {
    const carol = await newAccount();
    const made: string[] = [];
    for (let count = 0; count < 52; count++) made.unshift((await api.create({}, carol)).token);
    const pages = await times(3, (i) => api.get(`/p/active.json?page=${i + 1}`, carol));
    const [first, second, third] = pages.map(({ json }) => listOf(json).map(({ url_token }) => url_token));
    expect(first).to.deep.equal(made.slice(0, 50));
    expect(second).to.deep.equal(made.slice(50));
    expect(third).to.deep.equal([]);
    expect(pages.map(({ headers }) => headers.link)).to.deep.equal([
      '<http://push.test/p/active.json?page=2>; rel="next"',
      undefined,
      undefined,
    ]);
    for (const token of made.slice(50)) await api.send('DELETE', `/p/${token}.json`);
    const full = await api.get('/p/active.json', carol);
    expect(listOf(full.json)).to.have.length(50);
    expect(full.headers).to.not.have.property('link');
  });

  it('return the pushes whose name, note or link contains a text, and lead to more of them', async () => {
    const carol = await newAccount();
    for (let count = 0; count < 51; count++) await api.create({ name: `VPN für Zoë ${count}` }, carol);
    const other = await api.create({ note: 'wi-fi' }, carol);
    const { json, headers } = await api.get(`/p/active.json?search=${encodeURIComponent('für zoë')}`, carol);
    expect(listOf(json)).to.have.length(50);
    const next = /^<http:\/\/push\.test(\/[^>]+)>; rel="next"$/.exec(String(headers.link))?.[1] ?? '';
    const rest = listOf((await api.get(next, carol)).json);
    expect(rest.map(({ name }) => name)).to.deep.equal(['VPN für Zoë 0']);
    for (const search of ['WI-FI', other.token]) {
      const found = listOf((await api.get(`/p/active.json?search=${search}`, carol)).json);
      expect(found.map(({ url_token }) => url_token)).to.deep.equal([other.token]);
    }
    expect((await api.get('/p/expired.json?search=VPN', carol)).json).to.deep.equal([]);
    expect((await api.get('/p/active.json?search=VPN', await newAccount())).json).to.deep.equal([]);
  });

  it('search 2,500 pushes at a time, and lead to older ones', async () => {
    const { account, token } = await createAccount(service.domain);
    const carol = bearer(token);
    const { database } = service;
    const oldest = await api.create({ name: 'an old needle' }, carol);
    const older = await api.create({ name: 'another needle', recipients: ['Bob'] }, carol);
    await database.execute(
      `UPDATE pushes SET created_at = created_at - ${dayMs} WHERE account_id = $accountId`,
      { accountId: account.id },
    );
    await storePushes(database, { count: 2_499, expiresInMs: dayMs, accountId: account.id });
    const search = async (path: string) => {
      const { json, headers } = await api.get(path, carol);
      const next = /^<http:\/\/push\.test(\/[^>]+)>; rel="next"$/.exec(String(headers.link))?.[1];
      return { found: listOf(json).map(({ url_token }) => url_token), next };
    };
    for (const query of [
      'search=NEEDLE',
      'search=needle&sort=oldest&page=1',
      'recipient=bob&search=needle',
    ]) {
      const first = await search(`/p/active.json?${query}`);
      expect(first.found, query).to.deep.equal([older.token]);
      expect(first.next, query)
        .to.match(/[?&]before=\d+-[0-9a-f]{32}$/)
        .and.not.include('page=');
    }
    await storePushes(database, { count: 1, expiresInMs: dayMs, accountId: account.id });
    const none = await search('/p/active.json?search=needle&kind=text');
    expect(none.found).to.deep.equal([]);
    await api.send('DELETE', `/p/${older.token}.json`, { headers: carol });
    const last = await search(none.next ?? '');
    expect(last).to.deep.equal({ found: [oldest.token], next: undefined });
    for (const before of ['x', '1', '1-x', `${'9'.repeat(16)}-${'0'.repeat(32)}`]) {
      const { status, body } = await api.get(`/p/active.json?search=needle&before=${before}`, carol);
      expect([status, body.error], before).to.deep.equal([400, 'Invalid before parameter']);
    }
  });

  it('return the pushes of a kind or for somebody, in the order that was asked for', async () => {
    const carol = await newAccount();
    const long = await api.create({ expire_after_days: 3 }, carol);
    const short = await api.create({ expire_after_days: 1, recipients: ['Bob'] }, carol);
    const link = await api.create(
      { kind: 'url', payload: 'https://example.com', expire_after_days: 2 },
      carol,
    );
    const found = async (query: string) =>
      listOf((await api.get(`/p/active.json?${query}`, carol)).json).map(({ url_token }) => url_token);
    expect(await found('kind=url')).to.deep.equal([link.token]);
    expect(await found('recipient=bo')).to.deep.equal([short.token]);
    expect(await found('sort=oldest')).to.deep.equal([long.token, short.token, link.token]);
    expect(await found('sort=ends_soonest&kind=text')).to.deep.equal([short.token, long.token]);
    expect(await found('sort=&kind=')).to.deep.equal([link.token, short.token, long.token]);
    for (const name of ['kind', 'sort']) {
      const { status, body } = await api.get(`/p/active.json?${name}=x`, carol);
      expect([status, body.error]).to.deep.equal([400, `Invalid ${name} parameter`]);
    }
  });

  for (const state of ['active', 'expired']) {
    it(`accept pages from 1 to 200, and treat less as 1 (${state})`, async () => {
      const carol = await newAccount();
      const { json } = await api.create({}, carol);
      if (state === 'expired') await api.send('DELETE', json);
      for (const page of ['1', '0', '-1', '-200', '001']) {
        expect((await api.get(`/p/${state}.json?page=${page}`, carol)).json).to.have.length(1);
      }
      for (const page of ['2', '200']) {
        expect((await api.get(`/p/${state}.json?page=${page}`, carol)).json).to.deep.equal([]);
      }
      for (const page of ['201', '1000000', '9'.repeat(30), '1.0', '1e2', '0x1', 'abc', '%20', 'NaN']) {
        const answer = await api.get(`/p/${state}.json?page=${page}`, carol);
        expectError(answer, 400, 'Invalid page parameter');
      }
    });

    it(`require an account (${state})`, async () => {
      const answer = await api.get(`/p/${state}.json`);
      expect(answer.status).to.equal(401);
      expect(answer.body.error).to.be.a('string');
    });
  }
});
