import { expect } from 'chai';
import type { Account, TrustRule } from '../../src/domain/index.ts';
import { bearer, type Client, createClient } from '../harness/api.ts';
import { startIdentityProvider, type TestIdentityProvider } from '../harness/identityProvider.ts';
import { createAccount, startService, type TestService } from '../harness/service.ts';

describe('A program whose token comes from an OpenID provider', () => {
  let service: TestService;
  let api: Client;
  /** Two providers at once, with a program of the same name. */
  let one: TestIdentityProvider;
  let other: TestIdentityProvider;
  let account: Account;
  let rules: { one: TrustRule; other: TrustRule };

  before(async () => {
    [one, other] = (await Promise.all(
      ['one', 'other'].map((name) => startIdentityProvider({ base: 'http://push.test', name })),
    )) as [TestIdentityProvider, TestIdentityProvider];
    service = await startService({ PRIVATE_ISSUERS: `${one.issuer},${other.issuer}` });
    api = createClient(service.port);
    ({ account } = await createAccount(service.domain));
    const trust = ({ name, issuer }: TestIdentityProvider) =>
      service.domain.trustRules.create(account, {
        name,
        issuer,
        claims: { sub: 'workload', repository: 'acme/app' },
      });
    rules = { one: await trust(one), other: await trust(other) };
  });
  after(async () => {
    api.close();
    await service.stop();
    await Promise.all([one, other].map((provider) => provider.stop()));
  });

  const exchange = (token: string, fields: Record<string, string> = {}) =>
    api.send('POST', '/oauth/token', {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: String(
        new URLSearchParams({
          grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
          subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
          subject_token: token,
          ...fields,
        }),
      ),
    });

  for (const name of ['one', 'other'] as const)
    it(`gets an API token for that of the provider “${name}”, which creates a push`, async () => {
      const provider = { one, other }[name];
      const { status, body } = await exchange(await provider.tokenOfWorkload(rules[name].audience));
      expect(status, JSON.stringify(body)).to.equal(200);
      const push = await api.create({}, bearer(String(body.access_token)));
      expect(push.token).to.match(/^\w{26}$/);
    });

  it('uses its token once', async () => {
    const token = await one.tokenOfWorkload(rules.one.audience);
    expect((await exchange(token)).status).to.equal(200);
    const again = await exchange(token);
    expect([again.status, again.body.error]).to.deep.equal([400, 'invalid_grant']);
    expect(again.body.error_description).to.match(/was used|once/);
    expect((await exchange(await one.tokenOfWorkload(rules.one.audience))).status, 'another one').to.equal(
      200,
    );
  });

  it('is refused with a token for another audience', async () => {
    const token = await one.tokenOfWorkload('https://elsewhere.example.com/');
    const { status, body } = await exchange(token, { client_id: rules.one.id });
    expect([status, body.error]).to.deep.equal([400, 'invalid_grant']);
    expect(body.error_description).to.include('audience');
  });

  it('is refused with a token of the one provider by the rule of the other', async () => {
    const token = await other.tokenOfWorkload(rules.one.audience);
    const { status, body } = await exchange(token);
    expect([status, body.error]).to.deep.equal([400, 'invalid_grant']);
    const crossed = await exchange(await one.tokenOfWorkload(rules.one.audience), {
      client_id: rules.other.id,
    });
    expect(crossed.status).to.equal(400);
  });
});
