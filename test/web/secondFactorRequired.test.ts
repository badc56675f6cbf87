import { expect } from 'chai';
import type { Account, Domain } from '../../src/domain/index.ts';
import { createHttp } from '../../src/http/http.ts';
import { createWeb } from '../../src/web/web.ts';
import { bearer, type Client, createClient } from '../harness/api.ts';
import { chatCaller, connectChat, newChatUser } from '../harness/chat.ts';
import { type Folder, openFolder } from '../harness/cli.ts';
import { type FormBrowser, openFormBrowser, password, visibleText } from '../harness/pages.ts';
import { newEmail, refusal, someClient, startService, type TestService } from '../harness/service.ts';
import { freshlySignedIn, holderOf, setUpApp } from '../harness/signedIn.ts';
import { startTokenIssuer, type TokenIssuer } from '../harness/tokenIssuer.ts';

const factorsPage = '/account/second-factor';
const missing = 'Your account must have a second factor here';

/** Pages and forms that need somebody to be signed in. */
const ownPages = [
  ...[
    'GET /pushes',
    'GET /pushes/selected',
    'POST /pushes/selected',
    'GET /pushes/:token',
    'GET /pushes/:id',
  ],
  ...['POST /pushes/:token/expire', 'POST /pushes/:token/name', 'POST /pushes/:token/extend'],
  ...['POST /pushes/:token/recipients/send', 'POST /pushes/:token/recipients/withdraw'],
  ...['GET /requests', 'POST /requests', 'POST /requests/provide', 'POST /requests/decline'],
  ...['POST /requests/cancel', 'GET /requests/links/new', 'POST /requests/links/new'],
  ...['GET /requests/links/:id', 'POST /requests/links/send', 'POST /requests/links/close'],
  ...['GET /account', 'POST /account/language', 'GET /account/notices', 'POST /account/notices'],
  ...['POST /account/delete', 'GET /account/security', 'GET /account/sessions', 'GET /account/password'],
  ...['GET /account/providers', 'GET /account/security/log', 'POST /account/password'],
  ...['POST /account/sessions/revoke', 'POST /account/sessions/revoke-others'],
  ...['POST /account/providers/confirm', 'POST /account/providers/disconnect'],
  ...['GET /account/chats', 'POST /account/chats/disconnect', 'GET /account/chats/confirm'],
  ...['POST /account/chats/confirm', 'GET /account/tokens', 'POST /account/tokens'],
  ...['POST /account/tokens/replace', 'POST /account/tokens/revoke'],
  ...['GET /device', 'POST /device', 'POST /device/allow', 'POST /device/deny'],
  ...['GET /account/rules', 'POST /account/rules', 'POST /account/rules/remove'],
  ...['GET /account/webhooks', 'POST /account/webhooks', 'POST /account/webhooks/remove'],
  ...['POST /account/webhooks/enable', 'GET /account/webhooks/deliveries', 'POST /account/webhooks/test'],
  ...['POST /account/webhooks/redeliver', 'GET /account/webhooks/events', 'POST /account/webhooks/types'],
  ...['POST /account/webhooks/secret', 'GET /admin', 'POST /admin/invite', 'GET /admin/accounts/:id'],
  ...['GET /admin/accounts/:id/disable', 'GET /admin/accounts/:id/remove-factors'],
  ...['POST /admin/accounts/:id/subscribe', 'POST /admin/accounts/:id/unsubscribe'],
  ...['POST /admin/accounts/:id/enable', 'POST /admin/accounts/:id/disable'],
  ...['POST /admin/accounts/:id/remove-factors', 'POST /admin/accounts/:id/password-link'],
  ...['GET /admin/installations', 'GET /admin/installations/remove', 'POST /admin/installations/remove'],
];
/** Pages and forms for everybody, which know who is signed in. */
const sharedPages = [
  ...['GET /', 'POST /', 'POST /p/:token/delete', 'POST /p/:token/ask', 'POST /compose/:token'],
  ...['POST /a/:token', 'GET /created/:label', 'GET /status/:token', 'GET /status/:label'],
  ...['POST /status/:label/delete', 'GET /connect/:token', 'POST /connect/:token', 'GET /connect'],
  ...['POST /export/:token', 'GET /sign-in', 'POST /sign-in', 'POST /passkeys/sign-in'],
  ...['GET /sign-up', 'POST /sign-up', 'GET /second-factor', 'POST /second-factor'],
  ...['GET /account/providers/confirm', 'GET /invite/:token', 'POST /invite/:token'],
  ...['GET /reset/:token', 'POST /reset/:token', 'GET /privacy', 'GET /support', 'GET /docs'],
];
/** Pages and forms that ignore who is signed in, or are needed to set up a second factor, or to leave. */
const openPages = [
  ...['GET /p/:token', 'POST /p/:token', 'GET /compose/:token', 'GET /a/:token', 'GET /receipt/:label'],
  ...['GET /export/:token', 'POST /sign-out', 'GET /sign-in/:provider', 'GET /sign-in/:provider/callback'],
  ...['POST /sign-in/:provider/logout', 'GET /passkeys/challenge', 'GET /account/second-factor'],
  ...['POST /account/second-factor/app', 'POST /account/second-factor/app/confirm'],
  ...['POST /account/second-factor/app/remove', 'POST /account/second-factor/recovery-codes'],
  ...['POST /account/second-factor/passkeys/new', 'POST /account/second-factor/passkeys'],
  ...['GET /account/second-factor/passkeys/rename', 'POST /account/second-factor/passkeys/rename'],
  'POST /account/second-factor/passkeys/remove',
];
/** What an API token does. */
const operations = [
  ...['p', 'f', 'r'].flatMap((path) => [
    ...[`POST /${path}.json`, `GET /${path}/:token.json`, `DELETE /${path}/:token.json`],
    ...[`GET /${path}/:token/preview.json`, `GET /${path}/:token/audit.json`],
    ...[`GET /${path}/active.json`, `GET /${path}/expired.json`],
  ]),
  ...['POST /p/:token/extend.json', 'GET /p/:token/audit.csv', 'GET /p/:token/audit.ndjson'],
  'GET /download/:grant/1',
  ...['requests', 'request-links', 'trust-rules', 'webhooks'].flatMap((name) =>
    ['GET', 'POST', 'DELETE'].map((method) => `${method} /api/v1/${name}.json`),
  ),
  ...['test', 'redeliver', 'types', 'secret'].map((name) => `POST /api/v1/webhooks/${name}.json`),
  ...['webhooks/deliveries', 'request-links/answers', 'account/security', 'account/identities'].map(
    (name) => `GET /api/v1/${name}.json`,
  ),
];
/** What it does that ignores tokens. */
const openOperations = ['GET /a/:token.json', 'POST /a/:token.json', 'GET /api/v1/version.json'];

