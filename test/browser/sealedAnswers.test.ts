import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { keyBytes } from '../../src/client/linkKey.js';
import { createOpeningKey } from '../../src/client/sealing.js';
import type { Account, RequestLink } from '../../src/domain/index.ts';
import type { PageOptions, TestPage } from '../harness/browser.ts';
import { dumpDatabase } from '../harness/chat.ts';
import { startProxy } from '../harness/proxy.ts';
import { byPassword, createAccount, newEmail, someClient } from '../harness/service.ts';
import { type Site, startSite } from '../harness/site.ts';
import { attachDevice } from '../harness/virtualDevice.ts';
import { variants, widthMax } from './variants.ts';

const shots = process.env.SHOTS;
const passphrase = 'correct horse battery';

/** A browser that does not know X25519, as those before 2025. */
const withoutX25519 = `for (const name of ['importKey', 'generateKey', 'deriveBits']) {
  const known = SubtleCrypto.prototype[name];
  SubtleCrypto.prototype[name] = function (...args) {
    if (args.some((arg) => arg === 'X25519' || arg?.name === 'X25519' || arg?.crv === 'X25519'))
      return Promise.reject(new DOMException('unknown', 'NotSupportedError'));
    return known.apply(this, args);
  };
}`;

/** A browser that does not wait for minutes until somebody touches a device. */
const impatient = `{
  const { get } = CredentialsContainer.prototype;
  CredentialsContainer.prototype.get = function ({ publicKey, ...how }) {
    return get.call(this, { ...how, publicKey: { ...publicKey, timeout: 3_000 } });
  };
}`;

/** A password manager that goes on after it was told to stop, until `release`. */
const slow = `{
  const { get } = CredentialsContainer.prototype;
  CredentialsContainer.prototype.get = async function ({ publicKey }) {
    const credential = await get.call(this, { publicKey });
    await new Promise((resolve) => (window.release = resolve));
    return credential;
  };
}`;

/** Passes on what passkeys return to pages, as `secretOfPasskey`. */
const tellingSecrets = `{
  const { getClientExtensionResults } = PublicKeyCredential.prototype;
  PublicKeyCredential.prototype.getClientExtensionResults = function () {
    const results = getClientExtensionResults.call(this);
    const { first } = results.prf?.results ?? {};
    if (first) secretOfPasskey([...new Uint8Array(first)]);
    return results;
  };
}`;

