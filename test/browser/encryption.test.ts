import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import encodeQr from 'qr';
import { createClient, encryptPush, findKey } from '../../src/client/client.ts';
import { sealFile, sealSecret } from '../../src/client/encryption.js';
import { createKey, keyBytes } from '../../src/client/linkKey.js';
import { preformatted } from '../../src/web/components/longText.ts';
import { type TestPage, usePages } from '../harness/browser.ts';
import { chatCaller, dumpDatabase, newChatUser } from '../harness/chat.ts';
import { onMariadb } from '../harness/database.ts';
import { mistypedLinks } from '../harness/mistypedLinks.ts';
import { startProxy, type TcpProxy } from '../harness/proxy.ts';
import { type Site, startSite } from '../harness/site.ts';

const holdButton = 'Hold to open';
const kibibyte = 1024;

// Browsers do not depend on the database, so this runs once.
const describeOnce = onMariadb ? describe : () => {};

describeOnce('Encryption in the browser', () => {
  let proxy: TcpProxy;
  let site: Site;
  let base: string;
  let received: Buffer[];

  before(async function () {
    received = [];
    proxy = await startProxy({ onPair: ({ client }) => client.on('data', (bytes) => received.push(bytes)) });
    base = `http://127.0.0.1:${proxy.port}/hush`;
    site = await startSite(this, { BASE_URL: base, FILES: 'everyone' });
    proxy.retarget({ host: '127.0.0.1', port: site.service.port });
  });
  beforeEach(() => {
    received = [];
  });
  after(async () => {
    await site?.stop();
    await proxy?.close();
  });

  const openPage = usePages(() => site.browser);

  type NewSecret = { kind?: string; text?: string; files?: Record<string, Buffer>; passphrase?: string };

  /** Fills in the form of a new push, and submits it with encryption. */
  async function submit(
    page: TestPage,
    { kind = 'text', text = '', files = {}, passphrase = '' }: NewSecret,
  ) {
    await page.page.locator('.more > summary').click();
    if (kind !== 'file') await page.page.locator('#kind').selectOption(kind);
    await page.page.locator('#payload').fill(text);
    await page.page.locator('#passphrase').fill(passphrase);
    const chosen = Object.entries(files).map(([name, buffer]) => ({ name, mimeType: 'text/plain', buffer }));
    if (chosen.length > 0) await page.page.locator('#files').setInputFiles(chosen);
    await page.page.getByLabel('Encrypt it in this browser').check();
    await page.page.locator('#new-push [type=submit]:not([name])').click();
  }

  /** Creates a push in a browser, and returns the link on the page that follows. */
  async function create(secret: NewSecret): Promise<{ page: TestPage; link: string; key: string }> {
    const page = await openPage(`${base}/`);
    await submit(page, secret);
    await page.page.locator('#with-key').waitFor();
    const link = await page.page.locator('#link').inputValue();
    return { page, link, key: link.split('#')[1] ?? '' };
  }

  /** Creates a push as a program does, and returns its whole link. */
  async function push(payload: string, fields: object = {}): Promise<string> {
    const { push, key } = await encryptPush({ payload });
    return `${await site.push({ ...push, expire_after_views: 1, ...fields })}#${key}`;
  }

  /** The revealed text, once it is decrypted. */
  async function secretOn({ page }: TestPage): Promise<string | null> {
    await page.locator('#decrypted').waitFor();
    return page.locator('#secret').textContent();
  }

  async function reveal(link: string): Promise<TestPage> {
    const page = await openPage(link);
    await page.hold(holdButton);
    return page;
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

  it('carries a text to whoever has the link, and the service learns neither text nor key', async () => {
    const text = 'tulips are redder than roses\n\u0000<b>&amp;</b> \u{1f337}\n';
    const { page, link, key } = await create({ text });
    expect(link).to.match(/\/hush\/p\/\w{26}#2[01][0-9a-v]{51}$/);
    expect(page.page.url()).to.match(/\/created\/\w{8}$/);
    const viewer = await reveal(link);
    expect(await secretOn(viewer)).to.equal(text);
    expect(viewer.page.url()).to.equal(link);
    await expectUnknown('tulips are redder', key, keyBytes(key));
  });

  it('puts the whole link into the field, the message, the e-mail and the QR code', async () => {
    const { page, link } = await create({ text: 'tulip' });
    expect(await page.page.locator('#message').inputValue()).to.include(link);
    const mail = await page.page.locator('a[href^="mailto:"]').getAttribute('href');
    expect(decodeURIComponent(mail ?? '')).to.include(link);
    const dark = encodeQr(link, 'raw', { ecc: 'medium', border: 4 }).flat().filter(Boolean).length;
    await page.page.waitForFunction((count) => {
      const runs =
        document
          .querySelectorAll('.qr path')[1]
          ?.getAttribute('d')
          ?.matchAll(/h(\d+)v1/g) ?? [];
      return [...runs].reduce((sum, [, length]) => sum + Number(length), 0) === count;
    }, dark);
    expect(await page.accessibilityViolations()).to.deep.equal([]);
  });

  it('keeps the key in its tab alone: a reload shows the link again, another tab says that it is gone', async () => {
    const { page, link } = await create({ text: 'tulip' });
    await page.page.reload();
    await page.page.locator('#with-key').waitFor();
    expect(await page.page.locator('#link').inputValue()).to.equal(link);
    const other = await page.context.newPage();
    await other.goto(page.page.url());
    expect(await other.locator('main').innerText())
      .to.include('The key of this secret is not in this tab')
      .and.not.include('/p/');
  });

  it('carries files, their names and their sizes', async () => {
    const files = { 'id_tulip.pem': randomBytes(200_000), 'empty.txt': Buffer.alloc(0) };
    const { link, key } = await create({ kind: 'file', text: 'for your garden', files });
    const viewer = await reveal(link);
    expect(await secretOn(viewer)).to.equal('for your garden');
    expect(await viewer.page.locator('.files bdi').allTextContents()).to.deep.equal(Object.keys(files));
    expect(await viewer.text())
      .to.include('195.3 kB')
      .and.include('0 bytes');
    for (const [name, content] of Object.entries(files)) {
      const [download] = await Promise.all([
        viewer.page.waitForEvent('download'),
        viewer.page.getByText(name).click(),
      ]);
      expect(download.suggestedFilename()).to.equal(name);
      expect((await readFile(await download.path())).equals(content), name).to.equal(true);
    }
    await expectUnknown('id_tulip', 'for your garden', key, files['id_tulip.pem'].subarray(0, 24));
  });

  it('shows a link with its host, and a QR code, as what they are', async () => {
    const address = await create({ kind: 'url', text: 'example.com/path?a=1' });
    const viewer = await reveal(address.link);
    expect(await secretOn(viewer)).to.equal('https://example.com/path?a=1');
    expect(await viewer.text()).to.include('A link to example.com');
    const code = await create({ kind: 'qr', text: 'WIFI:S:tulip;;' });
    const scanned = await reveal(code.link);
    expect(await secretOn(scanned)).to.equal('WIFI:S:tulip;;');
    const size = encodeQr('WIFI:S:tulip;;', 'raw', { ecc: 'medium', border: 4 }).length;
    expect(await scanned.page.locator('svg.qr-code').getAttribute('viewBox')).to.equal(`0 0 ${size} ${size}`);
  });

  it('shows a secret of a mebibyte in the same pieces as one that the service can read, and copies it exactly', async () => {
    const payload = `tulip\r\n${'lorem ipsum '.repeat(1024 ** 2 / 12)}\r\n`;
    const viewer = await openPage(await push(payload), {
      contextOptions: { permissions: ['clipboard-read', 'clipboard-write'] },
    });
    await viewer.hold(holdButton);
    await secretOn(viewer);
    const html = await viewer.page.locator('#secret').evaluate((element) => element.innerHTML);
    expect(`\n${html}` === preformatted(payload).__html).to.equal(true);
    expect(await viewer.page.getByLabel('Wrap lines').isChecked()).to.equal(true);
    await viewer.click('Copy');
    expect((await viewer.page.evaluate('navigator.clipboard.readText()')) === payload).to.equal(true);
  });

  it('saves files under harmless names', async () => {
    const names = ['x\u202ecod.exe', '..\\..\\up.txt', 'CON.txt', 'dots. .', 'line\u2028break\u0000.txt'];
    const harmless = ['x_cod.exe', '.._.._up.txt', '_CON.txt', 'dots', 'line_break_.txt'];
    const files = names.map((filename) => ({ filename, content: new Blob(['tulip']) }));
    const { push, key } = await encryptPush({ payload: '', files });
    const client = createClient({ server: base });
    const { html_url } = await client.create({ ...push, retrieval_step: false });
    const viewer = await openPage(`${html_url}#${key}`);
    await viewer.page.locator('#decrypted').waitFor();
    expect(await viewer.page.locator('.files bdi').allTextContents()).to.deep.equal(harmless);
    for (const [index, name] of harmless.entries()) {
      const [saved, chosen] = await Promise.all([
        viewer.page.waitForEvent('download'),
        viewer.page.evaluate(`new Promise((resolve) => {
          const { click } = HTMLAnchorElement.prototype;
          HTMLAnchorElement.prototype.click = function () {
            HTMLAnchorElement.prototype.click = click;
            resolve(this.download);
            click.call(this);
          };
          document.querySelectorAll('.files a')[${index}].dispatchEvent(new MouseEvent('click', { cancelable: true }));
        })`),
      ]);
      expect(chosen).to.equal(name);
      expect(await readFile(await saved.path(), 'utf8')).to.equal('tulip');
    }
  });

  it('shows no file beside those in the secret, and says that they do not match', async () => {
    const files = ['rose.txt', 'forged.txt'].map((filename) => ({ filename, content: new Blob(['x']) }));
    const { push, key } = await encryptPush({ files });
    const payload = await sealSecret(key, {
      kind: 'file',
      text: 'tulip',
      files: [{ name: 'rose.txt', type: '' }],
    });
    const { html_url } = await createClient({ server: base }).create({
      ...push,
      payload,
      retrieval_step: false,
    });
    const viewer = await openPage(`${html_url}#${key}`);
    expect(await secretOn(viewer)).to.equal('tulip');
    expect(await viewer.page.locator('.files li').allTextContents()).to.deep.equal(['rose.txt1 byte']);
    expect(await viewer.text()).to.include('The files do not match what the sender encrypted');
  });

  it('refuses an address that is none before anything is sent', async () => {
    const page = await openPage(`${base}/`);
    await submit(page, { kind: 'url', text: 'no address' });
    expect(await page.page.evaluate('document.getElementById("payload").validationMessage')).to.include(
      'https://',
    );
    expect(String(Buffer.concat(received))).to.not.include('POST /hush/ ');
  });

  it('shows a sender’s hostile address as text', async () => {
    const { push, key } = await encryptPush({ payload: 'javascript:document.title="pwned"', kind: 'url' });
    const viewer = await reveal(`${await site.push(push)}#${key}`);
    expect(await secretOn(viewer)).to.include('javascript:');
    expect(await viewer.page.locator('#decrypted a').count()).to.equal(0);
  });

  it('uses no view for a link without its key, or with a part of it, and takes the whole link on the page', async () => {
    const link = await push('tulip');
    const [address = ''] = link.split('#');
    for (const incomplete of [address, link.slice(0, -1)]) {
      const page = await openPage(incomplete);
      await page.page.getByLabel('Key', { exact: true }).waitFor();
      expect(await page.text()).to.include('Nothing was used up');
      expect(await page.accessibilityViolations()).to.deep.equal([]);
      await page.hold(holdButton);
      expect(await site.viewsUsed(link)).to.equal(0);
    }
    const page = await openPage(address);
    await page.page.getByLabel('Key', { exact: true }).fill(link);
    await page.page.getByText('The key is complete').waitFor();
    await page.hold(holdButton);
    expect(await secretOn(page)).to.equal('tulip');
    await expectUnknown(link.split('#')[1] ?? '');
  });

  it('opens with a key that was copied badly, in the link and in the field', async () => {
    for (const [how, mistype] of Object.entries(mistypedLinks)) {
      if (!/followed by “(\.|\)|>|&gt;|%3E|<\/a>|%20| )”|capitals|encoded/.test(how)) continue;
      const link = await push('tulip');
      const page = await openPage(mistype(link));
      await page.page.locator('#key-field').waitFor({ state: 'hidden' });
      expect(new URL(page.page.url()).hash, how).to.equal(`#${link.split('#')[1]}`);
      await page.goto(link.split('#')[0] ?? '');
      await page.page.locator('#key').fill(mistype(link));
      await page.page.getByText('The key is complete.').waitFor();
    }
  });

  it('shows a secret whose link has the key of another once the right one is pasted', async () => {
    const link = await push('tulip');
    const page = await reveal(`${link.split('#')[0]}#${createKey()}`);
    await page.page.getByText('belongs to another secret').waitFor();
    expect(await page.accessibilityViolations()).to.deep.equal([]);
    await page.page.getByLabel('Key', { exact: true }).fill(link);
    await page.page.getByRole('button', { name: 'Decrypt it' }).click();
    expect(await secretOn(page)).to.equal('tulip');
    expect(await site.viewsUsed(link)).to.equal(1);
  });

  it('decrypts the only view again for its browser: after a reload, going back, and in a second tab', async () => {
    const link = await push('tulip');
    const page = await reveal(link);
    expect(await secretOn(page)).to.equal('tulip');
    await page.page.reload();
    expect(await secretOn(page)).to.equal('tulip');
    await page.page.goBack();
    expect(await secretOn(page)).to.equal('tulip');
    const second = await page.context.newPage();
    await second.goto(link);
    await second.locator('#decrypted').waitFor();
    expect(await second.locator('#secret').textContent()).to.equal('tulip');
    expect(await site.viewsUsed(link)).to.equal(1);
  });

  it('keeps the key through a wrong passphrase and another language', async () => {
    const { link } = await create({ text: 'tulip', passphrase: 'open sesame' });
    const page = await openPage(link);
    await page.page.getByRole('link', { name: 'Deutsch' }).click();
    const passphrase = page.page.getByLabel('Passphrase', { exact: true });
    await passphrase.fill('wrong');
    await page.hold(/Zum Öffnen halten/);
    expect(await page.text()).to.include('Passphrase');
    await passphrase.fill('open sesame');
    await page.hold(/Zum Öffnen halten/);
    expect(await secretOn(page)).to.equal('tulip');
  });

  it('opens to a word that is typed instead of the press', async () => {
    const link = await push('tulip');
    const page = await openPage(link);
    await page.page.getByRole('button', { name: 'I cannot press and hold' }).click();
    await page.page.waitForTimeout(600); // faster is no person
    await page.typeWord();
    await page.click('Show the secret');
    expect(await secretOn(page)).to.equal('tulip');
  });

  it('warns of a key for a secret that is not encrypted, before it opens and after, in both languages', async () => {
    const warnings = {
      en: 'This link has the key of an encrypted secret, but this secret is not encrypted',
      de: 'Dieser Link hat den Schlüssel eines verschlüsselten Geheimnisses, aber dieses Geheimnis ist nicht verschlüsselt',
    };
    for (const [locale, warning] of Object.entries(warnings)) {
      const link = await site.push({ payload: 'tulip' });
      const page = await openPage(`${link}?locale=${locale}#${createKey()}`);
      for (const step of ['before', 'after']) {
        await page.page.getByRole('alert').waitFor();
        expect(await page.text(), step).to.include(warning);
        expect(await page.accessibilityViolations()).to.deep.equal([]);
        if (step === 'before') await page.hold(/Hold to open|Zum Öffnen halten/);
      }
      expect(await page.page.locator('#secret').textContent()).to.equal('tulip');
    }
    const atOnce = await site.push({ payload: 'tulip', retrieval_step: false });
    const shown = await openPage(`${atOnce}#${createKey().replace(/^2/, '1')}`);
    await shown.page.getByRole('alert').waitFor();
    expect(await shown.text())
      .to.include(warnings.en)
      .and.include('tulip');
  });

  it('does not warn without a whole key, nor of a secret that is encrypted', async () => {
    for (const [link, isEncrypted] of [
      [await site.push({ payload: 'tulip' }), false],
      [`${await site.push({ payload: 'tulip' })}#${createKey().slice(0, -1)}`, false],
      [await push('tulip'), true],
    ] as const) {
      const page = await openPage(link);
      expect(await page.text()).to.not.include('is not encrypted');
      await page.hold(holdButton);
      if (isEncrypted) await secretOn(page);
      expect(await page.page.locator('#secret').textContent()).to.equal('tulip');
      expect(await page.text()).to.not.include('is not encrypted');
    }
  });

  it('opens what was encrypted in version 1, with its files', async () => {
    const key = createKey().replace(/^2/, '1');
    const parts: Uint8Array[] = [];
    for await (const part of sealFile(key, 1, new Blob(['rose']).stream())) parts.push(part);
    const client = createClient({ server: base });
    const { html_url } = await client.create({
      payload: await sealSecret(key, {
        kind: 'file',
        text: 'tulip',
        files: [{ name: 'rose.txt', type: '' }],
      }),
      files: [{ filename: 'encrypted-1', content: new Blob(parts as BlobPart[]) }],
      encrypted: true,
      retrieval_step: false,
    });
    const viewer = await openPage(`${html_url}#${key}`);
    expect(await secretOn(viewer)).to.equal('tulip');
    expect(await viewer.text()).to.include('4 bytes');
    const [download] = await Promise.all([
      viewer.page.waitForEvent('download'),
      viewer.page.getByText('rose.txt').click(),
    ]);
    expect(await readFile(await download.path(), 'utf8')).to.equal('rose');
  });

  it('uses no view where a browser cannot decrypt: without scripts, and without HTTPS', async () => {
    const link = await push('tulip');
    const scriptless = await openPage(link, { scripts: false });
    expect(await scriptless.text()).to.include('your browser needs JavaScript');
    expect(await scriptless.page.getByRole('button', { name: 'Show the secret' }).isVisible()).to.equal(
      false,
    );
    const insecure = await openPage();
    await insecure.context.addInitScript('Object.defineProperty(crypto, "subtle", { value: undefined })');
    await insecure.goto(link);
    await insecure.page.getByText('only under an address with https://').waitFor();
    await insecure.hold(holdButton);
    expect(await site.viewsUsed(link)).to.equal(0);
    await insecure.goto(`${base}/`);
    await insecure.page.locator('.more > summary').click();
    expect(await insecure.page.getByLabel('Encrypt it in this browser').isVisible()).to.equal(false);
  });

  it('shows what is wrong with a form, with everything that was entered, and then takes it', async () => {
    const page = await openPage(`${base}/`);
    await page.page.evaluate('document.querySelector("[name=views] :checked").value = 101');
    await submit(page, { text: 'tulip' });
    await page.page.locator('#views-problem').waitFor();
    expect(await page.page.locator('#payload').inputValue()).to.equal('tulip');
    await page.page.locator('[name=views]').selectOption('2');
    await page.page.locator('#new-push [type=submit]:not([name])').click();
    await page.page.locator('#with-key').waitFor();
    await expectUnknown('tulip');
  });

  it('gives whoever composes for recipients of a chat the key to pass on', async () => {
    const { chat } = site.service.domain;
    const bob = newChatUser();
    const { token, save } = chat.prepareComposeLink({ ...chatCaller(newChatUser()), recipients: [bob] });
    await save();
    const page = await openPage(`${base}/compose/${token}`);
    await submit(page, { text: 'tulip' });
    await page.page.locator('#with-key').waitFor();
    const key = await page.page.getByLabel('The key').inputValue();
    expect(findKey(key)).to.equal(key);
    expect(await page.text())
      .to.include('Their links do not contain the key')
      .and.not.include('/p/');
    await expectUnknown(key, 'tulip');
  });

  it('loads the retrieval step of an encrypted push in one request of at most 20 KiB', async () => {
    const page = await openPage();
    const response = await page.goto(await push('tulip'));
    await page.page.waitForLoadState('networkidle');
    const bytes = Buffer.byteLength(String(await response?.text()));
    expect(bytes).to.be.at.most(20 * kibibyte);
    expect(page.requests().filter((url) => !url.endsWith('.svg') && !/icon\.svg/.test(url))).to.have.length(
      1,
    );
    console.log(`      ${(bytes / kibibyte).toFixed(1)} KiB`);
  });
});
