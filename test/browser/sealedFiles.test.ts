import { randomBytes } from 'node:crypto';
import { mkdtemp, open, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Route } from 'playwright-core';
import { createOpeningKey, fragmentOf } from '../../src/client/sealing.js';
import type { Account } from '../../src/domain/index.ts';
import { hasChromium, openProfile, type TestPage } from '../harness/browser.ts';
import { onMariadb } from '../harness/database.ts';
import { freePort } from '../harness/mariadb.ts';
import { byPassword, createAccount, someClient, startService, type TestService } from '../harness/service.ts';

const mebibyte = 1024 * 1024;
/** The size of a file in mebibytes: at 300 as at 600, the processes of a browser peak at 135 more, most of it garbage. */
const large = 300;
/** What they may need more than before, all together, in bytes: less than the file is. */
const memoryMax = 200 * mebibyte;

/** Lets people choose a place for a file, and writes it where the test finds it. */
const picker = `window.showSaveFilePicker = async ({ suggestedName }) =>
  (await navigator.storage.getDirectory()).getFileHandle('saved ' + suggestedName, { create: true });`;

// Browsers do not depend on the database, so this runs once.
const describeOnce = onMariadb ? describe : () => {};

describeOnce('A large file of a sealed answer, in a browser', () => {
  let base: string;
  let service: TestService;
  let ann: Account;
  let folder: string;
  let page: TestPage;

  before(async function () {
    if (!hasChromium()) return this.skip();
    folder = await mkdtemp(join(tmpdir(), 'sealed-files-'));
    const port = await freePort();
    base = `http://127.0.0.1:${port}`;
    const limits = { MAX_FILE_MIB: '310', MAX_UPLOAD_MIB: '310', FILES_DIR: join(folder, 'files') };
    service = await startService({ PORT: String(port), BASE_URL: base, ...limits });
    ({ account: ann } = await createAccount(service.domain, 'ann@example.com', { subscribed: true }));
    const cookie = await service.domain.sessions.create({ id: ann.id }, someClient, byPassword);
    page = await openProfile(join(folder, 'profile'));
    await page.context.addInitScript(picker);
    await page.context.addCookies([{ name: 'hushpush-session', value: cookie, url: base }]);
  });
  after(async () => {
    await page?.close();
    await service?.stop();
    if (folder) await rm(folder, { recursive: true, force: true });
  });

  /** Runs an act, and returns how much more memory the processes of the browser needed meanwhile, in bytes. */
  async function growthOf(act: () => Promise<void>): Promise<number> {
    const before = new Map<string, number>();
    for (const pid of await processesOf(join(folder, 'profile'))) {
      await writeFile(`/proc/${pid}/clear_refs`, '5').catch(() => {}); // the peak begins anew
      before.set(pid, await memoryOf(pid, 'VmRSS'));
    }
    await act();
    let growth = 0;
    for (const pid of await processesOf(join(folder, 'profile')))
      growth += (await memoryOf(pid, 'VmHWM')) - (before.get(pid) ?? 0);
    return growth;
  }

  /** Sends a file of so many mebibytes to a new sealed link, and opens the answer on its owner's page. */
  async function sendAndOpen(mebibytes: number) {
    const name = `${mebibytes}.bin`;
    const path = join(folder, name);
    const file = await open(path, 'w');
    for (let at = 0; at < mebibytes; at++) await file.write(randomBytes(mebibyte));
    await file.close();
    const { openingKey, publicKeys } = await createOpeningKey();
    const asker = { account: ann, client: someClient };
    const link = await service.domain.requestLinks.create(asker, { title: 'the dump', publicKeys });

    await page.goto(`${base}/a/${link.urlToken}#${await fragmentOf(publicKeys)}`);
    await page.page.setInputFiles('#files', path);
    const growth = await growthOf(async () => {
      await page.hold('Hold to send');
      await page.page.waitForURL(/\/receipt\//);
    });
    expect(await storedNames('encrypted-'), 'what is left of the upload').to.deep.equal([]);

    await page.goto(`${base}/requests/links/${link.id}#${openingKey}`);
    await page.page.locator('.list a.button').click();
    await page.hold('Hold to open');
    await page.page.locator('#decrypted').waitFor();
    return { name, path, growth };
  }

  async function save(name: string, outcome: string): Promise<void> {
    await page.page.getByText(name, { exact: true }).click();
    await page.page.getByText(outcome).waitFor();
  }

  async function sendAndSave(mebibytes: number) {
    const { name, path, growth: sent } = await sendAndOpen(mebibytes);
    const saved = await growthOf(() => save(name, `${name} is saved.`));
    expect(await isSaved(name, await readFile(path))).to.equal(true);
    return { sent, saved };
  }

  /** The names of files that pages keep, or somebody saved, with this prefix. */
  const storedNames = (prefix: string) =>
    page.page.evaluate(async (start) => {
      const names = [];
      for await (const name of (await navigator.storage.getDirectory()).keys())
        if (name.startsWith(start)) names.push(name);
      return names;
    }, prefix);

  /** Whether what somebody saved is this. */
  async function isSaved(name: string, content: Buffer): Promise<boolean> {
    const [download] = await Promise.all([
      page.page.waitForEvent('download'),
      page.page.evaluate(async (saved) => {
        const handle = await (await navigator.storage.getDirectory()).getFileHandle(saved);
        const href = URL.createObjectURL(await handle.getFile());
        Object.assign(document.createElement('a'), { href, download: 'copy' }).click();
      }, `saved ${name}`),
    ]);
    return (await readFile(await download.path())).equals(content);
  }

  it('is in the memory of no process as a whole, on the way there and back', async () => {
    await sendAndSave(17); // whatever is loaded once
    const { sent, saved } = await sendAndSave(large);
    expect(sent, 'sent').to.be.below(memoryMax);
    expect(saved, 'saved').to.be.below(memoryMax);
  });

  it('is saved whole or not at all, and not where nobody chose a place for it', async () => {
    const { name, path } = await sendAndOpen(17);
    await page.page.evaluate(`{
      const ask = window.showSaveFilePicker;
      let times = 0;
      const cancelled = () => Promise.reject(new DOMException('The user aborted a request.', 'AbortError'));
      window.showSaveFilePicker = (...args) => (times++ === 0 ? cancelled() : ask(...args));
    }`);
    await page.page.getByText(name, { exact: true }).click();
    const changed = async (route: Route) => {
      const response = await route.fetch();
      const body = await response.body();
      body.writeUInt8(body.readUInt8(17_000_000) ^ 1, 17_000_000);
      await route.fulfill({ response, body });
    };
    const files = /\/download\//;
    await page.page.route(files, changed);
    await save(name, `${name} could not be decrypted`);
    expect(await storedNames('saved 17')).to.deep.equal([]);
    await page.page.unrouteAll();
    await save(name, `${name} is saved.`);
    expect(await isSaved(name, await readFile(path))).to.equal(true);
  });
});

/** The processes of the browser with a profile: their ids. */
async function processesOf(profile: string): Promise<string[]> {
  const parents = new Map<string, string>();
  let main: string | undefined;
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const [stat, command] = await Promise.all(
      ['stat', 'cmdline'].map((name) => readFile(`/proc/${pid}/${name}`, 'utf8').catch(() => '')),
    );
    parents.set(pid, /\) \S (\d+)/.exec(stat ?? '')?.[1] ?? '0');
    const isMain = command?.includes(`--user-data-dir=${profile}`) && !command.includes('--type=');
    if (isMain) main = pid;
  }
  const isOurs = (pid: string | undefined): boolean =>
    pid !== undefined && (pid === main || isOurs(parents.get(pid)));
  return [...parents.keys()].filter(isOurs);
}

async function memoryOf(pid: string, name: 'VmRSS' | 'VmHWM'): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return 1024 * Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0);
}