describe('A sealed request link in a browser', () => {
  let base: string;
  let site: Site;
  let proxy: Awaited<ReturnType<typeof startProxy>>;
  let received: Buffer[] = [];
  let ann: Account;
  let cookie: string;
  let open: TestPage[];

  before(async function () {
    proxy = await startProxy({ onPair: ({ client }) => client.on('data', (bytes) => received.push(bytes)) });
    base = `http://localhost:${proxy.port}/hush`; // a name, which passkeys need
    site = await startSite(this, {
      BASE_URL: base,
      MAX_FILE_MIB: '101',
      MAX_UPLOAD_MIB: '202',
      MAX_FILES: '4',
    });
    proxy.retarget({ host: '127.0.0.1', port: site.service.port });
    const { domain } = site.service;
    ({ account: ann } = await createAccount(domain, 'ann@example.com', { subscribed: true }));
    cookie = await domain.sessions.create({ id: ann.id }, someClient, byPassword);
  });
  beforeEach(() => {
    received = [];
    open = [];
  });
  afterEach(async () => {
    const problems = open.flatMap((page) => page.problems());
    await Promise.all(open.map((page) => page.close()));
    expect(problems).to.deep.equal([]);
  });
  after(async () => {
    await site?.stop();
    await proxy?.close();
  });

  const links = () => site.service.domain.requestLinks;
  const answersTo = ({ id }: RequestLink) => links().listAnswers({ account: ann }, id);

  async function newPage(options: PageOptions = {}): Promise<TestPage> {
    const page = await site.browser.open(options);
    page.page.setDefaultTimeout(15_000);
    open.push(page);
    return page;
  }

  /** A page of Ann, who is signed in. */
  async function owner(options: PageOptions = {}, session = cookie): Promise<TestPage> {
    const page = await newPage(options);
    await page.context.addCookies([{ name: 'hushpush-session', value: session, url: base }]);
    return page;
  }

  /** A page of somebody with a passkey on a device at hand. */
  async function ownerWithPasskey({ hasPrf = true, ...options }: PageOptions & { hasPrf?: boolean } = {}) {
    const { domain } = site.service;
    const { account } = await createAccount(domain, newEmail(), { subscribed: true });
    const page = await owner(options, await domain.sessions.create(account, someClient, byPassword));
    const cdp = await page.context.newCDPSession(page.page);
    await cdp.send('WebAuthn.enable');
    const device = await attachDevice(cdp, { hasPrf });
    await addPasskey(page, 'Laptop');
    return { account, page, cdp, device };
  }

  async function addPasskey(page: TestPage, name: string): Promise<void> {
    await page.goto(`${base}/account/second-factor`);
    await page.page.locator('form[action$="/passkeys/new"] button').click();
    await page.page.locator('#name').fill(name);
    await page.page.locator('form[data-passkey] button').click();
    await page.page.waitForURL((url) => !url.pathname.endsWith('/new'));
  }

  /** The page of a link, in a tab of its owner that does not have its key. */
  async function lockedPage(page: TestPage, { id }: RequestLink): Promise<void> {
    await page.page.evaluate(() => sessionStorage.clear());
    await page.goto(`${base}/requests/links/${id}`);
    await page.page.locator('#unlock').waitFor();
  }

  type NewLink = { account?: Account; answers?: number; by?: 'link' | 'passkey' | 'passphrase' | 'server' };

  /** Creates a link as people do. `own` is empty unless a link opens its answers. */
  async function create(page: TestPage, { account = ann, answers = 1, by = 'link' }: NewLink = {}) {
    await fill(page, { answers, by });
    await page.page.locator('main button[type=submit]').click();
    return created(page, { account, by });
  }

  async function fill(page: TestPage, { answers = 1, by = 'link' }: NewLink): Promise<void> {
    await page.goto(`${base}/requests/links/new`);
    await page.page.locator('#title').fill('The password of the web shop');
    await page.page.locator('#answers').fill(String(answers));
    await page.page.locator('#sealing').selectOption(by);
    if (by === 'passphrase') await page.page.locator('#opening-passphrase').fill(passphrase);
  }

  async function created(page: TestPage, { account = ann, by = 'link' }: NewLink) {
    await page.page.waitForURL(/requests\/links\/[0-9a-f]{32}/);
    await page.page.locator('#whole-link').waitFor();
    if (by === 'link') await page.page.locator('#own-link').waitFor();
    const own = by === 'link' ? await page.page.locator('#own').inputValue() : '';
    const [stored] = await links().list({ account });
    return { page, own, link: await page.page.locator('#link').inputValue(), stored: stored as RequestLink };
  }

  async function hold(page: TestPage): Promise<void> {
    const name = /^(Hold to send|Zum Senden halten)$/;
    await page.page.getByRole('button', { name }).scrollIntoViewIfNeeded();
    await page.hold(name);
  }

  async function answer(link: string, text: string, page?: TestPage): Promise<TestPage> {
    const sender = page ?? (await newPage());
    await sender.goto(link);
    await sender.page.locator('#payload').fill(text);
    await hold(sender);
    return sender;
  }

  const openButton = ({ page }: TestPage) => page.locator('.list a.button');
  const receiptOn = async ({ page }: TestPage) => (await page.locator('.receipt').textContent()) ?? '';

  /** The page of a link, in a browser that has nothing but its owner's own link. */
  async function unlocked(own: string): Promise<TestPage> {
    const page = await owner();
    await page.goto(own);
    await openButton(page).first().waitFor();
    return page;
  }

  /** What the first answer holds, opened as its recipient does. */
  async function opened(page: TestPage): Promise<string | null> {
    await openButton(page).first().click();
    await page.hold('Hold to open');
    await page.page.locator('#decrypted').waitFor();
    return page.page.locator('#secret').textContent();
  }

  /** That nothing which the service received, stored or logged holds any of these. */
  async function expectUnknown(...secrets: (string | Uint8Array)[]): Promise<void> {
    const places = {
      requests: Buffer.concat(received).toString('latin1'),
      database: await dumpDatabase(site.service),
      log: site.service.logged(),
    };
    for (const [place, content] of Object.entries(places)) {
      expect(content, place).to.have.length.above(1_000);
      for (const secret of secrets)
        for (const encoding of ['latin1', 'hex', 'base64', 'base64url'] as const)
          expect(content.includes(Buffer.from(secret).toString(encoding)), `${place}: ${secret}`).to.equal(
            false,
          );
    }
  }

  it('opens answers by the link that was shown once, and the server learns nothing of them', async () => {
    const { link, own, stored } = await create(await owner());
    expect(link).to.match(/\/a\/\w{26}#sealed-1[01][0-9a-v]{51}$/);
    expect(own).to.match(/\/requests\/links\/[0-9a-f]{32}#2[01][0-9a-v]{51}$/);
    const sender = await answer(link, 'tulips are redder than roses');
    await sender.page.waitForURL(/\/receipt\//);
    const receipt = await receiptOn(sender);
    expect(receipt).to.match(/^(?:[0-9a-z]{5}-){2}[0-9a-z]{5}$/);
    const page = await unlocked(own);
    expect(await page.text()).to.include(receipt);
    const href = (await page.page.locator('.list a.button').getAttribute('href')) ?? '';
    const key = href.split('#')[1] ?? '';
    await expectUnknown('tulips are redder', key, keyBytes(key), own.split('#')[1] ?? '');
    expect(await opened(page)).to.equal('tulips are redder than roses');
    expect((await answersTo(stored))[0]).to.include({ isWaiting: false, receipt });
  });

  it('shows the link that opens the answers once, also where the request goes by mail', async () => {
    const { page, own, stored } = await create(await owner());
    for (const [done, isShown] of [
      ['created_by_mail', true],
      ['closed', false],
    ] as const) {
      await page.goto(`${base}/requests/links/${stored.id}?done=${done}`);
      await page.page.locator('#whole-link').waitFor();
      expect(await page.page.locator('#own-link').isVisible(), done).to.equal(isShown);
      if (isShown) expect(await page.page.locator('#own').inputValue()).to.equal(own);
    }
  });

  it('opens answers by a passphrase, which the server does not get, and by no other', async () => {
    const { link, own, stored } = await create(await owner(), { by: 'passphrase' });
    expect(own).to.equal('');
    await answer(link, 'tulip');
    const page = await owner();
    await page.goto(`${base}/requests/links/${stored.id}`);
    expect(await page.page.locator('#whole-link').isVisible()).to.equal(false);
    await page.page.locator('#opening').fill('another passphrase');
    await page.click('Unlock');
    await page.page.getByText('That passphrase does not open the answers.').waitFor();
    await page.page.locator('#opening').fill(passphrase);
    await page.click('Unlock');
    await openButton(page).waitFor();
    await expectUnknown(passphrase);
    expect(await opened(page)).to.equal('tulip');
  });

  describe('by a passkey', () => {
    const by = 'passkey';
    const use = (page: TestPage) => page.page.getByRole('button', { name: 'Use the passkey' }).click();
    const submit = (page: TestPage) => page.page.locator('main button[type=submit]').click();

    it('opens answers, and the server learns neither its secret nor the key', async () => {
      const secrets: Buffer[] = [];
      const { account, page } = await ownerWithPasskey();
      await page.context.exposeFunction('secretOfPasskey', (bytes: number[]) =>
        secrets.push(Buffer.from(bytes)),
      );
      await page.context.addInitScript(tellingSecrets);
      const { link, own, stored } = await create(page, { account, by });
      expect(own).to.equal('');
      expect(stored.wrappedKey).to.match(/^prf\.[\w-]+\.[\w-]{43}\.A[\w-]+$/);
      const key = String(await page.page.evaluate(() => Object.values(sessionStorage)[0]));
      await answer(link, 'tulips are redder than roses');
      await lockedPage(page, stored);
      expect(await page.text()).to.include('They open only with your passkey “Laptop”.');
      await use(page);
      await openButton(page).waitFor();
      await expectUnknown('tulips are redder', key, keyBytes(key), ...secrets);
      expect(secrets.map((each) => each.length)).to.deep.equal([32, 32]);
      expect(secrets[0]?.equals(secrets[1] ?? Buffer.alloc(0))).to.equal(true);
      expect(await opened(page)).to.equal('tulips are redder than roses');
    });

    it('does not open them with another passkey of the account', async () => {
      const { account, page, cdp, device } = await ownerWithPasskey();
      const { stored } = await create(page, { account, by });
      await device.remove();
      const other = await attachDevice(cdp, { hasPrf: true });
      await addPasskey(page, 'Phone');
      await lockedPage(page, stored);
      await use(page);
      await page.page.getByText('No passkey was used').waitFor();
      const [mine] = String(stored.wrappedKey).split('.').slice(1);
      const [theirs] = await other.credentials();
      const id = Buffer.from(String(theirs?.credentialId), 'base64').toString('base64url');
      await page.page.route(/\/requests\/links\/[0-9a-f]{32}$/, async (route) => {
        const response = await route.fetch();
        await route.fulfill({ response, body: (await response.text()).replaceAll(String(mine), id) });
      });
      await lockedPage(page, stored);
      await use(page);
      await page.page.getByText('That passkey does not open the answers.').waitFor();
      expect(await page.page.locator('#whole-link').isVisible()).to.equal(false);
    });

    it('says before there is a link that a device cannot, and keeps what was entered', async () => {
      const { account, page } = await ownerWithPasskey({ hasPrf: false });
      await fill(page, { answers: 3, by });
      await submit(page);
      await page.page.getByText('this passkey cannot open answers in this browser').waitFor();
      expect(await links().list({ account })).to.deep.equal([]);
      expect(await page.accessibilityViolations()).to.deep.equal([]);
      await page.page.locator('#sealing').selectOption('link');
      expect(await page.text()).to.not.include('this passkey cannot');
      await submit(page);
      const { own, stored } = await created(page, { account });
      expect(own).to.include('#');
      expect(stored).to.include({ title: 'The password of the web shop', answersMax: 3, wrappedKey: null });
    });

    it('takes nothing for a secret that has another length', async () => {
      const { account, page } = await ownerWithPasskey();
      await page.context.addInitScript(`
        PublicKeyCredential.prototype.getClientExtensionResults = () =>
          ({ prf: { results: { first: new ArrayBuffer(0) } } });`);
      await fill(page, { by });
      await submit(page);
      await page.page.getByText('this passkey cannot open answers in this browser').waitFor();
      expect(await links().list({ account })).to.deep.equal([]);
    });

    it('says so if nobody touches it, loses nothing, and can be tried again', async () => {
      const { account, page, device } = await ownerWithPasskey();
      await page.context.addInitScript(impatient);
      await fill(page, { answers: 2, by });
      await device.setPresence(false);
      await submit(page);
      await page.page.getByText('No link was created, because no passkey was used').waitFor();
      expect(await page.page.locator('#title').inputValue()).to.equal('The password of the web shop');
      expect(await links().list({ account })).to.deep.equal([]);
      expect(await page.accessibilityViolations()).to.deep.equal([]);
      await device.setPresence(true);
      await page.page.keyboard.press('Enter'); // the button has the focus
      const { link, stored } = await created(page, { account, by });
      await answer(link, 'tulip');
      await lockedPage(page, stored);
      await device.setPresence(false);
      await use(page);
      await page.page.getByText('No passkey was used').waitFor();
      expect(await page.accessibilityViolations()).to.deep.equal([]);
      await device.setPresence(true);
      await use(page);
      expect(await opened(page)).to.equal('tulip');
    });

    it('gives way to another choice that is made while the browser asks', async () => {
      const { account, page, device } = await ownerWithPasskey();
      await device.setPresence(false);
      await fill(page, { by });
      await submit(page);
      await page.page.locator('main button[type=submit]:disabled').waitFor();
      await page.page.locator('#sealing').selectOption('link');
      await page.page.locator('#sealing').selectOption(by);
      await device.setPresence(true);
      await submit(page); // a browser asks for one passkey at a time
      expect((await created(page, { account, by })).stored.wrappedKey).to.match(/^prf\./);
    });

    it('is not used if it comes after another choice', async () => {
      const { account, page } = await ownerWithPasskey();
      await page.context.addInitScript(slow);
      await fill(page, { by });
      await submit(page);
      await page.page.waitForFunction('window.release');
      await page.page.locator('#sealing').selectOption('link');
      await page.page.evaluate('release()');
      await submit(page);
      const { own, stored } = await created(page, { account });
      expect(own).to.include('#');
      expect(stored).to.include({ wrappedKey: null });
      expect(await links().list({ account })).to.have.length(1);
    });

    it('is chosen by keyboard alone', async () => {
      const { account, page } = await ownerWithPasskey();
      await page.goto(`${base}/requests/links/new`);
      await page.page.locator('#title').fill('The password of the web shop');
      await page.page.locator('#sealing').focus();
      await page.page.keyboard.press('ArrowDown');
      expect(await page.text()).to.include('delete it from your device, nobody can open the answers');
      await page.page.keyboard.press('Tab');
      await page.page.keyboard.press('Enter');
      const { stored } = await created(page, { account, by });
      await lockedPage(page, stored);
      await page.page.getByRole('button', { name: 'Use the passkey' }).focus();
      await page.page.keyboard.press('Enter');
      await page.page.locator('#whole-link').waitFor();
    });

    it('is no choice without a passkey, or in a browser that knows no such secrets', async () => {
      const choices = async (page: TestPage) => {
        await page.goto(`${base}/requests/links/new`);
        return page.page
          .locator('#sealing option')
          .evaluateAll((all) => all.map((each) => each.getAttribute('value')));
      };
      expect(await choices(await owner())).to.deep.equal(['link', 'passphrase', 'server']);
      const { page } = await ownerWithPasskey();
      expect(await choices(page)).to.deep.equal(['link', 'passkey', 'passphrase', 'server']);
      await page.context.addInitScript(
        'PublicKeyCredential.getClientCapabilities = async () => ({ "extension:prf": false })',
      );
      expect(await choices(page)).to.deep.equal(['link', 'passphrase', 'server']);
    });

    it('is named where it can be removed, and opens what it did while the device has it', async () => {
      const { account, page } = await ownerWithPasskey();
      const { link, stored } = await create(page, { account, by });
      await answer(link, 'tulip');
      await page.goto(`${base}/account/second-factor`);
      expect(await page.text()).to.include('Opens answers to your request links');
      await page.page.getByText('Remove', { exact: true }).click();
      expect(await page.text()).to.include('Open the answers to your request links first');
      expect(await page.accessibilityViolations()).to.deep.equal([]);
      await page.click('Remove the passkey Laptop');
      await lockedPage(page, stored);
      expect(await page.text()).to.include('a passkey that was removed from your account');
      await use(page);
      expect(await opened(page)).to.equal('tulip');
    });
  });

  it('seals files with their names, and says what is wrong before it is entered again', async () => {
    const { link, own } = await create(await owner());
    const content = randomBytes(200_000);
    const sender = await newPage();
    await sender.goto(link);
    await sender.page.setInputFiles('#files', [
      { name: 'plan "für" Ann.bin', mimeType: 'application/octet-stream', buffer: content },
      { name: 'note.txt', mimeType: 'text/plain', buffer: Buffer.from('two roses in a file') },
    ]);
    await hold(sender);
    await sender.page.waitForURL(/\/receipt\//);
    await expectUnknown('für', 'note.txt', 'two roses in a file', content.subarray(0, 48));
    const page = await unlocked(own);
    await openButton(page).click();
    await page.hold('Hold to open');
    const [download] = await Promise.all([
      page.page.waitForEvent('download'),
      page.page.getByText('plan "für" Ann.bin').click(),
    ]);
    expect((await readFile(await download.path())).equals(content)).to.equal(true);
  });

  it('refuses in words, before anything is entered, keys that its link does not promise', async () => {
    const { link } = await create(await owner(), { answers: 3 });
    const { publicKeys } = await createOpeningKey();
    const unsealed = await links().create({ account: ann, client: someClient }, { title: 'x' });
    const swapped = (html: string) => html.replace(/data-keys="[^"]*"/, `data-keys="${publicKeys}"`);
    for (const path of [undefined, `/a/${unsealed.urlToken}`]) {
      const sender = await newPage();
      await sender.page.route(/\/a\/\w{26}$/, async (route) => {
        const response = await route.fetch(path === undefined ? {} : { url: base + path });
        await route.fulfill({ response, body: swapped(await response.text()) });
      });
      await sender.goto(link);
      await sender.page.getByText('Enter nothing here').waitFor();
      expect(await sender.page.locator('form#new-push').count()).to.equal(0);
      if (shots) await sender.screenshot(`${shots}/swapped.png`);
    }
    const cut = await newPage();
    await cut.goto(link.slice(0, -1));
    await cut.page.getByText('Your link is cut off').waitFor();
    expect(await cut.page.locator('form#new-push').count()).to.equal(0);
    if (shots) await cut.screenshot(`${shots}/cut.png`);
  });

  it('refuses in words an answer that was changed, is there twice, or has another receipt', async () => {
    const { link, own, stored } = await create(await owner(), { answers: 3 });
    for (const text of ['one', 'two']) await (await answer(link, text)).page.waitForURL(/\/receipt\//);
    const [first, second] = await answersTo(stored);
    const [one, two] = [first?.sealed, second?.sealed];
    const changes: Record<string, (html: string) => string> = {
      key: (html) => html.replace(String(one?.key), String(one?.key).replace(/.{9}$/, 'AAAAAAAAA')),
      answer: (html) => html.replace(String(one?.answerId), String(two?.answerId)),
      receipt: (html) => html.replace(`>${first?.receipt}<`, '>00000-00000-00000<'),
      replay: (html) =>
        html
          .replace(String(two?.key), String(one?.key))
          .replace(String(two?.answerId), String(one?.answerId))
          .replace(`>${second?.receipt}<`, `>${first?.receipt}<`),
    };
    for (const [name, change] of Object.entries(changes)) {
      const page = await owner();
      await page.page.route(/\/requests\/links\/[0-9a-f]{32}$/, async (route) => {
        const response = await route.fetch();
        await route.fulfill({ response, body: change(await response.text()) });
      });
      await page.goto(own);
      await page.page.getByText('Do not trust it').waitFor();
      expect(await openButton(page).count(), name).to.equal(1);
      if (shots) await page.screenshot(`${shots}/tampered-${name}.png`);
    }
    const other = await createOpeningKey();
    const page = await owner();
    await page.goto(own.replace(/#.*/, `#${other.openingKey}`));
    await page.page.getByText('do not belong together').waitFor();
    expect(await page.page.locator('#whole-link').isVisible()).to.equal(false);
  });

  it('says so when the server returns the receipt of another answer', async () => {
    const { link } = await create(await owner());
    const sender = await newPage();
    await sender.context.addInitScript(`{
      const { get } = Object.getOwnPropertyDescriptor(XMLHttpRequest.prototype, 'responseText');
      const other = /(<p class="receipt"[^>]*>)[^<]*/;
      Object.defineProperty(XMLHttpRequest.prototype, 'responseText', {
        get() { return get.call(this).replace(other, '$100000-00000-00000'); },
      });
    }`);
    await answer(link, 'tulip', sender);
    await sender.page.getByText('returned another receipt').waitFor();
    expect(await sender.page.locator('#payload').inputValue()).to.equal('tulip');
    if (shots) await sender.screenshot(`${shots}/receipt.png`);
  });

  it('says so when an answer has arrived whose response was lost, and another was entered since', async () => {
    for (const by of ['link', 'server'] as const) {
      const { link, stored } = await create(await owner(), { by });
      const sender = await newPage();
      const isSent = /\/a\/\w{26}$/;
      await sender.page.route(isSent, async (route) => {
        if (route.request().method() !== 'POST') return route.continue();
        await route.fetch({ maxRedirects: 0 });
        await route.fulfill({ contentType: 'text/html', body: '<main><p>The response was lost.</p></main>' });
      });
      await answer(link, 'tulip', sender);
      await sender.page.getByText('The response was lost.').waitFor();
      await sender.page.unroute(isSent);
      await sender.page.locator('#payload').fill('rose');
      await hold(sender);
      await sender.page.getByText('This one was not sent.').waitFor();
      const [{ receipt } = { receipt: null }, ...others] = await answersTo(stored);
      expect(others).to.be.empty;
      expect(await sender.text()).to.include(`its receipt is ${receipt}.`);
      expect(await sender.page.locator('#payload').inputValue()).to.equal('rose');
      await sender.page.locator('#payload').fill('tulip');
      await hold(sender);
      await sender.page.getByText('It was sent').waitFor();
      expect(await receiptOn(sender)).to.equal(receipt);
    }
  });

  it('lets the server encrypt for a browser that cannot seal, and says so before anything is entered', async () => {
    const { link, own } = await create(await owner(), { answers: 2 });
    const scriptless = await newPage({ scripts: false });
    await scriptless.goto(link);
    const told = (await scriptless.text()).indexOf(
      'Without scripts, your browser cannot seal it. This server encrypts it',
    );
    expect(told)
      .to.be.above(0)
      .and.below((await scriptless.text()).indexOf('Your secret'));
    if (shots) await scriptless.screenshot(`${shots}/noscript.png`);
    await scriptless.page.locator('#payload').fill('rose');
    await scriptless.typeWord();
    await scriptless.click('Send the secret');
    expect(await scriptless.text()).to.include('It was sent');
    const insecure = await newPage();
    await insecure.context.addInitScript('Object.defineProperty(crypto, "subtle", { value: undefined })');
    await insecure.goto(link);
    await insecure.page.getByText('This browser cannot seal it. This server encrypts it').waitFor();
    await answer(link, 'aster', insecure);
    expect(await insecure.text()).to.include('It was sent');
    const page = await owner();
    await page.goto(own);
    await page.page.getByText('Not sealed: this server encrypted it').first().waitFor();
    await openButton(page).first().click();
    expect(page.page.url()).to.match(/\/pushes\/\w{26}$/);
  });

  it('seals with P-256 where X25519 is missing, on either side', async () => {
    for (const old of ['sender', 'owner']) {
      const creator = await owner();
      if (old === 'owner') await creator.context.addInitScript(withoutX25519);
      const { link, own, stored } = await create(creator);
      expect(stored.publicKeys).to.have.length(old === 'owner' ? 87 : 131);
      const sender = await newPage();
      if (old === 'sender') await sender.context.addInitScript(withoutX25519);
      await answer(link, 'tulip', sender);
      await sender.page.waitForURL(/\/receipt\//);
      expect((await answersTo(stored))[0]?.sealed?.key).to.have.length(179);
      expect(await opened(await unlocked(own))).to.equal('tulip');
    }
  });

  it('leaves it to the server where its owner says so', async () => {
    const { link } = await create(await owner(), { by: 'server' });
    expect(link).to.match(/\/a\/\w{26}$/);
    const sender = await newPage();
    await sender.goto(link);
    expect(await sender.text()).to.include('Whoever runs the server could read it');
  });

  for (const variant of variants) {
    it(`has pages without barriers: ${variant.theme}, ${variant.device}, ${variant.locale}`, async () => {
      const check = async (page: TestPage, name: string) => {
        expect(await page.accessibilityViolations(), name).to.deep.equal([]);
        const width = await page.page.evaluate(() => document.documentElement.scrollWidth);
        expect(width, name).to.be.at.most(widthMax[variant.device]);
        if (shots) await page.screenshot(`${shots}/${name}-${variant.theme}.png`);
      };
      const page = await owner(variant);
      for (const by of ['link', 'passphrase'] as const) {
        await page.goto(`${base}/requests/links/new`);
        await page.page.locator('#sealing').selectOption(by);
        await check(page, `new-${by}`);
      }
      const { link, own } = await create(page, { answers: 2 });
      await check(page, 'created');
      const sender = await newPage(variant);
      await sender.goto(link);
      await check(sender, 'answer');
      await answer(link, 'tulip', sender);
      await sender.page.waitForURL(/\/receipt\//);
      await check(sender, 'sent');
      await sender.goto(link.slice(0, -2));
      await sender.page.locator('#not-sealed').waitFor();
      await check(sender, 'cut');
      await page.page.evaluate(() => sessionStorage.clear());
      await page.goto(own.replace(/#.*/, ''));
      await page.page.locator('#unlock').waitFor();
      await check(page, 'locked');
      await page.goto('about:blank');
      await page.goto(own);
      await openButton(page).waitFor();
      await check(page, 'answers');
      const { page: other, account } = await ownerWithPasskey(variant);
      const { stored } = await create(other, { account, by: 'passkey' });
      await other.goto(`${base}/requests/links/new`);
      await other.page.locator('#sealing').selectOption('passkey');
      await check(other, 'new-passkey');
      await lockedPage(other, stored);
      await check(other, 'locked-passkey');
    });
  }
});
