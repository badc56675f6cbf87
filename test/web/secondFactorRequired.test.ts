import { expect } from 'chai';
import { createClient as createPushClient } from '../../src/client/client.ts';
import type { Account, Domain } from '../../src/domain/index.ts';
import { bearer, type Client, createClient } from '../harness/api.ts';
import { connectChat, newChatUser } from '../harness/chat.ts';
import { type FormBrowser, openFormBrowser, password, visibleText } from '../harness/pages.ts';
import { newEmail, refusal, startService, type TestService } from '../harness/service.ts';
import { holderOf, setUpApp } from '../harness/signedIn.ts';

const factorsPage = '/account/second-factor';
const missing = 'Your account must have a second factor here';

type Person = {
  email: string;
  account: Account;
  browser: FormBrowser;
  token: string;
  chatUser: ReturnType<typeof newChatUser>;
};

for (const secondFactor of ['everyone', 'admins'])
  describe(`Where ${secondFactor} must have a second factor, somebody without one`, () => {
    let service: TestService;
    let domain: Domain;
    let api: Client;
    let person: Person;

    before(async () => {
      service = await startService({ SECOND_FACTOR: secondFactor });
      ({ domain } = service);
      api = createClient(service.port);
      person = await newPerson();
    });
    after(async () => {
      api.close();
      await service.stop();
    });

    async function newPerson(isAdmin = true): Promise<Person> {
      const email = newEmail();
      const account = await domain.accounts.create({ email, isAdmin });
      const chatUser = newChatUser();
      await connectChat(domain, chatUser, { account });
      await domain.passwordLinks.setPassword(email, password);
      const token = await domain.apiTokens.issue(account, { name: 'test' });
      const browser = await openFormBrowser(api);
      await browser.submit('/sign-in', '/sign-in', { email, password });
      return { email, account, browser, token, chatUser };
    }

    const isSentAway = ({ headers }: { headers: Record<string, unknown> }) =>
      expect(headers.location).to.equal(`${factorsPage}?required=yes`);

    /** Every way to what the account protects. Each must end at the second factor. */
    const ways: Record<string, (person: Person) => Promise<unknown>> = {
      ...Object.fromEntries(
        [
          ...[
            '/',
            '/pushes',
            '/requests',
            '/account',
            '/account/security',
            '/account/tokens',
            '/account/rules',
          ],
          ...['/account/notices', '/account/webhooks', '/admin', '/sign-in'],
        ].map((path) => [
          `the page ${path}`,
          async ({ browser }: Person) => isSentAway(await browser.get(path)),
        ]),
      ),
      ...Object.fromEntries(
        ['/account/tokens', '/account/password', '/account/delete', '/account/webhooks', '/admin/invite'].map(
          (path) => [
            `the form ${path}`,
            async ({ browser }: Person) => isSentAway(await browser.send(path, { name: 'x' })),
          ],
        ),
      ),
      'a list of the API': async ({ token }) => {
        const answer = await api.get('/p/active.json', bearer(token));
        expect([answer.status, answer.text.includes(missing)]).to.deep.equal([403, true]);
      },
      'creating by the API': async ({ token }) => {
        const answer = await api.send('POST', '/p.json', {
          headers: { ...bearer(token), 'content-type': 'application/json' },
          body: JSON.stringify({ password: { payload: 'tulip' } }),
        });
        expect(answer.status).to.equal(403);
      },
      'the library of the command line': async ({ token }) => {
        const error = await createPushClient({ server: service.url, token })
          .list()
          .next()
          .then(
            () => undefined,
            (reason: unknown) => String(reason),
          );
        expect(error).to.include(missing);
      },
      'a chat': async ({ chatUser }) => {
        expect(await refusal(domain.chat.identities.accountOf(chatUser))).to.include(missing);
      },
      'the session itself': async ({ browser }) => {
        const session = String(browser.jar.get('hushpush-session'));
        expect(await refusal(domain.sessions.authenticate(session))).to.include(missing);
      },
    };
    for (const [name, tryIt] of Object.entries(ways))
      it(`does not reach ${name}`, async () => {
        await tryIt(person);
      });

    it('is told so, can sign out, and reaches everything once one is set up', async () => {
      const other = await newPerson();
      const shown = await other.browser.get(`${factorsPage}?required=yes`);
      expect(visibleText(shown)).to.include('requires a second factor').and.to.include('Set up an app');
      const session = String(other.browser.jar.get('hushpush-session'));
      const signedIn = await domain.sessions.authenticate(session, true);
      if (signedIn === null) throw new Error('nobody is signed in');
      await setUpApp(domain, signedIn);
      expect((await other.browser.get('/account')).status).to.equal(200);
      expect((await api.get('/p/active.json', bearer(other.token))).status).to.equal(200);
      expect((await domain.chat.identities.accountOf(other.chatUser)).email).to.equal(other.email);
      await holderOf(domain, session);
      await person.browser.submit(`${factorsPage}?required=yes`, '/sign-out');
      expect(person.browser.jar.get('hushpush-session')).to.equal(undefined);
    });

    it('is not asked if nobody signs in to the account: a program, or somebody from a chat', async () => {
      const account = await domain.accounts.create({ email: newEmail(), isAdmin: true });
      const token = await domain.apiTokens.issue(account, { name: 'ci' });
      expect((await api.get('/p/active.json', bearer(token))).status).to.equal(200);
      const chatUser = newChatUser();
      await domain.chat.identities.accountOf(chatUser);
      await domain.chat.identities.accountOf(chatUser);
    });

    it(`is asked as an admin alone, where admins must have one`, async () => {
      const { browser, token } = await newPerson(false);
      const status = (await api.get('/p/active.json', bearer(token))).status;
      const page = (await browser.get('/account')).status;
      expect([status, page]).to.deep.equal(secondFactor === 'admins' ? [200, 200] : [403, 303]);
    });

    it('is asked by whom a provider signs in, unless it asked for several factors', async () => {
      const { account, token } = await newPerson();
      await service.database.execute('UPDATE accounts SET password_hash = NULL WHERE id = $id', account);
      const insert = `INSERT INTO provider_identities (id, account_id, issuer, subject, has_factor, created_at, last_used_at)
        VALUES ($id, $id, 'https://id.test', $email, FALSE, 1, 1)`;
      await service.database.execute(insert, { id: account.id, email: account.email });
      const status = async () => (await api.get('/p/active.json', bearer(token))).status;
      expect(await status()).to.equal(403);
      await service.database.execute('UPDATE provider_identities SET has_factor = TRUE', {});
      expect(await status()).to.equal(200);
    });
  });
