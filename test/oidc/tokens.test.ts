import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect } from 'chai';
import { type JWTPayload, SignJWT, UnsecuredJWT } from 'jose';
import type { Domain } from '../../src/domain/index.ts';
import { openFederatedBrowser } from '../harness/federatedBrowser.ts';
import {
  clientId,
  clientSecret,
  newKey,
  startIdentityProvider,
  type TestIdentityProvider,
} from '../harness/identityProvider.ts';
import { freePort } from '../harness/mariadb.ts';
import { newEmail, someClient, startService, type TestService } from '../harness/service.ts';
import { freshlySignedIn, holderOf, setUpApp } from '../harness/signedIn.ts';

const logoutEvent = { 'http://schemas.openid.net/event/backchannel-logout': {} };
const seconds = () => Math.floor(Date.now() / 1_000);

describe('A token of an identity provider', () => {
  let service: TestService;
  let domain: Domain;
  let okta: TestIdentityProvider;
  /** Signs with the client's secret, as its registration asks. */
  let legacy: TestIdentityProvider;
  let base: string;
  let counter = 0;

  before(async () => {
    const port = await freePort();
    base = `http://127.0.0.1:${port}`;
    okta = await startIdentityProvider({ base, name: 'okta' });
    legacy = await startIdentityProvider({ base, name: 'legacy', signedWith: 'HS256' });
    service = await startService({
      PORT: String(port),
      BASE_URL: base,
      ...okta.settings,
      ...legacy.settings,
    });
    ({ domain } = service);
  });
  after(async () => {
    await service.stop();
    await Promise.all([okta, legacy].map((provider) => provider.stop()));
  });
  afterEach(() => okta.answer(undefined));

  function person(provider: TestIdentityProvider) {
    const subject = `token-person-${counter++}`;
    const email = newEmail();
    provider.people[subject] = { email, email_verified: true };
    provider.as(subject);
    return { subject, email };
  }

  const signed = (claims: JWTPayload, key: CryptoKey = okta.key.privateKey, kid = 'okta-key') =>
    new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid }).sign(key);

  /** Signs in while the provider's token endpoint gives an ID token of ours, from the claims that the right one would have. */
  async function signInWith(make: (claims: JWTPayload) => Promise<string> | string) {
    const { subject, email } = person(okta);
    const browser = openFederatedBrowser();
    const question = new URL(
      await browser.followTo(`${base}/sign-in/okta`, (url) => url.startsWith(okta.issuer)),
    );
    const nonce = question.searchParams.get('nonce');
    const answer = await browser.followTo(question.href, (url) => /\/callback\?/.test(url));
    const claims = {
      ...{ iss: okta.issuer, sub: subject, aud: clientId, iat: seconds(), exp: seconds() + 60, nonce },
      ...{ email, email_verified: true },
    };
    const idToken = await make(claims);
    okta.answer((req, res) => isTokenRequest(req) && respond(res, idToken));
    const page = await browser.open(answer);
    const session = browser.jarOf(base).get('hushpush-session') ?? '';
    return {
      status: page.status,
      email: (await domain.sessions.authenticate(session))?.email,
      wanted: email,
    };
  }

  const isTokenRequest = ({ url }: IncomingMessage) => url === '/token';

  function respond(res: ServerResponse, idToken: string): boolean {
    res.setHeader('Content-Type', 'application/json');
    res.end(JSON.stringify({ access_token: 'x', token_type: 'Bearer', expires_in: 60, id_token: idToken }));
    return true;
  }

  it('signs in if everything about it is right, also with a clock that is half a minute off', async () => {
    const right = await signInWith((claims) => signed(claims));
    expect(right).to.deep.equal({ status: 200, email: right.wanted, wanted: right.wanted });
    const early = await signInWith((claims) =>
      signed({ ...claims, iat: seconds() + 30, nbf: seconds() + 30 }),
    );
    expect(early.email).to.equal(early.wanted);
    const late = await signInWith((claims) => signed({ ...claims, exp: seconds() - 30 }));
    expect(late.email).to.equal(late.wanted);
  });

  const wrong: Record<string, (claims: JWTPayload) => Promise<string> | string> = {
    'without a signature (alg none)': (claims) => new UnsecuredJWT(claims).encode(),
    'signed with the client’s secret (HS256)': (claims) =>
      new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from(clientSecret)),
    'signed with another key under a known name': async (claims) =>
      signed(claims, (await newKey('okta-key')).privateKey),
    'signed with a key that the provider does not have': async (claims) =>
      signed(claims, (await newKey('other')).privateKey, 'other'),
    'for another client': (claims) => signed({ ...claims, aud: 'another-client' }),
    'for several clients, and given to another of them': (claims) =>
      signed({ ...claims, aud: [clientId, 'another-client'], azp: 'another-client' }),
    'of another issuer': (claims) => signed({ ...claims, iss: legacy.issuer }),
    'of another sign-in (nonce)': (claims) => signed({ ...claims, nonce: 'another' }),
    'without a nonce': ({ nonce: _nonce, ...claims }) => signed(claims),
    'that has expired': (claims) => signed({ ...claims, exp: seconds() - 120 }),
    'that is not valid yet': (claims) => signed({ ...claims, nbf: seconds() + 120 }),
  };
  for (const [what, make] of Object.entries(wrong))
    it(`signs nobody in ${what}`, async () => {
      const { status, email } = await signInWith(make);
      expect([status, email]).to.deep.equal([403, undefined]);
    });

  it('signs nobody in with HS256, although the provider itself is set to it', async () => {
    person(legacy);
    const browser = openFederatedBrowser();
    expect((await browser.open(`${base}/sign-in/legacy`)).status).to.equal(403);
  });

  describe('that ends sessions', () => {
    /** A session that began at the provider. */
    async function signedIn() {
      const { subject, email } = person(okta);
      const browser = openFederatedBrowser();
      await browser.open(`${base}/sign-in/okta`);
      const token = browser.jarOf(base).get('hushpush-session') ?? '';
      const [row] = await service.database.select<{ sid: string }>(
        'SELECT provider_session AS sid FROM provider_sessions WHERE subject = $subject',
        { subject },
      );
      const isOpen = async () => (await domain.sessions.authenticate(token)) !== null;
      return { subject, email, token, sid: row?.sid ?? '', isOpen, browser };
    }

    const post = async (token: string) =>
      fetch(`${base}/sign-in/okta/logout`, {
        method: 'POST',
        body: new URLSearchParams({ logout_token: token }),
      });

    const claimsFor = (who: { sub?: string; sid?: string }) => ({
      ...{ iss: okta.issuer, aud: clientId, iat: seconds(), exp: seconds() + 120, jti: `jti-${counter++}` },
      ...{ events: logoutEvent, ...who },
    });

    it('ends one session by its id at the provider, or all of a subject, and no other', async () => {
      const [one, two] = [await signedIn(), await signedIn()];
      const again = openFederatedBrowser();
      okta.as(one.subject);
      await again.open(`${base}/sign-in/okta`);
      const second = again.jarOf(base).get('hushpush-session') ?? '';
      const response = await post(await signed(claimsFor({ sid: one.sid })));
      expect([response.status, response.headers.get('cache-control')]).to.deep.equal([200, 'no-store']);
      const isSecondOpen = async () => (await domain.sessions.authenticate(second)) !== null;
      expect([await one.isOpen(), await isSecondOpen(), await two.isOpen()]).to.deep.equal([
        false,
        true,
        true,
      ]);
      expect((await post(await signed(claimsFor({ sub: one.subject })))).status).to.equal(200);
      expect([await isSecondOpen(), await two.isOpen()]).to.deep.equal([false, true]);
    });

    it('ends a session that a second step of ours came before', async () => {
      const { subject, token, sid } = await signedIn();
      const holder = await freshlySignedIn(domain, await holderOf(domain, token));
      const { app } = await setUpApp(domain, holder);
      await post(await signed(claimsFor({ sid })));
      const browser = openFederatedBrowser();
      okta.as(subject);
      const asked = await browser.open(`${base}/sign-in/okta`);
      expect(asked.url).to.include('/second-factor');
      const csrf = /name="csrf" value="([^"]*)"/.exec(asked.text)?.[1] ?? '';
      const body = new URLSearchParams({ csrf, code: await app.code() });
      await browser.request(`${base}/second-factor`, { method: 'POST', body });
      const session = browser.jarOf(base).get('hushpush-session') ?? '';
      expect(await domain.sessions.authenticate(session)).to.not.equal(null);
      expect((await post(await signed(claimsFor({ sub: subject })))).status).to.equal(200);
      expect(await domain.sessions.authenticate(session)).to.equal(null);
    });

    it('ends a session also after its password was changed', async () => {
      const { sid, token } = await signedIn();
      await service.database.execute('UPDATE sessions SET authenticated_at = created_at', {});
      const owner = await domain.sessions.authenticate(token);
      if (owner === null) throw new Error('the session has ended');
      const change = { current: '', next: 'another horse battery' };
      const renewed = await domain.signIn.changePassword(owner, change, someClient);
      expect(await domain.sessions.authenticate(token)).to.equal(null);
      await post(await signed(claimsFor({ sid })));
      expect(await domain.sessions.authenticate(renewed)).to.equal(null);
    });

    it('comes from the provider itself when somebody signs out there', async () => {
      const { isOpen, browser } = await signedIn();
      const page = await browser.open(`${okta.issuer}/session/end`);
      const action = /action="([^"]*)"/.exec(page.text)?.[1] ?? '';
      const xsrf = /name="xsrf" value="([^"]*)"/.exec(page.text)?.[1] ?? '';
      await browser.request(action, { method: 'POST', body: new URLSearchParams({ xsrf, logout: 'yes' }) });
      expect(await isOpen()).to.equal(false);
    });

    it('works once', async () => {
      const first = await signedIn();
      const token = await signed(claimsFor({ sub: first.subject }));
      const answers = await Promise.all([post(token), post(token), post(token)]);
      expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 400, 400]);
      okta.as(first.subject);
      const browser = openFederatedBrowser();
      await browser.open(`${base}/sign-in/okta`);
      expect((await post(token)).status).to.equal(400);
      const session = browser.jarOf(base).get('hushpush-session') ?? '';
      expect(await domain.sessions.authenticate(session), 'a later session').to.not.equal(null);
    });

    const refused: Record<string, (claims: JWTPayload) => Promise<string> | string> = {
      'without a signature (alg none)': (claims) => new UnsecuredJWT(claims).encode(),
      'signed with the client’s secret (HS256)': (claims) =>
        new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from(clientSecret)),
      'signed with another key': async (claims) => signed(claims, (await newKey('okta-key')).privateKey),
      'for another client': (claims) => signed({ ...claims, aud: 'another-client' }),
      'of another issuer': (claims) => signed({ ...claims, iss: legacy.issuer }),
      'with a nonce, as ID tokens have': (claims) => signed({ ...claims, nonce: 'x' }),
      'without the event': (claims) => signed({ ...claims, events: {} }),
      'about nobody': ({ sub: _sub, ...claims }) => signed(claims),
      'without an id of its own': ({ jti: _jti, ...claims }) => signed(claims),
      'that has expired': (claims) => signed({ ...claims, exp: seconds() - 120 }),
      'that is older than ten minutes': (claims) => signed({ ...claims, iat: seconds() - 700 }),
      'that is no token at all': () => 'tulip',
    };
    for (const [what, make] of Object.entries(refused))
      it(`ends nothing ${what}`, async () => {
        const { subject, isOpen } = await signedIn();
        const response = await post(await make(claimsFor({ sub: subject })));
        expect([response.status, await response.json()]).to.deep.equal([400, { error: 'invalid_request' }]);
        expect(await isOpen()).to.equal(true);
      });

    it('makes the keys be read again for a key that is not known, but not for each', async () => {
      const before = okta.requested('/jwks');
      const { privateKey } = await newKey('unknown');
      for (let i = 0; i < 20; i++)
        await post(await signed(claimsFor({ sub: 'x' }), privateKey, `unknown-${i}`));
      expect(okta.requested('/jwks') - before).to.be.at.most(1);
    });

    it('is not read further than a logout token can be long', async () => {
      expect((await post('x'.repeat(20_000))).status).to.equal(413);
      const unknown = await fetch(`${base}/sign-in/nobody/logout`, {
        method: 'POST',
        body: new URLSearchParams({ logout_token: 'x' }),
      });
      expect(unknown.status).to.equal(404);
    });
  });
});
