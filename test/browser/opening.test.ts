import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import type { PageOptions, TestPage } from '../harness/browser.ts';
import { type Site, startSite } from '../harness/site.ts';
import { until } from '../harness/until.ts';
import { translatePage } from './translation.ts';

const holdButton = 'Hold to open';
const clipboard = { permissions: ['clipboard-read', 'clipboard-write'] };

describe('Opening a secret, for those who meet the page for the first time', () => {
  let site: Site;
  let page: TestPage;

  before(async function () {
    site = await startSite(this, { OPERATOR_NAME: 'Example Ltd' });
  });
  afterEach(async () => {
    const problems = page.problems();
    await page.close();
    expect(problems).to.deep.equal([]);
  });
  after(() => site?.stop());

  async function open(address: string, options: PageOptions = {}): Promise<TestPage> {
    page = await site.browser.open(options);
    await page.goto(address);
    return page;
  }

  async function reveal(fields: Record<string, unknown> = {}, options: PageOptions = {}): Promise<TestPage> {
    await open(await site.push(fields), options);
    await page.hold(holdButton);
    return page;
  }

  const focused = () => page.page.evaluate('document.activeElement.className');
  const isOnScreen = (selector: string) =>
    page.page.evaluate(`(() => {
      const { top, bottom } = document.querySelector('${selector}').getBoundingClientRect();
      return top >= 0 && bottom <= innerHeight;
    })()`);

  it('says whose page it is, and what it is, in the same bytes for every secret', async () => {
    const addresses = [
      await site.push({ expire_after_views: 1 }),
      await site.push({ payload: 'x'.repeat(9_000), name: 'rose', kind: 'text' }),
      await site.push({ kind: 'url', payload: 'https://example.com' }),
    ];
    const bytes = await Promise.all(
      addresses.map(async (address) => {
        const { text } = await site.api.get(new URL(address).pathname);
        return text.replaceAll(/(nonce|value)="[^"]*"/g, '').replace(/<span translate="no">\w+<\/span>”/, '');
      }),
    );
    expect(new Set(bytes)).to.have.length(1);
    await open(addresses[0] ?? '');
    expect(await page.text()).to.include(`${new URL(site.base).host}, run by Example Ltd. What is this?`);
    await page.page.getByText('What is this?').click();
    expect(await page.text()).to.include('never asks for a password of yours');
    expect(await page.accessibilityViolations()).to.deep.equal([]);
  });

  describe('Enter after a passphrase', () => {
    for (const [how, press] of Object.entries({
      'on a keyboard': () => page.page.keyboard.press('Enter'),
      'on a screen, which may send no key': () =>
        page.page.evaluate('document.querySelector("form").requestSubmit()'),
    }))
      it(`leads to the button in words, and tries nothing: ${how}`, async () => {
        const address = await site.push({ passphrase: 'open sesame' });
        await open(address, { device: 'phone', contextOptions: { viewport: { width: 360, height: 400 } } });
        await page.fill('Passphrase', 'open sesame');
        await press();
        expect(await focused()).to.equal('hold-button');
        expect(await page.page.locator('.next').innerText()).to.equal('Now press and hold the button.');
        expect(await isOnScreen('.hold-button')).to.equal(true);
        expect(await isOnScreen('.next')).to.equal(true);
        expect(await page.page.getByLabel(/Type the word/).isVisible()).to.equal(false);
        await page.holdKey('Enter');
        expect(await page.text()).to.include('tulip');
      });

    it('asks for it while there is none', async () => {
      await open(await site.push({ passphrase: 'open sesame' }));
      await page.page.keyboard.press('Enter');
      expect(await page.page.evaluate('document.activeElement.name')).to.equal('passphrase');
      expect(await page.page.locator('.next').innerText()).to.equal('');
    });
  });

  describe('The length of a press', () => {
    /** Presses as the system of a visitor says: `ms` by its time stamps, whenever the page gets to see them. */
    async function press(ms: number): Promise<void> {
      const session = await page.context.newCDPSession(page.page);
      const box = await page.page.getByRole('button', { name: holdButton }).boundingBox();
      const at = { x: (box?.x ?? 0) + 60, y: (box?.y ?? 0) + 60, button: 'left', clickCount: 1 } as const;
      await session.send('Input.dispatchMouseEvent', { type: 'mouseMoved', x: at.x, y: at.y });
      await session.send('Emulation.setCPUThrottlingRate', { rate: 20 });
      const timestamp = Date.now() / 1_000;
      await session.send('Input.dispatchMouseEvent', { type: 'mousePressed', ...at, timestamp });
      await page.page.evaluate('{ const end = performance.now() + 1500; while (performance.now() < end); }');
      const releasedAt = timestamp + ms / 1_000;
      await session.send('Input.dispatchMouseEvent', {
        type: 'mouseReleased',
        ...at,
        timestamp: releasedAt,
      });
      await session.send('Emulation.setCPUThrottlingRate', { rate: 1 });
      await page.awaitNavigation(async () => {});
    }

    it('is that of its events, however slow the page is: a click opens nothing', async () => {
      const address = await site.push();
      await open(address);
      await press(300);
      await page.page.getByText('A little longer').waitFor();
      expect(await site.viewsUsed(address)).to.equal(0);
    });

    it('is that of its events: a second opens the secret', async () => {
      await open(await site.push());
      await sleep(600); // a form that is sent sooner is refused as too quick
      await press(1_000);
      await page.page.getByText('A secret for you').waitFor();
    });
  });

  describe('A secret on the screen', () => {
    it('is shown by a tap on its blur, which screen readers and keyboards then go on from', async () => {
      await reveal({ payload: 'tulip' }, { device: 'phone' });
      await page.page.locator('.secret').tap();
      expect(await page.page.evaluate('getComputedStyle(secret).filter')).to.equal('none');
      const focus = 'document.activeElement.getAttribute("aria-label") + document.activeElement.innerText';
      expect(await page.page.evaluate(focus)).to.equal('The secrettulip');
      await page.page.locator('.secret').tap();
      expect(await page.page.evaluate('getComputedStyle(secret).filter')).to.equal('none'); // to select in it
    });

    it('is under the warning that it was the last view, on the first screen', async () => {
      await reveal(
        { payload: 'a line\n'.repeat(60), expire_after_views: 1 },
        { device: 'phone', contextOptions: { viewport: { width: 360, height: 640 } } },
      );
      expect(await isOnScreen('.warning')).to.equal(true);
      expect(await page.page.evaluate('document.querySelector("h1").nextElementSibling.className')).to.equal(
        'warning',
      );
    });

    it('says by which date it is erased, in the reader’s time zone', async () => {
      await reveal({}, { contextOptions: { timezoneId: 'Asia/Kolkata' } });
      expect(await page.text()).to.match(/It is erased in 7 days \(\d+ \w+.* GMT\+5:30\)\./);
    });

    it('is not what browsers translate, and Copy and Download give its bytes whatever they changed', async () => {
      const payload = 'tulip\r\nder Hund';
      await reveal({ payload: 'der Hund' }, { contextOptions: clipboard });
      expect(await page.page.locator('meta[name=google][content=notranslate]').count()).to.equal(1);
      await translatePage(page);
      expect(await page.text())
        .to.include('der Hund')
        .and.not.include('It is erased');
      for (const text of ['der Hund', payload]) {
        await page.close();
        await reveal({ payload: text }, { contextOptions: clipboard });
        await page.click('Show');
        await translatePage(page, { everything: true }); // an extension that heeds nothing
        expect(await page.page.locator('#secret').innerText()).to.equal('xxx');
        await page.page.locator('[data-copy=secret]').click();
        await until(async () => (await page.page.evaluate('navigator.clipboard.readText()')) === text);
      }
    });

    it('keeps names of files, the host of a link and the word to type from being translated', async () => {
      await reveal({ kind: 'url', payload: 'https://der-hund.example.com/x' });
      await translatePage(page);
      expect(await page.text()).to.include('der-hund.example.com');
      await page.close();
      await open(await site.push());
      await page.page.getByRole('button', { name: 'I cannot press and hold' }).click();
      const word = await page.page.locator('label[for=word] span').innerText();
      await translatePage(page);
      expect(await page.page.locator('label[for=word]').innerText()).to.include(word);
    });

    it('is shown and selected where copying is refused', async () => {
      await reveal({ payload: 'tulip' });
      await page.page.evaluate(
        'navigator.clipboard.writeText = () => Promise.reject(); document.execCommand = () => false; 0',
      );
      await page.click('Copy');
      expect(await page.page.evaluate('getComputedStyle(secret).filter')).to.equal('none');
      expect(await page.page.evaluate('String(getSelection()).trim()')).to.equal('tulip');
      expect(await page.text()).to.include('select the text and copy it yourself');
    });

    it('has a note where characters do not show, and none for an emoji', async () => {
      const note = 'characters that do not show';
      await reveal({ payload: 'invoice\u202efdp.exe' });
      expect(await page.text()).to.include(note);
      await page.close();
      await reveal({ payload: '👨‍👩‍👧‍👦 tulip' });
      expect(await page.text()).to.not.include(note);
    });
  });

  describe('Large text and small screens', () => {
    const screens: Record<string, PageOptions> = {
      'a phone': { device: 'phone', contextOptions: { viewport: { width: 360, height: 740 } } },
      'a phone on its side': { device: 'phone', contextOptions: { viewport: { width: 740, height: 360 } } },
      'a page at 400 %': { contextOptions: { viewport: { width: 320, height: 256 } } },
    };
    for (const [name, options] of Object.entries(screens))
      for (const locale of ['en-GB', 'de-DE'])
        it(`have the button on the first screen, and never scroll sideways: ${name}, in ${locale}`, async () => {
          for (const fields of [{}, { passphrase: 'p' }]) {
            await open(await site.push(fields), { ...options, locale });
            const { width } = options.contextOptions?.viewport ?? { width: 0 };
            const over = () =>
              page.page.evaluate(`Math.max(0, document.documentElement.scrollWidth - ${width})`);
            const hidden =
              'document.querySelector(".hold-button").getBoundingClientRect().bottom - innerHeight';
            if (!('passphrase' in fields)) expect(await page.page.evaluate(hidden)).to.be.at.most(0);
            expect(await over()).to.equal(0);
            await page.page.evaluate(`{
              const large = new CSSStyleSheet();
              large.replaceSync('html { font-size: 200% }');
              document.adoptedStyleSheets = [large];
            }`);
            await page.page.evaluate('document.querySelector(".alternative").classList.add("open")');
            expect(await over(), 'with text twice as large').to.equal(0);
            if (!('passphrase' in fields)) await page.close();
          }
        });
  });

  describe('Forced colours', () => {
    for (const theme of ['light', 'dark'] as const)
      it(`show the button, its eye, and the ring that closes, in a ${theme} theme`, async () => {
        await open(await site.push(), { theme, contextOptions: { forcedColors: 'active' } });
        const colours = (await page.page.evaluate(`(() => {
          const style = (selector, name) => getComputedStyle(document.querySelector(selector))[name];
          const probe = document.createElement('p');
          document.body.append(probe);
          const system = (name) => { probe.style.color = name; return getComputedStyle(probe).color; };
          return {
            border: style('.hold-button', 'borderTopColor') === system('ButtonText'),
            eye: style('.eye g', 'stroke') === system('ButtonText'),
            track: style('.track', 'stroke') === system('GrayText'),
            progress: style('.progress', 'stroke') === system('Highlight'),
            canvas: system('Canvas') !== system('Highlight'),
          };
        })()`)) as Record<string, boolean>;
        expect(colours).to.deep.equal({ border: true, eye: true, track: true, progress: true, canvas: true });
        expect(await page.accessibilityViolations()).to.deep.equal([]);
      });
  });
});
