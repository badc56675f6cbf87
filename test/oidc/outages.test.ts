import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { openFederatedBrowser } from '../harness/federatedBrowser.ts';
import { startIdentityProvider, type TestIdentityProvider } from '../harness/identityProvider.ts';
import { freePort } from '../harness/mariadb.ts';
import { password } from '../harness/pages.ts';
import { newEmail, someClient, startService, type TestService } from '../harness/service.ts';
import { startStallProbe } from '../harness/stallProbe.ts';
import { until } from '../harness/until.ts';

describe('An identity provider that is out of order', () => {
  let service: TestService;
  let base: string;
  let okta: TestIdentityProvider;
  /** Takes requests, and answers none of them, or with what is not from a provider. */
  let silent: Server;
  let broken: Server;

  before(async () => {
    const port = await freePort();
    base = `http://127.0.0.1:${port}`;
    okta = await startIdentityProvider({ base, name: 'okta' });
    silent = createServer(() => {}).listen(0, '127.0.0.1');
    broken = createServer((_req, res) => res.end('<p>Welcome to nginx!</p>')).listen(0, '127.0.0.1');
    const addressOf = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    service = await startService({
      ...{ PORT: String(port), BASE_URL: base, ...okta.settings },
      ...{ OIDC_DOWN_ISSUER: `http://127.0.0.1:${await freePort()}`, OIDC_DOWN_CLIENT_ID: 'x' },
      ...{ OIDC_SILENT_ISSUER: addressOf(silent), OIDC_SILENT_CLIENT_ID: 'x' },
      ...{ OIDC_BROKEN_ISSUER: addressOf(broken), OIDC_BROKEN_CLIENT_ID: 'x' },
    });
  });
  after(async () => {
    await service.stop();
    await okta.stop();
    for (const server of [silent, broken]) {
      server.closeAllConnections();
      server.close();
    }
  });

  for (const name of ['down', 'silent', 'broken'])
    it(`(${name}) is said so on a page with a way on, while everything else works`, async () => {
      const browser = openFederatedBrowser();
      const waiting = browser.open(`${base}/sign-in/${name}`);
      expect((await browser.open(`${base}/sign-in`)).status).to.equal(200);
      const email = newEmail();
      await service.domain.accounts.create({ email, password });
      expect(await service.domain.signIn.signIn({ email, password }, someClient)).to.match(/^[\w-]{43}$/);
      const page = await waiting;
      expect(page.status).to.equal(503);
      expect(page.text).to.include('The service that signs you in does not answer');
    });

  it('goes on with what is known of it when it is down for a while, and asks again for what it could not read', async () => {
    okta.people.alice = { email: 'alice@example.com', email_verified: true };
    okta.as('alice');
    okta.answer((_req, res) => {
      res.writeHead(502).end();
      return true;
    });
    expect((await openFederatedBrowser().open(`${base}/sign-in/okta`)).status).to.equal(503);
    okta.answer(undefined);
    const browser = openFederatedBrowser();
    expect((await browser.open(`${base}/sign-in/okta`)).status).to.equal(200);
    const answer = await openFederatedBrowser().followTo(`${base}/sign-in/okta`, (url) =>
      /\/callback\?/.test(url),
    );
    expect(answer).to.include('code=');
    expect(okta.requested('/.well-known/openid-configuration')).to.equal(2);
    okta.answer(({ url }, res) => {
      if (url !== '/token') return false;
      res.writeHead(500).end();
      return true;
    });
    expect((await openFederatedBrowser().open(`${base}/sign-in/okta`)).status).to.equal(503);
    okta.answer(undefined);
  });

  for (const path of ['/.well-known/openid-configuration', '/token', '/jwks'])
    it(`holds up nobody but who signs in there, and them for ten seconds at most, if ${path} answers after a minute`, async () => {
      const fresh = await startService({ PORT: String(await freePort()), BASE_URL: base, ...okta.settings });
      const probe = await startStallProbe(fresh);
      okta.as('alice');
      okta.answer(({ url = '' }, res) => {
        if (!url.startsWith(path)) return false;
        setTimeout(() => res.end('{}'), 60_000).unref();
        return true;
      });
      const browser = openFederatedBrowser();
      const startedAt = performance.now();
      const page = await probe.requireNoStall(path, async () => {
        const here = `http://127.0.0.1:${fresh.port}`;
        const away = await browser.request(`${here}/sign-in/okta`);
        if (path.startsWith('/.well-known')) return away;
        const answer = await browser.followTo(String(away.headers.get('location')), (url) =>
          /\/callback\?/.test(url),
        );
        for (const [name, value] of browser.jarOf(here)) browser.jarOf(base).set(name, value);
        return browser.request(answer.replace(base, here));
      });
      expect(page.status).to.equal(503);
      expect(await page.text()).to.include('The service that signs you in does not answer');
      expect(performance.now() - startedAt).to.be.below(10_000);
      okta.answer(undefined);
      await probe.stop();
      await fresh.stop();
    });

  it('is asked again what it says of itself once an hour, while people sign in by what is known', async () => {
    const fresh = await startService({ PORT: String(await freePort()), BASE_URL: base, ...okta.settings });
    const begin = async () =>
      (await openFederatedBrowser().request(`http://127.0.0.1:${fresh.port}/sign-in/okta`)).headers.get(
        'location',
      );
    const asked = () => okta.requested('/.well-known/openid-configuration');
    expect(await begin()).to.include(okta.issuer);
    const before = asked();
    okta.answer((_req, res) => {
      res.writeHead(502).end();
      return true;
    });
    const { now } = performance;
    performance.now = () => now.call(performance) + 3_600_001;
    try {
      expect(await begin()).to.include(okta.issuer);
      await until(() => asked() === before + 1);
      expect(await begin(), 'although it is down').to.include(okta.issuer);
    } finally {
      performance.now = now;
      okta.answer(undefined);
      await fresh.stop();
    }
  });

  it('does not keep anybody from signing out', async () => {
    okta.as('alice');
    const browser = openFederatedBrowser();
    await browser.open(`${base}/sign-in/okta`);
    const token = browser.jarOf(base).get('hushpush-session') ?? '';
    const signedIn = await service.domain.sessions.authenticate(token);
    if (signedIn === null) throw new Error('nobody is signed in');
    const end = await service.domain.singleSignOn.maybeEndSession(signedIn);
    expect(end?.provider).to.equal('Okta');
    const url = new URL(end?.url ?? '');
    expect(url.searchParams.get('id_token_hint')).to.match(/^ey/);
    expect(url.searchParams.get('post_logout_redirect_uri')).to.equal(`${base}/sign-in`);
  });
});
