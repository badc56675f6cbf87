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

describe('GET /api/v1/account/identities.json', () => {
  it('lists who the account of the token is at identity providers, and nobody else', async () => {
    const service = await startService();
    const api = createClient(service.port);
    const path = '/api/v1/account/identities.json';
    const { account, token } = await createAccount(service.domain);
    const { account: other } = await createAccount(service.domain);
    expect((await api.get(path, bearer(token))).body).to.deep.equal({ identities: [] });
    for (const [n, { id: accountId }] of [account, other].entries())
      await service.database.execute(
        `INSERT INTO provider_identities (id, account_id, issuer, subject, email, created_at, last_used_at)
         VALUES ($id, $accountId, 'https://id.example.com', $subject, 'ann@example.com', 0, 1000)`,
        { id: Buffer.alloc(16, n + 1), accountId, subject: `person-${n}` },
      );
    expect((await api.get(path, bearer(token))).body).to.deep.equal({
      identities: [
        {
          id: '01'.repeat(16),
          provider: null,
          issuer: 'https://id.example.com',
          subject: 'person-0',
          email: 'ann@example.com',
          created_at: '1970-01-01T00:00:00.000Z',
          last_used_at: '1970-01-01T00:00:01.000Z',
        },
      ],
    });
    expect((await api.get(path)).status).to.equal(401);
    api.close();
    await service.stop();
  });
});
