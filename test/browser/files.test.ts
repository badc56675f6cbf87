import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { safeFilename } from '../../src/client/safeFilename.js';
import type { Account } from '../../src/domain/index.ts';
import { type PageOptions, type TestPage, usePages } from '../harness/browser.ts';
import { chatCaller, countRows, newChatUser } from '../harness/chat.ts';
import { noStoredFiles, storedFiles } from '../harness/files.ts';
import { byPassword, createAccount, someClient } from '../harness/service.ts';
import { type Site, startSite } from '../harness/site.ts';
import { programMs, until } from '../harness/until.ts';
import { hostileWords } from './hostileWords.ts';
import { variants } from './variants.ts';

const mebibyte = 1024 * 1024;
describe('Files in a browser', () => {
  let site: Site;
  let ann: Account;
  let folder: string;

  before(async function () {
    site = await startSite(this, { MAX_FILE_MIB: '100', MAX_UPLOAD_MIB: '120', MAX_FILES: '4' });
    ({ account: ann } = await createAccount(site.service.domain, 'ann@example.com', { subscribed: true }));
    folder = await mkdtemp(join(tmpdir(), 'hushpush-'));
  });
  beforeEach(async () => {
    for (const table of ['files', 'download_grants', 'audit_rows', 'pushes'])
      await site.service.database.execute(`DELETE FROM ${table}`, {});
    for await (const { name } of site.service.fileStore.list('')) await site.service.fileStore.remove(name);
  });
  after(async () => {
    await site?.stop();
    if (folder) await rm(folder, { recursive: true, force: true });
  });

  const client = usePages(() => site.browser);

  /** The form for a new push, for an account that may attach files. */
  async function openForm(options: PageOptions = {}): Promise<TestPage> {
    const page = await client(undefined, options);
    const value = await site.service.domain.sessions.create(ann, someClient, byPassword);
    await page.context.addCookies([{ name: 'hushpush-session', value, url: site.origin }]);
    await page.goto(`${site.base}/`);
    return page;
  }

  const chosen = ({ page }: TestPage) => page.locator('#selected-files bdi').allTextContents();
  const problem = ({ page }: TestPage) => page.locator('#files-problem').textContent();
  const submit = (page: TestPage) => page.page.locator('#new-push [type=submit]:not([name])').click();
  const link = ({ page }: TestPage) => page.locator('#link').inputValue();

  async function onDisk(name: string, bytes: Buffer): Promise<string> {
    const path = join(folder, name);
    await writeFile(path, bytes);
    return path;
  }

  /** Drops files of these sizes on an element, as a person would with the mouse. */
  async function drop({ page }: TestPage, on: string, files: Record<string, number>): Promise<void> {
    const given = await page.evaluateHandle((entries) => {
      const transfer = new DataTransfer();
      for (const [name, size] of entries) transfer.items.add(new File([new Uint8Array(size)], name));
      return transfer;
    }, Object.entries(files));
    for (const type of ['dragenter', 'dragover', 'drop'])
      await page.locator(on).dispatchEvent(type, { dataTransfer: given });
  }

  it('accepts files dropped anywhere on the page, removes one, and submits the rest', async () => {
    const page = await openForm();
    await page.fill('Your secret', 'for you');
    await drop(page, '#payload', { 'a.pem': 1536, 'b.csv': 0 });
    await drop(page, '.box-bar', { 'c.zip': 3 * mebibyte });
    expect(await chosen(page)).to.deep.equal(['a.pem', 'b.csv', 'c.zip']);
    expect(await page.text()).to.include('Chosen: 3 · 3 MB');
    await page.page.getByRole('button', { name: 'Remove b.csv' }).click();
    expect(await chosen(page)).to.deep.equal(['a.pem', 'c.zip']);
    expect(await page.page.evaluate('document.activeElement.ariaLabel')).to.equal('Remove c.zip');
    await submit(page);
    await page.page.locator('#link').waitFor();
    expect(await page.page.title()).to.include('Your link is ready');
    await page.page.getByRole('button', { name: 'Copy the link' }).click();
    await page.page.getByRole('button', { name: 'Copied' }).waitFor();
    const [push] = await site.service.domain.pushes.list({ account: ann }, 'active', 1);
    expect(push?.files.map(({ filename, size }) => `${filename} ${size}`)).to.deep.equal([
      'a.pem 1536',
      `c.zip ${3 * mebibyte}`,
    ]);
  });

  it('accepts a pasted picture, and leaves pasted text with its picture alone', async () => {
    const page = await openForm();
    const paste = (...types: string[]) =>
      page.page.locator('#payload').evaluate((payload, given) => {
        const clipboardData = new DataTransfer();
        clipboardData.items.add(new File([new Uint8Array(3)], 'image.png', { type: 'image/png' }));
        for (const type of given) clipboardData.items.add('tulip', type);
        const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
        return payload.dispatchEvent(event); // whether the browser pastes it
      }, types);
    expect(await paste('text/plain')).to.equal(true);
    expect(await chosen(page)).to.deep.equal([]);
    expect(await paste()).to.equal(false);
    expect(await chosen(page)).to.deep.equal(['image.png']);
  });

  it('refuses too many or too large files before anything is sent, and says why', async () => {
    const page = await openForm();
    const requests = page.requests().length;
    await drop(page, '.box-bar', { 'big.iso': 100 * mebibyte + 1, 'a.pem': 1 });
    expect(await problem(page)).to.equal('“big.iso” has 100 MB; a file may have at most 100 MB.');
    await drop(page, '.box-bar', { 'b.iso': 100 * mebibyte });
    await drop(page, '.box-bar', { 'c.iso': 20 * mebibyte });
    expect(await problem(page)).to.equal('With “c.iso” the files would have more than 120 MB together.');
    await drop(page, '.box-bar', { c: 0, d: 0, e: 0 });
    expect(await problem(page)).to.equal('A link carries at most 4 files.');
    expect(await chosen(page)).to.deep.equal(['a.pem', 'b.iso', 'c', 'd']);
    for (const _ of [1, 2, 3, 4]) await page.page.locator('#selected-files button').first().click();
    await submit(page);
    expect(page.requests()).to.have.length(requests);
    expect(await page.page.evaluate('document.activeElement.id')).to.equal('payload');
  });

  it('keeps the chosen files and all other input when another field is invalid', async () => {
    const page = await openForm();
    await drop(page, '.card', { 'a.pem': 10 });
    await page.page.evaluate(`document.querySelector('[name=views] :checked').value = 101`);
    await submit(page);
    await page.page.locator('#views-problem').waitFor();
    expect(await page.text())
      .to.include('Must be between 1 and 100.')
      .and.include('Nothing was created');
    expect(await chosen(page)).to.deep.equal(['a.pem']);
    expect(await page.page.evaluate('document.activeElement.id')).to.equal('views');
    await page.page.locator('#views').selectOption('2');
    await submit(page);
    await page.page.locator('#link').waitFor();
  });

  it('keeps the chosen files and all other input when the session has ended', async () => {
    const page = await openForm();
    await drop(page, '.card', { 'a.pem': 10 });
    await page.fill('Your secret', 'for you');
    const { sessions } = site.service.domain;
    for (const { id } of await sessions.list(ann)) await sessions.revoke(ann, id);
    await submit(page);
    await page.page.getByText('Your session has ended').waitFor();
    const value = await sessions.create(ann, someClient, byPassword); // in another tab
    await page.context.addCookies([{ name: 'hushpush-session', value, url: site.origin }]);
    expect(await chosen(page)).to.deep.equal(['a.pem']);
    await submit(page);
    await page.page.locator('#link').waitFor();
    const [push] = await site.service.domain.pushes.list({ account: ann }, 'active', 1);
    expect(push?.files.map(({ filename }) => filename)).to.deep.equal(['a.pem']);
  });

  it('shows the progress of 100 MiB and stores nothing when the upload is cancelled', async () => {
    const page = await openForm();
    await page.page.locator('#files').setInputFiles(await onDisk('dump.sql', randomBytes(100 * mebibyte)));
    const wire = await page.context.newCDPSession(page.page);
    await wire.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput: 10 * mebibyte,
    });
    await submit(page);
    const shown = () => page.page.locator('progress').evaluate((bar) => (bar as HTMLProgressElement).value);
    await until(async () => (await shown()) > 0.05, programMs);
    expect(await page.page.locator('#upload-status').textContent()).to.match(/^Sending: [1-9]\d?%$/);
    expect(await storedFiles(site.service)).to.deep.include({ rows: 1 });
    expect(await page.accessibilityViolations()).to.deep.equal([]);
    await page.page.keyboard.press('Enter'); // Cancel has the focus
    expect(await page.page.getByRole('alert').textContent()).to.include('Cancelled. Nothing was created');
    expect(await chosen(page)).to.deep.equal(['dump.sql']);
    await until(async () => (await storedFiles(site.service)).rows === 0, programMs);
    expect(await storedFiles(site.service)).to.deep.equal(noStoredFiles);
    expect(await countRows(site.service, 'pushes')).to.equal(0);
  });

  it('returns 100 MiB byte for byte to a viewer', async () => {
    const page = await openForm();
    const bytes = randomBytes(100 * mebibyte);
    await page.page.locator('#files').setInputFiles(await onDisk('dump 1.sql', bytes));
    await submit(page);
    await page.page.locator('#link').waitFor({ timeout: 300_000 });
    const viewer = await client(await link(page));
    await viewer.hold('Hold to open');
    expect(await viewer.text()).to.include('100 MB');
    const downloading = viewer.page.waitForEvent('download');
    await viewer.page.getByRole('link', { name: 'dump 1.sql' }).click();
    const download = await downloading;
    expect(download.suggestedFilename()).to.equal('dump 1.sql');
    expect((await readFile(await download.path())).equals(bytes)).to.equal(true);
    expect(await viewer.text()).to.include('A secret for you');
  });

  it('uploads and downloads files without scripts', async () => {
    const page = await openForm({ scripts: false });
    expect(await page.page.locator('#files').isVisible()).to.equal(true);
    await page.page.locator('#files').setInputFiles([await onDisk('ä.pem', Buffer.from('tulip'))]);
    await submit(page);
    const viewer = await client(await link(page), { scripts: false });
    await sleep(600); // forms that are submitted sooner are refused
    await viewer.typeWord();
    await viewer.click('Show the secret');
    const downloading = viewer.page.waitForEvent('download');
    await viewer.page.getByRole('link', { name: 'ä.pem' }).click();
    expect(await readFile(await (await downloading).path(), 'utf8')).to.equal('tulip');
  });

  it('uploads and downloads files by keyboard alone', async () => {
    const page = await openForm();
    const { keyboard } = page.page;
    const choosing = page.page.waitForEvent('filechooser'); // Chromium needs a moment to intercept it
    await page.page.locator('#payload').focus();
    await keyboard.press('Tab');
    await keyboard.press('Tab');
    expect(await page.page.evaluate('document.activeElement.id')).to.equal('files');
    await keyboard.press('Enter');
    await (await choosing).setFiles(await onDisk('k.pem', Buffer.from('tulip')));
    await page.page.locator('#selected-files button').waitFor();
    await page.page.locator('#payload').focus();
    await keyboard.press('Tab');
    expect(await page.page.evaluate('document.activeElement.ariaLabel')).to.equal('Remove k.pem');
    await page.page.locator('#new-push [type=submit]:not([name])').focus();
    await keyboard.press('Enter');
    await page.page.locator('#link').waitFor();
    const viewer = await client(await link(page));
    await viewer.page.getByRole('button', { name: 'Hold to open' }).focus();
    await viewer.holdKey('Space');
    await viewer.page.getByRole('link', { name: 'k.pem' }).focus();
    const downloading = viewer.page.waitForEvent('download');
    await viewer.page.keyboard.press('Enter');
    expect((await downloading).suggestedFilename()).to.equal('k.pem');
  });

  for (const variant of variants) {
    it(`is accessible with files on a ${variant.device} in the ${variant.theme} theme`, async () => {
      const page = await openForm(variant);
      await page.fill(/^(Your secret|Dein Geheimnis)/, 'The keys of the new server, and how to use them.');
      await drop(page, '.card', { 'server.pem': 1_679, [`${'long-name-'.repeat(9)}.tar.gz`]: 3_500_000 });
      expect(await page.accessibilityViolations()).to.deep.equal([]);
      await shoot(page, `files-make-${variant.theme}`);
      expect(await page.page.evaluate('document.documentElement.scrollWidth <= innerWidth')).to.equal(true);
      await submit(page);
      await page.page.locator('#link').waitFor();
      expect(await page.accessibilityViolations()).to.deep.equal([]);
      const address = await link(page);
      const viewer = await client(address, variant);
      await viewer.hold(/Hold to open|Zum Öffnen halten/);
      expect(await viewer.accessibilityViolations()).to.deep.equal([]);
      expect(await viewer.page.evaluate('document.documentElement.scrollWidth <= innerWidth')).to.equal(true);
      await shoot(viewer, `files-shown-${variant.theme}`);
      await page.goto(address.replace('/p/', '/pushes/'));
      expect(await page.accessibilityViolations()).to.deep.equal([]);
      await shoot(page, `files-push-${variant.theme}`);
    });
  }

  it('shows no character that turns the direction of a file name around', async () => {
    const page = await openForm();
    await drop(page, '.card', { 'a\u202egpj.exe': 10 });
    await submit(page);
    await page.page.locator('#link').waitFor();
    const viewer = await client(await link(page));
    await viewer.hold('Hold to open');
    expect(await viewer.text())
      .to.include('a_gpj.exe')
      .and.not.include('\u202e');
  });

  it('uploads files on a compose page', async () => {
    const chatUser = newChatUser();
    const { chat } = site.service.domain;
    const { id } = await chat.identities.accountOf(chatUser);
    await site.service.database.execute('UPDATE accounts SET subscribed = TRUE WHERE id = $id', { id });
    const { token, save } = chat.prepareComposeLink(chatCaller(chatUser));
    await save();
    const page = await client(`${site.base}/compose/${token}`);
    await drop(page, '.card', { 'a.pem': 10 });
    await submit(page);
    await page.page.locator('#link').waitFor();
    expect(await page.text()).to.include('The chat shows it, too.');
  });

  it('shows hostile file names as text', async () => {
    const page = await openForm();
    for (const names of fours(hostileWords)) {
      await drop(page, '.card', Object.fromEntries(names.map((name) => [name, 1])));
      expect(await chosen(page)).to.deep.equal(names.map(safeFilename));
      for (const _ of names) await page.page.locator('#selected-files button').first().click();
    }
    for (const names of fours(hostileWords)) {
      const { pushes } = site.service.domain;
      const caller = { account: ann, client: someClient };
      await using creation = await pushes.begin(caller);
      const contentType = 'text/html';
      for (const filename of names)
        await creation.addFile({ filename, contentType, stream: Readable.from([Buffer.from('x')]) });
      const push = await creation.create({ retrievalStep: false });
      for (const path of ['pushes', 'p']) {
        await page.goto(`${site.base}/${path}/${push.urlToken}`);
        const shown = await page.page.locator('.files bdi').allTextContents();
        expect(shown).to.deep.equal(names.map(safeFilename));
      }
    }
    await page.goto(`${site.base}/pushes`);
    expect(await page.page.evaluate('typeof pwned')).to.equal('undefined');
  });
});

const fours = (words: readonly string[]) =>
  Array.from({ length: Math.ceil(words.length / 4) }, (_, at) => words.slice(at * 4, at * 4 + 4));

/** Saves a screenshot where PICTURES is set. */
async function shoot(page: TestPage, name: string): Promise<void> {
  const { PICTURES } = process.env;
  if (PICTURES) await page.screenshot(join(PICTURES, `${name}.png`));
}
