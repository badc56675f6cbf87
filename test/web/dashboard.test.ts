import { expect } from 'chai';
import type { Push } from '../../src/domain/index.ts';
import { messagesOf } from '../../src/locales/locales.ts';
import { dayMs } from '../../src/time.ts';
import { storePushes } from '../../tools/bench/fill.ts';
import { type ApiResponse, bearer, type Client, createClient } from '../harness/api.ts';
import { chatCaller, countRows, newChatUser, slackOn } from '../harness/chat.ts';
import { cleanUpAfterEach } from '../harness/cleanUp.ts';
import { sameOrigin, unescapeHtml } from '../harness/forms.ts';
import {
  type FormBrowser,
  openFormBrowser,
  type PageForm,
  parseForms,
  password,
  visibleText,
} from '../harness/pages.ts';
import { anonymous, createAccount, startService, type TestService } from '../harness/service.ts';
import { freshlySignedIn, setUpApp } from '../harness/signedIn.ts';

describe('The account pages', () => {
  const cleanUp = cleanUpAfterEach();
  let service: TestService;
  let api: Client;
  let counter = 0;

  before(async () => {
    service = await startService(slackOn);
    api = createClient(service.port);
  });
  after(async () => {
    api.close();
    await service.stop();
  });

  const linkOf = ({ text }: ApiResponse) => />(http:\/\/push\.test\/p\/\w{26})</.exec(text)?.[1];

  const newEmail = () => `web${counter++}@example.com`;

  async function signedUp(): Promise<FormBrowser & { email: string }> {
    const browser = await openFormBrowser(api);
    const email = newEmail();
    await browser.signUp(email);
    return { ...browser, email };
  }

  describe('Signing up, in and out', () => {
    it('starts a session with a cookie that scripts and other sites cannot use', async () => {
      const browser = await openFormBrowser(api);
      const page = await browser.get('/sign-up');
      const answer = await browser.send('/sign-up', {
        ...parseForms(page.text)[0]?.fields,
        email: newEmail(),
        password,
      });
      expect(answer.status).to.equal(303);
      const [session = '', known = '', ...more] = answer.headers['set-cookie'] ?? [];
      expect(session).to.match(
        /^hushpush-session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=43200$/,
      );
      expect(known).to.match(
        /^hushpush-browser=[\w-]{22}\.[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=34560000$/,
      );
      expect(more).to.deep.equal([]);
      expect(visibleText(await browser.get('/account'))).to.include('You are signed in as web');
    });

    it('ends the session when somebody signs out', async () => {
      const browser = await signedUp();
      const token = browser.jar.get('hushpush-session') ?? '';
      expect(visibleText(await browser.submit('/account', '/sign-out'))).to.include('Sign in');
      expect(browser.jar.has('hushpush-session')).to.equal(false);
      expect((await api.get('/account', { cookie: `hushpush-session=${token}` })).status).to.equal(303);
    });

    it('starts a new session at each sign-in and ends the previous one', async () => {
      const browser = await signedUp();
      const before = browser.jar.get('hushpush-session');
      const page = await browser.get('/account');
      const fields = parseForms(page.text)[0]?.fields ?? {};
      await browser.send('/sign-in', { ...fields, email: browser.email, password });
      expect(browser.jar.get('hushpush-session')).to.not.equal(before);
      expect((await api.get('/account', { cookie: `hushpush-session=${before}` })).status).to.equal(303);
    });

    it('returns to the requested page after signing in, but never to another site', async () => {
      const { email } = await signedUp();
      const browser = await openFormBrowser(api);
      const refused = await browser.get('/account/tokens?x=1');
      expect(refused.headers.location).to.equal('/sign-in?next=%2Faccount%2Ftokens%3Fx%3D1');
      for (const [next, to] of [
        ['/account/tokens?x=1', '/account/tokens?x=1'],
        ['//evil.test', '/pushes'],
        ['/\\evil.test', '/pushes'],
        ['https://evil.test', '/pushes'],
        ['javascript:alert(1)', '/pushes'],
        ['/\t/evil.test', '/pushes'],
        ['', '/pushes'],
      ] as const) {
        const stranger = await openFormBrowser(api);
        const page = await stranger.get(`/sign-in?next=${encodeURIComponent(next)}`);
        const fields = parseForms(page.text)[0]?.fields ?? {};
        const { headers } = await stranger.send('/sign-in', { ...fields, email, password });
        expect(headers.location, next).to.equal(to);
      }
    });

    it('says that a session has ended when a form is sent, and leads back to the page of the form', async () => {
      const browser = await signedUp();
      for (const [path, page] of [
        ['/account/webhooks', '/account/webhooks'],
        ['/account/tokens/revoke', '/account/tokens'],
        ['/requests/cancel', '/requests'],
      ]) {
        const { headers } = await api.send('POST', path ?? '', { headers: sameOrigin, body: '' });
        const location = headers.location ?? '';
        expect(new URL(location, 'http://push.test').searchParams.get('next')).to.equal(page);
        expect(visibleText(await api.get(location))).to.include('Your session has ended.');
      }
      expect(visibleText(await browser.get('/sign-in'))).to.not.include('Your session has ended.');
    });

    it('gives the same answer for a wrong password and an unknown address', async () => {
      const { email } = await signedUp();
      const browser = await openFormBrowser(api);
      const wrong = await browser.submit('/sign-in', '/sign-in', { email, password: 'CANARY horse battery' });
      expect(wrong.status).to.equal(401);
      expect(visibleText(wrong)).to.include('The e-mail address or the password is wrong.');
      expect(wrong.text).to.include(`value="${email}"`).and.not.include('CANARY');
      const unknown = await browser.submit('/sign-in', '/sign-in', { email: 'no@example.com', password });
      expect(visibleText(unknown)).to.equal(visibleText(wrong));
    });

    it('shows what is wrong with a new account and keeps the address', async () => {
      const { email } = await signedUp();
      const browser = await openFormBrowser(api);
      const short = await browser.submit('/sign-up', '/sign-up', { email: 'ann@', password: 'short' });
      expect(short.status).to.equal(422);
      expect(visibleText(short))
        .to.include('Must be an e-mail address.')
        .and.include('Must have at least 12 characters.');
      expect(short.text).to.include('value="ann@"');
      const guessable = { email: 'bo@example.com', password: 'aaaaaaaaaaaa' };
      expect(visibleText(await browser.submit('/sign-up', '/sign-up', guessable))).to.include(
        'Is easy to guess',
      );
      const taken = await browser.submit('/sign-up', '/sign-up', { email, password });
      expect(taken.status).to.equal(409);
      expect(visibleText(taken)).to.include('There is already an account');
    });
  });

  it('does not accept a session on the JSON API, nor an API token on the pages', async () => {
    const browser = await signedUp();
    const cookie = `hushpush-session=${browser.jar.get('hushpush-session')}`;
    expect((await api.get('/p/active.json', { cookie })).status).to.equal(401);
    expect((await api.get('/account', bearer('hp_x'))).status).to.equal(303);
  });

  describe('The form for a new push', () => {
    it('creates a push without an account and with one', async () => {
      const browser = await openFormBrowser(api);
      const made = await browser.submit('/', '/', {
        payload: 'tulip',
        kind: 'text',
        lifetime: '1h',
        views: '2',
        retrievalStep: 'on',
      });
      const link = />(http:\/\/push\.test\/p\/\w{26})</.exec(made.text)?.[1] ?? '';
      const push = await service.domain.pushes.preview(link.slice(-26), anonymous);
      expect(push).to.include({ viewsMax: 2, retrievalStep: true, deletableByViewer: false, kind: 'text' });
      expect(push.expiresAt - push.createdAt).to.equal(3_600_000);

      const ann = await signedUp();
      await ann.submit('/', '/', {
        payload: 'tulip',
        lifetime: '1d',
        views: '1',
        name: 'rose',
        note: 'thorn',
      });
      expect(visibleText(await ann.get('/pushes'))).to.include('rose');
    });

    it('shows the link of a new push at an address that reloads without creating another push', async () => {
      const browser = await signedUp();
      const form = parseForms((await browser.get('/')).text)[0]?.fields;
      const answer = await browser.send('/', { ...form, payload: 'tulip', lifetime: '1d', views: '1' });
      expect(answer.status).to.equal(303);
      const path = answer.headers.location ?? '';
      expect(path).to.match(/^\/created\/\w+$/);
      const [first, second] = [await browser.get(path), await browser.get(path)];
      expect(linkOf(first)).to.be.a('string').and.equal(linkOf(second));
      const account = await service.domain.accounts.find(browser.email);
      expect(await service.domain.pushes.list({ account }, 'active', 1)).to.have.length(1);
      expect((await (await openFormBrowser(api)).get(path)).status).to.equal(404);
    });

    it('completes an address that was entered as people write it', async () => {
      const browser = await openFormBrowser(api);
      for (const [entered, payload] of [
        ['example.com/a?b=c', 'https://example.com/a?b=c'],
        ['bücher.example:8080', 'https://bücher.example:8080'],
        ['http://example.com', 'http://example.com'],
      ]) {
        const made = await browser.submit('/', '/', {
          payload: entered ?? '',
          kind: 'url',
          lifetime: '1d',
          views: '1',
        });
        const token = linkOf(made)?.slice(-26) ?? '';
        expect((await service.domain.pushes.reveal(token, undefined, anonymous)).payload).to.equal(payload);
      }
    });

    it('keeps line breaks as they were typed', async () => {
      const browser = await openFormBrowser(api);
      const made = await browser.submit('/', '/', { payload: 'a\r\nb\r\n', lifetime: '1h', views: '2' });
      const token = /\/p\/(\w{26})/.exec(made.text)?.[1] ?? '';
      expect((await service.domain.pushes.reveal(token, undefined, anonymous)).payload).to.equal('a\nb\n');
    });

    it('keeps everything that was entered when a field is invalid', async () => {
      const browser = await signedUp();
      const entered = {
        payload: '\n  <b>tulip</b>\n',
        kind: 'url',
        lifetime: '3d',
        views: '0',
        passphrase: 'a "b" <c>',
        name: 'rose',
        note: 'thorn',
      };
      const answer = await browser.submit('/', '/', entered);
      expect(answer.status).to.equal(422);
      expect(visibleText(answer))
        .to.include('Must be between 1 and 100.')
        .and.include('Must be a whole address that begins with http:// or https://');
      expect(unescapeHtml(answer.text)).to.include(`>\n${entered.payload}</textarea>`).and.include('thorn');
      expect(unescapeHtml(answer.text)).to.include('value="a "b" <c>"').and.include('value="rose"');
      expect(answer.text).to.match(
        /<option[^>]* value="url"[^>]* selected|<option selected[^>]* value="url"/,
      );
      expect(answer.text).to.match(/<option selected value="3d"|value="3d" selected/);
    });

    it('shows problems in German to German readers', async () => {
      const browser = await openFormBrowser(api, { 'accept-language': 'de' });
      const answer = await browser.submit('/', '/', { payload: ' ', views: '0', lifetime: '1d' });
      expect(visibleText(answer))
        .to.include('Das muss eine Zahl von 1 bis 100 sein.')
        .and.include('Gib das Geheimnis ein.');
    });

    describe('when the session has ended since it was loaded', () => {
      const entered = {
        payload: '\n<b>tulip</b>',
        kind: 'text',
        lifetime: '3d',
        views: '2',
        passphrase: 'sesame',
        name: 'rose',
        note: 'thorn',
      };

      /** The form of an account whose session then ends. */
      async function outlived(running = service, client = api) {
        const browser = await openFormBrowser(client);
        const email = newEmail();
        await browser.signUp(email);
        const fields = newPushForm(await browser.get('/'));
        const account = await running.domain.accounts.find(email);
        for (const { id } of await running.domain.sessions.list(account))
          await running.domain.sessions.revoke(account, id);
        const signIn = () => browser.submit('/sign-in', '/sign-in', { email, password });
        const live = () => running.domain.pushes.list({ account }, 'active', 1);
        return { browser, fields, signIn, live };
      }

      const newPushForm = ({ text }: ApiResponse) =>
        parseForms(text).find(({ action }) => action === '/')?.fields ?? {};

      function expectEverything(answer: ApiResponse) {
        expect(answer.status).to.equal(403);
        const html = unescapeHtml(answer.text);
        expect(html).to.include(`>\n${entered.payload}</textarea>`).and.include('>\nthorn</textarea>');
        for (const value of ['sesame', 'rose', '2']) expect(html).to.include(`value="${value}"`);
        expect(visibleText(answer)).to.include('What you entered is still here');
      }

      it('creates nothing, and shows everything that was entered until it is sent again', async () => {
        const { browser, fields, signIn, live } = await outlived();
        const before = await countRows(service, 'pushes');
        const ended = await browser.send('/', { ...fields, ...entered });
        expectEverything(ended);
        expect(visibleText(ended)).to.include('Your session has ended');
        expect(ended.text).to.match(/<a[^>]* href="\/sign-in" target="_blank"/);
        await signIn(); // in another tab
        const outdated = await browser.send('/', { ...newPushForm(ended), ...entered });
        expectEverything(outdated);
        expect(await countRows(service, 'pushes')).to.equal(before);
        const created = await browser.send('/', { ...newPushForm(outdated), ...entered });
        expect(created.status).to.equal(303);
        expect((await live()).map(({ name }) => name)).to.deep.equal(['rose']);
      });

      it('does so where anonymous pushes are off', async () => {
        const closed = await startService({ ALLOW_ANONYMOUS: 'no' });
        cleanUp(closed.stop);
        const client = createClient(closed.port);
        cleanUp(client.close);
        const { browser, fields } = await outlived(closed, client);
        expectEverything(await browser.send('/', { ...fields, ...entered }));
      });

      it('creates a push without the account only by the button that says so', async () => {
        const { browser, fields, live } = await outlived();
        let last = await browser.send('/', { ...fields, ...entered });
        for (const _ of ['once more', 'and again']) {
          last = await browser.send('/', { ...newPushForm(last), ...entered });
          expect(last.status).to.equal(403);
          expectEverything(last);
        }
        const button = { anonymous: 'yes' };
        const created = await browser.send('/', { ...newPushForm(last), ...entered, ...button });
        expect(created.status).to.equal(303);
        expect(await live()).to.deep.equal([]);
      });
    });

    it('asks to sign in first where anonymous pushes are off', async () => {
      const closed = await startService({ ALLOW_ANONYMOUS: 'no' });
      cleanUp(closed.stop);
      const client = createClient(closed.port);
      cleanUp(client.close);
      expect((await client.get('/')).headers.location).to.equal('/sign-in');
      const browser = await openFormBrowser(client);
      await browser.signUp('ann@example.com');
      expect((await browser.get('/')).status).to.equal(200);
    });
  });

  describe('The owner’s view of a push', () => {
    async function withPush(fields: Record<string, string> = {}) {
      const browser = await signedUp();
      const made = await browser.submit('/', '/', {
        payload: 'tulip',
        lifetime: '1d',
        views: '3',
        name: 'rose',
        retrievalStep: 'on',
        ...fields,
      });
      return { ...browser, token: /\/p\/(\w{26})/.exec(made.text)?.[1] ?? '' };
    }

    it('shows the owner the audit log', async () => {
      const { get, token } = await withPush({ passphrase: 'p' });
      await api.get(`/p/${token}.json?passphrase=x`);
      await api.get(`/p/${token}.json?passphrase=p`);
      await api.get(`/p/${token}.json`, { 'user-agent': 'Slackbot-LinkExpanding 1.0' });
      const text = visibleText(await get(`/pushes/${token}`));
      expect(text).to.match(
        /Created .* Wrong passphrase .* Opened through the API .* Loaded the page, opened nothing/,
      );
      expect(text).to.include('Opened 1 of 3 times').and.include('Slackbot-LinkExpanding');
    });

    it('shows devices in words, and loads of the page apart from what was opened', async () => {
      const { get, token } = await withPush();
      const chrome =
        'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0';
      await api.get(`/p/${token}.json`, { 'user-agent': `${chrome} Safari/537.36` });
      await api.get(`/p/${token}.json`, { 'user-agent': 'Slackbot-LinkExpanding 1.0' });
      const text = visibleText(await get(`/pushes/${token}`));
      expect(text).to.match(
        /Opened through the API .* Chrome on Linux .* The page was loaded once, .* SlackBot/,
      );
    });

    it('shows the owner who has opened it, and the links of who has not', async () => {
      const browser = await signedUp();
      const made = await browser.submit('/account/tokens', '/account/tokens', { name: 'laptop' });
      const [, token = ''] = />(hp_\w+)</.exec(made.text) ?? [];
      const { push } = await api.create({ recipients: ['Bob', 'Carol'] }, bearer(token));
      const [bob, carol] = push.recipients as [Record<string, string>, Record<string, string>];
      await api.get(new URL(String(bob.json_url)).pathname);
      const page = await browser.get(`/pushes/${push.url_token}`);
      expect(visibleText(page)).to.match(
        /Recipients Opened by 1 of 2 Bob opened it on .* Carol has not opened it yet .* Opened by Bob/,
      );
      expect(page.text).to.include('aria-label="Copy the link: Carol"');
      expect(page.text).to.include(String(carol.html_url)).and.not.include(String(bob.html_url));
      expect(page.text).to.not.include(`>${push.html_url}<`);
    });

    it('offers no page of the log after the last one, however full that is', async () => {
      const { get, token } = await withPush({ views: '60' });
      const open = () => service.domain.pushes.reveal(token, undefined, anonymous);
      for (let i = 0; i < 49; i++) await open(); // beside the row of its creation
      expect(visibleText(await get(`/pushes/${token}`))).to.not.include('Newer');
      await open();
      expect(visibleText(await get(`/pushes/${token}`))).to.include('Newer');
      expect(visibleText(await get(`/pushes/${token}?page=2`))).to.include('Older');
    });

    it('lets the owner extend a push and delete it', async () => {
      const { submit, get, token } = await withPush();
      expect(
        visibleText(await submit(`/pushes/${token}`, `/pushes/${token}/extend`, { lifetime: '7d' })),
      ).to.include('The new expiry is set.');
      expect((await service.domain.pushes.preview(token, anonymous)).expiresAt - Date.now()).to.be.above(
        6 * 86_400_000,
      );
      const sooner = await submit(`/pushes/${token}`, `/pushes/${token}/extend`, { lifetime: '1h' });
      expect(sooner.status).to.equal(409);
      expect(visibleText(sooner)).to.include('That link ends later, or has ended.');
      expect(visibleText(await submit(`/pushes/${token}`, `/pushes/${token}/expire`))).to.include(
        'The link is deleted.',
      );
      expect(visibleText(await get('/pushes'))).to.not.include('rose');
      expect(visibleText(await get('/pushes?state=expired')))
        .to.include('rose')
        .and.match(/Opened 0 of \d+ times? deleted by hand/);
    });

    it('offers a push the ends that it may get, and says why it gets no other', async () => {
      const offered = (text: string) => text.match(/(?<=<option value="?)\d+[mhd]/g);
      const { submit, get, token } = await withPush({ lifetime: '7d' });
      const page = `/pushes/${token}`;
      expect(offered((await get(page)).text)).to.deep.equal(['7d', '14d', '30d', '60d']);
      const longer = await submit(page, `${page}/extend`, { lifetime: '90d' }); // from now, not from its creation
      expect(longer.status).to.equal(409);
      expect(visibleText(longer)).to.include('No link lives longer than 90 days here');
      const longest = await withPush({ lifetime: '90d' });
      const { text } = await longest.get(`/pushes/${longest.token}`);
      expect(text).to.include('/expire"').and.not.include('/extend"');
    });

    it('hides a push from every other account', async () => {
      const { token } = await withPush();
      const other = await signedUp();
      for (const path of [`/pushes/${token}`, `/pushes/${'0'.repeat(26)}`, '/pushes/x'])
        expect((await other.get(path)).status).to.equal(404);
      const fields = parseForms((await other.get('/account')).text)[0]?.fields ?? {};
      for (const act of ['extend', 'expire'])
        expect((await other.send(`/pushes/${token}/${act}`, { ...fields, lifetime: '7d' })).status).to.equal(
          404,
        );
      expect((await service.domain.pushes.preview(token, anonymous)).expiredOn).to.equal(null);
      expect((await api.get(`/pushes/${token}`)).status).to.equal(303);
    });

    it('searches the pushes of an account and splits them into pages', async () => {
      const { get, email } = await withPush({ name: 'needle' }); // no link contains an “i” or an “l”
      const account = await service.domain.accounts.find(email);
      for (let i = 0; i < 51; i++)
        await service.domain.pushes.create({ payload: 'x', name: `hill ${i}` }, { ...anonymous, account });
      expect(visibleText(await get('/pushes')))
        .to.include('hill 50')
        .and.include('Next')
        .and.not.include('needle');
      expect(visibleText(await get('/pushes?search=hill'))) // more than a page of them
        .to.include('50+ links')
        .and.include('Page 1 Next');
      expect(visibleText(await get('/pushes?search=hill&page=2')))
        .to.include('51 links')
        .and.include('Previous Page 2 of 2');
      expect(visibleText(await get('/pushes?search=hill&page=9'))).to.include('50+ links');
      expect(visibleText(await get('/pushes?page=2')))
        .to.include('needle')
        .and.include('Previous Page 2 of 2');
      expect(visibleText(await get('/pushes?search=NEEDL')))
        .to.include('needle')
        .and.not.include('hill');
      expect(visibleText(await get('/pushes?page=x'))).to.include('hill 50');
      expect(visibleText(await get('/pushes?page=999999')))
        .to.include('needle')
        .and.not.include('Next');
    });

    it('searches 2,500 pushes, and goes on with older ones', async () => {
      const { get, email } = await withPush({ name: 'needle' });
      const { id: accountId } = await service.domain.accounts.find(email);
      await service.database.execute(
        `UPDATE pushes SET created_at = created_at - ${dayMs} WHERE account_id = $accountId`,
        { accountId },
      );
      await storePushes(service.database, { count: 2_499, expiresInMs: dayMs, accountId });
      expect(visibleText(await get('/pushes?search=needle')))
        .to.include('1 link ')
        .and.not.include('Search older');
      await storePushes(service.database, { count: 1, expiresInMs: dayMs, accountId });
      const first = await get('/pushes?search=needle&sort=oldest');
      expect(visibleText(first))
        .to.include('2,500 links searched, and there are older ones. Search older links')
        .and.not.include('No link matches');
      const older = /href="([^"]+)"[^>]*>Search older links/.exec(first.text)?.[1] ?? '';
      const second = await get(unescapeHtml(older));
      expect(visibleText(second))
        .to.include('needle')
        .and.include('Back to your newest links')
        .and.not.include('Search older');
      expect(second.text).to.include('href="/pushes?search=needle&amp;sort=oldest"');
      expect(visibleText(await get('/pushes?search=needle&before=x')))
        .to.include('Search older')
        .and.not.include('Back to');
    });

    it('offers no page after the last one, however full that is', async () => {
      const { get, email } = await signedUp();
      const account = await service.domain.accounts.find(email);
      for (let i = 0; i < 50; i++)
        await service.domain.pushes.create({ payload: 'x', name: `hill ${i}` }, { ...anonymous, account });
      expect(visibleText(await get('/pushes')))
        .to.include('hill 0')
        .and.not.include('Next');
      expect(visibleText(await get('/pushes?search=hill')))
        .to.include('hill 0')
        .and.not.include('Next');
    });
  });

  describe('The list of pushes', () => {
    /** A new account with pushes, and the ids of these. */
    async function withPushes(...inputs: object[]) {
      const browser = await signedUp();
      const account = await service.domain.accounts.find(browser.email);
      const owner = { ...anonymous, account };
      const pushes: Push[] = [];
      for (const input of inputs)
        pushes.push(await service.domain.pushes.create({ payload: 'x', ...input }, owner));
      return { ...browser, account, owner, pushes };
    }

    /** The names of the pushes on a page, in order. */
    const titlesOn = ({ text }: ApiResponse) =>
      [...text.matchAll(/class="title"[^>]*>(.*?)<\/a>/gs)].map(([, title = '']) =>
        unescapeHtml(title.replaceAll(/<[^>]+>/g, '')),
      );

    it('is limited by name, recipient and kind, and says how many there are', async () => {
      const { get } = await withPushes(
        { name: 'VPN', recipients: ['Bob'] },
        { name: 'VPN of the office' },
        { kind: 'url', payload: 'https://example.com', name: 'Wiki' },
      );
      const found = async (query: string) => titlesOn(await get(`/pushes?${query}`));
      expect(await found('')).to.deep.equal(['Wiki', 'VPN of the office', 'VPN']);
      expect(await found('search=vpn&recipient=bob&kind=')).to.deep.equal(['VPN']);
      expect(await found('kind=url')).to.deep.equal(['Wiki']);
      expect(await found('kind=nonsense&sort=nonsense')).to.have.length(3);
      expect(visibleText(await get('/pushes?search=vpn')))
        .to.include('2 links')
        .and.include('Show all');
      expect(visibleText(await get('/pushes?search=rose'))).to.include(
        'No link matches what you are looking for.',
      );
    });

    it('is sorted by the heads of its columns, which say how', async () => {
      const { get } = await withPushes(
        { name: 'long', expireAfterDays: 9 },
        { name: 'short', expireAfterDays: 1 },
      );
      const sorted = async (query: string) => {
        const page = await get(`/pushes${query}`);
        const heads = [...page.text.matchAll(/<th scope="col" class="sortable"([^>]*)><a href="([^"]*)"/g)];
        return {
          titles: titlesOn(page),
          heads: heads.map(([, attributes = '', href = '']) => [
            /aria-sort="(\w+)"/.exec(attributes)?.[1],
            unescapeHtml(href),
          ]),
        };
      };
      expect(await sorted('')).to.deep.equal({
        titles: ['short', 'long'],
        heads: [
          ['descending', '/pushes?sort=oldest'],
          [undefined, '/pushes?sort=ends_soonest'],
        ],
      });
      expect(await sorted('?sort=ends_latest&search=o')).to.deep.equal({
        titles: ['long', 'short'],
        heads: [
          [undefined, '/pushes?search=o'],
          ['descending', '/pushes?search=o&sort=ends_soonest'],
        ],
      });
    });

    it('tells pushes without a name apart, by their recipients or their time, and the end of their link', async () => {
      const { get, pushes } = await withPushes({}, { recipients: ['Ann', 'Bob', 'Carol'] });
      const [unnamed] = pushes;
      const title = `Text, ${messagesOf('en').shortDate(unnamed?.createdAt ?? 0)}`;
      expect(title).to.match(/^Text, \d+ \w{3}, \d\d:\d\d$|^Text, \w{3} \d+, \d\d:\d\d$/);
      const page = await get('/pushes');
      expect(titlesOn(page)).to.deep.equal(['To Ann, Bob, and 1 more', title]);
      expect(page.text).to.include(`…${unnamed?.urlToken.slice(-4)}`);
      expect(page.text.match(/data-copy=/g)).to.have.length(1); // only their own links open the other
      expect(visibleText(await get(`/pushes/${unnamed?.urlToken}`))).to.include(title);
    });

    it('deletes the selected pushes once their number is confirmed, and leads back', async () => {
      const { get, submit, pushes, account, owner } = await withPushes(
        { name: 'first' },
        { name: 'second' },
        { name: 'ended' },
        { name: 'kept' },
      );
      const [first, second, ended] = pushes;
      await service.domain.pushes.expire(ended?.urlToken ?? '', owner);
      const selected = [first, second, ended].map((push) => `push=${push?.id}`).join('&');
      const question = `/pushes/selected?list=sort%3Doldest&action=expire&${selected}`;
      const page = await get(question);
      expect(visibleText(page)).to.match(
        /Delete 2 links\? second .* first .* cannot be undone\. Delete 2 links/,
      );
      expect(page.text).to.include('href="/pushes?sort=oldest"');
      expect(await service.domain.pushes.count(account, 'active')).to.equal(3);
      const done = await submit(question, '/pushes/selected');
      expect(visibleText(done)).to.include('2 links are deleted.');
      expect(titlesOn(done)).to.deep.equal(['kept']);
      expect(visibleText(await get(question))).to.include('Choose at least one link that is still active.');
      expect(visibleText(await get('/pushes/selected'))).to.include('Choose at least one link');
    });

    it('extends the selected pushes that may live longer', async () => {
      const { submit, get, pushes } = await withPushes(
        { name: 'short', expireAfterDays: 1 },
        { name: 'longest', expireAfterDays: 90 },
      );
      const [short, longest] = pushes;
      const question = `/pushes/selected?action=extend&push=${short?.id}&push=${longest?.id}`;
      expect(visibleText(await get(question)))
        .to.match(
          /Extend 1 link\? short ends in 24 hours, and gets 1 day more 1 other that you chose is left out/,
        )
        .and.not.include('longest');
      expect(visibleText(await submit(question, '/pushes/selected'))).to.include('1 link is extended.');
      const { expiresAt } = await service.domain.pushes.preview(short?.urlToken ?? '', anonymous);
      expect(expiresAt - (short?.expiresAt ?? 0)).to.equal(86_400_000);
      expect(visibleText(await get(`/pushes/selected?action=extend&push=${longest?.id}`))).to.include(
        'None of these links may live longer.',
      );
    });

    it('changes no push of another account', async () => {
      const { pushes } = await withPushes({ name: 'theirs' });
      const { get, send } = await signedUp();
      const id = pushes[0]?.id ?? '';
      expect(visibleText(await get(`/pushes/selected?action=expire&push=${id}`))).to.include(
        'Choose at least one link',
      );
      const fields = parseForms((await get('/account')).text)[0]?.fields ?? {};
      const { headers } = await send('/pushes/selected', { ...fields, action: 'expire', pushes: `${id}:0` });
      expect(headers.location).to.equal('/pushes?done=expire&count=0');
      expect((await service.domain.pushes.preview(pushes[0]?.urlToken ?? '', anonymous)).expiredOn).to.equal(
        null,
      );
    });

    it('offers only what can be done to a push', async () => {
      const { get, owner, pushes } = await withPushes(
        { name: 'longest', expireAfterDays: 90 },
        { name: 'ended' },
      );
      await service.domain.pushes.expire(pushes[1]?.urlToken ?? '', owner);
      const { text } = await get('/pushes');
      expect(text).to.include('action=expire&amp;push=').and.not.include('action=extend&amp;push=');
      expect((await get('/pushes?state=expired')).text)
        .to.include('ended')
        .and.not.include('type="checkbox"')
        .and.not.include('action=expire');
    });
  });

  describe('The account’s settings', () => {
    it('creates an API token that works until it is revoked, and shows it once', async () => {
      const browser = await signedUp();
      const made = await browser.submit('/account/tokens', '/account/tokens', { name: 'laptop' });
      const token = />(hp_\w{38})</.exec(made.text)?.[1] ?? '';
      expect((await api.get('/p/active.json', bearer(token))).status).to.equal(200);
      const listed = await browser.get('/account/tokens');
      expect(listed.text).to.include('laptop').and.not.include(token);
      const again = await browser.submit('/account/tokens', '/account/tokens', { name: 'laptop' });
      expect(again.status).to.equal(409);
      expect(visibleText(again)).to.include('The account already has a token named laptop.');
      expect(
        visibleText(await browser.submit('/account/tokens', '/account/tokens', { name: ' ' })),
      ).to.include('Must not be blank.');
      await browser.submit('/account/tokens', '/account/tokens/revoke', { id: 'laptop' });
      expect((await api.get('/p/active.json', bearer(token))).status).to.equal(401);
    });

    it('replaces an API token, while the one before works on for an hour', async () => {
      const browser = await signedUp();
      const tokenOf = ({ text }: { text: string }) => />(hp_\w{38})</.exec(text)?.[1] ?? '';
      const statusOf = async (token: string) => (await api.get('/p/active.json', bearer(token))).status;
      const before = tokenOf(await browser.submit('/account/tokens', '/account/tokens', { name: 'build' }));
      expect(await statusOf(before)).to.equal(200);
      const used = visibleText(await browser.get('/account/tokens'));
      expect(used).to.match(/Last used: .* from 127\.0\.0\.1/);
      const replace = (hours: string) =>
        browser.submit('/account/tokens', '/account/tokens/replace', { id: 'build', hours });
      const made = await replace('1');
      expect(visibleText(made)).to.match(/Token: build.*Copy it now.*The one before works until: /);
      expect(await statusOf(before)).to.equal(200);
      const last = await replace('0');
      for (const token of [before, tokenOf(made)]) expect(await statusOf(token)).to.equal(401);
      expect(await statusOf(tokenOf(last))).to.equal(200);
    });

    it('limits an API token to what it is for, and to a time', async () => {
      const browser = await signedUp();
      const fields = { name: 'build', scope: 'create', days: '30' };
      const made = await browser.submit('/account/tokens', '/account/tokens', fields);
      const token = />(hp_\w{38})</.exec(made.text)?.[1] ?? '';
      expect(visibleText(made)).to.match(
        /build .*Create links, and delete those that it created.* Expires: /,
      );
      expect((await api.post('/p.json', { password: { payload: 'x' } }, bearer(token))).status).to.equal(201);
      expect((await api.get('/p/active.json', bearer(token))).status).to.equal(403);
      await service.database.execute("UPDATE api_tokens SET expires_at = 1 WHERE name = 'build'", {});
      expect(visibleText(await browser.get('/account/tokens'))).to.include('Expired: Jan 1, 1970');
      const { status, body } = await api.post('/p.json', { password: { payload: 'x' } }, bearer(token));
      expect([status, body.error]).to.deep.equal([401, 'The API token has expired. Create another one.']);
      const wrong = { ...fields, name: 'x', scope: 'admin', days: '0' };
      const refused = await browser.submit('/account/tokens', '/account/tokens', wrong);
      expect(refused.status).to.equal(422);
      expect(visibleText(refused)).to.include('Must be one of full, create, read.');
    });

    it('adds a webhook, shows its secret once, and removes it', async () => {
      const browser = await signedUp();
      const added = await browser.submit('/account/webhooks', '/account/webhooks', {
        url: 'https://example.com/hook',
      });
      expect(added.text).to.match(/>whsec_[^<]+</);
      expect((await browser.get('/account/webhooks')).text)
        .to.include('https://example.com/hook')
        .and.not.include('whsec_');
      const bad = await browser.submit('/account/webhooks', '/account/webhooks', {
        url: 'http://127.0.0.1/x',
      });
      expect(bad.status).to.equal(422);
      expect(visibleText(bad)).to.include('Must not lead to this machine or a private network.');
      expect(visibleText(await browser.submit('/account/webhooks', '/account/webhooks/remove'))).to.include(
        'The webhook is removed.',
      );
      expect(visibleText(await browser.get('/account/webhooks'))).to.include('You have no webhooks.');
    });

    it('lets a webhook choose events, tests it, replaces its secret, and sends deliveries again', async () => {
      const browser = await signedUp();
      const { webhooks, accounts } = service.domain;
      const account = await accounts.find(browser.email);
      const page = '/account/webhooks';
      await browser.submit(page, page, { url: 'https://example.com/all' });
      const chosen = { url: 'https://example.com/some', 'push.viewed': 'on', 'push.locked': 'on' };
      const added = await browser.submit(page, page, chosen);
      expect(visibleText(added)).to.include('Events: all').and.include('Events: push.viewed, push.locked');
      const [first] = await webhooks.list(account);
      const bad = await browser.submit(page, page, { ...chosen, url: 'x' });
      expect(bad.text).to.match(/name="push\.viewed"[^>]*checked/);

      const types = `${page}/events?id=${first?.id}`;
      expect((await browser.get(types)).text).to.not.include('checked');
      const limited = await browser.submit(types, `${page}/types`, { 'push.expired': 'on' });
      expect(visibleText(limited))
        .to.include('From now on it gets these events.')
        .and.include('Events: push.expired');
      expect((await browser.get(types)).text).to.match(/name="push\.expired"[^>]*checked/);
      const unlimited = await browser.submit(types, `${page}/types`, { 'push.expired': '' });
      expect(visibleText(unlimited)).to.not.include('Events: push.expired');

      const tested = await browser.submit(page, `${page}/test`);
      expect(visibleText(tested)).to.match(
        /Deliveries to https:\/\/example\.com\/all .*A test is on its way\..*webhook\.test .*waiting.*Next attempt: /,
      );
      const deliveries = `${page}/deliveries?id=${first?.id}`;
      const again = await browser.submit(deliveries, `${page}/redeliver`);
      expect(visibleText(again)).to.include('It is on its way again.');
      expect(await webhooks.deliveries(account, first?.id ?? '', 1)).to.have.length(1);

      const rotated = await browser.submit(page, `${page}/secret`);
      const [, secret] = />(whsec_[^<]+)</.exec(rotated.text) ?? [];
      expect((await webhooks.maybeEndpoint(first?.id ?? ''))?.secrets)
        .to.include(secret)
        .and.have.length(2);
      expect((await browser.get(page)).text).to.not.include('whsec_');
      const stranger = await signedUp();
      for (const path of [deliveries, types]) expect((await stranger.get(path)).status).to.equal(404);
    });

    it('offers no page of deliveries after the last one, however full that is', async () => {
      const browser = await signedUp();
      const { webhooks, accounts } = service.domain;
      const account = await accounts.find(browser.email);
      const { id } = await webhooks.create(account, { url: 'https://example.com/hook' });
      const deliveries = `/account/webhooks/deliveries?id=${id}`;
      for (let i = 0; i < 50; i++) await webhooks.test(account, id);
      expect(visibleText(await browser.get(deliveries))).to.not.include('Older');
      await webhooks.test(account, id);
      expect(visibleText(await browser.get(deliveries))).to.include('Older');
    });

    it('have a page each, which leads to all others, and those that moved lead to where they are', async () => {
      const browser = await signedUp();
      const titles: Record<string, string> = {
        '/account': 'Profile',
        '/account/security': 'Sign-in and security',
        '/account/tokens': 'API tokens',
        '/account/notices': 'Notifications',
        '/account/webhooks': 'Webhooks',
        '/account/chats': 'Connected chats',
      };
      for (const [path, title] of Object.entries(titles)) {
        const { text } = await browser.get(path);
        expect(text).to.include(`<h1>${title}</h1>`);
        const [nav] = /<nav class="nav section-nav".*?<\/nav>/s.exec(text) ?? [];
        const paths = [...String(nav).matchAll(/href="([^"]*)"/g)].map(([, href]) => href);
        expect(paths).to.deep.equal(Object.keys(titles));
        expect(/<a href="([^"]*)" aria-current="page">/.exec(String(nav))?.[1]).to.equal(path);
      }
      const moved = await browser.get('/account/sessions');
      expect([moved.status, moved.headers.location]).to.deep.equal([303, '/account/security']);
    });

    it('lists sessions and ends them from another browser', async () => {
      const here = await signedUp();
      const there = await openFormBrowser(api, { 'user-agent': 'There/1.0' });
      await there.submit('/sign-in', '/sign-in', { email: here.email, password });
      const list = await here.get('/account/security');
      expect(visibleText(list))
        .to.include('There Address')
        .and.include('There/1.0')
        .and.include('(this one)');
      await here.submit('/account/security', '/account/sessions/revoke');
      expect((await there.get('/account')).status).to.equal(303);
      expect((await here.get('/account')).status).to.equal(200);
      await there.submit('/sign-in', '/sign-in', { email: here.email, password });
      await here.submit('/account/security', '/account/sessions/revoke-others');
      expect((await there.get('/account')).status).to.equal(303);
      expect((await here.get('/account')).status).to.equal(200);
    });

    it('say what happened to the sign-in, from where, and who did it', async () => {
      const browser = await signedUp();
      await browser.submit('/account/tokens', '/account/tokens', { name: '<laptop>' });
      await browser.submit('/account/tokens', '/account/tokens', { name: 'password' });
      await service.domain.accounts.setSubscribed(browser.email, true, 'operator');
      const linked = await browser.get('/account/security');
      expect(linked.text).to.include('href="/account/security/log"');
      const text = visibleText(await browser.get('/account/security/log'));
      expect(text).to.match(/may attach files now .*At the command line/);
      expect(text).to.include('An API token was created: <laptop>').and.include('Address: 127.0.0.1');
      expect(text).to.include('An API token was created: password');
      expect(text).to.include('Signed in with the password');
      expect((await browser.get('/account/security/log')).text).to.not.include('<laptop>');
    });

    it('ends all other sessions when the password changes', async () => {
      const here = await signedUp();
      const there = await openFormBrowser(api);
      await there.submit('/sign-in', '/sign-in', { email: here.email, password });
      const wrong = await here.submit('/account/security', '/account/password', {
        current: 'x',
        next: 'new horse battery',
      });
      expect(wrong.status).to.equal(401);
      expect(visibleText(wrong)).to.include('Is incorrect.');
      const changed = await here.submit('/account/security', '/account/password', {
        current: password,
        next: 'new horse battery',
      });
      expect(visibleText(changed)).to.include('The password is changed.');
      expect((await there.get('/account')).status).to.equal(303);
    });

    it('offers to revoke the API tokens when the password changes', async () => {
      const here = await signedUp();
      const account = await service.domain.accounts.find(here.email);
      const words = ['first', 'second', 'third'].map((word) => `${word} horse battery`);
      const change = async (from: string, to = '', fields: Record<string, string> = {}) =>
        visibleText(
          await here.submit('/account/security', '/account/password', { current: from, next: to, ...fields }),
        );
      const tokens = async () => (await service.domain.apiTokens.list(account)).length;
      expect(visibleText(await here.get('/account/security'))).to.not.include('API token of this account');
      for (const name of ['laptop', 'server']) await service.domain.apiTokens.issue(account, { name });
      expect(visibleText(await here.get('/account/security'))).to.include(
        'Also revoke the 2 API tokens of this account',
      );
      expect((await here.get('/account/security')).text).to.match(
        /<input[^>]*name="revokeTokens"[^>]*checked/,
      );
      expect(await change(password, words[0])).to.include('The API tokens go on working.');
      expect(await tokens()).to.equal(2);
      expect(await change('wrong', words[1], { revokeTokens: 'on' })).to.include('Is incorrect.');
      expect(await tokens()).to.equal(2);
      expect(await change(words[0] ?? '', words[1], { revokeTokens: 'on' })).to.include(
        'All API tokens are revoked.',
      );
      expect(await tokens()).to.equal(0);
      expect(await change(words[1] ?? '', words[2])).to.match(
        /All other browsers are signed out\. (?!.*tokens go on|.*are revoked)/,
      );
    });

    it('prefers the language of the account to that of the browser', async () => {
      const browser = await signedUp();
      await browser.submit('/account', '/account/language', { language: 'de' });
      expect((await browser.get('/pushes')).text).to.include('<html lang="de"');
      expect((await browser.get('/pushes?locale=en')).text).to.include('<html lang="en"');
      await browser.submit('/account', '/account/language', { language: 'constructor' });
      expect((await browser.get('/pushes')).text).to.include('<html lang="en"');
    });

    it('starts a new push with the notice preferences of the account', async () => {
      const browser = await signedUp();
      await browser.submit('/account/notices', '/account/notices', {
        viewed: 'none',
        reminder: 'on',
        askedAgain: 'on',
      });
      const { text } = await browser.get('/');
      expect(text).to.match(/<option[^>]*selected[^>]*value="none"|<option[^>]*value="none"[^>]*selected/);
      const checked = (name: string) =>
        /\bchecked\b/.test(new RegExp(`<input[^>]*name="${name}"[^>]*>`).exec(text)?.[0] ?? '');
      expect(['expired', 'failedPassphrase', 'reminder', 'askedAgain'].map(checked)).to.deep.equal([
        false,
        false,
        true,
        true,
      ]);
    });

    it('erases an account with everything in it', async () => {
      const browser = await signedUp();
      const made = await browser.submit('/', '/', { payload: 'tulip', lifetime: '1d', views: '3' });
      const token = /\/p\/(\w{26})/.exec(made.text)?.[1] ?? '';
      const wrong = await browser.submit('/account', '/account/delete', { confirm: 'x' });
      expect(visibleText(wrong)).to.include('That is not the address of this account.');
      for (const given of [{}, { password: 'wrong' }]) {
        const refused = await browser.submit('/account', '/account/delete', {
          confirm: browser.email,
          ...given,
        });
        expect(refused.status).to.equal(401);
        expect(visibleText(refused)).to.include('Is incorrect.');
      }
      expect((await api.get(`/p/${token}`)).status).to.equal(200);
      const done = await browser.submit('/account', '/account/delete', {
        confirm: ` ${browser.email.toUpperCase()}`,
        password,
      });
      expect(visibleText(done)).to.include('The account is erased');
      expect((await api.get(`/p/${token}`)).status).to.equal(404);
      expect((await browser.get('/account')).status).to.equal(303);
    });
  });

  describe('The admin pages', () => {
    it('hides the admin pages from everybody else', async () => {
      const browser = await signedUp();
      const { account } = await createAccount(service.domain, newEmail());
      expect((await browser.get('/admin')).status).to.equal(404);
      const fields = parseForms((await browser.get('/account')).text)[0]?.fields ?? {};
      const page = `/admin/accounts/${account.id.toString('hex')}`;
      for (const path of [page, `${page}/disable`]) expect((await browser.get(path)).status).to.equal(404);
      for (const action of ['subscribe', 'disable', 'password-link'])
        expect((await browser.send(`${page}/${action}`, fields)).status).to.equal(404);
      expect((await api.get('/admin')).status).to.equal(303);
    });

    /** An admin, and the path of another account's page. */
    async function withAdmin() {
      const admin = await signedUp();
      await service.domain.accounts.setAdmin(admin.email, true, 'operator');
      const other = await signedUp();
      const pageOf = async (email: string) =>
        `/admin/accounts/${(await service.domain.accounts.find(email)).id.toString('hex')}`;
      return { admin, other, page: await pageOf(other.email), own: await pageOf(admin.email) };
    }

    it('lets an admin invite somebody, who sets their own password, and has a menu of their own', async () => {
      const { admin, other } = await withAdmin();
      const email = newEmail();
      const invited = await admin.submit('/admin', '/admin/invite', { email });
      const [, path = 'no link'] = />http[^<]*(\/invite\/[\w-]+)</.exec(invited.text) ?? [];
      const newcomer = await openFormBrowser(api);
      expect(visibleText(await newcomer.submit(path, path, { next: password }))).to.include('Your links');
      expect(visibleText(invited)).to.include(email);
      for (const [wrong, problem] of [
        [email, 'There is already an account'],
        ['nobody', 'Must be'],
      ] as const) {
        const refused = await admin.submit('/admin', '/admin/invite', { email: wrong });
        expect(refused.status).to.be.oneOf([409, 422]);
        expect(visibleText(refused)).to.include(problem);
        expect(refused.text).to.include(`value="${wrong}"`);
      }
      const before = await countRows(service, 'accounts');
      const fields = parseForms((await other.get('/account')).text)[0]?.fields ?? {};
      expect((await other.send('/admin/invite', { ...fields, email: newEmail() })).status).to.equal(404);
      expect(await countRows(service, 'accounts')).to.equal(before);
      expect((await admin.get('/admin')).text).to.not.include('href="/account/tokens"');
      expect((await admin.get('/account')).text).to.not.include('href="/admin/installations"');
    });

    it('lets an admin allow files and disable accounts, but not their own, and says what is saved', async () => {
      const { admin, other, page, own } = await withAdmin();
      const act = async (action: string, from = page) =>
        visibleText(await admin.submit(from, `${page}/${action}`));
      expect(await act('subscribe')).to.include('This account may attach files now.');
      expect((await service.domain.accounts.find(other.email)).subscribed).to.equal(true);
      expect(await act('unsubscribe')).to.include('This account may not attach files any more.');
      expect((await admin.get(page)).text).to.include(`href="${page}/disable"`);
      expect(visibleText(await admin.get(`${page}/disable`))).to.include(`Disable ${other.email}?`);
      expect((await other.get('/account')).status).to.equal(200);
      expect(await act('disable', `${page}/disable`)).to.include('This account is disabled.');
      expect((await other.get('/account')).status).to.equal(303);
      expect(await act('enable')).to.include('This account is enabled again.');
      expect((await other.get('/account')).status).to.equal(200);
      await service.domain.apiTokens.create(
        await service.domain.accounts.find(other.email),
        { name: 'ci' },
        { actor: 'operator' },
      );
      const acts = visibleText(await admin.get(page)).split('What others did to this account')[1];
      expect(acts).to.match(/^ an API token was created that acts for it \(ci\) At the command line · /);
      expect(acts?.match(new RegExp(admin.email, 'g'))).to.have.length(4);
      expect(acts).to.match(/ it was disabled \S+@\S+ · .* it may attach files now /);
      expect((await admin.get(own)).text).to.not.include(`${own}/disable`);
      const fields = parseForms((await admin.get(own)).text)[0]?.fields ?? {};
      expect((await admin.send(`${own}/disable`, fields)).status).to.equal(409);
      expect((await admin.get('/admin')).status).to.equal(200);
      for (const id of ['x', '0'.repeat(32)])
        expect((await admin.send(`/admin/accounts/${id}/disable`, fields)).status).to.equal(404);
    });

    it('lets an admin remove the second factors of somebody who has lost them, after a warning', async () => {
      const { domain } = service;
      const { admin, other, page, own } = await withAdmin();
      expect((await admin.get(page)).text, 'without any').to.not.include('remove-factors');
      const ofBrowser = async (browser: typeof other) =>
        freshlySignedIn(domain, await domain.accounts.find(browser.email));
      await setUpApp(domain, await ofBrowser(other));
      expect((await admin.get(page)).text).to.include(`href="${page}/remove-factors"`);
      const asked = await admin.get(`${page}/remove-factors`);
      expect(visibleText(asked)).to.include(`Remove the second factors of ${other.email}?`);
      expect(await domain.factors.hasAny(await domain.accounts.find(other.email))).to.equal(true);
      const done = await admin.submit(`${page}/remove-factors`, `${page}/remove-factors`);
      expect(visibleText(done)).to.include('The second factors are removed.');
      expect(await domain.factors.hasAny(await domain.accounts.find(other.email))).to.equal(false);
      expect((await other.get('/account')).status, 'signed out').to.equal(303);
      await setUpApp(domain, await ofBrowser(admin));
      expect((await admin.get(own)).text, 'their own are on their own page').to.not.include('remove-factors');
      const fields = parseForms((await admin.get(own)).text)[0]?.fields ?? {};
      const refused = await admin.send(`${own}/remove-factors`, fields);
      expect([refused.status, visibleText(refused).includes('Confirm that it is you')]).to.deep.equal([
        403,
        true,
      ]);
      expect(await domain.factors.hasAny(await domain.accounts.find(admin.email))).to.equal(true);
    });

    it('finds accounts by a part of their address, in pages', async () => {
      const { admin } = await withAdmin();
      for (let i = 0; i < 51; i++)
        await service.domain.accounts.create({ email: `many_${String(i).padStart(2, '0')}@example.com` });
      const shown = async (query: string) => visibleText(await admin.get(`/admin?${query}`));
      expect(await shown('search=MANY_'))
        .to.include('51 accounts')
        .and.include('many_00@')
        .and.include('Next')
        .and.not.include('many_50@');
      expect(await shown('search=many&page=2'))
        .to.include('many_50@')
        .and.include('Previous')
        .and.not.include('many_49@');
      expect(await shown('search=many&page=99'))
        .to.include('many_50@')
        .and.not.include('Next');
      for (const text of ['m%25y', 'm_ny'])
        expect(await shown(`search=${text}`)).to.include('No account matches.');
    });
  });

  describe('The language of the pages', () => {
    it('stays as it was chosen, through links and forms', async () => {
      const browser = await openFormBrowser(api, { 'accept-language': 'en' });
      await browser.get('/?locale=de');
      for (const path of ['/', '/sign-in', '/connect'])
        expect((await browser.get(path)).text).to.match(/<html[^>]* lang="de"/);
      const made = await browser.submit('/', '/', { payload: 'tulip', lifetime: '1d', views: '1' });
      expect(made.text).to.match(/<html[^>]* lang="de"/);
      await browser.get('/?locale=en');
      expect((await browser.get('/')).text).to.match(/<html[^>]* lang="en"/);
    });

    it('follows the account once its language is set', async () => {
      const browser = await signedUp();
      await browser.get('/?locale=de');
      const page = await browser.submit('/account', '/account/language', { language: 'en' });
      expect(page.text).to.match(/<html[^>]* lang="en"/);
    });
  });

  describe('CSRF protection', () => {
    /** Every form of every page, for an account that has everything. */
    async function everyForm(): Promise<{ browser: FormBrowser; forms: PageForm[] }> {
      const browser = await signedUp();
      await service.domain.accounts.setAdmin(browser.email, true, 'operator');
      const other = await service.domain.accounts.create({ email: newEmail(), password });
      const shutOut = await service.domain.accounts.create({ email: newEmail(), subscribed: true });
      await service.domain.accounts.setDisabled(shutOut.email, true, 'operator');
      const adminPages = [other, shutOut].map(({ id }) => `/admin/accounts/${id.toString('hex')}`);
      const elsewhere = await openFormBrowser(api);
      await elsewhere.submit('/sign-in', '/sign-in', { email: browser.email, password });
      await browser.submit('/account/tokens', '/account/tokens', { name: 'laptop' });
      await browser.submit('/account/webhooks', '/account/webhooks', { url: 'https://example.com/hook' });
      const made = await browser.submit('/', '/', {
        payload: 'tulip',
        lifetime: '1d',
        views: '3',
        retrievalStep: '',
        deletableByViewer: 'on',
      });
      const token = /\/p\/(\w{26})/.exec(made.text)?.[1] ?? '';
      const stranger = await openFormBrowser(api);
      const { chat, accounts, pushes } = service.domain;
      const [chatUser, asker] = [newChatUser(), newChatUser()];
      const connecting = await chat.createConnectLink({ chatUser: newChatUser(), name: '@ann' });
      await chat.identities.link(chatUser, await accounts.find(browser.email));
      await chat.requests.create(asker, [chatUser], {});
      await chat.requests.create(chatUser, [asker], {});
      await chat.installations.store('slack', { workspace: 'T1', userId: 'U1' }, {});
      const over = await chat.pushes.create(chatCaller(asker), { payload: 'tulip' });
      await pushes.expire(over.urlToken, { ...anonymous, account: await chat.identities.accountOf(asker) });
      await browser.submit('/account/webhooks', '/account/webhooks/test');
      const { text: webhooks } = await browser.get('/account/webhooks');
      const [deliveries = ''] = /\/account\/webhooks\/deliveries\?id=\w+/.exec(webhooks) ?? [];
      const pages = [
        made,
        await stranger.get('/sign-in'),
        await stranger.get('/sign-up'),
        await stranger.get(`/connect/${connecting}`),
        ...(await Promise.all(
          [
            '/',
            `/pushes/${token}`,
            `/pushes/selected?action=expire&push=${(await pushes.preview(token, anonymous)).id}`,
            '/account',
            '/account/chats',
            '/account/tokens',
            '/account/rules',
            '/device',
            '/account/webhooks',
            deliveries,
            deliveries.replace('deliveries', 'events'),
            '/account/security',
            '/account/security/log',
            '/account/notices',
            '/admin',
            ...adminPages,
            `${adminPages[0]}/disable`,
            `${adminPages[0]}/remove-factors`,
            '/admin/installations/remove?id=T1',
            '/requests',
            `/p/${token}`,
            `/p/${over.urlToken}`,
          ].map(browser.get),
        )),
      ];
      const forms = pages.flatMap(({ text }) => parseForms(text));
      return {
        browser,
        forms: [
          ...new Map(forms.map((form) => [form.action.replace(/\/admin\/accounts\/\w+/, ''), form])).values(),
        ],
      };
    }

    it('refuses every form from another site or without the token of this browser', async () => {
      const { browser, forms } = await everyForm();
      expect(
        forms.map(({ action }) => action.replace(/[\w-]{43}|\b[0-9a-f]{32}\b|\w{26}/, 'TOKEN')).sort(),
      ).to.deep.equal([
        '/',
        '/account/chats/disconnect',
        '/account/delete',
        '/account/language',
        '/account/notices',
        '/account/password',
        '/account/rules',
        '/account/sessions/revoke',
        '/account/sessions/revoke-others',
        '/account/tokens',
        '/account/tokens/replace',
        '/account/tokens/revoke',
        '/account/webhooks',
        '/account/webhooks/redeliver',
        '/account/webhooks/remove',
        '/account/webhooks/secret',
        '/account/webhooks/test',
        '/account/webhooks/types',
        '/admin/accounts/TOKEN/disable',
        '/admin/accounts/TOKEN/enable',
        '/admin/accounts/TOKEN/password-link',
        '/admin/accounts/TOKEN/remove-factors',
        '/admin/accounts/TOKEN/subscribe',
        '/admin/accounts/TOKEN/unsubscribe',
        '/admin/installations/remove',
        '/admin/invite',
        '/connect/TOKEN',
        '/device',
        '/p/TOKEN/ask',
        '/p/TOKEN/delete',
        '/pushes/TOKEN/expire',
        '/pushes/TOKEN/extend',
        '/pushes/TOKEN/name',
        '/pushes/selected',
        '/requests',
        '/requests/cancel',
        '/requests/decline',
        '/requests/provide',
        '/sign-in',
        '/sign-out',
        '/sign-up',
      ]);
      const other = await signedUp();
      const foreign = parseForms((await other.get('/account')).text)[0]?.fields.csrf ?? '';
      const right = parseForms((await browser.get('/account')).text)[0]?.fields.csrf ?? '';
      for (const { action, fields } of forms) {
        const mine = { ...fields, csrf: right };
        for (const [what, sent, headers] of [
          ['cross-site', mine, { 'sec-fetch-site': 'cross-site' }],
          ['same-site', mine, { 'sec-fetch-site': 'same-site' }],
          ['origin', mine, { origin: 'http://evil.test' }],
          ['null origin', mine, { origin: 'null' }],
          ['no token', { ...mine, csrf: '' }, sameOrigin],
          ['a made-up token', { ...mine, csrf: 'x'.repeat(43) }, sameOrigin],
          ["another browser's token", { ...mine, csrf: foreign }, sameOrigin],
        ] as const) {
          expect((await browser.send(action, sent, headers)).status, `${action}: ${what}`).to.equal(403);
        }
      }
      expect((await browser.get('/account')).status).to.equal(200);
    });
  });

  it('sets Secure cookies with the __Host- prefix over HTTPS', async () => {
    const secure = await startService({ BASE_URL: 'https://push.test' });
    cleanUp(secure.stop);
    const client = createClient(secure.port);
    cleanUp(client.close);
    const { headers } = await client.get('/sign-in');
    expect(String(headers['set-cookie'])).to.match(
      /^__Host-form=[\w-]{22}; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
    );
    const { page } = await client.create();
    expect(String((await client.get(page)).headers['set-cookie'])).to.match(
      /^__Host-reveal-.*; SameSite=Strict; Secure; Max-Age=600$/,
    );
  });
});