/** A row for each, by its name. */
const rowsOf = <Row>(names: string[], row: (method: string, path: string) => Row): Record<string, Row> =>
  Object.fromEntries(
    names.map((name) => {
      const [method = '', path = ''] = name.split(' ');
      const filled = path
        .replace(':token', '0'.repeat(26))
        .replace(':grant', '0'.repeat(43))
        .replace(/:\w+/, '0'.repeat(32));
      return [name, row(method, filled)];
    }),
  );

describe('The table of what a second factor protects', () => {
  it('has each page and form, and each operation of the API', async () => {
    const service = await startService({ OIDC_ISSUER: 'https://id.example.com', OIDC_CLIENT_ID: 'x' });
    const { domain } = service;
    const http = createHttp(domain, { baseUrl: 'http://push.test', trustedProxies: [] });
    const { router } = createWeb({ domain, readOpenApi: async () => ({}) as never, ...http });
    const isOld = /^\/(users|api_tokens|login|[pfrd]\/new|d|help)\b|^\/\^/; // addresses of Password Pusher, which lead elsewhere
    const pages = router.stack
      .map(({ name, path, methods }) => `${methods.at(-1)} ${name ?? path}`)
      .filter((name) => !isOld.test(name.split(' ')[1] ?? ''));
    const rows = [...ownPages, ...sharedPages, ...openPages];
    expect(
      pages.filter((name) => !rows.includes(name)),
      'without a row',
    ).to.deep.equal([]);
    expect(
      rows.filter((name) => !pages.includes(name)),
      'gone',
    ).to.deep.equal([]);
    const api = createClient(service.port);
    const { body } = await api.get('/api/v1/openapi.json');
    api.close();
    await service.stop();
    const described = Object.entries(Object(body.paths)).flatMap(([path, methods]) =>
      Object.keys(Object(methods)).map((method) =>
        `${method.toUpperCase()} ${path}`
          .replace('{url_token}', ':token')
          .replace('{grant}/{number}', ':grant/1'),
      ),
    );
    const known = [...operations, ...openOperations];
    expect(
      described.filter((name) => !known.includes(name)),
      'without a row',
    ).to.deep.equal([]);
  });
});

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
    let issuer: TokenIssuer;
    let folder: Folder;

    before(async () => {
      issuer = await startTokenIssuer();
      folder = await openFolder();
      service = await startService({
        ...{ SECOND_FACTOR: secondFactor, PRIVATE_ISSUERS: issuer.issuer },
        ...{ OIDC_ISSUER: 'https://id.example.com', OIDC_CLIENT_ID: 'x' },
      });
      ({ domain } = service);
      api = createClient(service.port);
      person = await newPerson();
    });
    after(async () => {
      api.close();
      await Promise.all([service.stop(), issuer.stop(), folder.remove()]);
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

    const isRefused = async (act: Promise<unknown>) => expect(await refusal(act)).to.include(missing);

    /** Every way to what the account protects. Each must end at the second factor. */
    const ways: Record<string, (person: Person) => Promise<unknown>> = {
      ...rowsOf(
        secondFactor === 'everyone' ? [...ownPages, ...sharedPages] : ['GET /', 'GET /admin'],
        (method, path) =>
          async ({ browser }) => {
            const { headers } = method === 'GET' ? await browser.get(path) : await browser.send(path, {});
            expect(headers.location).to.equal(`${factorsPage}?required=yes`);
          },
      ),
      ...rowsOf(
        secondFactor === 'everyone' ? operations : ['GET /p/active.json'],
        (method, path) =>
          async ({ token }) => {
            const { status, text } = await api.send(method, path, { headers: bearer(token) });
            expect([status, text.includes(missing)]).to.deep.equal([403, true]);
          },
      ),
      'a token by a trust rule': async ({ account }) => {
        const { audience } = await domain.trustRules.create(account, {
          ...{ name: newEmail(), issuer: issuer.issuer, claims: { sub: 'job' } },
        });
        const identity = await issuer.sign({ aud: audience, sub: 'job' });
        const { token } = await domain.exchangeToken({ token: identity }, someClient);
        expect((await api.get('/p/active.json', bearer(token))).status).to.equal(403);
      },
      'the command line': async ({ token }) => {
        const settings = { HUSHPUSH_SERVER: service.url, HUSHPUSH_TOKEN: token };
        for (const command of ['list', 'push', 'account security']) {
          const { code, stderr } = await folder.run(command, { settings, input: 'tulip' });
          expect([code === 0, stderr.includes(missing)], command).to.deep.equal([false, true]);
        }
      },
      'a command of a chat': ({ chatUser }) => isRefused(domain.chat.admit(chatCaller(chatUser))),
      'a push from a chat': ({ chatUser }) =>
        isRefused(domain.chat.pushes.create(chatCaller(chatUser), { payload: 'tulip' })),
      'the form of a chat': ({ chatUser }) => isRefused(domain.chat.formDefaults(chatCaller(chatUser))),
      'a page that a chat leads to': async ({ chatUser }) => {
        const { token, save } = domain.chat.prepareComposeLink(chatCaller(chatUser));
        await save();
        await isRefused(domain.chat.previewCompose(token));
        await isRefused(domain.chat.compose(token, { payload: 'tulip' }));
      },
      'a browser that a chat signs in': async ({ chatUser }) => {
        const link = await domain.chat.createConnectLink({ chatUser, name: '@ann' });
        await isRefused(domain.chat.requestLink(link, null));
      },
      'the session itself': async ({ browser }) => {
        const session = String(browser.jar.get('hushpush-session'));
        await isRefused(domain.sessions.authenticate(session));
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

describe('Somebody who knows the password of an account, and has no second factor of it,', () => {
  let service: TestService;
  let domain: Domain;
  let api: Client;
  let email: string;
  /** Has done the first step. */
  let browser: FormBrowser;

  before(async () => {
    service = await startService({ OIDC_ISSUER: 'https://id.example.com', OIDC_CLIENT_ID: 'x' });
    ({ domain } = service);
    api = createClient(service.port);
    email = newEmail();
    const account = await domain.accounts.create({ email, password, isAdmin: true });
    await setUpApp(domain, await freshlySignedIn(domain, account));
    browser = await openFormBrowser(api);
    expect((await browser.submit('/sign-in', '/sign-in', { email, password })).status).to.equal(200);
    expect(browser.jar.has('hushpush-second-factor')).to.equal(true);
  });
  after(async () => {
    api.close();
    await service.stop();
  });

  const step = () => browser.jar.get('hushpush-second-factor') ?? '';

  const ways: Record<string, () => Promise<unknown>> = {
    ...rowsOf(ownPages, (method, path) => async () => {
      const { status, headers } = method === 'GET' ? await browser.get(path) : await browser.send(path, {});
      expect([status, String(headers.location).startsWith('/sign-in')]).to.deep.equal([303, true]);
    }),
    'a page, with the first step as a session': async () => {
      const thief = await openFormBrowser(api);
      thief.jar.set('hushpush-session', step());
      expect((await thief.get('/account')).headers.location).to.equal('/sign-in?next=%2Faccount');
    },
    'the API, with the password or the first step as a token': async () => {
      for (const credential of [password, step()]) {
        expect((await api.get('/p/active.json', bearer(credential))).status).to.equal(401);
        const pair = { 'x-user-email': email, 'x-user-token': credential };
        expect((await api.get('/p/active.json', pair)).status).to.equal(401);
      }
    },
    'the command line, by a code that it shows': async () => {
      const { userCode, deviceCode } = await domain.deviceSignIn.begin({ name: 'laptop' }, someClient);
      await browser.send('/device/allow', { code: userCode, name: 'laptop', scope: 'full' });
      expect((await domain.deviceSignIn.poll(deviceCode, someClient)).state).to.equal('waiting');
    },
    'a chat, by connecting their own': async () => {
      const chatUser = newChatUser();
      const link = `/connect/${await domain.chat.createConnectLink({ chatUser, name: '@eve' })}`;
      expect(visibleText(await browser.get(link))).to.not.include(email);
      expect(await domain.chat.identities.maybeAccount(chatUser)).to.equal(undefined);
    },
    'the second step itself, with a guess': async () => {
      const answer = await browser.submit('/second-factor', '/second-factor', { code: '000000' });
      expect([answer.status, browser.jar.has('hushpush-session')]).to.deep.equal([401, false]);
    },
  };
  for (const [name, tryIt] of Object.entries(ways)) it(`does not reach ${name}`, tryIt);
});
