import { expect } from 'chai';
import type { Account, ChatUser, Domain } from '../../src/domain/index.ts';
import { type ApiResponse, type Client, createClient } from '../harness/api.ts';
import {
  askFor,
  chatCaller,
  confirmInChat,
  connectChat,
  deliverNotices,
  newChatUser,
  slackOn,
  summarize,
} from '../harness/chat.ts';
import { unescapeHtml } from '../harness/forms.ts';
import { type FormBrowser, openFormBrowser, parseForms, password, visibleText } from '../harness/pages.ts';
import {
  anonymous,
  byPassword,
  createAccount,
  newEmail,
  refusal,
  startService,
  type TestService,
} from '../harness/service.ts';
import { freshlySignedIn, setUpApp } from '../harness/signedIn.ts';

describe('The pages of an account with chats', () => {
  let service: TestService;
  let domain: Domain;
  let chat: Domain['chat'];
  let api: Client;

  before(async () => {
    service = await startService(slackOn);
    ({ domain } = service);
    ({ chat } = domain);
    api = createClient(service.port);
  });
  after(async () => {
    api.close();
    await service.stop();
  });

  const linkOf = async (chatUser: ChatUser, name = '@ann') =>
    `/connect/${await chat.createConnectLink({ chatUser, name })}`;

  async function signedUp(): Promise<FormBrowser & { email: string; account: () => Promise<Account> }> {
    const browser = await openFormBrowser(api);
    const email = newEmail();
    await browser.signUp(email);
    return { ...browser, email, account: () => domain.accounts.find(email) };
  }

  /** A browser that is signed in as a chat user, to the account that was created for them. */
  async function signedInAs(chatUser: ChatUser, name = '@ann'): Promise<FormBrowser> {
    const browser = await openFormBrowser(api);
    await connect(browser, chatUser, name);
    return browser;
  }

  /** Opens a new link in a browser, presses its button, and types the code into the chat. Returns the next page. */
  async function connect(browser: FormBrowser, chatUser: ChatUser, name = '@ann'): Promise<ApiResponse> {
    const link = await linkOf(chatUser, name);
    await confirmInChat(domain, chatUser, await browser.submit(link, link));
    const { headers } = await browser.get('/connect');
    return browser.get(headers.location ?? '');
  }

  const activeOf = async (account: Account) => (await domain.pushes.list({ account }, 'active', 1)).length;

  describe('The connected chats', () => {
    it('explains how to connect a chat where none is connected', async () => {
      const { get } = await signedUp();
      const text = visibleText(await get('/account/chats'));
      expect(text).to.include('No chat is connected.');
      expect(text).to.include('/push connect in Slack, and open').and.not.include('Discord');
      expect((await get('/account')).text).to.include('href="/account/chats"');
      expect((await api.get('/account/chats')).status).to.equal(303);
    });

    it('offers nothing that needs a chat where none is on, and tells admins which settings are missing', async () => {
      const without = await startService();
      const client = createClient(without.port);
      try {
        const browser = await openFormBrowser(client);
        const email = newEmail();
        await browser.signUp(email);
        for (const path of ['/pushes', '/account', '/requests', '/account/chats']) {
          const { text } = await browser.get(path);
          expect(text, path).to.not.match(/href="\/(requests|account\/chats)"/);
        }
        for (const path of ['/requests', '/account/chats'])
          expect(visibleText(await browser.get(path)), path)
            .to.include('No chat is set up on this server.')
            .and.not.include('SLACK_');
        await without.domain.accounts.setAdmin(email, true, 'operator');
        expect(visibleText(await browser.get('/account/chats'))).to.include('begin with SLACK_');
        expect(visibleText(await browser.get('/admin/installations'))).to.include('begin with SLACK_');
      } finally {
        client.close();
        await without.stop();
      }
    });

    it('lists chats with their names, workspaces and delivery problems, and disconnects one', async () => {
      const browser = await signedUp();
      const [slack, discord] = [newChatUser('T4711'), { platform: 'discord', address: 'D4711' } as const];
      for (const [chatUser, name] of [
        [slack, '@ann'],
        [discord, '@ann.b'],
      ] as const) {
        expect(visibleText(await connect(browser, chatUser, name))).to.include('Connected. What you share');
      }
      await chat.identities.setReachable(discord, false);
      const nameless = visibleText(await browser.get('/account/chats'));
      expect(nameless).to.include('@ann Slack, workspace T4711 Connected');
      expect(nameless).to.match(/@ann\.b Discord Connected.*have not reached you there since/);
      await chat.installations.store('slack', { workspace: 'T4711', userId: 'U1', label: 'Acme' }, {});
      const page = await browser.get('/account/chats');
      expect(visibleText(page)).to.include('Slack, workspace Acme');
      const [first] = parseForms(page.text).filter(({ action }) => action.endsWith('/disconnect'));
      expect(first?.fields.id).to.equal(`slack:${slack.address}`);
      const parted = await browser.submit('/account/chats', '/account/chats/disconnect');
      expect(visibleText(parted)).to.include('Disconnected.').and.include('@ann.b').and.not.include('T4711');
      expect((await chat.identities.list(await browser.account())).map(({ platform }) => platform)).to.eql([
        'discord',
      ]);
    });

    it('offers to end all other access to the account with the chat’s', async () => {
      const browser = await signedUp();
      const account = await browser.account();
      const there = await openFormBrowser(api);
      await there.submit('/sign-in', '/sign-in', { email: browser.email, password });
      const disconnect = async (fields: Record<string, string>) => {
        await connect(browser, newChatUser());
        return visibleText(await browser.submit('/account/chats', '/account/chats/disconnect', fields));
      };
      await domain.apiTokens.issue(account, { name: 'laptop' });
      expect(await disconnect({})).to.include('Disconnected. Your links');
      expect(await domain.apiTokens.list(account)).to.have.length(1);
      expect((await there.get('/account')).status).to.equal(200);
      expect(await disconnect({ endAccess: 'on' })).to.include('All API tokens are revoked');
      expect(await domain.apiTokens.list(account)).to.be.empty;
      expect((await there.get('/account')).status).to.equal(303);
      expect((await browser.get('/account')).status).to.equal(200);
    });

    it('ends the browsers that a chat user signed in when another account takes theirs over', async () => {
      const chatUser = newChatUser();
      const earlier = await signedInAs(chatUser);
      expect((await earlier.get('/account')).status).to.equal(200);
      const browser = await signedUp();
      await connect(browser, chatUser);
      expect((await earlier.get('/account')).status).to.equal(303);
    });

    it('refuses to disconnect the chats of others, and the chat user that the account was created for', async () => {
      const chatUser = newChatUser();
      const own = await signedInAs(chatUser);
      const page = await own.get('/account/chats');
      expect(visibleText(page)).to.include('This account was created for them.');
      expect(page.text).to.not.include('/disconnect');
      const other = await signedUp();
      const csrf = (browser: FormBrowser) =>
        browser.get('/account').then(({ text }) => parseForms(text)[0]?.fields ?? {});
      const id = `slack:${chatUser.address}`;
      const act = async (browser: FormBrowser, what: string) =>
        (await browser.send('/account/chats/disconnect', { ...(await csrf(browser)), id: what })).status;
      expect(await act(own, id)).to.equal(409);
      for (const what of [id, 'slack:T0:U0', 'x', '', 'mail:a:b', 'ann@example.com'])
        expect(await act(other, what), what).to.equal(404);
      expect(await chat.identities.list(await chat.identities.accountOf(chatUser))).to.have.length(1);
    });
  });

  describe('Connecting a browser', () => {
    it('shows how many pushes and tokens move before it links a chat user to an account', async () => {
      const chatUser = newChatUser();
      for (const _ of [1, 2]) await chat.pushes.create(chatCaller(chatUser), { payload: 'tulip' });
      await domain.apiTokens.issue(await chat.identities.accountOf(chatUser), { name: 'laptop' });
      const browser = await signedUp();
      const link = await linkOf(chatUser);
      const text = visibleText(await browser.get(link));
      expect(text).to.include(
        `share the account ${browser.email}, which you are signed in to, with @ann in Slack`,
      );
      expect(text)
        .to.include('2 links come along')
        .and.include('1 API token that only the chat used is revoked.')
        .and.not.include('ends with it');
      await confirmInChat(domain, chatUser, await browser.submit(link, link));
      expect(await activeOf(await browser.account())).to.equal(2);
      expect((await browser.get(link)).status).to.equal(404);
    });

    it('says that what else signed in to the account of the chat ends with it', async () => {
      const chatUser = newChatUser();
      const owner = await freshlySignedIn(domain, await chat.identities.accountOf(chatUser));
      await setUpApp(domain, owner);
      const browser = await signedUp();
      const text = visibleText(await browser.get(await linkOf(chatUser)));
      expect(text).to.include(
        'ends with it: its passkeys, app and recovery codes, its accounts at providers',
      );
    });

    it('names the account that a chat user leaves before it links them to another', async () => {
      const chatUser = newChatUser();
      const { account } = await createAccount(domain);
      await chat.identities.link(chatUser, account);
      await chat.pushes.create(chatCaller(chatUser), { payload: 'tulip' });
      const browser = await signedUp();
      const link = await linkOf(chatUser);
      const text = visibleText(await browser.get(link));
      expect(text).to.include(`belongs to the account ${account.email} now`).and.include('stay there');
      expect(text).to.not.include('come along');
      await confirmInChat(domain, chatUser, await browser.submit(link, link));
      expect([await activeOf(account), await activeOf(await browser.account())]).to.deep.equal([1, 0]);
    });

    it('says what sharing an account gives away, and to whom, by an id that they cannot choose', async () => {
      const chatUser = newChatUser('T0911');
      await chat.installations.store('slack', { workspace: 'T0911', userId: 'U1', label: 'Acme' }, {});
      const browser = await signedUp();
      const text = visibleText(await browser.get(await linkOf(chatUser, '@IT-Support')));
      for (const part of [
        `@IT-Support in Slack has the id ${chatUser.address}, in the workspace Acme.`,
        'sees all links of this account, past and future, and can open them',
        'can extend and delete each of them',
        'gets the notifications of this account',
        '@IT-Support in Slack cannot sign in to this account on the web',
        'Share this account with @IT-Support in Slack',
      ])
        expect(text).to.include(part);
      await chat.installations.remove('slack', 'T0911');
    });

    it('gives nothing away by one press: the chat asks again, with the name of the account', async () => {
      const [attacker, friend] = [newChatUser(), newChatUser()];
      const victim = await signedUp();
      await chat.identities.link(friend, await victim.account());
      await domain.pushes.create(
        { payload: 'tulip' },
        { account: await victim.account(), client: anonymous.client },
      );
      await deliverNotices(domain);
      const link = await linkOf(attacker, '@IT-Support');
      const waiting = await victim.submit(link, link);
      expect((await chat.identities.accountOf(attacker)).email).to.not.equal(victim.email);
      expect(visibleText(waiting)).to.match(/Now confirm it in Slack.*this code within ten minutes.* \d{6} /);
      expect(waiting.headers.refresh).to.equal('4');
      const [asked, ...others] = await deliverNotices(domain);
      expect(others).to.be.empty;
      expect(asked?.address).to.equal(attacker.address);
      expect(asked?.notice).to.deep.nested.include({ event: 'link_requested', 'link.account': victim.email });
      expect(JSON.stringify(asked)).to.not.match(/code/);
      expect((await (await openFormBrowser(api)).get('/connect')).status).to.equal(404);
      await confirmInChat(domain, attacker, waiting);
      expect((await chat.identities.accountOf(attacker)).email).to.equal(victim.email);
      expect((await victim.get('/connect')).headers.location).to.equal('/account/chats?done=connected');
      expect(summarize(await deliverNotices(domain))).to.deep.equal([`${friend.address} linked`]);
    });

    it('signs no browser in whose code the chat user does not type', async () => {
      const attacker = newChatUser();
      const victim = await openFormBrowser(api);
      const link = await linkOf(attacker, '@IT-Support');
      await victim.submit(link, link);
      expect((await victim.get('/pushes')).status).to.equal(303);
      const request = await chat.linkRequests.maybeOpenOf(attacker);
      for (const guess of ['000000', '999999', ''])
        expect(await refusal(chat.linkRequests.confirm(attacker, request?.id ?? '', guess))).to.match(
          /^invalid/,
        );
      expect(await refusal(chat.linkRequests.confirm(attacker, request?.id ?? '', '1'))).to.match(
        /^not_found/,
      );
      const ended = await victim.get('/connect');
      expect([ended.status, ended.headers['set-cookie']]).to.deep.equal([404, undefined]);
    });

    it('ends the session that the browser has got meanwhile', async () => {
      const [chatUser, browser] = [newChatUser(), await openFormBrowser(api)];
      const link = await linkOf(chatUser);
      const waiting = await browser.submit(link, link);
      await browser.signUp(newEmail());
      const before = String(browser.jar.get('hushpush-session'));
      expect(await domain.sessions.authenticate(before)).to.not.equal(null);
      await confirmInChat(domain, chatUser, waiting);
      expect((await browser.get('/connect')).headers.location).to.equal('/pushes');
      expect(browser.jar.get('hushpush-session')).to.match(/./).and.not.equal(before);
      expect(await domain.sessions.authenticate(before)).to.equal(null);
    });

    it('signs nobody in to an account that somebody else made, and takes no link for it', async () => {
      const chatUser = newChatUser();
      const { account } = await createAccount(domain);
      await chat.identities.link(chatUser, account);
      const browser = await openFormBrowser(api);
      const link = await linkOf(chatUser);
      const page = await browser.get(link);
      expect(visibleText(page)).to.include('You share an account that has a sign-in of its own.');
      expect(parseForms(page.text)).to.be.empty;
      const fields = parseForms((await browser.get('/sign-in')).text)[0]?.fields ?? {};
      expect((await browser.send(link, fields)).status).to.equal(403);
      expect((await browser.get('/connect')).status).to.equal(404);
      // nor if they were linked while the browser was waiting
      const [other, waiting] = [newChatUser(), await openFormBrowser(api)];
      const own = await linkOf(other);
      const shown = await waiting.submit(own, own);
      await confirmInChat(domain, other, shown);
      await chat.identities.link(other, account);
      expect((await waiting.get('/connect')).status).to.equal(403);
      expect(waiting.jar.has('hushpush-session')).to.equal(false);
    });

    it('says that a chat user is linked to the account already', async () => {
      const chatUser = newChatUser();
      const browser = await signedInAs(chatUser);
      const page = await browser.get(await linkOf(chatUser));
      expect(visibleText(page)).to.include('@ann in Slack belongs to the account @ann in Slack already.');
      expect(parseForms(page.text)).to.be.empty;
    });

    it('offers a signed-out browser to sign in as the chat user, or to an account first', async () => {
      const chatUser = newChatUser();
      await chat.pushes.create(chatCaller(chatUser), { payload: 'tulip' });
      const link = await linkOf(chatUser);
      const stranger = await openFormBrowser(api);
      const page = await stranger.get(link);
      expect(visibleText(page)).to.include('Sign in as @ann in Slack').and.include('Sign in to an account');
      const next = encodeURIComponent(link);
      for (const path of ['/sign-in', '/sign-up'])
        expect(page.text).to.include(`href="${path}?next=${next}"`);

      const { email } = await signedUp();
      const wrong = await stranger.submit(`/sign-in?next=${next}`, '/sign-in', { email, password: 'x' });
      expect(unescapeHtml(wrong.text)).to.include(`value="${link}"`).and.include(`/sign-up?next=${next}`);
      const back = await stranger.submit(`/sign-in?next=${next}`, '/sign-in', { email, password });
      expect(visibleText(back)).to.include(`share the account ${email}`);

      const newcomer = await openFormBrowser(api);
      const form = `/sign-up?next=${next}`;
      const short = await newcomer.submit(form, '/sign-up', { email: newEmail(), password: 'short' });
      expect(unescapeHtml(short.text)).to.include(`value="${link}"`).and.include(`/sign-in?next=${next}`);
      const made = await newcomer.submit(form, '/sign-up', { email: newEmail(), password });
      expect(visibleText(made)).to.include('1 link comes along');
    });

    it('leads to a path in any script after signing in or up', async () => {
      const email = newEmail();
      for (const path of ['/sign-up', '/sign-in']) {
        const browser = await openFormBrowser(api);
        const page = await browser.get(path);
        const fields = { ...parseForms(page.text)[0]?.fields, next: '/漢 %41?a=é#😀', email, password };
        const { status, headers } = await browser.send(path, fields);
        expect(status, path).to.equal(303);
        expect(headers.location).to.equal('/%E6%BC%A2%20%41?a=%C3%A9#%F0%9F%98%80');
      }
    });

    it('never leads to another site after signing up', async () => {
      for (const next of ['//evil.test', 'https://evil.test', '/\\evil.test']) {
        const browser = await openFormBrowser(api);
        const page = await browser.get(`/sign-up?next=${encodeURIComponent(next)}`);
        const fields = parseForms(page.text)[0]?.fields ?? {};
        const { headers } = await browser.send('/sign-up', { ...fields, email: newEmail(), password });
        expect(headers.location, next).to.equal('/');
      }
    });

    it('offers no sign-up where it is disabled', async () => {
      const closed = await startService({ ALLOW_SIGN_UP: 'no' });
      const client = createClient(closed.port);
      const token = await closed.domain.chat.createConnectLink({ chatUser: newChatUser(), name: '@ann' });
      const { text } = await client.get(`/connect/${token}`);
      expect(text).to.include('/sign-in?next=').and.not.include('/sign-up');
      client.close();
      await closed.stop();
    });
  });

  describe('An account that was created for a chat user', () => {
    it('names such an account after its chat user and explains how to get one with an e-mail address', async () => {
      const chatUser = newChatUser();
      const browser = await signedInAs(chatUser, '@änn');
      const text = visibleText(await browser.get('/account/security'));
      const profile = visibleText(await browser.get('/account'));
      expect(profile).to.include('You are signed in as @änn in Slack.');
      expect(text).to.include('write /push connect in the chat');
      expect(text).to.not.include('New password');
      await domain.chat.identities.setName(chatUser, '');
      const onDiscord = await signedInAs({ platform: 'discord', address: `D${chatUser.address}` }, '@dis');
      expect(visibleText(await onDiscord.get('/account/security'))).to.include(
        'write /pushes connect in the chat',
      );
    });

    it('names such an account by the address of its chat user where no name is known', async () => {
      const chatUser = newChatUser();
      const { account } = await createAccount(domain);
      const own = await chat.identities.accountOf(chatUser);
      const browser = await openFormBrowser(api);
      browser.jar.set('hushpush-session', await domain.sessions.create(own, anonymous.client, byPassword));
      expect(visibleText(await browser.get('/account'))).to.include(
        `signed in as ${chatUser.address} in Slack`,
      );
      expect(account.email).to.include('@');
    });

    it('erases such an account once its name is typed', async () => {
      const chatUser = newChatUser();
      const browser = await signedInAs(chatUser);
      await chat.pushes.create(chatCaller(chatUser), { payload: 'tulip' });
      const name = `slack:${chatUser.address}`;
      expect(visibleText(await browser.get('/account'))).to.include(`Type the name of this account: ${name}`);
      const wrong = await browser.submit('/account', '/account/delete', { confirm: chatUser.address });
      expect(visibleText(wrong)).to.include('That is not the name of this account.');
      const done = await browser.submit('/account', '/account/delete', {
        confirm: ` ${name.toUpperCase()} `,
      });
      expect(visibleText(done)).to.include('The account is erased');
      expect(await chat.identities.maybeAccount(chatUser)).to.equal(undefined);
    });
  });

  describe('The requests of an account', () => {
    async function withRequests() {
      const [me, ben] = [newChatUser(), newChatUser()];
      await connectChat(domain, ben, { name: '@ben' });
      const browser = await signedInAs(me);
      const asked = await askFor({ chat }, ben, me, { reason: 'the VPN' });
      const caller = await askFor({ chat }, me, ben, { reason: 'the licence' });
      await deliverNotices(domain);
      return { ...browser, me, ben, asked, caller };
    }

    it('lists received and sent requests with reasons and names', async () => {
      const { get, asked, ben } = await withRequests();
      expect((await get('/pushes')).text).to.include('href="/requests"');
      const page = await get('/requests');
      expect(page.text).to.include('href="/pushes"').and.include('href="/pushes?state=expired"');
      expect(visibleText(page)).to.match(
        /Asked of you @ben in Slack the VPN Asked:.*Until:.*Provide.*Decline/,
      );
      expect(visibleText(page)).to.match(/Asked by you @ben in Slack Waiting for an answer the licence/);
      expect(
        parseForms(page.text).map(({ action, fields }) => [action, fields.id === asked.id]),
      ).to.deep.equal([
        ['/requests/provide', true],
        ['/requests/decline', true],
        ['/requests/cancel', false],
        ['/requests', false],
      ]);
      await chat.identities.setName(ben, '<b>"ben"</b>');
      expect((await get('/requests')).text)
        .to.include('&lt;b>')
        .and.not.include('<b>"ben"');
    });

    it('explains requests to an account without a chat', async () => {
      const { get } = await signedUp();
      const page = await get('/requests');
      expect(visibleText(page)).to.include('you can ask somebody for a secret');
      expect(page.text).to.include('href="/account/chats"');
      expect((await api.get('/requests')).status).to.equal(303);
    });

    it('declines and cancels requests and notifies the other person', async () => {
      const { submit, get, ben, asked, caller } = await withRequests();
      expect(visibleText(await submit('/requests', '/requests/decline'))).to.include(
        'The request is declined.',
      );
      expect(visibleText(await submit('/requests', '/requests/cancel'))).to.include(
        'The request is cancelled.',
      );
      expect(summarize(await deliverNotices(domain))).to.deep.equal([
        `${ben.address} cancelled`,
        `${ben.address} declined`,
      ]);
      for (const { id } of [asked, caller])
        expect((await chat.requests.maybeFind(Buffer.from(id, 'hex')))?.state).to.not.equal('open');
      const page = await get('/requests');
      expect(parseForms(page.text).map(({ action }) => action)).to.deep.equal(['/requests']);
      expect(visibleText(page)).to.include('You cancelled it');
    });

    it('asks people for a secret: those of earlier requests, and others by their ids', async () => {
      const { submit, get, me, ben, asked } = await withRequests();
      await chat.requests.decline(asked.id, me);
      await deliverNotices(domain);
      const carol = newChatUser();
      expect(visibleText(await get('/requests'))).to.match(
        /People from earlier requests @ben in Slack Member IDs/,
      );
      const sent = await submit('/requests', '/requests', {
        [`slack:${ben.address}`]: 'on',
        people: ` ${carol.address.split(':')[1]}, `,
        reason: 'the key',
        due: '240',
      });
      expect(visibleText(sent)).to.match(/Everybody you asked gets a message.*Waiting for an answer the key/);
      const [first, second] = await chat.requests.list(me);
      expect([first, second].map((request) => request?.provider)).to.have.deep.members([ben, carol]);
      expect(first?.groupId).to.equal(second?.groupId);
      expect(Number(first?.expiresAt) - Number(first?.createdAt)).to.equal(240 * 60_000);
      expect(summarize(await deliverNotices(domain))).to.have.members([
        `${ben.address} requested`,
        `${carol.address} requested`,
      ]);
    });

    it('keeps what was entered in a request that it refuses', async () => {
      const { submit, me, ben } = await withRequests();
      const before = (await chat.requests.list(me)).length;
      const ask = (people: string) =>
        submit('/requests', '/requests', { people, reason: 'the "key"', due: '1440' });
      for (const [people, problem] of [
        ['', 'Must not be blank.'],
        ['Carol, U1', 'These are not all member IDs of that chat.'],
        [me.address.split(':')[1] ?? '', 'You cannot ask yourself.'],
      ] as const) {
        const page = await ask(people);
        expect(page.status).to.equal(422);
        expect(visibleText(page)).to.include(problem);
        expect(page.text)
          .to.match(/value="the &quot;key&quot;"/)
          .and.match(/value="1440" selected/);
      }
      const checked = await submit('/requests', '/requests', {
        [`slack:${ben.address}`]: 'on',
        people: 'x y',
      });
      expect(checked.text).to.match(new RegExp(`name="slack:${ben.address}"[^>]*checked`));
      expect(await chat.requests.list(me)).to.have.length(before);
    });

    it('asks as the user of the chat that is chosen, where an account has several', async () => {
      const [me, other] = [newChatUser('T1'), newChatUser('T2')];
      const browser = await signedInAs(me);
      expect((await browser.get('/requests')).text).to.include('type="hidden" name="chat" value="slack:T1"');
      await connectChat(domain, other, { account: await chat.identities.accountOf(me) });
      const options = visibleText(await browser.get('/requests'));
      expect(options).to.include('@ann in Slack (slack:T1)').and.include('@ann in Slack (slack:T2)');
      const ask = { chat: 'slack:T2', people: newChatUser('T2').address.split(':')[1] ?? '' };
      expect((await browser.submit('/requests', '/requests', ask)).status).to.equal(200);
      expect(await chat.requests.list(me)).to.deep.equal([]);
      expect(await chat.requests.list(other)).to.have.length(1);
    });

    it('answers a request on the compose page and notifies the requester', async () => {
      const { submit, send, get, me, ben } = await withRequests();
      const page = await submit('/requests', '/requests/provide');
      const [form] = parseForms(page.text);
      expect(form?.action).to.match(/^\/compose\/[\w-]{43}$/);
      const made = await send(String(form?.action), {
        ...form?.fields,
        kind: 'text',
        payload: 'tulip',
        views: '1',
        lifetime: '1d',
      });
      expect(made.status).to.equal(303);
      const shown = await get(made.headers.location ?? '');
      expect(visibleText(shown)).to.include('Its recipients got a message in the chat');
      expect(summarize(await deliverNotices(domain))).to.deep.equal(
        [`${ben.address} shared`, `${me.address} composed`].sort(),
      );
      expect(visibleText(await get('/requests'))).to.include('Nobody is waiting for a secret from you.');
      const bens = await signedInAs(ben, '@ben');
      expect(visibleText(await bens.get('/requests'))).to.include('You have the secret');
    });

    it('refuses actions on requests of others and on requests that have ended', async () => {
      const { get, send, asked, caller } = await withRequests();
      const other = await signedInAs(newChatUser());
      const act = async (browser: Pick<FormBrowser, 'get' | 'send'>, name: string, id: string) => {
        const fields = parseForms((await browser.get('/account')).text)[0]?.fields ?? {};
        return browser.send(`/requests/${name}`, { ...fields, id });
      };
      const acts = ['provide', 'decline', 'cancel'];
      for (const name of acts)
        for (const id of [asked.id, caller.id, '', 'x', '0'.repeat(32)]) {
          const { status, text } = await act(other, name, id);
          expect(status, `${name} ${id}`).to.equal(404);
          expect(text).to.include('That request has ended.');
        }
      const me = { get, send };
      for (const [name, id] of [
        ['provide', caller.id],
        ['decline', caller.id],
        ['cancel', asked.id],
      ] as const)
        expect((await act(me, name, id)).status, name).to.equal(404);
      expect(await deliverNotices(domain)).to.be.empty;
      await act(me, 'decline', asked.id);
      for (const name of ['provide', 'decline']) expect((await act(me, name, asked.id)).status).to.equal(404);
    });
  });

  describe('The admin page', () => {
    async function admin() {
      const browser = await signedUp();
      await domain.accounts.setAdmin(browser.email, true, 'operator');
      return browser;
    }

    it('shows where the Slack app is installed, by whom and since when, and removes an installation', async () => {
      const { get, submit } = await admin();
      await chat.installations.remove('slack', 'T4711');
      expect(visibleText(await get('/admin/installations'))).to.include(
        'The Slack app is installed nowhere.',
      );
      const ben: ChatUser = { platform: 'slack', address: 'T0815:U0815' };
      await signedInAs(ben, '@ben');
      const place = { workspace: 'T0815', userId: 'U0815', label: 'Büro & Söhne' };
      await chat.installations.store('slack', place, { token: 'xoxb-4711' });
      await chat.installations.store('slack', { ...place, userId: 'U2' }, { token: 'xoxb-4712' });
      await chat.installations.store('slack', { workspace: 'T0816', userId: 'U3' }, {});
      await service.database.execute("UPDATE installations SET installed_at = 1 WHERE user_id = 'U2'", {});
      const page = await get('/admin/installations');
      expect(visibleText(page)).to.match(
        /Büro & Söhne T0815 Installed: .* By: @ben Remove T0816 Installed: .* By: U3/,
      );
      expect(page.text).to.not.include('xoxb');
      const question = '/admin/installations/remove?id=T0815';
      expect(page.text).to.include(question);
      expect(visibleText(await get(question))).to.match(
        /Remove the app from Büro & Söhne\? .*hushpush forgets its tokens for this workspace/,
      );
      expect((await chat.installations.list('slack', 'operator')).length).to.equal(2);
      expect(visibleText(await submit(question, '/admin/installations/remove'))).to.include(
        'The tokens are forgotten.',
      );
      const left = (await chat.installations.list('slack', 'operator')).map(({ workspace }) => workspace);
      expect(left).to.deep.equal(['T0816']);
    });

    it('removes an installation for admins only', async () => {
      await chat.installations.store('slack', { workspace: 'T0817', userId: 'U1' }, {});
      const { get, send } = await signedUp();
      const fields = parseForms((await get('/account')).text)[0]?.fields ?? {};
      const { status } = await send('/admin/installations/remove', { ...fields, id: 'T0817' });
      expect(status).to.equal(404);
      for (const path of ['/admin/installations', '/admin/installations/remove?id=T0817'])
        expect((await get(path)).status).to.equal(404);
      expect(await chat.installations.maybeFind('slack', { workspace: 'T0817' })).to.deep.equal({});
    });

    it('labels accounts that chats created by their chat users', async () => {
      const { get } = await admin();
      const chatUser = newChatUser();
      await signedInAs(chatUser, '@carl');
      const { text } = await get(`/admin?search=CARL`);
      expect(visibleText({ text } as never)).to.include(`@carl in Slack slack:${chatUser.address}`);
      const [, path = ''] =
        /href="(\/admin\/accounts\/\w+)" aria-label="Manage @carl in Slack"/.exec(text) ?? [];
      expect(visibleText(await get(`${path}/disable`))).to.include('Disable @carl in Slack?');
    });
  });
});
