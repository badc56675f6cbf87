import { expect } from 'chai';
import type { ChatUser, Domain } from '../../src/domain/index.ts';
import { connectChat, deliverNotices, newChatUser, slackOn } from '../harness/chat.ts';
import { openFederatedBrowser } from '../harness/federatedBrowser.ts';
import { startIdentityProvider, type TestIdentityProvider } from '../harness/identityProvider.ts';
import { freePort } from '../harness/mariadb.ts';
import { password } from '../harness/pages.ts';
import { newEmail, refusal, someClient, startService, type TestService } from '../harness/service.ts';
import { holderOf } from '../harness/signedIn.ts';

type Browser = ReturnType<typeof openFederatedBrowser>;

const chatPath = '/account/chats/confirm';
const joinPath = '/account/providers/confirm';

describe('Signing in with Slack', () => {
  let service: TestService;
  let domain: Domain;
  let base: string;
  let slack: TestIdentityProvider;
  /** Sends the same claims, and is not Slack. */
  let other: TestIdentityProvider;

  before(async () => {
    const port = await freePort();
    base = `http://127.0.0.1:${port}`;
    slack = await startIdentityProvider({ base, name: 'slack', saysWhen: true });
    other = await startIdentityProvider({ base, name: 'other' });
    service = await startService({
      PORT: String(port),
      BASE_URL: base,
      ...slackOn,
      ...slack.settings,
      OIDC_SLACK_LINK_SLACK: 'on',
      ...other.settings,
    });
    ({ domain } = service);
  });
  after(async () => {
    await service.stop();
    await Promise.all([slack, other].map((provider) => provider.stop()));
  });

  /** Somebody in a workspace, who is whoever comes to the provider from now on. */
  function person(provider = slack, claims: Record<string, unknown> = {}) {
    const chatUser = newChatUser('T0ACME');
    const [team = '', user = ''] = chatUser.address.split(':');
    const email = newEmail();
    provider.people[user] = {
      email,
      email_verified: true,
      name: 'Ann',
      'https://slack.com/team_id': team,
      'https://slack.com/user_id': user,
      'https://slack.com/team_name': 'Acme Inc',
      ...claims,
    };
    provider.as(user);
    return { chatUser, email };
  }

  const signIn = (browser: Browser, query = '', provider = slack) =>
    browser.open(`${base}/sign-in/${provider.name}${query}`);

  const chatsOf = async (email: string) =>
    (await domain.chat.identities.list(await domain.accounts.find(email))).map(({ address }) => address);

  const ownerOf = async (chatUser: ChatUser) => (await domain.chat.identities.maybeAccount(chatUser))?.email;

  async function signedInAs(browser: Browser) {
    const token = browser.jarOf(base).get('hushpush-session') ?? '';
    return (await domain.sessions.authenticate(token))?.email;
  }

  async function signedInWithPassword() {
    const email = newEmail();
    await domain.accounts.create({ email, password });
    const browser = openFederatedBrowser();
    await browser.submit(base, '/sign-in', '/sign-in', { email, password });
    return { email, browser };
  }

  it('creates an account, and connects the chat only once its owner has seen with whom and confirmed', async () => {
    const { chatUser, email } = person();
    const browser = openFederatedBrowser();
    const page = await signIn(browser);
    expect(page.url, 'no code in the history').to.equal(`${base}${chatPath}`);
    expect(page.text).to.include(`Ann in Slack has the id ${chatUser.address}, in the workspace Acme Inc`);
    expect(page.text).to.include(`share the account ${email}`);
    expect(await signedInAs(browser)).to.equal(email);
    expect(await chatsOf(email), 'nothing happens silently').to.deep.equal([]);
    const offer = browser.jarOf(base).get('hushpush-link-chat') ?? '';
    const done = await browser.submit(base, chatPath, chatPath);
    expect(done.text).to.include('Connected. What you share in that chat belongs to this account now.');
    expect(await chatsOf(email)).to.deep.equal([chatUser.address]);
    browser.jarOf(base).set('hushpush-link-chat', offer);
    expect((await browser.open(`${base}${chatPath}`)).status, 'once').to.equal(404);
  });

  it('tells the chat, and the other addresses of the account, whom it is connected to', async () => {
    const { chatUser, email } = person();
    const browser = openFederatedBrowser();
    await signIn(browser);
    const before = newChatUser();
    await connectChat(domain, before, { account: await domain.accounts.find(email) });
    await deliverNotices(domain);
    await browser.submit(base, chatPath, chatPath);
    const linked = (await deliverNotices(domain)).filter(({ notice }) => notice.event === 'linked');
    expect(linked.map(({ address }) => address)).to.have.members([before.address, chatUser.address]);
    for (const { notice } of linked)
      expect('link' in notice && [notice.link.name, notice.link.account]).to.deep.equal(['Ann', email]);
  });

  it('brings along what the chat user has shared', async () => {
    const { chatUser, email } = person();
    const own = await domain.chat.identities.accountOf(chatUser);
    await domain.pushes.create({ payload: 'tulip' }, { account: own, client: someClient });
    const browser = openFederatedBrowser();
    expect((await signIn(browser)).text).to.include('1 link comes along');
    await browser.submit(base, chatPath, chatPath);
    expect(await ownerOf(chatUser)).to.equal(email);
    expect(await domain.accounts.exists(own.email)).to.equal(false);
  });

  it('says so where the chat user belongs to another account, and moves them only when asked to', async () => {
    const { chatUser, email } = person();
    const elsewhere = await domain.accounts.create({ email: newEmail() });
    await connectChat(domain, chatUser, { account: elsewhere });
    const browser = openFederatedBrowser();
    const page = await signIn(browser);
    expect(page.text).to.include(`belongs to the account ${elsewhere.email} now`);
    expect(await ownerOf(chatUser)).to.equal(elsewhere.email);
    await browser.submit(base, chatPath, chatPath);
    expect(await ownerOf(chatUser)).to.equal(email);
  });

  it('asks once: who said no is led on from then on, and can connect the chat later', async () => {
    const { chatUser, email } = person();
    await signIn(openFederatedBrowser());
    const browser = openFederatedBrowser();
    expect((await signIn(browser, '?next=/account/tokens')).url).to.equal(`${base}/account/tokens`);
    expect((await browser.open(`${base}/account/chats`)).text).to.include('/sign-in/slack?connect=yes');
    expect((await signIn(browser, '?connect=yes')).url).to.equal(`${base}${chatPath}`);
    await browser.submit(base, chatPath, chatPath);
    expect(await chatsOf(email)).to.deep.equal([chatUser.address]);
    const again = await signIn(browser, '?connect=yes');
    expect(again.text).to.include('already').and.to.not.include('Share this account');
  });

  it('asks the owner of an account with that address to sign in the old way, and then connects both', async () => {
    const { chatUser, email } = person();
    await domain.accounts.create({ email, password });
    const browser = openFederatedBrowser();
    expect((await signIn(browser)).url).to.equal(`${base}${joinPath}`);
    await browser.submit(base, '/sign-in', '/sign-in', { email, password });
    const page = await browser.submit(base, joinPath, joinPath);
    expect(page.url).to.equal(`${base}${chatPath}`);
    expect(await chatsOf(email)).to.deep.equal([]);
    await browser.submit(base, chatPath, chatPath);
    expect(await chatsOf(email)).to.deep.equal([chatUser.address]);
  });

  it('lets nobody connect the chat of somebody else to their account', async () => {
    person();
    const owner = openFederatedBrowser();
    await signIn(owner);
    const { email, browser } = await signedInWithPassword();
    browser.jarOf(base).set('hushpush-link-chat', owner.jarOf(base).get('hushpush-link-chat') ?? '');
    expect((await browser.open(`${base}${chatPath}`)).status).to.equal(409);
    const sent = await browser.request(`${base}${chatPath}`, {
      method: 'POST',
      headers: { 'Sec-Fetch-Site': 'cross-site' },
    });
    expect(sent.status, 'a form of another site').to.equal(403);
    expect(await chatsOf(email)).to.deep.equal([]);
  });

  it('asks for a fresh sign-in before it connects the chat, and comes back to that', async () => {
    const { chatUser, email } = person();
    const browser = openFederatedBrowser();
    await signIn(browser);
    await service.database.execute('UPDATE sessions SET authenticated_at = authenticated_at - 660000', {});
    const asked = await browser.submit(base, chatPath, chatPath);
    expect([asked.status, await chatsOf(email)]).to.deep.equal([403, []]);
    const [, again = ''] = /href="(\/sign-in\/slack\?fresh=yes[^"]*)"/.exec(asked.text) ?? [];
    const page = await browser.open(new URL(again.replaceAll('&amp;', '&'), base).href);
    expect(page.url).to.equal(`${base}${chatPath}`);
    await browser.submit(base, chatPath, chatPath);
    expect(await chatsOf(email)).to.deep.equal([chatUser.address]);
  });

  it('believes the claims of Slack alone, and only if they name somebody', async () => {
    const { email } = person(other);
    const browser = openFederatedBrowser();
    expect((await signIn(browser, '', other)).url).to.equal(`${base}/pushes`);
    expect(await chatsOf(email)).to.deep.equal([]);
    for (const id of ['', 'C0', 'U0:U1', 7, ['U1'], `U${'1'.repeat(120)}`]) {
      person(slack, { 'https://slack.com/user_id': id });
      expect((await signIn(openFederatedBrowser())).url, String(id)).to.equal(`${base}/pushes`);
    }
  });

  it('makes a chat alone no fresh sign-in any more, once the account of the chat signs in with Slack', async () => {
    const { chatUser } = person();
    const account = await domain.chat.identities.accountOf(chatUser);
    const byChat = { way: 'chat', name: 'Slack', factors: ['chat'] } as const;
    const session = await domain.sessions.create(account, someClient, byChat);
    const signedIn = await holderOf(domain, session);
    await domain.apiTokens.create(signedIn, { name: 'before' });
    const browser = openFederatedBrowser();
    browser.jarOf(base).set('hushpush-session', session);
    await signIn(browser, '?connect=yes');
    await browser.submit(base, joinPath, joinPath);
    expect(await refusal(domain.apiTokens.create(signedIn, { name: 'after' }))).to.match(
      /^forbidden: Sign in again/,
    );
    const again = openFederatedBrowser();
    await signIn(again);
    const fresh = await holderOf(domain, String(again.jarOf(base).get('hushpush-session')));
    expect(fresh.id.equals(account.id)).to.equal(true);
    await domain.apiTokens.create(fresh, { name: 'after' });
  });
});
