import { expect } from 'chai';
import type { Account, RequestLink } from '../../src/domain/index.ts';
import { type PageOptions, type TestPage, usePages } from '../harness/browser.ts';
import { createAccount, someClient } from '../harness/service.ts';
import { type Site, startSite } from '../harness/site.ts';
import { variants, widthMax } from './variants.ts';

const mebibyte = 1024 * 1024;
const shots = process.env.SHOTS;

describe('A request link in a browser', () => {
  let site: Site;
  let ann: Account;

  before(async function () {
    site = await startSite(this, { MAX_FILE_MIB: '100', MAX_UPLOAD_MIB: '120', MAX_FILES: '4' });
    ({ account: ann } = await createAccount(site.service.domain, 'ann@example.com', { subscribed: true }));
  });
  after(() => site?.stop());

  const links = () => site.service.domain.requestLinks;
  const create = (input: object = {}) =>
    links().create(
      { account: ann, client: someClient },
      { title: 'The password of the web shop', note: 'The one of the admin, please.', ...input },
    );
  const answersTo = ({ id }: RequestLink) => links().listAnswers({ account: ann }, id);

  const open = usePages(() => site.browser);
  const visit = ({ urlToken }: RequestLink, options?: PageOptions) =>
    open(`${site.base}/a/${urlToken}`, options);

  /** Holds the button, which is below the fields. */
  async function hold(page: TestPage, ms?: number): Promise<void> {
    const name = /^(Hold to send|Zum Senden halten)$/;
    await page.page.getByRole('button', { name }).scrollIntoViewIfNeeded();
    await page.hold(name, ms);
  }

  async function openedAnswer(link: RequestLink) {
    const [answer] = await answersTo(link);
    return site.service.domain.pushes.reveal(String(answer?.urlToken), undefined, {
      account: null,
      client: someClient,
    });
  }

  it('is answered by holding its button, with a mouse or a key', async () => {
    for (const key of [undefined, 'Space', 'Enter'] as const) {
      const link = await create();
      const page = await visit(link);
      await page.fill('Your secret', 'tulip');
      if (key === undefined) await hold(page);
      else {
        await page.page.getByRole('button', { name: 'Hold to send' }).focus();
        await page.holdKey(key);
      }
      expect(await page.text()).to.include('It was sent');
      const [answer] = await answersTo(link);
      expect(await page.text()).to.include(String(answer?.receipt));
      expect(page.page.url()).to.not.include(String(link.urlToken));
      expect((await openedAnswer(link)).payload).to.equal('tulip');
    }
  });

  it('sends nothing for a short press, a click, or a press that leaves the button', async () => {
    const link = await create();
    const page = await visit(link);
    await page.fill('Your secret', 'tulip');
    await hold(page, 200);
    await page.click('Hold to send');
    expect(await page.text()).to.not.include('It was sent');
    expect(await answersTo(link)).to.be.empty;
  });

  it('keeps what was entered, files too, when something is wrong, and can be held again', async () => {
    const link = await create({ passphrase: 'hush', allowName: true });
    const page = await visit(link);
    await page.fill('Passphrase of this request', 'wrong');
    await page.fill('Who you are', 'Bea');
    await page.fill('Your secret', 'tulip');
    await page.page.setInputFiles('#files', {
      name: 'a.txt',
      mimeType: 'text/plain',
      buffer: Buffer.from('file'),
    });
    await hold(page);
    expect(await page.text())
      .to.include('That passphrase is incorrect')
      .and.include('a.txt');
    if (shots) await page.screenshot(`${shots}/wrong.png`);
    await page.fill('Passphrase of this request', 'hush');
    await hold(page);
    expect(await page.text()).to.include('It was sent');
    const { payload, sender, push } = await openedAnswer(link);
    expect({ payload, sender, kind: push.kind }).to.deep.equal({
      payload: 'tulip',
      sender: 'Bea',
      kind: 'file',
    });
  });

  it('says that nothing was sent while there is no connection, and sends it later', async () => {
    const link = await create();
    const page = await visit(link);
    await page.fill('Your secret', 'tulip');
    await page.context.setOffline(true);
    await hold(page);
    expect(await page.text()).to.include('You are offline. Nothing was sent.');
    await page.context.setOffline(false);
    await hold(page);
    expect(await page.text()).to.include('It was sent');
    expect(await answersTo(link)).to.have.length(1);
  });

  it('is answered without scripts, by typing a word', async () => {
    const link = await create();
    const page = await visit(link, { scripts: false });
    await page.fill('Your secret', 'tulip');
    await page.page.setInputFiles('#files', {
      name: 'a.txt',
      mimeType: 'text/plain',
      buffer: Buffer.from('file'),
    });
    await page.typeWord();
    if (shots) await page.screenshot(`${shots}/noscript.png`);
    await page.click('Send the secret');
    expect(await page.text()).to.include('It was sent');
    expect((await openedAnswer(link)).push.kind).to.equal('file');
  });

  it('takes a file of 60 MiB', async () => {
    const link = await create({ accepts: 'files' });
    const page = await visit(link);
    await page.page.evaluate((bytes) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([new Uint8Array(bytes)], 'large.bin'));
      const input = document.querySelector('#files') as HTMLInputElement;
      input.files = transfer.files;
      input.dispatchEvent(new Event('change'));
    }, 60 * mebibyte);
    await hold(page);
    await page.page.waitForURL(/\/receipt\//);
    expect((await answersTo(link))[0]).to.include({ isWaiting: true });
  });

  for (const variant of variants) {
    it(`has pages without barriers: ${variant.theme}, ${variant.device}, ${variant.locale}`, async () => {
      const link = await create({ passphrase: 'hush', allowName: true });
      const page = await visit(link, variant);
      const check = async (name: string) => {
        expect(await page.accessibilityViolations(), name).to.deep.equal([]);
        const width = await page.page.evaluate(() => document.documentElement.scrollWidth);
        expect(width, name).to.be.at.most(widthMax[variant.device]);
        if (shots) await page.screenshot(`${shots}/${name}-${variant.theme}.png`);
      };
      await check('answer');
      await page.goto(`${site.base}/a/${'0'.repeat(26)}`);
      await check('closed');
      await page.goto(`${site.base}/a/${(await create({ accepts: 'text' })).urlToken}`);
      await page.page.locator('#payload').fill('tulip');
      await hold(page);
      await check('sent');
    });
  }
});
