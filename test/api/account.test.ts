import { expect } from 'chai';
import { bearer, createClient } from '../harness/api.ts';
import {
  byPassword,
  createAccount,
  refusal,
  someClient,
  startService,
  type TestService,
} from '../harness/service.ts';
import { until } from '../harness/until.ts';

describe('GET /api/v1/account/security.json', () => {
  let service: TestService;
  let api: ReturnType<typeof createClient>;
  const path = '/api/v1/account/security.json';

  before(async () => {
    service = await startService();
    api = createClient(service.port);
  });
  after(async () => {
    api.close();
    await service.stop();
  });

  it('lists what happened to the account of the token alone, newest first, with wrong tries merged', async () => {
    const { accounts, passwordLinks, sessions, signIn } = service.domain;
    const { account, token } = await createAccount(service.domain);
    const { account: other } = await createAccount(service.domain);
    await sessions.create(other, someClient, byPassword);
    await sessions.create(account, someClient, byPassword);
    await passwordLinks.create(account.email, 'invite', 'operator');
    await accounts.setSubscribed(account.email, true, 'operator');
    const wrong = { email: account.email, password: 'wrong' };
    for (let at = 0; at < 2; at++) await refusal(signIn.signIn(wrong, someClient));
    const read = async () => (await api.get(path, bearer(token))).body.events as Record<string, unknown>[];
    await until(async () => (await read())[0]?.times === 2);
    const [tries, ...others] = await read();
    expect(tries).to.include({ kind: 'sign_in_failed', detail: 'password', actor: null, ip: someClient.ip });
    expect(Date.parse(String(tries?.last_at))).to.be.at.least(Date.parse(String(tries?.created_at)));
    expect(others.map(({ kind, actor }) => [kind, actor])).to.deep.equal([
      ['subscribed', 'operator'],
      ['invitation', 'operator'],
      ['signed_in', null],
      ['token_created', null],
    ]);
  });

  it('has 50 entries a page, and leads to the next', async () => {
    const { account, token } = await createAccount(service.domain);
    for (let at = 0; at < 50; at++) await service.domain.sessions.create(account, someClient, byPassword);
    const first = await api.get(path, bearer(token));
    expect(first.body.events).to.have.lengthOf(50);
    expect(first.headers.link).to.match(/security\.json\?page=2>; rel="next"$/);
    const second = await api.get(`${path}?page=2`, bearer(token));
    expect(second.body).to.have.nested.property('events[0].kind', 'token_created');
    expect(second.body.events).to.have.lengthOf(1);
    expect(second.headers.link).to.equal(undefined);
  });
});
