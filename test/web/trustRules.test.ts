import { expect } from 'chai';
import { bearer, type Client, createClient } from '../harness/api.ts';
import { openFormBrowser, password, visibleText } from '../harness/pages.ts';
import { newEmail, refusal, startService, type TestService } from '../harness/service.ts';

const github = 'https://token.actions.githubusercontent.com';

describe('The page of trust rules', () => {
  let service: TestService;
  let api: Client;

  before(async () => {
    service = await startService();
    api = createClient(service.port);
  });
  after(async () => {
    api.close();
    await service.stop();
  });

  async function signedUp() {
    const browser = await openFormBrowser(api);
    const email = newEmail();
    await browser.signUp(email);
    return { browser, account: await service.domain.accounts.find(email) };
  }

  const rule = { name: 'acme/app', issuer: github, claims: 'repository = acme/app\nref = refs/heads/main' };

  it('creates a rule, shows its audience, and removes it', async () => {
    const { browser, account } = await signedUp();
    expect(visibleText(await browser.get('/account/tokens'))).to.include('Trust rules');
    const made = await browser.submit('/account/rules', '/account/rules', { ...rule, minutes: '5' });
    expect(made.status).to.equal(200);
    const [created] = await service.domain.trustRules.list(account);
    expect(created).to.deep.include({
      ...{ issuer: github, scope: 'create', minutes: 5 },
      claims: { repository: 'acme/app', ref: 'refs/heads/main' },
      audience: `hushpush:${created?.id}`,
    });
    expect(visibleText(made)).to.include('The trust rule is created.').and.include(`hushpush:${created?.id}`);
    expect(visibleText(made)).to.match(/repository = acme\/app.*ref = refs\/heads\/main.*5 minutes/);
    const again = await browser.submit('/account/rules', '/account/rules', rule);
    expect([
      again.status,
      visibleText(again).includes('already has a trust rule named acme/app'),
    ]).to.deep.equal([409, true]);
    const removed = await browser.submit('/account/rules', '/account/rules/remove', {
      id: created?.id ?? '',
    });
    expect(visibleText(removed))
      .to.include('The trust rule is removed.')
      .and.include('You have no trust rules.');
    const log = (await service.domain.securityLog.list(account)).map(
      ({ kind, detail }) => `${kind} ${detail}`,
    );
    expect(log).to.include.members(['rule_created acme/app', 'rule_removed acme/app']);
  });

  const wrong: Record<string, [entered: Record<string, string>, problem: string]> = {
    'for all tokens of an issuer': [
      { claims: '' },
      'Must name at least one: without any, everybody with a token of this issuer could act as you.',
    ],
    'for a branch of everybody': [{ claims: 'ref = refs/heads/main' }, 'Must name one of sub, repository,'],
    'with a prefix that fits other repositories': [
      { claims: 'sub = repo:acme/app*' },
      'Must not match more than it seems: sub has to end with / or : before the *',
    ],
    'with claims that are none': [
      { claims: 'acme/app' },
      'Must be names and values, such as repository = acme/app.',
    ],
    'without https': [{ issuer: 'http://example.com' }, 'Must be an https address without query'],
    'for a private network': [{ issuer: 'https://10.0.0.1' }, 'Is on a private network'],
    'for a quarter of an hour and more': [{ minutes: '16' }, 'Must be between 1 and 15.'],
  };
  for (const [what, [entered, problem]] of Object.entries(wrong))
    it(`refuses one ${what}, with the reason, and keeps what was entered`, async () => {
      const { browser, account } = await signedUp();
      const refused = await browser.submit('/account/rules', '/account/rules', { ...rule, ...entered });
      expect(refused.status).to.equal(422);
      expect(visibleText(refused)).to.include(problem);
      expect(refused.text).to.include('value="acme/app"');
      expect(await service.domain.trustRules.list(account)).to.deep.equal([]);
    });

  it('asks for a fresh sign-in, and programs of accounts with a second factor for a browser', async () => {
    const { browser, account } = await signedUp();
    const token = await service.domain.apiTokens.issue(account, { name: 'x' });
    const byApi = () =>
      api.post(
        '/api/v1/trust-rules.json',
        { trust_rule: { ...rule, name: crypto.randomUUID() } },
        bearer(token),
      );
    expect((await byApi()).status).to.equal(201);
    await service.database.execute('UPDATE sessions SET authenticated_at = authenticated_at - 700000', {});
    const asked = await browser.submit('/account/rules', '/account/rules', rule);
    expect(asked.text).to.include('type="password"');
    expect(await service.domain.trustRules.list(account)).to.have.length(1);
    await service.database.execute(
      `INSERT INTO authenticators (id, account_id, secret, last_step, created_at) VALUES ($id, $id, $id, 0, 0)`,
      account,
    );
    expect((await byApi()).status).to.equal(403);
  });

  it('is of its account alone, and offers to remove the rules with the API tokens when the password changes', async () => {
    const { browser, account } = await signedUp();
    const other = await signedUp();
    await browser.submit('/account/rules', '/account/rules', rule);
    const [created] = await service.domain.trustRules.list(account);
    const theirs = service.domain.trustRules.remove(other.account, created?.id ?? '');
    expect(await refusal(theirs)).to.match(/^not_found/);
    expect(await service.domain.trustRules.list(account)).to.have.length(1);
    expect(visibleText(await browser.get('/account/security'))).to.include('and remove its trust rules');
    const change = { current: password, next: 'new horse battery staple', revokeTokens: 'on' };
    await browser.submit('/account/security', '/account/password', change);
    expect(await service.domain.trustRules.list(account)).to.deep.equal([]);
  });
});
