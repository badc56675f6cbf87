import { expect } from 'chai';
import type { Domain } from '../../src/domain/index.ts';
import { type Client, createClient } from '../harness/api.ts';
import { startMailServer } from '../harness/mailServer.ts';
import { type FormBrowser, openFormBrowser, password, visibleText } from '../harness/pages.ts';
import { addPasskey, openDevice } from '../harness/passkeyDevice.ts';
import {
  createAccount,
  newEmail,
  refusal,
  someClient,
  startService,
  type TestService,
} from '../harness/service.ts';
import { freshlySignedIn } from '../harness/signedIn.ts';

const next = 'brand new horse battery';

describe('Links by mail', () => {
  let mails: Awaited<ReturnType<typeof startMailServer>>;
  let service: TestService;
  let domain: Domain;
  let api: Client;

  async function start(environment: Record<string, string> = {}) {
    mails = await startMailServer();
    service = await startService({ ...mails.settings, ...environment });
    ({ domain } = service);
    api = createClient(service.port);
  }

  afterEach(async () => {
    api.close();
    await service.stop();
    await mails.stop();
  });

  /** The mails to an address, as they leave. */
  async function mailsTo(email: string) {
    await service.deliver();
    return mails.mails.filter(({ envelope }) => envelope.to.includes(email));
  }

  /** The path of the link in the last mail to an address. */
  async function linkTo(email: string): Promise<string> {
    const text = String((await mailsTo(email)).at(-1)?.text);
    const [, path] = /http:\/\/push\.test(\/\S+)/.exec(text) ?? [];
    if (path === undefined) throw new Error(`there is no link: ${text}`);
    return path;
  }

  async function signedUp(email = newEmail()): Promise<{ browser: FormBrowser; email: string }> {
    const browser = await openFormBrowser(api);
    await browser.signUp(email);
    return { browser, email };
  }

  async function verified() {
    const { browser, email } = await signedUp();
    await browser.submit('/account', '/account/address', { email });
    const link = await linkTo(email);
    await browser.submit(link, link, { held: 'yes' });
    mails.mails.length = 0;
    return { browser, email };
  }

  const askForReset = async (email: string) =>
    (await openFormBrowser(api)).submit('/reset', '/reset', { email });

  it('tell an account of its passkeys, too', async () => {
    await start({ BASE_URL: 'http://localhost' });
    const { browser, email } = await signedUp();
    await browser.submit('/account', '/account/address', { email });
    const [, link = ''] = /http:\/\/localhost(\/\S+)/.exec(String((await mailsTo(email)).at(-1)?.text)) ?? [];
    await browser.submit(link, link, { held: 'yes' });
    const account = await freshlySignedIn(domain, await domain.accounts.find(email));
    await addPasskey(domain, account, openDevice('http://localhost'));
    const [{ id = '' } = {}] = await domain.passkeys.list(account);
    await domain.factors.removePasskey(account, id, someClient);
    const told = (await mailsTo(email)).map(({ text }) => text).join();
    expect(told).to.include('A passkey was added.').and.to.include('A passkey was removed.');
    expect(told).to.include('Laptop');
  });

  describe('where anybody signs up', () => {
    beforeEach(() => start());

    it('confirm an address by a button that is held, or a word, once: opening one and pressing do nothing', async () => {
      const { browser, email } = await signedUp();
      expect(visibleText(await browser.get('/account'))).to.include(`${email} is not confirmed.`);
      await browser.submit('/account', '/account/address', { email });
      const link = await linkTo(email);
      const elsewhere = await openFormBrowser(api);
      for (let count = 0; count < 3; count++) {
        expect((await elsewhere.get(link)).status).to.equal(200);
        expect((await api.send('HEAD', link)).status).to.equal(200);
      }
      const holder = await domain.accounts.find(email);
      expect(await domain.mailLinks.isVerified(holder)).to.equal(false);
      const machine = await elsewhere.submit(link, link, { word: 'confirm' });
      expect(machine.status).to.equal(422);
      expect(visibleText(machine)).to.include('Nothing was confirmed.');
      expect(await domain.mailLinks.isVerified(holder)).to.equal(false);
      const [, word = ''] = /Type the word “\s*(\w+)/.exec(visibleText(machine)) ?? [];
      const done = await elsewhere.submit(link, link, { word });
      expect(visibleText(done)).to.include('Your address is confirmed');
      expect(await domain.mailLinks.isVerified(holder)).to.equal(true);
      expect(await domain.accounts.summary(email)).to.include({ signedUp: false });
      expect((await browser.get(link)).status).to.equal(404);
      expect(visibleText(await browser.get('/account'))).to.include(`${email} is confirmed.`);
    });

    it('work for a day', async () => {
      const { browser, email } = await signedUp();
      await browser.submit('/account', '/account/address', { email });
      const link = await linkTo(email);
      const age = (ms: number) =>
        service.database.execute('UPDATE one_time_links SET expires_at = expires_at - $ms', { ms });
      await age(24 * 3_600_000 - 60_000);
      expect((await browser.get(link)).status).to.equal(200);
      await age(60_000);
      expect((await browser.get(link)).status).to.equal(404);
      expect(await domain.mailLinks.isVerified(await domain.accounts.find(email))).to.equal(false);
    });

    it('are the only mails to an address that nobody has confirmed', async () => {
      const { browser, email } = await signedUp();
      await domain.accounts.setSubscribed(email, true, 'operator');
      await browser.submit('/account/security', '/account/password', { current: password, next });
      await askForReset(email);
      expect(await mailsTo(email)).to.deep.equal([]);
      await browser.submit('/account', '/account/address', { email });
      expect((await mailsTo(email)).map(({ subject }) => subject)).to.deep.equal([
        'Confirm your e-mail address',
      ]);
    });

    it('are in no table, as long as they have not left', async () => {
      const { browser, email } = await signedUp();
      await browser.submit('/account', '/account/address', { email });
      const rows = await service.database.select('SELECT * FROM one_time_links', {});
      expect(rows).to.deep.equal([]);
      await linkTo(email);
      expect(await service.database.select('SELECT 1 FROM one_time_links', {})).to.have.length(1);
    });

    it('tell an account what happens to its sign-in, once its address is confirmed', async () => {
      const { browser, email } = await verified();
      await browser.submit('/account/security', '/account/password', { current: password, next });
      await domain.accounts.setSubscribed(email, true, 'operator');
      const told = await mailsTo(email);
      expect(told.map(({ subject }) => subject)).to.have.members([
        'Something happened to the sign-in of your account',
        'Your hushpush account was changed',
      ]);
      expect(told.map(({ text }) => text).join()).to.include('The password was changed.');
      expect(told.map(({ text }) => text).join()).not.to.include(next);
    });

    it('set a new password, for a confirmed address, and sign all browsers out', async () => {
      const { browser, email } = await verified();
      expect(visibleText(await browser.get('/account'))).to.include(email);
      const asked = await askForReset(email.toUpperCase());
      expect(visibleText(asked)).to.include('If there is an account with this address');
      const link = await linkTo(email);
      expect(link).to.match(/^\/reset\//);
      const other = await openFormBrowser(api);
      await other.submit(link, link, { next });
      expect((await other.get('/account')).status).to.equal(200);
      expect((await browser.get('/account')).status).to.equal(303);
      expect((await other.get(link)).status).to.equal(404);
      expect((await mailsTo(email)).map(({ text }) => text).join()).to.include('A new password was set');
    });

    it('answer alike whether or not there is an account, and mail to nobody else', async () => {
      const { email: disabled } = await verified();
      await domain.accounts.setDisabled(disabled, true, 'operator');
      await mailsTo(disabled); // that it was
      const { email } = await verified();
      const { email: unverified } = await signedUp();
      const pages = [];
      for (const each of [email, unverified, disabled, newEmail()])
        pages.push((await askForReset(each)).text.replaceAll(/nonce="[^"]*"/g, ''));
      expect(new Set(pages)).to.have.property('size', 1);
      await service.deliver();
      expect(mails.mails.map(({ envelope }) => envelope.to)).to.deep.equal([[email]]);
    });

    it('refuse what is no address', async () => {
      for (const email of [
        '',
        'ann',
        'a@b@c',
        'ann@example.com\r\nBcc: x@example.com',
        `${'x'.repeat(65)}@example.com`,
      ]) {
        const refused = await askForReset(email);
        expect([email, refused.status]).to.deep.equal([email, 422]);
      }
      await service.deliver();
      expect(mails.mails).to.deep.equal([]);
    });

    it('give an account another address once that confirms it, and tell both', async () => {
      const { browser, email } = await verified();
      const to = newEmail();
      await browser.submit('/account', '/account/address', { email: to });
      expect((await mailsTo(email)).map(({ text }) => text).join()).to.include(
        'Another e-mail address was asked for',
      );
      const link = await linkTo(to);
      expect(visibleText(await browser.get(link))).to.include(`The account ${email} signs in as ${to}`);
      expect(await domain.accounts.exists(to)).to.equal(false);
      await browser.submit(link, link, { held: 'yes' });
      expect([await domain.accounts.exists(to), await domain.accounts.exists(email)]).to.deep.equal([
        true,
        false,
      ]);
      expect((await mailsTo(email)).map(({ text }) => text).join()).to.include(
        'The e-mail address was changed',
      );
      mails.mails.length = 0;
      await domain.accounts.setSubscribed(to, true, 'operator');
      await service.deliver();
      expect(mails.mails.map(({ envelope }) => envelope.to)).to.deep.equal([[to]]);
    });

    it('bring nobody to the address of another account', async () => {
      const { browser } = await verified();
      const { account } = await createAccount(domain);
      const asked = await browser.submit('/account', '/account/address', { email: account.email });
      expect(asked.status).to.equal(200);
      expect(await mailsTo(account.email)).to.deep.equal([]);
      const to = newEmail();
      await browser.submit('/account', '/account/address', { email: to });
      const link = await linkTo(to);
      await createAccount(domain, to); // in between
      expect((await browser.submit(link, link, { held: 'yes' })).status).to.equal(409);
    });

    it('end with the address that they were asked from', async () => {
      const { browser, email } = await verified();
      const [first, second] = [newEmail(), newEmail()];
      const links = [];
      for (const to of [first, second]) {
        await browser.submit('/account', '/account/address', { email: to });
        links.push(await linkTo(to));
      }
      await browser.submit(String(links[0]), String(links[0]), { held: 'yes' });
      const late = await browser.submit(String(links[1]), String(links[1]), { held: 'yes' });
      expect(late.status).to.equal(404);
      expect(await Promise.all([email, first, second].map(domain.accounts.exists))).to.deep.equal([
        false,
        true,
        false,
      ]);
    });

    it('leave an account with the mails of the address that it has, when two are used at once', async () => {
      const { browser, email } = await verified();
      const to = newEmail();
      const tokens = [];
      for (const address of [to, email]) {
        await browser.submit('/account', '/account/address', { email: address });
        tokens.push((await linkTo(address)).replace('/verify/', ''));
      }
      const used = await Promise.allSettled(
        tokens.map((token) => domain.mailLinks.confirmAddress(token, someClient)),
      );
      const [changed] = used.map(({ status }) => status === 'fulfilled');
      const address = changed ? to : email;
      await service.deliver();
      mails.mails.length = 0;
      await domain.accounts.setSubscribed(address, true, 'operator');
      await service.deliver();
      expect(mails.mails.map(({ envelope }) => envelope.to)).to.deep.equal([[address]]);
    });

    it('need a fresh sign-in for another address', async () => {
      const { browser, email } = await verified();
      await service.database.execute('UPDATE sessions SET authenticated_at = authenticated_at - 3600000', {});
      const refused = await browser.submit('/account', '/account/address', { email: newEmail() });
      expect(refused.status).to.equal(403);
      expect((await browser.submit('/account', '/account/address', { email })).status).to.equal(200);
    });
  });

  describe('that invite', () => {
    beforeEach(() => start());

    it('go to the address alone, and confirm it with the first password', async () => {
      const { browser: admin, email: own } = await signedUp();
      await domain.accounts.setAdmin(own, true, 'operator');
      const email = newEmail();
      const done = await admin.submit('/admin', '/admin/invite', { email, mail: 'on' });
      expect(visibleText(done)).to.include('The link is on its way by mail.');
      expect(done.text).not.to.include('/invite/');
      const [mail] = await mailsTo(email);
      expect(mail?.subject).to.equal('You are invited to hushpush');
      const link = await linkTo(email);
      const browser = await openFormBrowser(api);
      await browser.submit(link, link, { next });
      expect((await browser.get('/account')).status).to.equal(200);
      expect(await domain.mailLinks.isVerified(await domain.accounts.find(email))).to.equal(true);
    });

    it('confirm nothing when they were handed over', async () => {
      const { account } = await createAccount(domain);
      const link = `/invite/${await domain.passwordLinks.create(account.email, 'invite', 'operator')}`;
      await (await openFormBrowser(api)).submit(link, link, { next });
      expect(await domain.mailLinks.isVerified(account)).to.equal(false);
    });

    it('end with the first password', async () => {
      const { account } = await createAccount(domain);
      await domain.passwordLinks.mailInvitation(account.email, 'de', 'operator');
      await domain.passwordLinks.setPassword(account.email, next);
      expect(await mailsTo(account.email)).to.deep.equal([]);
      expect(await refusal(domain.passwordLinks.mailInvitation(account.email, 'de', 'operator'))).to.match(
        /has a password already/,
      );
    });
  });

  describe('where whoever signs up confirms their address', () => {
    beforeEach(() => start({ SIGN_UP: 'verified' }));

    it('create the account at the click, so that nobody takes the address of somebody else', async () => {
      const browser = await openFormBrowser(api);
      const email = newEmail();
      const asked = await browser.submit('/sign-up', '/sign-up', { email });
      expect(visibleText(asked)).to.include('A mail is on its way');
      expect(await domain.accounts.exists(email)).to.equal(false);
      const link = await linkTo(email);
      const short = await browser.submit(link, link, { password: 'short' });
      expect([short.status, await domain.accounts.exists(email)]).to.deep.equal([422, false]);
      await browser.submit(link, link, { password: next });
      expect((await browser.get('/account')).status).to.equal(200);
      expect(await domain.mailLinks.isVerified(await domain.accounts.find(email))).to.equal(true);
      expect((await browser.get(link)).status).to.equal(404);
    });

    it('answer alike where there is an account, whose owner is told', async () => {
      const { account } = await createAccount(domain);
      const pages = [];
      for (const email of [account.email, newEmail()]) {
        const asked = await (await openFormBrowser(api)).submit('/sign-up', '/sign-up', { email });
        pages.push([asked.status, asked.text.replaceAll(/nonce="[^"]*"/g, '')]);
      }
      expect(pages[0]).to.deep.equal(pages[1]);
      const [told] = await mailsTo(account.email);
      expect(told?.subject).to.equal('You have an account already');
      expect(told?.text).to.include('http://push.test/sign-in');
    });
  });

  it('are limited for an address, whoever asks, and for who asks', async () => {
    await start({ RATE_LIMITS: 'on', LIMIT_MAIL_BY_ADDRESS: '2/1h', LIMIT_ASKED_MAIL: '5/1h' });
    const email = newEmail();
    const statuses = [];
    for (let count = 0; count < 3; count++) statuses.push((await askForReset(email)).status);
    for (let count = 0; count < 3; count++) statuses.push((await askForReset(newEmail())).status);
    expect(statuses).to.deep.equal([200, 200, 429, 200, 200, 429]);
  });

  it('are not there without a mail server', async () => {
    await start({ SMTP_URL: '', MAIL_FROM: '' });
    const { browser } = await signedUp();
    expect(visibleText(await browser.get('/account'))).not.to.include('is not confirmed');
    expect((await api.get('/sign-in')).text).not.to.include('/reset');
    for (const path of ['/reset', `/verify/${'x'.repeat(43)}`, `/sign-up/${'x'.repeat(43)}`])
      expect((await api.get(path)).status, path).to.equal(404);
  });
});
