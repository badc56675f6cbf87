import { expect } from 'chai';
import { type Domain, digestOf } from '../../src/domain/index.ts';
import { connectChat, deliverNotices, newChatUser } from '../harness/chat.ts';
import { openFederatedBrowser } from '../harness/federatedBrowser.ts';
import { startIdentityProvider, type TestIdentityProvider } from '../harness/identityProvider.ts';
import { freePort } from '../harness/mariadb.ts';
import { parseForms, password } from '../harness/pages.ts';
import {
  byPassword,
  createAccount,
  newEmail,
  refusal,
  someClient,
  startService,
  type TestService,
} from '../harness/service.ts';
import { freshlySignedIn, holderOf, setUpApp } from '../harness/signedIn.ts';

type Browser = ReturnType<typeof openFederatedBrowser>;

const sessionCookie = 'hushpush-session';

describe('Signing in by an identity provider', () => {
  let service: TestService;
  let domain: Domain;
  let base: string;
  /** Nobody's address is trusted at the first; the second proves addresses; the third has groups, at UserInfo alone. */
  let okta: TestIdentityProvider;
  let acme: TestIdentityProvider;
  let keycloak: TestIdentityProvider;
  let counter = 0;

  before(async () => {
    const port = await freePort();
    base = `http://127.0.0.1:${port}`;
    okta = await startIdentityProvider({ base, name: 'okta' });
    acme = await startIdentityProvider({ base, name: 'acme' });
    keycloak = await startIdentityProvider({ base, name: 'keycloak', claimsIn: 'userInfo' });
    service = await startService({
      PORT: String(port),
      BASE_URL: base,
      ...okta.settings,
      ...acme.settings,
      OIDC_ACME_TRUST_EMAIL: 'on',
      OIDC_ACME_ACR_VALUES: 'urn:acme:strong',
      ...keycloak.settings,
      OIDC_KEYCLOAK_ALLOWED_GROUPS: 'staff',
      OIDC_KEYCLOAK_ADMIN_GROUPS: 'admins',
      OIDC_KEYCLOAK_SUBSCRIBED_GROUPS: 'files',
      OIDC_KEYCLOAK_TRUST_EMAIL: 'on',
    });
    ({ domain } = service);
  });
  after(async () => {
    await service.stop();
    await Promise.all([okta, acme, keycloak].map((provider) => provider.stop()));
  });
  afterEach(() => {
    for (const provider of [okta, acme, keycloak]) provider.answer(undefined);
  });

  const newAddress = () => newEmail();

  /** A new person at a provider, who is whoever comes there from now on. */
  function person(provider: TestIdentityProvider, claims: Record<string, unknown> = {}) {
    const subject = `person-${counter++}`;
    const email = newAddress();
    provider.people[subject] = { email, email_verified: true, ...claims };
    provider.as(subject);
    return { subject, email: String(claims.email ?? email) };
  }

  const isCallback = (url: string) => /\/callback\?/.test(url);

  /** Goes to a provider and back, and returns the address of the answer, which nobody has opened yet. */
  const answerOf = (browser: Browser, provider: TestIdentityProvider, query = '') =>
    browser.followTo(`${base}/sign-in/${provider.name}${query}`, isCallback);

  const signIn = (provider: TestIdentityProvider, browser = openFederatedBrowser(), query = '') =>
    browser.open(`${base}/sign-in/${provider.name}${query}`);

  async function signedInAs(browser: Browser) {
    const token = browser.jarOf(base).get(sessionCookie);
    return token === undefined ? undefined : (await domain.sessions.authenticate(token))?.email;
  }

  /** Sends the form of a page, with its hidden fields, and follows the redirect. */
  const submit = (browser: Browser, page: string, action: string, fields: Record<string, string> = {}) =>
    browser.submit(base, page, action, fields);

  describe('that says how it was done', () => {
    async function sessionOf(browser: Browser) {
      return domain.sessions.authenticate(browser.jarOf(base).get(sessionCookie) ?? '');
    }

    const proofs: { claims: Record<string, unknown>; isMultiFactor: boolean }[] = [
      { claims: {}, isMultiFactor: false },
      { claims: { amr: ['pwd'] }, isMultiFactor: false },
      { claims: { amr: ['pwd', 'user'] }, isMultiFactor: false },
      { claims: { amr: ['pwd', 'mfa'] }, isMultiFactor: true },
      { claims: { amr: ['pwd', 'otp'] }, isMultiFactor: true },
      { claims: { acr: 'phr' }, isMultiFactor: true },
      { claims: { acr: '1' }, isMultiFactor: false },
      { claims: { acr: 'urn:acme:weak' }, isMultiFactor: false },
    ];
    for (const { claims, isMultiFactor } of proofs)
      it(`counts ${JSON.stringify(claims)} as ${isMultiFactor ? 'several factors' : 'one factor'}`, async () => {
        person(okta, claims);
        const browser = openFederatedBrowser();
        await signIn(okta, browser);
        expect((await sessionOf(browser))?.factors).to.deep.equal(
          isMultiFactor ? ['provider', 'mfa'] : ['provider'],
        );
      });

    it('counts words of the provider as several factors where the settings list them, which the question asks for', async () => {
      const asked = async (provider: TestIdentityProvider) => {
        const question = await openFederatedBrowser().followTo(`${base}/sign-in/${provider.name}`, (url) =>
          url.startsWith(provider.issuer),
        );
        return new URL(question).searchParams.get('acr_values');
      };
      expect([await asked(acme), await asked(okta)]).to.deep.equal(['urn:acme:strong', null]);
      for (const [acr, factors] of [
        ['urn:acme:strong', ['provider', 'mfa']],
        ['urn:acme:weak', ['provider']],
      ] as const) {
        person(acme, { acr });
        const browser = openFederatedBrowser();
        await signIn(acme, browser);
        expect((await sessionOf(browser))?.factors, acr).to.deep.equal(factors);
      }
    });

    it('asks for no second step of ours where the provider asked for several factors, and for ours otherwise', async () => {
      const { subject, email } = person(okta);
      const browser = openFederatedBrowser();
      await signIn(okta, browser);
      await setUpApp(domain, await freshlySignedIn(domain, await domain.accounts.find(email)));
      const asked = await signIn(okta);
      expect(asked.url).to.include('/second-factor');
      okta.people[subject] = { email, email_verified: true, amr: ['pwd', 'mfa'] };
      const strong = openFederatedBrowser();
      await signIn(okta, strong);
      expect(await signedInAs(strong)).to.equal(email);
    });

    it('makes nobody fresh who was signed in there, until the provider has asked again', async () => {
      const { email } = person(okta);
      const browser = openFederatedBrowser();
      await signIn(okta, browser);
      const tokens = '/account/tokens';
      const refused = await submit(browser, tokens, tokens, { name: 'ci' });
      expect(refused.status).to.equal(403);
      const [, again = ''] = /href="(\/sign-in\/okta\?fresh=yes[^"]*)"/.exec(refused.text) ?? [];
      const address = new URL(again.replaceAll('&amp;', '&'), base).href;
      const toProvider = await browser.request(address, { redirect: 'manual' });
      const asked = new URL(toProvider.headers.get('location') ?? '').searchParams;
      expect([asked.get('prompt'), asked.get('max_age')]).to.deep.equal(['login', '0']);
      const page = await browser.open(address);
      expect(page.url).to.equal(`${base}${tokens}`);
      const session = await sessionOf(browser);
      expect(session?.email).to.equal(email);
      expect(Date.now() - Number(session?.authenticatedAt)).to.be.below(60_000);
      expect((await submit(browser, tokens, tokens, { name: 'ci' })).status).to.equal(200);
    });
  });

  describe('for the first time', () => {
    it('creates an account with the address that the provider gives, and signs in to it from then on', async () => {
      const { email } = person(okta);
      const browser = openFederatedBrowser();
      const page = await signIn(okta, browser, '?next=/account/tokens');
      expect([page.status, page.url]).to.deep.equal([200, `${base}/account/tokens`]);
      expect(await signedInAs(browser)).to.equal(email);
      expect(await domain.accounts.summary(email)).to.include({ hasPassword: false, signedUp: true });
      const again = openFederatedBrowser();
      await signIn(okta, again);
      expect(await signedInAs(again)).to.equal(email);
    });

    it('creates one account when somebody does so in two windows at once', async () => {
      const { email } = person(okta);
      const browsers = [openFederatedBrowser(), openFederatedBrowser(), openFederatedBrowser()];
      const pages = await Promise.all(browsers.map((browser) => signIn(okta, browser)));
      expect(pages.map(({ status }) => status)).to.deep.equal([200, 200, 200]);
      const found = (await domain.accounts.list()).filter((account) => account.email === email);
      expect(found).to.have.length(1);
    });

    it('knows people by issuer and subject: the same subject elsewhere is somebody else', async () => {
      const { subject, email } = person(okta);
      await signIn(okta);
      const other = newAddress();
      acme.people[subject] = { email: other, email_verified: true };
      acme.as(subject);
      const browser = openFederatedBrowser();
      await signIn(acme, browser);
      expect([await signedInAs(browser), other === email]).to.deep.equal([other, false]);
    });

    it('tells the account of a browser that is new to it, and knows the browser from then on', async () => {
      const { email } = person(okta);
      const browser = openFederatedBrowser();
      await signIn(okta, browser);
      await signIn(okta, browser);
      const account = await domain.accounts.find(email);
      await domain.webhooks.create(account, { url: 'https://hook.example.com' });
      const events = async () => (await deliverNotices(domain)).map(({ notice }) => notice.event);
      await signIn(okta, browser);
      expect(await events()).to.be.empty;
      const other = openFederatedBrowser();
      await signIn(okta, other);
      expect(await events()).to.deep.equal(['new_browser']);
      await signIn(okta, other);
      expect(await events()).to.be.empty;
    });

    it('stays with the account when the address at the provider changes', async () => {
      const { subject, email } = person(okta);
      await signIn(okta);
      okta.people[subject] = { email: newAddress(), email_verified: true };
      const browser = openFederatedBrowser();
      await signIn(okta, browser);
      expect(await signedInAs(browser)).to.equal(email);
    });

    it('says what is missing where the provider gives no address', async () => {
      const { subject } = person(okta);
      okta.people[subject] = {};
      const page = await signIn(okta);
      expect(page.status).to.equal(403);
      expect(page.text).to.include('Okta did not tell us your e-mail address');
    });

    it('says so when the provider declines', async () => {
      okta.as('nobody');
      const page = await signIn(okta);
      expect([page.status, page.text.includes('Okta did not sign you in')]).to.deep.equal([403, true]);
    });

    it('asks for the second factor of the account, and then leads on', async () => {
      const { email } = person(okta);
      const first = openFederatedBrowser();
      await signIn(okta, first);
      const signedIn = await holderOf(domain, String(first.jarOf(base).get(sessionCookie)));
      const { app } = await setUpApp(domain, await freshlySignedIn(domain, signedIn));
      const browser = openFederatedBrowser();
      const page = await signIn(okta, browser, '?next=/account/tokens');
      expect(page.url).to.equal(`${base}/second-factor?next=%2Faccount%2Ftokens`);
      expect(await signedInAs(browser)).to.equal(undefined);
      await submit(browser, '/second-factor', '/second-factor', { code: await app.code() });
      expect(await signedInAs(browser)).to.equal(email);
    });

    it('asks for no second factor where the provider has asked for several', async () => {
      const { subject, email } = person(okta);
      const first = openFederatedBrowser();
      await signIn(okta, first);
      const signedIn = await holderOf(domain, String(first.jarOf(base).get(sessionCookie)));
      await setUpApp(domain, await freshlySignedIn(domain, signedIn));
      okta.people[subject] = { email, amr: ['pwd', 'otp'] };
      const browser = openFederatedBrowser();
      await signIn(okta, browser);
      expect(await signedInAs(browser)).to.equal(email);
      okta.people[subject] = { email, amr: ['pwd'] };
      const other = openFederatedBrowser();
      expect((await signIn(okta, other)).url).to.include('/second-factor');
    });

    it('is refused for a disabled account', async () => {
      const { email } = person(okta);
      await signIn(okta);
      await domain.accounts.setDisabled(email, true, 'operator');
      const browser = openFederatedBrowser();
      const page = await signIn(okta, browser);
      expect([page.status, await signedInAs(browser)]).to.deep.equal([403, undefined]);
    });
  });

  describe('with the address of an account that exists', () => {
    /** An account with a password, and somebody at a provider who has its address. */
    async function owner(provider: TestIdentityProvider, claims: Record<string, unknown> = {}) {
      const { email } = person(provider, claims);
      await domain.accounts.create({ email, password });
      return email;
    }

    for (const isVerified of [true, false])
      it(`never joins it by the address alone, ${isVerified ? 'even if' : 'least of all unless'} the provider calls it verified`, async () => {
        const email = await owner(okta, { email_verified: isVerified });
        const browser = openFederatedBrowser();
        const page = await signIn(okta, browser);
        expect(page.text).to.include(`There is an account for ${email} here`);
        expect(page.url, 'no code in the history').to.equal(`${base}/account/providers/confirm`);
        expect(await signedInAs(browser)).to.equal(undefined);
        await signIn(okta);
        expect(await signedInAs(browser), 'nor the second time').to.equal(undefined);
      });

    it('joins it once its owner has signed in the old way and confirmed', async () => {
      const email = await owner(okta);
      const browser = openFederatedBrowser();
      await signIn(okta, browser);
      const next = '/account/providers/confirm';
      const page = await submit(browser, `/sign-in?next=${encodeURIComponent(next)}`, '/sign-in', {
        email,
        password,
      });
      expect(page.text).to.include('Connect your account at Okta?').and.to.include(email);
      expect((await domain.singleSignOn.list(await domain.accounts.find(email)))[0]?.identities).to.be.empty;
      await submit(browser, next, next);
      const [logged] = await domain.securityLog.list(await domain.accounts.find(email));
      expect(logged).to.include({ kind: 'provider_connected', detail: 'Okta', ip: '127.0.0.1' });
      const again = openFederatedBrowser();
      await signIn(okta, again);
      expect(await signedInAs(again)).to.equal(email);
      expect((await browser.open(`${base}${next}`)).status, 'once').to.equal(404);
    });

    it('joins it where the operator says that the issuer proves addresses, and the issuer says that it did', async () => {
      const email = await owner(acme);
      const browser = openFederatedBrowser();
      await signIn(acme, browser);
      expect(await signedInAs(browser)).to.equal(email);
      await owner(acme, { email_verified: false });
      const unproved = openFederatedBrowser();
      await signIn(acme, unproved);
      expect(await signedInAs(unproved)).to.equal(undefined);
    });

    it('does not join one that somebody only signed up for with the address, who knows its password', async () => {
      const { email } = person(acme);
      await domain.signIn.signUp({ email, password }, someClient);
      const browser = openFederatedBrowser();
      await signIn(acme, browser);
      expect(await signedInAs(browser)).to.equal(undefined);
    });
  });

  describe('from the page of an account', () => {
    async function signedInWithPassword() {
      const email = newAddress();
      await domain.accounts.create({ email, password });
      const browser = openFederatedBrowser();
      await submit(browser, '/sign-in', '/sign-in', { email, password });
      return { email, browser };
    }

    it('connects an account elsewhere, under whatever address, and disconnects it with its sessions', async () => {
      const { email, browser } = await signedInWithPassword();
      person(okta);
      const page = await signIn(okta, browser, '?connect=yes');
      expect(page.text).to.include('Connect your account at Okta?');
      await submit(browser, '/account/providers/confirm', '/account/providers/confirm');
      const other = openFederatedBrowser();
      await signIn(okta, other);
      expect(await signedInAs(other)).to.equal(email);
      const done = await submit(browser, '/account/security', '/account/providers/disconnect');
      expect(done.text).to.include('The account is disconnected');
      expect(await signedInAs(other), 'the browser that it had signed in').to.equal(undefined);
      expect(await signedInAs(browser)).to.equal(email);
    });

    it('is disconnected by an operator, too, with its sessions, even if nothing else signs in; the account is told', async () => {
      const { email } = person(okta);
      const browser = openFederatedBrowser();
      await signIn(okta, browser);
      const account = await domain.accounts.find(email);
      await domain.webhooks.create(account, { url: 'https://hook.example.com' });
      const [identity] = await domain.singleSignOn.identitiesOf(account);
      expect(identity).to.include({ issuer: okta.issuer, label: 'Okta', email });
      const { account: stranger } = await createAccount(domain);
      const byStranger = domain.singleSignOn.disconnectByOperator(stranger, identity?.id ?? '');
      expect(await refusal(byStranger)).to.match(/^not_found/);
      await domain.singleSignOn.disconnectByOperator(account, identity?.id ?? '');
      expect(await signedInAs(browser)).to.equal(undefined);
      expect(await domain.singleSignOn.identitiesOf(account)).to.be.empty;
      expect((await deliverNotices(domain)).map(({ notice }) => notice.event)).to.deep.equal(['account_act']);
    });

    it('asks for a fresh sign-in before it connects or disconnects one, and goes on', async () => {
      const { email, browser } = await signedInWithPassword();
      const connected = async () =>
        (await domain.singleSignOn.list(await domain.accounts.find(email)))[0]?.identities.length;
      /** Sends a form of an old session, and then once more with the password that is asked for. */
      async function submitTwice(path: string, action: string) {
        await service.database.execute('UPDATE sessions SET authenticated_at = 1', {});
        const asked = await submit(browser, path, action);
        expect(asked.text).to.include('Confirm that it is you');
        const { fields = {} } = parseForms(asked.text).find((form) => form.action === action) ?? {};
        const before = await connected();
        await submit(browser, path, action, { ...fields, stepUpPassword: password });
        return [before, await connected()];
      }
      person(okta);
      await signIn(okta, browser, '?connect=yes');
      const confirm = '/account/providers/confirm';
      expect(await submitTwice(confirm, confirm)).to.deep.equal([0, 1]);
      const disconnect = '/account/providers/disconnect';
      expect(await submitTwice('/account/security', disconnect)).to.deep.equal([1, 0]);
    });

    it('is a fresh sign-in as well as a password: the page that asks for one offers both', async () => {
      const { email, browser } = await signedInWithPassword();
      person(okta);
      await signIn(okta, browser, '?connect=yes');
      await submit(browser, '/account/providers/confirm', '/account/providers/confirm');
      await service.database.execute('UPDATE sessions SET authenticated_at = 1', {});
      const asked = await submit(browser, '/account/tokens', '/account/tokens', { name: 'ci' });
      expect(asked.text).to.include('name="stepUpPassword"').and.include('Or sign in there once more');
      const [, again = ''] = /href="(\/sign-in\/okta\?fresh=yes[^"]*)"/.exec(asked.text) ?? [];
      await browser.open(new URL(again.replaceAll('&amp;', '&'), base).href);
      const done = await submit(browser, '/account/tokens', '/account/tokens', { name: 'ci' });
      expect([done.status, await signedInAs(browser)]).to.deep.equal([200, email]);
    });

    it('refuses one that is connected to another account, and signs nobody in to that', async () => {
      const { subject } = person(okta);
      await signIn(okta);
      const { email, browser } = await signedInWithPassword();
      okta.as(subject);
      const page = await signIn(okta, browser, '?connect=yes');
      expect([page.status, await signedInAs(browser)]).to.deep.equal([409, email]);
    });

    it('keeps the only way to sign in', async () => {
      const { email } = person(okta);
      const browser = openFederatedBrowser();
      await signIn(okta, browser, '?fresh=yes');
      const [connected] = await domain.singleSignOn.list(await domain.accounts.find(email));
      const id = connected?.identities[0]?.id ?? '';
      const page = await submit(browser, '/account/security', '/account/providers/disconnect', { id });
      expect([page.status, page.text.includes('this is the only way')]).to.deep.equal([409, true]);
      expect(await signedInAs(browser)).to.equal(email);
      await connectChat(domain, newChatUser(), { account: await domain.accounts.find(email) });
      const shared = await submit(browser, '/account/security', '/account/providers/disconnect', { id });
      expect(shared.status, 'a chat that shares it signs nobody in to it').to.equal(409);
    });

    it('may be disconnected from the account that was created for a chat, which signs in again', async () => {
      const chatUser = newChatUser();
      const owner = await connectChat(domain, chatUser);
      const browser = openFederatedBrowser();
      browser.jarOf(base).set(sessionCookie, await domain.sessions.create(owner, someClient, byPassword));
      person(okta);
      await signIn(okta, browser, '?connect=yes');
      await submit(browser, '/account/providers/confirm', '/account/providers/confirm');
      const done = await submit(browser, '/account/security', '/account/providers/disconnect');
      expect(done.text).to.include('The account is disconnected');
    });
  });

  describe('whose groups decide', () => {
    const rights = async (email: string) => {
      const { isAdmin, subscribed } = await domain.accounts.summary(email);
      return { isAdmin, subscribed };
    };

    it('lets in those of an allowed group, and says why it lets in nobody else', async () => {
      person(keycloak, { groups: ['staff'] });
      expect((await signIn(keycloak)).status).to.equal(200);
      person(keycloak, { groups: ['staff-of-others'] });
      const outsider = await signIn(keycloak);
      expect([outsider.status, outsider.text.includes('You are in no group at Keycloak')]).to.deep.equal([
        403,
        true,
      ]);
      person(keycloak);
      expect((await signIn(keycloak)).text).to.include('did not tell us your groups');
      person(keycloak, { _claim_names: { groups: 'src1' } });
      expect((await signIn(keycloak)).text).to.include('You are in too many groups');
    });

    it('gives and takes rights at each sign-in, but never those of the last admin who can sign in', async () => {
      const boss = person(keycloak, { groups: ['staff', 'admins', 'files'] });
      await signIn(keycloak);
      expect(await rights(boss.email)).to.deep.equal({ isAdmin: true, subscribed: true });
      keycloak.people[boss.subject] = { ...keycloak.people[boss.subject], groups: ['staff'] };
      await signIn(keycloak);
      expect(await rights(boss.email), 'the last admin').to.deep.equal({ isAdmin: true, subscribed: false });
      const other = await domain.accounts.create({ email: newAddress(), isAdmin: true }); // cannot sign in
      await connectChat(domain, newChatUser(), { account: other }); // nor from a chat that shares the account
      await service.database.execute(
        `INSERT INTO provider_identities (id, account_id, issuer, subject, has_factor, created_at, last_used_at)
         VALUES ($id, $id, 'https://retired.example', 'x', FALSE, 1, 1)`, // nor by a provider that is not set any more
        other,
      );
      await signIn(keycloak);
      expect((await rights(boss.email)).isAdmin, 'beside one who cannot sign in').to.equal(true);
      await domain.accounts.create({ email: newAddress(), isAdmin: true, password });
      await signIn(keycloak);
      expect((await rights(boss.email)).isAdmin, 'beside one who can').to.equal(false);
    });

    it('changes no rights at a provider without such a setting', async () => {
      const { email } = person(okta, { groups: [] });
      await signIn(okta);
      await domain.accounts.setSubscribed(email, true, 'operator');
      await domain.accounts.setAdmin(email, true, 'operator');
      await signIn(okta);
      expect(await rights(email)).to.deep.equal({ isAdmin: true, subscribed: true });
    });
  });

  describe('under attack', () => {
    const storedLinks = async () =>
      Number(
        (await service.database.select<{ n: number }>('SELECT COUNT(*) AS n FROM one_time_links', {}))[0]
          ?.n ?? 0,
      );

    it('uses an answer once, whatever of it is repeated', async () => {
      person(okta);
      const browser = openFederatedBrowser();
      const answer = await answerOf(browser, okta);
      const cookies = new Map(browser.jarOf(base));
      expect((await browser.open(answer)).status).to.equal(200);
      const repeat = openFederatedBrowser();
      for (const [name, value] of cookies) repeat.jarOf(base).set(name, value);
      expect((await repeat.open(answer)).status, 'code and state').to.equal(404);
      const fresh = new URL(await answerOf(repeat, okta));
      fresh.searchParams.set('code', new URL(answer).searchParams.get('code') ?? '');
      expect((await repeat.open(fresh.href)).status, 'the code with a new state').to.equal(403);
      expect(await signedInAs(repeat)).to.equal(undefined);
    });

    it('takes an answer only in the browser that asked, so that nobody is signed in as the attacker', async () => {
      person(okta);
      const forged = await answerOf(openFederatedBrowser(), okta);
      const victim = openFederatedBrowser();
      expect((await victim.open(forged)).status, 'a browser that asked nothing').to.equal(404);
      const second = await answerOf(openFederatedBrowser(), okta);
      await victim.request(`${base}/sign-in/okta`);
      expect((await victim.open(second)).status, 'one that has asked, too').to.equal(404);
      expect(await signedInAs(victim)).to.equal(undefined);
    });

    it('begins nothing for another site', async () => {
      const before = await storedLinks();
      for (const site of ['cross-site', 'same-site']) {
        const response = await openFederatedBrowser().request(`${base}/sign-in/okta?next=/account`, {
          headers: { 'Sec-Fetch-Site': site },
        });
        expect(response.headers.get('location')).to.equal('/sign-in?next=%2Faccount');
      }
      expect(await storedLinks()).to.equal(before);
    });

    it('takes an answer only at the address of the provider that was asked: a mix-up is refused', async () => {
      const { email } = person(okta);
      const browser = openFederatedBrowser();
      // A provider that belongs to an attacker passes the question on to another one
      const asked = await browser.followTo(`${base}/sign-in/acme`, (url) => url.startsWith(acme.issuer));
      const passedOn = new URL(asked.replace(acme.issuer, okta.issuer));
      passedOn.searchParams.set('redirect_uri', `${base}/sign-in/okta/callback`);
      const answer = await browser.followTo(passedOn.href, isCallback);
      expect((await browser.open(answer)).status).to.equal(404);
      expect(await signedInAs(browser), email).to.equal(undefined);
    });

    it('compares the issuer of the answer (RFC 9207)', async () => {
      for (const iss of [acme.issuer, '', undefined]) {
        person(okta);
        const browser = openFederatedBrowser();
        const answer = new URL(await answerOf(browser, okta));
        if (iss === undefined) answer.searchParams.delete('iss');
        else answer.searchParams.set('iss', iss);
        expect((await browser.open(answer.href)).status, String(iss)).to.equal(403);
        expect(await signedInAs(browser)).to.equal(undefined);
      }
    });

    it('ends the session that a browser had, so that nobody plants one', async () => {
      const planted = await domain.sessions.create(
        await domain.accounts.create({ email: newAddress() }),
        someClient,
        byPassword,
      );
      const { email } = person(okta);
      const browser = openFederatedBrowser();
      browser.jarOf(base).set(sessionCookie, planted);
      await signIn(okta, browser);
      expect(browser.jarOf(base).get(sessionCookie)).to.not.equal(planted);
      expect(await signedInAs(browser)).to.equal(email);
      expect(await domain.sessions.authenticate(planted)).to.equal(null);
    });

    it('leads nowhere but to its own pages', async () => {
      for (const next of [
        'https://evil.example/',
        '//evil.example',
        '/\\evil.example',
        'javascript:alert(1)',
      ]) {
        person(okta);
        const page = await signIn(okta, openFederatedBrowser(), `?next=${encodeURIComponent(next)}`);
        expect(page.url, next).to.equal(`${base}/pushes`);
      }
    });

    it('keeps state, code and tokens out of the log, and the secrets of a sign-in out of the database', async () => {
      person(okta);
      const browser = openFederatedBrowser();
      const answer = new URL(await answerOf(browser, okta));
      const state = answer.searchParams.get('state') ?? '';
      const secret = browser.jarOf(base).get('hushpush-sign-in') ?? '';
      const rows = JSON.stringify(
        (await service.database.select<{ context: Buffer }>('SELECT context FROM one_time_links', {})).map(
          ({ context }) => context.toString('latin1'),
        ),
      );
      for (const text of [state, secret, digestOf(secret).toString('base64url')])
        expect(rows.includes(text)).to.equal(false);
      await browser.open(answer.href);
      for (const name of ['state', 'code'])
        expect(service.logged()).to.not.include(answer.searchParams.get(name) ?? '-');
    });
  });
});
