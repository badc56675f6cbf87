import { expect } from 'chai';
import {
  type PageOptions,
  startBrowser,
  type TestBrowser,
  type TestPage,
  usePages,
} from '../harness/browser.ts';
import { startIdentityProvider, type TestIdentityProvider } from '../harness/identityProvider.ts';
import { freePort } from '../harness/mariadb.ts';
import { password } from '../harness/pages.ts';
import { newEmail, startService, type TestService } from '../harness/service.ts';

describe('Signing in by identity providers in a browser', () => {
  let browser: TestBrowser;
  let service: TestService;
  let base: string;
  let providers: TestIdentityProvider[];

  before(async function () {
    browser = await startBrowser(this);
    const port = await freePort();
    base = `http://127.0.0.1:${port}/hush`;
    providers = await Promise.all(
      ['okta', 'acme'].map((name) => startIdentityProvider({ base, name, claimsIn: 'userInfo' })),
    );
    service = await startService({
      PORT: String(port),
      BASE_URL: base,
      ...Object.assign({}, ...providers.map(({ settings }) => settings)),
      OIDC_ACME_LABEL: 'Acme & Sons',
    });
  });
  after(async () => {
    await browser?.close();
    await service?.stop();
    await Promise.all((providers ?? []).map((provider) => provider.stop()));
  });

  const openPage = usePages(() => browser, {
    expected: (problem) => providers.some(({ issuer }) => problem === `another origin: ${issuer}`),
  });
  const open = (path: string, options?: PageOptions) => openPage(`${base}${path}`, options);

  const follow = (page: TestPage, name: string) =>
    page.awaitNavigation(() => page.page.getByRole('link', { name, exact: true }).click());

  /** Signs in at a provider that asks for a name. */
  async function signInAt(page: TestPage, label: string, name: string): Promise<void> {
    await follow(page, `Sign in with ${label}`);
    await page.fill('Name', name);
    await page.click('Go on');
  }

  for (const scripts of [true, false])
    it(`goes to the provider and back to where somebody wanted to be, with${scripts ? '' : 'out'} scripts`, async () => {
      const name = `ann-${scripts}`;
      const email = newEmail();
      for (const provider of providers) provider.people[name] = { email, email_verified: true };
      const page = await open('/account/tokens', { scripts });
      await signInAt(page, 'Okta', name);
      expect(page.page.url()).to.equal(`${base}/account/tokens`);
      await page.goto(`${base}/account`);
      expect(await page.text()).to.include(email);
      if (scripts) expect(await page.accessibilityViolations()).to.deep.equal([]);
    });

  it('connects a second provider to the account, each of which then signs in to it', async () => {
    const email = newEmail();
    for (const provider of providers) provider.people.bob = { email, email_verified: true };
    const page = await open('/sign-in/okta?fresh=yes');
    await page.fill('Name', 'bob');
    await page.click('Go on');
    await page.goto(`${base}/account/security`);
    await follow(page, 'Connect an account at Acme & Sons');
    await page.fill('Name', 'bob');
    await page.click('Go on');
    expect(await page.text())
      .to.include('Connect your account at Acme & Sons?')
      .and.to.include(email);
    expect(await page.accessibilityViolations()).to.deep.equal([]);
    await page.click('Connect');
    expect(await page.text()).to.include(`Acme & Sons: ${email}`);
    const other = await open('/sign-in');
    await signInAt(other, 'Acme & Sons', 'bob');
    await other.goto(`${base}/account`);
    expect(await other.text()).to.include(email);
  });

  it('asks the owner of an account with the same address to sign in to it first', async () => {
    const email = newEmail();
    await service.domain.accounts.create({ email, password });
    for (const provider of providers) provider.people.carol = { email, email_verified: true };
    const page = await open('/sign-in');
    await signInAt(page, 'Okta', 'carol');
    expect(await page.text()).to.include('You have an account already');
    expect(await page.accessibilityViolations()).to.deep.equal([]);
    await follow(page, 'Sign in as before');
    await page.fill('E-mail address', email);
    await page.fill('Password', password);
    await page.click(/^Sign in$/);
    await page.click('Connect');
    expect(await page.text()).to.include(`Okta: ${email}`);
  });

  it('ends the session at the provider, too, for whoever wants that', async () => {
    for (const provider of providers) provider.people.dora = { email: newEmail(), email_verified: true };
    const page = await open('/account');
    await signInAt(page, 'Okta', 'dora');
    await page.click('Sign out');
    expect(await page.text()).to.include('You may still be signed in at Okta');
    expect(await page.accessibilityViolations()).to.deep.equal([]);
    await follow(page, 'Sign out at Okta, too');
    await page.click('Yes');
    expect(page.page.url().split('?')[0]).to.equal(`${base}/sign-in`);
    await follow(page, 'Sign in with Okta');
    expect(await page.text(), 'asks again who it is').to.include('Name');
  });
});
