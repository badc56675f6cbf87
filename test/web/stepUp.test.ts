import { expect } from 'chai';
import { type Client, createClient } from '../harness/api.ts';
import { confirmInChat, newChatUser, slackOn } from '../harness/chat.ts';
import { type FormBrowser, openFormBrowser, parseForms, password, visibleText } from '../harness/pages.ts';
import { createAccount, newEmail, startService, type TestService } from '../harness/service.ts';
import { freshlySignedIn, holderOf, setUpApp } from '../harness/signedIn.ts';

describe('The page that asks for a fresh sign-in', () => {
  let service: TestService;
  let api: Client;

  before(async () => {
    service = await startService(slackOn);
    api = createClient(service.port);
  });
  after(async () => {
    api.close();
    await service.stop();
  });

  const age = () =>
    service.database.execute('UPDATE sessions SET authenticated_at = authenticated_at - 660000', {});

  async function newPerson() {
    const email = newEmail();
    const browser = await openFormBrowser(api);
    await browser.signUp(email);
    return { email, browser };
  }

  /** Sends the form that waits, with a proof. */
  async function prove(
    browser: FormBrowser,
    asked: { text: string },
    action: string,
    proof: Record<string, string>,
  ) {
    const form = parseForms(asked.text).find((each) => each.action === action);
    if (form === undefined) throw new Error('nothing waits');
    return browser.send(action, { ...form.fields, ...proof });
  }

  it('goes on with what was wanted, and loses nothing that was entered', async () => {
    const { browser } = await newPerson();
    await age();
    const action = '/account/tokens';
    const asked = await browser.submit(action, action, { name: 'laptop "1"', scope: 'create', days: '30' });
    expect([asked.status, visibleText(asked).includes('Confirm that it is you')]).to.deep.equal([403, true]);
    const wrong = await prove(browser, asked, action, { stepUpPassword: 'wrong horse battery' });
    expect([wrong.status, visibleText(wrong).includes('Confirm that it is you')]).to.deep.equal([401, true]);
    expect(wrong.text).to.not.include('wrong horse battery');
    const done = await prove(browser, wrong, action, { stepUpPassword: password });
    expect(done.status).to.equal(200);
    expect(visibleText(done)).to.include('laptop "1"').and.to.include('hp_');
    expect(visibleText(await browser.get(action))).to.include('laptop "1"');
    expect((await browser.submit(action, action, { name: 'phone' })).status, 'a moment later').to.equal(200);
  });

  it('goes on with the deletion of the account', async () => {
    const { email, browser } = await newPerson();
    await age();
    const fields = { confirm: email, password };
    const asked = await browser.submit('/account', '/account/delete', fields);
    const done = await prove(browser, asked, '/account/delete', { stepUpPassword: password });
    expect(visibleText(done)).to.include('is erased');
    expect(await service.domain.accounts.exists(email)).to.equal(false);
  });

  it('takes no forged form: the proof needs the token of the page', async () => {
    const { browser } = await newPerson();
    await age();
    const sent = await browser.send('/account/tokens', { name: 'x', stepUpPassword: password });
    expect(sent.status).to.equal(403);
    expect(visibleText(sent)).to.not.include('Confirm that it is you');
    const again = await browser.submit('/account/tokens', '/account/tokens', { name: 'x' });
    expect(visibleText(again)).to.include('Confirm that it is you');
  });

  it('asks for a code where there is a second factor', async () => {
    const { domain } = service;
    const { browser } = await newPerson();
    const signedIn = await holderOf(domain, String(browser.jar.get('hushpush-session')));
    const { app } = await setUpApp(domain, await freshlySignedIn(domain, signedIn));
    const action = '/account/second-factor/app/remove';
    const asked = await browser.submit('/account/second-factor', action);
    expect(asked.text).to.include('name="stepUpCode"').and.to.not.include('name="stepUpPassword"');
    const weak = await prove(browser, asked, action, { stepUpPassword: password });
    expect(weak.status).to.equal(401);
    const done = await prove(browser, asked, action, { stepUpCode: await app.code() });
    expect(done.headers.location).to.equal('/account/second-factor?done=removed');
  });

  it('asks admins before they change the account of somebody else', async () => {
    const { domain } = service;
    const { email, browser } = await newPerson();
    await domain.accounts.setAdmin(email, true, 'operator');
    const { account } = await createAccount(domain);
    const path = `/admin/accounts/${account.id.toString('hex')}`;
    await age();
    const asked = await browser.submit(`${path}/disable`, `${path}/disable`);
    expect(visibleText(asked)).to.include('Confirm that it is you');
    expect((await domain.accounts.summary(account.email)).disabledAt).to.equal(null);
    const done = await prove(browser, asked, `${path}/disable`, { stepUpPassword: password });
    expect(done.headers.location).to.equal(`${path}?done=disable`);
    await age();
    const invited = newEmail();
    const invite = await browser.submit('/admin', '/admin/invite', { email: invited });
    expect(await domain.accounts.exists(invited)).to.equal(false);
    const made = await prove(browser, invite, '/admin/invite', { stepUpPassword: password });
    expect(visibleText(made)).to.include(invited);
  });

  it('asks before a chat is connected, and goes on to the code for the chat', async () => {
    const { chat, accounts } = service.domain;
    const { email, browser } = await newPerson();
    const chatUser = newChatUser();
    const path = `/connect/${await chat.createConnectLink({ chatUser, name: '@ann' })}`;
    await age();
    const asked = await browser.submit(path, path);
    expect(visibleText(asked)).to.include('Confirm that it is you');
    expect(await chat.linkRequests.maybeOpenOf(chatUser)).to.equal(undefined);
    const done = await prove(browser, asked, path, { stepUpPassword: password });
    expect(done.headers.location).to.equal('/connect');
    await confirmInChat(service.domain, chatUser, await browser.get('/connect'));
    await age();
    const action = '/account/chats/disconnect';
    const parting = await browser.submit('/account/chats', action);
    expect(visibleText(parting)).to.include('Confirm that it is you');
    expect(await chat.identities.list(await accounts.find(email))).to.have.length(1);
    await prove(browser, parting, action, { stepUpPassword: password });
    expect(await chat.identities.list(await accounts.find(email))).to.be.empty;
  });

  it('says how to go on where the account has neither a password nor a factor', async () => {
    const { email, browser } = await newPerson();
    await service.database.execute('UPDATE accounts SET password_hash = NULL WHERE email = $email', {
      email,
    });
    await age();
    const asked = await browser.submit('/account/tokens', '/account/tokens', { name: 'x' });
    expect(visibleText(asked)).to.include('Sign out, sign in again as you did before');
  });
});
