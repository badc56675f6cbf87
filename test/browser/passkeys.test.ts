import { expect } from 'chai';
import { startBrowser, type TestBrowser, type TestPage, usePages } from '../harness/browser.ts';
import { freePort } from '../harness/mariadb.ts';
import { password } from '../harness/pages.ts';
import { newEmail, startService, type TestService } from '../harness/service.ts';
import { until } from '../harness/until.ts';
import { attachDevice } from '../harness/virtualDevice.ts';

const factorsPage = '/account/second-factor';

describe('Passkeys in a browser', () => {
  let browser: TestBrowser;
  let service: TestService;
  let site: string;

  before(async function () {
    browser = await startBrowser(this);
    const port = await freePort();
    site = `http://localhost:${port}/hush`;
    service = await startService({ PORT: String(port), BASE_URL: site });
  });
  after(async () => {
    await browser?.close();
    await service?.stop();
  });

  const openPage = usePages(() => browser);

  /** A browser with a device at hand. With `isOffering`, it offers passkeys where an address is typed, and their owner takes them at once. */
  async function open({ isKey = false, isOffering = false } = {}) {
    const page = await openPage();
    page.context.setDefaultTimeout(60_000);
    if (!isOffering)
      await page.page.addInitScript(
        'PublicKeyCredential.isConditionalMediationAvailable = async () => false',
      );
    const cdp = await page.context.newCDPSession(page.page);
    await cdp.send('WebAuthn.enable');
    return { page, cdp, device: await attachDevice(cdp, { isKey }) };
  }
  type Opened = Awaited<ReturnType<typeof open>>;

  const isAccessible = async (page: TestPage, name: string) =>
    expect(await page.accessibilityViolations(), name).to.deep.equal([]);

  async function signIn(page: TestPage, email: string) {
    await page.goto(`${site}/sign-in`);
    await page.fill('E-mail address', email);
    await page.fill('Password', password);
    await page.click('Sign in');
  }

  const press = (page: TestPage) => page.page.getByRole('button', { name: 'Use a passkey' }).click();

  async function signInByPasskey(page: TestPage) {
    await page.goto(`${site}/sign-in`);
    await press(page);
    await page.page.waitForURL(`${site}/pushes`);
  }

  async function signOut(page: TestPage) {
    await page.goto(`${site}/account`);
    await page.click('Sign out');
  }

  /** Somebody with a passkey, signed in. */
  async function newPerson(how = {}) {
    const email = newEmail();
    const account = await service.domain.accounts.create({ email, password });
    const at = await open(how);
    await signIn(at.page, email);
    await add(at, 'Laptop');
    return { email, account, ...at };
  }

  async function add({ page }: Pick<Opened, 'page'>, name: string) {
    await page.goto(site + factorsPage);
    await page.click('Add a passkey');
    await page.fill('Name', name);
    await page.click('Create the passkey');
    await page.page.waitForURL((url) => !url.pathname.endsWith('/new'));
  }

  it('are added by name, with recovery codes for the first, and removed', async () => {
    const { page, device, account } = await newPerson();
    expect(await page.text()).to.include('Your recovery codes');
    expect(await device.credentials()).to.have.length(1);
    await page.goto(site + factorsPage);
    const text = await page.text();
    expect(text).to.include('Laptop').and.to.include('On one device').and.to.include('Codes left: 10');
    await isAccessible(page, 'the page of factors');
    await page.click('Add a passkey');
    await isAccessible(page, 'the page of a new passkey');
    await page.fill('Name', 'Again');
    await page.click('Create the passkey');
    await page.page.getByText('This device has a passkey of your account already.').waitFor();
    await page.goto(site + factorsPage);
    await page.page.getByText('Remove', { exact: true }).click();
    await page.click('Remove the passkey Laptop');
    expect(await page.text()).to.include('The factor is removed.');
    expect(await service.domain.passkeys.list(account)).to.deep.equal([]);
  });

  it('sign in alone, by a button', async () => {
    const { page, email } = await newPerson();
    await signOut(page);
    await page.goto(`${site}/sign-in?next=${encodeURIComponent('/account')}`);
    await isAccessible(page, 'the page to sign in');
    await press(page);
    await page.page.waitForURL(`${site}/account`);
    expect(await page.text()).to.include(email);
  });

  it('are offered where the e-mail address is typed', async () => {
    const { page, account } = await newPerson({ isOffering: true });
    await page.goto(`${site}/account`);
    await page.page.getByRole('button', { name: 'Sign out' }).click();
    await page.page.waitForURL(`${site}/pushes`); // the device takes what the page of the sign-in offers
    const [session] = await service.domain.sessions.list(account);
    expect(session).to.include({ way: 'passkey', wayName: 'Laptop' });
  });

  it('are offered anew before the challenge is too old, by a clock of the test', async () => {
    const { page, device } = await newPerson({ isOffering: true });
    await device.setPresence(false);
    const asked = () => page.requests().filter((url) => url.endsWith('/passkeys/challenge')).length;
    await page.goto(`${site}/account`);
    const before = asked();
    await page.page.clock.install();
    await page.page.getByRole('button', { name: 'Sign out' }).click();
    await until(() => asked() - before === 1);
    await page.page.clock.fastForward('03:50');
    expect(asked() - before, 'not before it is time').to.equal(1);
    for (const times of [2, 3]) {
      await page.page.clock.fastForward('04:00');
      await until(() => asked() - before === times);
    }
    await device.setPresence(true);
    await page.page.clock.fastForward('04:00');
    await page.page.waitForURL(`${site}/pushes`); // with what was asked for last
  });

  it('say so if nobody touched them, and can be tried again', async () => {
    const { page, device } = await newPerson();
    await signOut(page);
    await device.setVerified(false);
    await page.goto(`${site}/sign-in`);
    await press(page);
    await page.page.getByText('No passkey was used').waitFor();
    await device.setVerified(true);
    await press(page);
    await page.page.waitForURL(`${site}/pushes`);
  });

  for (const isKey of [false, true])
    it(`are asked for after the password${isKey ? ', also on keys that cannot do more' : ''}`, async () => {
      const { page, email } = await newPerson({ isKey });
      await signOut(page);
      await signIn(page, email);
      expect(await page.text())
        .to.include('Second step')
        .and.to.include('I do not have my second factor');
      await isAccessible(page, 'the second step');
      await press(page);
      await page.page.waitForURL(`${site}/pushes`);
    });

  it('confirm who is there, and what was entered goes on', async () => {
    const { page } = await newPerson();
    await page.goto(`${site}/account/tokens`);
    await service.database.execute('UPDATE sessions SET authenticated_at = authenticated_at - 660000', {});
    await page.fill('Name', 'from a passkey');
    await page.click('Create token');
    expect(await page.text()).to.include('Confirm that it is you');
    await isAccessible(page, 'the page that asks who is there');
    await press(page);
    await page.page.getByText('hp_').first().waitFor();
    expect(await page.text()).to.include('from a passkey');
  });

  it('sign in from a copy of the device, which the security log tells', async () => {
    const { page, cdp, device, account } = await newPerson();
    const [copied] = await device.credentials();
    if (copied === undefined) throw new Error('there is no passkey');
    for (let at = 0; at < 2; at++) {
      await signOut(page);
      await signInByPasskey(page);
    }
    await device.remove();
    const copy = await attachDevice(cdp);
    await copy.add(copied);
    await signOut(page);
    await signInByPasskey(page);
    const [, event] = await service.domain.securityLog.list(account);
    expect(event).to.include({ kind: 'passkey_count_behind', detail: 'Laptop' });
    await page.goto(`${site}/account/security/log`);
    expect(await page.text()).to.include(
      'A passkey counted fewer uses than before: there may be a copy of it: Laptop',
    );
  });

  it('that were removed sign nobody in, and the page says so', async () => {
    const { page, account } = await newPerson();
    await service.database.execute('DELETE FROM passkeys WHERE account_id = $id', account);
    await signOut(page);
    await page.goto(`${site}/sign-in`);
    await press(page);
    await page.page.getByText('This passkey is not registered here').waitFor();
    await isAccessible(page, 'the page that says so');
    await page.goto(`${site}/account`);
    expect(page.page.url()).to.include('/sign-in');
  });

  it('of another account are no second step, and the page says so', async () => {
    const [one, other] = [await newPerson(), await newPerson()];
    const [theirs] = await other.device.credentials();
    if (theirs === undefined) throw new Error('there is no passkey');
    await signOut(one.page);
    await signIn(one.page, one.email);
    await one.device.add(theirs);
    const id = Buffer.from(theirs.credentialId, 'base64').toString('base64url');
    await one.page.page.locator('[data-passkey]').evaluate(
      `(form => {
        const options = JSON.parse(form.dataset.passkey);
        options.allowCredentials[0].id = '${id}';
        form.dataset.passkey = JSON.stringify(options);
      })(document.querySelector('[data-passkey]'))`,
    );
    await press(one.page);
    await one.page.page.getByText('This is not a passkey of your account').waitFor();
    await press(one.page);
    await one.page.page.waitForURL(`${site}/pushes`);
  });

  it('answer a challenge once: what was sent before signs nobody in, and the page says so', async () => {
    const { page } = await newPerson();
    await signOut(page);
    let sent = '';
    page.page.on('request', (request) => {
      if (request.url().endsWith('/passkeys/sign-in')) sent = String(request.postData());
    });
    await signInByPasskey(page);
    await signOut(page);
    await page.goto(`${site}/sign-in`);
    const passkey = JSON.stringify(new URLSearchParams(sent).get('passkey'));
    await page.page.evaluate(
      `(form => { form.querySelector('[data-answer]').value = ${passkey}; form.submit(); })(document.querySelector('[data-passkey]'))`,
    );
    await page.page.getByText('was sent twice').waitFor();
  });

  it('are hidden without scripts, and in browsers that know none', async () => {
    const plain = await openPage(undefined, { scripts: false });
    await plain.goto(`${site}/sign-in`);
    const field = plain.page.getByLabel('E-mail address');
    expect(await field.getAttribute('autocomplete')).to.equal('username webauthn');
    expect(await plain.page.getByRole('button', { name: 'Use a passkey' }).isVisible()).to.equal(false);
    const old = await openPage();
    await old.page.addInitScript('delete window.PublicKeyCredential');
    await old.goto(`${site}/sign-in`);
    expect(await old.page.getByRole('button', { name: 'Use a passkey' }).isVisible()).to.equal(false);
    expect(old.requests().filter((url) => url.includes('/passkeys/'))).to.deep.equal([]);
  });
});
