import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import decodeQR from 'qr/decode.js';
import { expirePushIn } from '../harness/api.ts';
import { type PageOptions, type TestPage, usePages } from '../harness/browser.ts';
import { type Site, startSite } from '../harness/site.ts';
import { programMs, until } from '../harness/until.ts';
import { variants, widthMax } from './variants.ts';

const kibibyte = 1024;
const holdButton = 'Hold to open';
const filterOfSecret = 'getComputedStyle(secret).filter';

describe('The page of a push in a browser', function () {
  let site: Site;

  before(async function () {
    site = await startSite(this);
  });
  after(() => site?.stop());

  const client = usePages(() => site.browser);

  /** Forms that are submitted within half a second are refused as too quick. */
  const waitLikeAReader = () => sleep(550);

  describe('Opening a secret in a browser', () => {
    it('opens a secret when the mouse holds the button', async () => {
      const address = await site.push();
      const page = await client(address);
      await page.hold(holdButton);
      expect(await page.text()).to.include('tulip');
      expect(await site.viewsUsed(address)).to.equal(1);
    });

    for (const key of ['Space', 'Enter'] as const) {
      it(`opens a secret when ${key} is held, by keyboard alone`, async () => {
        const address = await site.push();
        const page = await client(address);
        await tabTo(page, 'hold-button');
        await page.holdKey(key);
        expect(await page.text()).to.include('tulip');
      });
    }

    it('opens a secret when a finger holds the button', async () => {
      const address = await site.push();
      const page = await client(address, { device: 'phone' });
      const box = await page.page.getByRole('button', { name: holdButton }).boundingBox();
      const at = { x: (box?.x ?? 0) + 80, y: (box?.y ?? 0) + 80 };
      const session = await page.context.newCDPSession(page.page);
      await page.awaitNavigation(async () => {
        await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [at] });
        await sleep(900);
        await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] }).catch(() => {});
      });
      expect(await page.text()).to.include('tulip');
    });

    it('opens a secret to the typed word for those who cannot hold', async () => {
      const page = await client(await site.push());
      await page.page.getByRole('button', { name: 'I cannot press and hold' }).click();
      await waitLikeAReader();
      await page.typeWord();
      await page.awaitNavigation(() => page.page.keyboard.press('Enter'));
      expect(await page.text()).to.include('tulip');
    });

    it('leads a screen reader, which cannot hold, to the word', async () => {
      const page = await client(await site.push());
      await page.page.evaluate('document.querySelector(".hold-button").click()');
      const label = String(await page.page.evaluate('document.activeElement.labels[0].innerText'));
      expect(label).to.match(/Type the word “\w+”/);
      expect(await page.page.getByRole('status').innerText()).to.include('Or type the word below');
      await waitLikeAReader();
      await page.page.keyboard.type(/“(.*)”/.exec(label)?.[1] ?? '');
      await page.awaitNavigation(() => page.page.keyboard.press('Enter'));
      expect(await page.text()).to.include('tulip');
    });

    it('opens a secret to the typed word without scripts', async () => {
      const page = await client(await site.push(), { scripts: false });
      expect(await page.text()).to.not.include('old');
      await waitLikeAReader();
      await page.typeWord();
      await page.click('Show the secret');
      expect(await page.text()).to.include('tulip');
    });

    it('shows how many tries are left after a wrong passphrase', async () => {
      const limited = await startSite(this.ctx, { RATE_LIMITS: 'on', LIMIT_PASSPHRASE_BY_CLIENT: '3/10m' });
      try {
        const page = await limited.browser.open();
        await page.goto(await limited.push({ passphrase: 'open sesame' }));
        for (const left of ['2 tries left', '1 try left', 'last try']) {
          await page.fill('Passphrase', 'x');
          await page.hold(holdButton);
          expect(await page.text())
            .to.include('That passphrase is incorrect.')
            .and.include(left);
        }
        await page.fill('Passphrase', 'open sesame');
        const [locked] = await Promise.all([
          page.page.waitForResponse((response) => response.status() === 429),
          page.hold(holdButton),
        ]);
        expect(await page.text())
          .to.include('Too many tries')
          .and.include('you can try again in 30 minutes')
          .and.match(/\b(30:00|29:\d\d)/);
        expect(Number(locked.headers().refresh)).to.be.within(1_700, 1_801); // goes on by itself
        await page.close();
      } finally {
        await limited.stop();
      }
    });

    it('opens a secret to the right passphrase by keyboard alone', async () => {
      const page = await client(await site.push({ passphrase: 'open sesame' }));
      await page.page.locator('#passphrase:focus').waitFor();
      await page.page.keyboard.type('open sesame');
      await page.awaitNavigation(() => page.page.keyboard.press('Enter'));
      expect(await page.text()).to.include('then let go');
      await page.holdKey('Enter');
      expect(await page.text()).to.include('tulip');
    });

    it('asks for the passphrase when the button is held without one', async () => {
      const page = await client(await site.push({ passphrase: 'open sesame' }));
      await page.hold(holdButton);
      expect(await page.page.evaluate('document.activeElement.name')).to.equal('passphrase');
      await page.page.keyboard.type('open sesame');
      await page.hold(holdButton);
      expect(await page.text()).to.include('tulip');
    });

    it('opens a secret to the right passphrase without scripts', async () => {
      const page = await client(await site.push({ passphrase: 'open sesame' }), { scripts: false });
      await waitLikeAReader();
      await page.fill('Passphrase', 'open sesame');
      await page.typeWord();
      await page.click('Show the secret');
      expect(await page.text()).to.include('tulip');
    });
  });

  describe('Not opening a secret in a browser', () => {
    it('explains holding and the word after a short press', async () => {
      const address = await site.push();
      const page = await client(address);
      await page.hold(holdButton, 300);
      expect(await page.page.getByRole('status').innerText()).to.match(/hold until the ring closes/);
      expect(await page.page.getByLabel(/Type the word/).isVisible()).to.equal(true);
      expect(await site.viewsUsed(address)).to.equal(0);
    });

    it('says so when the button is held without a connection, and opens the secret later', async () => {
      const page = await client(await site.push());
      await page.context.setOffline(true);
      await page.hold(holdButton);
      expect(await page.text()).to.include('You are offline. Nothing was used up.');
      await page.context.setOffline(false);
      await page.hold(holdButton);
      expect(await page.text()).to.include('tulip');
    });

    it('opens nothing before the button is let go', async () => {
      const address = await site.push();
      const page = await client(address);
      await page.page.getByRole('button', { name: holdButton }).hover();
      await page.page.mouse.down();
      await page.page.getByText('Let go to open it.').waitFor();
      await sleep(300); // a form that was sent would have arrived
      expect(await site.viewsUsed(address)).to.equal(0);
      await page.awaitNavigation(() => page.page.mouse.up());
      expect(await page.text()).to.include('tulip');
    });

    it('opens nothing when the pointer leaves the button', async () => {
      const address = await site.push();
      const page = await client(address);
      const box = await page.page.getByRole('button', { name: holdButton }).boundingBox();
      await page.page.mouse.move((box?.x ?? 0) + 80, (box?.y ?? 0) + 80);
      await page.page.mouse.down();
      await sleep(200);
      await page.page.mouse.move(5, 5);
      await sleep(900);
      expect(await site.viewsUsed(address)).to.equal(0);
    });

    it('opens nothing to events from scripts', async () => {
      const address = await site.push();
      const page = await client(address);
      await page.page.evaluate(`(() => {
        const button = document.querySelector('.hold-button');
        for (const type of ['pointerdown', 'mousedown', 'touchstart', 'click'])
          button.dispatchEvent(new PointerEvent(type, { bubbles: true, isPrimary: true, button: 0 }));
        button.dispatchEvent(new KeyboardEvent('keydown', { key: ' ', bubbles: true }));
      })()`);
      await sleep(1_000);
      await page.page.evaluate(`(() => {
        const button = document.querySelector('.hold-button');
        button.dispatchEvent(new PointerEvent('pointerup', { bubbles: true, isPrimary: true, button: 0 }));
        button.dispatchEvent(new KeyboardEvent('keyup', { key: ' ', bubbles: true }));
      })()`);
      await sleep(500);
      expect(await site.viewsUsed(address)).to.equal(0);
    });

    it('asks for the word again after a form without it, and spends no view', async () => {
      const address = await site.push({ expire_after_views: 1 });
      const page = await client(address);
      await waitLikeAReader();
      await page.awaitNavigation(() => page.page.evaluate('document.querySelector("form").submit()'));
      expect(await page.text())
        .to.include('Please type the word below')
        .and.include('Nothing was used up');
      expect(await page.accessibilityViolations()).to.deep.equal([]);
      expect(await site.viewsUsed(address)).to.equal(0);
    });
  });

  describe('Spending one view in a browser', () => {
    it('spends one view on a double click without scripts', async () => {
      const address = await site.push({ expire_after_views: 1 });
      const page = await client(address, { scripts: false });
      await waitLikeAReader();
      await page.typeWord();
      await page.awaitNavigation(() => page.page.getByRole('button', { name: 'Show the secret' }).dblclick());
      expect(await page.text()).to.include('tulip');
      expect(await site.viewsUsed(address)).to.equal(1);
    });

    it('spends one view when the page is reloaded with its form', async () => {
      const address = await site.push({ expire_after_views: 3 });
      const page = await client(address);
      await page.hold(holdButton);
      await page.page.reload();
      expect(await page.text()).to.include('tulip');
      expect(await site.viewsUsed(address)).to.equal(1);
    });

    it('shows a new retrieval step to a browser that opened the secret a minute ago, and says so', async () => {
      const address = await site.push({ expire_after_views: 3 });
      const page = await client(address);
      await page.hold(holdButton);
      await site.service.database.execute('UPDATE spent_nonces SET view_expires_at = 1', {});
      await page.page.goBack();
      expect(await page.text())
        .to.include(holdButton)
        .and.include('Opening it again uses up another');
      expect(await site.viewsUsed(address)).to.equal(1);
      await page.hold(holdButton);
      expect(await site.viewsUsed(address)).to.equal(2);
    });
  });

  describe('A revealed secret in a browser', () => {
    const hostile = ' a\tb\r\n\r\n  c \0 d\n<b>&amp;</b> 😀 \u2028 \n';

    async function revealed(fields: Record<string, unknown>, options: PageOptions = {}): Promise<TestPage> {
      const page = await client(await site.push(fields), options);
      await page.hold(holdButton);
      return page;
    }

    it('blurs the secret until the reader shows it', async () => {
      const page = await revealed({});
      const blur = () => page.page.evaluate(filterOfSecret);
      expect(await blur()).to.match(/blur/);
      await page.click('Show');
      expect(await blur()).to.equal('none');
      await page.click('Hide');
      expect(await blur()).to.match(/blur/);
    });

    it('hides a blurred secret from screen readers, and names the button by what it does', async () => {
      const page = await revealed({ payload: 'tulip' });
      const session = await page.context.newCDPSession(page.page);
      const spoken = async () => {
        const { nodes } = await session.send('Accessibility.getFullAXTree');
        return nodes.flatMap(({ ignored, name }) => (ignored ? [] : [String(name?.value ?? '')])).join(' ');
      };
      expect(await spoken()).to.not.include('tulip');
      await page.click('Show');
      expect(await spoken())
        .to.include('tulip')
        .and.include('Hide');
      expect(await page.page.locator('[aria-pressed]').count()).to.equal(0);
    });

    it('prints the whole secret, but only once it is shown', async () => {
      const page = await revealed({ payload: 'line\n'.repeat(200) });
      await page.page.emulateMedia({ media: 'print' });
      expect(await page.page.locator('#secret').isVisible()).to.equal(false);
      await page.page.emulateMedia({ media: 'screen' });
      await page.click('Show');
      await page.page.emulateMedia({ media: 'print' });
      expect(await page.page.evaluate('secret.scrollHeight <= secret.offsetHeight')).to.equal(true);
      expect(await page.page.getByRole('button', { name: 'Copy' }).isVisible()).to.equal(false);
    });

    it('shows the secret without blur where scripts are off', async () => {
      const page = await client(await site.push(), { scripts: false });
      await waitLikeAReader();
      await page.typeWord();
      await page.click('Show the secret');
      expect(await page.page.evaluate(filterOfSecret)).to.equal('none');
    });

    it('copies the exact secret, says so, and moves nothing for that', async () => {
      const page = await revealed(
        { payload: hostile },
        { device: 'phone', contextOptions: { permissions: ['clipboard-read', 'clipboard-write'] } },
      );
      const height = () => page.page.evaluate('document.querySelector(".card").offsetHeight');
      const before = await height();
      await page.click('Copy');
      expect(await page.page.getByRole('status').innerText()).to.equal('Copied');
      expect(await height()).to.equal(before);
      expect(await page.page.evaluate('navigator.clipboard.readText()')).to.equal(hostile);
    });

    it('downloads the exact secret', async () => {
      const page = await revealed({ payload: hostile });
      const [download] = await Promise.all([
        page.page.waitForEvent('download'),
        page.click('Download as text'),
      ]);
      expect(download.suggestedFilename()).to.equal('secret.txt');
      expect(await readFile(await download.path(), 'utf8')).to.equal(hostile);
    });

    it('wraps long lines, or not, as the reader chooses', async () => {
      const page = await revealed({ payload: 'long '.repeat(200) }, { device: 'phone' });
      const isWide = () => page.page.evaluate('secret.scrollWidth > secret.clientWidth');
      expect(await isWide()).to.equal(false);
      await page.page.getByLabel('Wrap lines').uncheck();
      expect(await isWide()).to.equal(true);
      expect(await page.page.evaluate('document.documentElement.scrollWidth')).to.be.at.most(375);
    });

    describe('A secret of a mebibyte', () => {
      const line = `${'x'.repeat(1024 ** 2 - 8)} needle`;
      const mixed = `${'tulip & <rose>\n'.repeat(2_000)}\n${'y z'.repeat(9_000)}\n\n${'x'.repeat(20_000)} needle`;

      /** A revealed secret, and how many of its pieces are laid out. */
      async function shown(payload: string, contextOptions: PageOptions['contextOptions'] = {}) {
        const page = await client(undefined, { contextOptions });
        await page.page.addInitScript(`
          window.laidOut = new Set();
          document.addEventListener('contentvisibilityautostatechange', ({ target, skipped }) => {
            if (skipped) laidOut.delete(target);
            else laidOut.add(target);
          }, true);`);
        await page.goto(await site.push({ payload }));
        await page.hold(holdButton);
        await page.click('Show');
        return { page, laidOut: async () => Number(await page.page.evaluate('laidOut.size')) };
      }

      it('is laid out where it is on the screen, wrapped or not', async () => {
        const { page, laidOut } = await shown(line);
        const pieces = Number(await page.page.evaluate('secret.childElementCount'));
        expect(pieces).to.be.above(100);
        expect(await laidOut()).to.be.within(1, pieces / 10);
        const scrollToEnd = (x: string, y: string) =>
          until(
            async () =>
              page.page.evaluate(`secret.scrollTo(${x}, ${y}), laidOut.has(secret.lastElementChild)`),
            programMs,
          );
        await scrollToEnd('0', 'secret.scrollHeight');
        await page.page.getByLabel('Wrap lines').uncheck();
        await until(async () => Number(await page.page.evaluate('secret.clientHeight')) < 100, programMs); // one line
        await scrollToEnd('secret.scrollWidth', '0');
        expect(await laidOut()).to.be.within(1, pieces / 10);
      });

      it('is found, selected and copied whole', async () => {
        const permissions = { permissions: ['clipboard-read', 'clipboard-write'] };
        for (const payload of [line, mixed]) {
          const { page } = await shown(payload, permissions);
          const copied = async () => (await page.page.evaluate('navigator.clipboard.readText()')) === payload;
          expect(await page.page.evaluate('window.find("needle")')).to.equal(true);
          await page.page.evaluate('getSelection().selectAllChildren(secret)');
          await page.page.keyboard.press('Control+C');
          expect(await copied(), 'the selection').to.equal(true);
          await page.page.evaluate('navigator.clipboard.writeText("")');
          await page.click('Copy');
          expect(await copied(), 'the button').to.equal(true);
        }
      });

      it('is printed whole', async () => {
        const { page } = await shown(mixed);
        await page.page.getByLabel('Wrap lines').uncheck();
        await page.page.emulateMedia({ media: 'print' });
        const isWhole = `secret.scrollWidth <= secret.clientWidth && secret.scrollHeight <= secret.offsetHeight
          && [...secret.children].every((piece) => getComputedStyle(piece).contentVisibility === 'visible')`;
        expect(await page.page.evaluate(isWhole)).to.equal(true);
        const display = 'getComputedStyle(secret.querySelector(".part")).display';
        expect(await page.page.evaluate(display), 'wrapped apart, or else it takes a minute').to.equal(
          'block',
        );
      });

      it('is printed without a line break that it does not have', async () => {
        const { page } = await shown(`${'x'.repeat(20_000)}\nneedle\n${'y'.repeat(20_000)}\nneedle`);
        await page.page.emulateMedia({ media: 'print' });
        const gaps = await page.page.evaluate(`(() => {
          const rects = (node) => {
            const range = document.createRange();
            range.selectNodeContents(node);
            return [...range.getClientRects()];
          };
          const lines = [...secret.children].map(rects);
          return lines.slice(1).map((own, i) => Math.round((own[0].top - lines[i].at(-1).top) / own[0].height));
        })()`);
        expect(gaps).to.deep.equal(Array(7).fill(1)); // each piece begins on the next line
      });
    });

    it('offers to wrap lines only where one is long', async () => {
      const offers = async (payload: string) =>
        (await revealed({ payload }, { device: 'phone' })).page.getByLabel('Wrap lines').isVisible();
      expect(await offers('tulip\nrose')).to.equal(false);
      expect(await offers('a line that is too long for a narrow screen')).to.equal(true);
    });

    it('counts down to the expiry and announces it', async () => {
      const address = await site.push();
      await expirePushIn(site.service, address.split('/').at(-1) ?? '', 600_000);
      const page = await revealedAt(address);
      expect(await page.text()).to.match(/It is erased in (9|10) minutes \(/);
      await page.page.clock.install();
      await page.page.clock.fastForward(530_000);
      await page.page.getByText(/It is erased in \d+ seconds/).waitFor();
      await page.page.clock.fastForward(70_000);
      await page.page.getByText('Its time is over').waitFor();
      expect(await page.page.getByText('Delete now').count()).to.equal(0);
    });

    it('announces the last view in a browser', async () => {
      const page = await revealed({ expire_after_views: 1 });
      expect(await page.text()).to.include('This was the last view');
    });

    it('asks before it deletes the secret', async () => {
      const page = await revealed({});
      const address = page.page.url();
      await page.page.getByText('Delete now').first().click();
      expect(await site.viewsUsed(address)).to.equal(1); // still there: the first press asks
      await page.click('Delete for good');
      expect(await page.text()).to.include('The secret is deleted');
      await page.goto(page.page.url().replace('/delete', ''));
      expect(await page.text()).to.include('It cannot be opened any more');
    });

    it('shows a link with its host and does not follow it', async () => {
      const page = await revealed({ kind: 'url', payload: 'https://login.example.com/reset?a=b' });
      expect(await page.text()).to.include('A link to login.example.com');
      expect(await page.page.getByRole('link', { name: /reset/ }).getAttribute('href')).to.equal(
        'https://login.example.com/reset?a=b',
      );
      expect(page.page.url()).to.match(/\/p\//);
    });

    it('shows a QR code that a camera can read', async () => {
      const text = 'WIFI:T:WPA;S:hush 😀;P:push;;';
      const page = await revealed({ kind: 'qr', payload: text }, { theme: 'dark' });
      await page.click('Show');
      const picture = await page.page.locator('.qr-code').screenshot();
      expect(decodeQR(await pixelsOf(page, picture))).to.equal(text);
    });

    async function revealedAt(address: string): Promise<TestPage> {
      const page = await client(address);
      await page.hold(holdButton);
      return page;
    }
  });

  describe('Accessibility', () => {
    const pages: [string, (page: TestPage) => Promise<unknown>][] = [
      ['the step', async (page) => page.goto(await site.push())],
      [
        'a press that was too short',
        async (page) => {
          await page.goto(await site.push());
          await page.hold(/Hold to|Öffnen halten/, 200);
        },
      ],
      ['a passphrase', async (page) => page.goto(await site.push({ passphrase: 'p' }))],
      [
        'a wrong passphrase',
        async (page) => {
          await page.goto(await site.push({ passphrase: 'p' }));
          await page.fill(/^Passphrase/, 'x');
          await page.hold(/Hold to|Öffnen halten/);
        },
      ],
      ['a text', async (page) => reveal(page, { payload: 'tulip '.repeat(300) })],
      [
        'a link',
        async (page) => reveal(page, { kind: 'url', payload: 'https://example.com', expire_after_views: 1 }),
      ],
      ['a QR code', async (page) => reveal(page, { kind: 'qr' })],
      [
        'a deleted secret',
        async (page) => {
          await reveal(page, {});
          await page.page
            .getByText(/Delete now|Jetzt löschen/)
            .first()
            .click();
          await page.click(/Delete for good|Endgültig löschen/);
        },
      ],
      ['nothing', async (page) => page.goto(`${site.base}/p/${'0'.repeat(26)}`)],
      ['the description of the API', async (page) => page.goto(`${site.base}/docs`)],
    ];

    for (const options of variants) {
      it(`is accessible in the ${options.theme} theme on a ${options.device}, in ${options.locale}`, async () => {
        const page = await client(undefined, options);
        for (const [name, open] of pages) {
          await open(page);
          expect(await page.accessibilityViolations(), name).to.deep.equal([]);
          const width = Number(await page.page.evaluate('document.documentElement.scrollWidth'));
          expect(width, `the width of ${name}`).to.be.at.most(widthMax[options.device]);
        }
      });
    }

    const toggles: [string, string[], (page: TestPage) => Promise<unknown>][] = [
      [
        'the step',
        ['.alternative button[aria-expanded]', '[data-show-typed]'],
        async (page) => page.goto(await site.push({ passphrase: 'p' })),
      ],
      [
        'a text',
        ['[data-toggle-secret]', '[data-wrap]', '.delete-form summary'],
        async (page) => reveal(page, { payload: 'a line that is too long for any screen '.repeat(5) }),
      ],
      ['a new push', ['.more summary', '#encrypt'], async (page) => page.goto(`${site.base}/`)],
    ];

    for (const [name, selectors, open] of toggles)
      it(`tells screen readers the state of each toggle, or gives it another name, but not both: ${name}`, async () => {
        const page = await client(site.base);
        await open(page);
        const session = await page.context.newCDPSession(page.page);
        for (const selector of selectors) {
          const spoken = async () => {
            const expression = `document.querySelector(${JSON.stringify(selector)})`;
            const { result } = await session.send('Runtime.evaluate', { expression });
            const { nodes } = await session.send('Accessibility.getPartialAXTree', {
              objectId: String(result.objectId),
              fetchRelatives: false,
            });
            const { name, properties = [] } = nodes[0] ?? {};
            const states = properties.filter((each) =>
              ['checked', 'expanded', 'pressed'].includes(each.name),
            );
            return { name: String(name?.value ?? ''), state: states.map(({ value }) => value.value).join() };
          };
          const before = await spoken();
          await page.page.locator(selector).first().click();
          const after = await spoken();
          expect(before.name, selector).to.not.equal('');
          const changes = [before.name !== after.name, before.state !== after.state];
          expect(changes.filter(Boolean), `${selector}: ${JSON.stringify([before, after])}`).to.have.length(
            1,
          );
        }
      });

    it('shows, hides and deletes a secret by keyboard alone', async () => {
      const address = await site.push();
      const page = await client(address);
      await tabTo(page, 'hold-button');
      await page.holdKey('Space');
      const press = async (name: string) => {
        for (let presses = 0; presses < 12; presses++) {
          await page.page.keyboard.press('Tab');
          if ((await page.page.evaluate('document.activeElement.innerText.trim()')) === name)
            return page.awaitNavigation(() => page.page.keyboard.press('Enter'));
        }
        expect.fail(`the keyboard does not reach “${name}”`);
      };
      await press('Show');
      expect(await page.page.evaluate(filterOfSecret)).to.equal('none');
      await press('Delete now');
      await press('Delete for good');
      expect(await page.text()).to.include('The secret is deleted');
    });

    async function reveal(page: TestPage, fields: Record<string, unknown>) {
      await page.goto(await site.push(fields));
      await page.hold(/Hold to|Öffnen halten/);
    }
  });

  describe('Page weight', () => {
    it('loads the retrieval step in one request of at most 20 KiB', async () => {
      const page = await client();
      const session = await page.context.newCDPSession(page.page);
      await session.send('Network.enable');
      const loaded = new Map<string, number>();
      session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
        loaded.set(requestId, encodedDataLength);
      });
      const response = await page.goto(await site.push());
      await sleep(300);
      const body = String(await response?.text());
      const scripts = body.match(/<script[\s\S]*?<\/script>/g)?.join('') ?? '';
      const bytes = [...loaded.values()].reduce((a, b) => a + b, 0);
      expect(bytes).to.be.within(1, 20 * kibibyte);
      expect(scripts.length).to.be.at.most(20 * kibibyte);
      expect(body).to.not.match(/<link[^>]*stylesheet|<script[^>]*\bsrc=/);
      console.log(
        `      ${(bytes / kibibyte).toFixed(1)} KiB in all, of them ${(scripts.length / kibibyte).toFixed(1)} KiB of script`,
      );
    });
  });

  it('moves nothing on a page once it is painted, on a slow machine either', async () => {
    for (const device of ['desktop', 'phone'] as const)
      for (const address of [await site.push(), await site.push({ passphrase: 'p' }), `${site.base}/`]) {
        const page = await client(undefined, { device });
        const devTools = await page.page.context().newCDPSession(page.page);
        await devTools.send('Emulation.setCPUThrottlingRate', { rate: 6 });
        await page.page.goto(address, { waitUntil: 'networkidle' });
        const shifts = await page.page.evaluate(`new Promise((resolve) => {
          const values = [];
          const describe = ({ value, sources }) =>
            [value, ...sources.map(({ node, previousRect, currentRect }) =>
              [node?.outerHTML?.slice(0, 80), JSON.stringify(previousRect), JSON.stringify(currentRect)].join(' '))];
          new PerformanceObserver((list) => values.push(...list.getEntries().map(describe)))
            .observe({ type: 'layout-shift', buffered: true });
          requestAnimationFrame(() => setTimeout(() => resolve(values)));
        })`);
        expect(shifts, `${address} on a ${device}`).to.deep.equal([]);
      }
  });

  async function tabTo(page: TestPage, className: string): Promise<void> {
    for (let presses = 0; presses < 10; presses++) {
      await page.page.keyboard.press('Tab');
      if (await page.page.evaluate(`document.activeElement.classList.contains('${className}')`)) return;
    }
    expect.fail(`the keyboard does not reach .${className}`);
  }

  /** The pixels of a picture, as a camera sees them. */
  async function pixelsOf(page: TestPage, png: Buffer) {
    const { width, height, data } = (await page.page.evaluate(`(async () => {
      const bytes = Uint8Array.from(atob('${png.toString('base64')}'), (c) => c.charCodeAt(0));
      const picture = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
      const canvas = new OffscreenCanvas(picture.width, picture.height);
      const context = canvas.getContext('2d');
      context.drawImage(picture, 0, 0);
      const { data } = context.getImageData(0, 0, picture.width, picture.height);
      return { width: picture.width, height: picture.height, data: [...data] };
    })()`)) as { width: number; height: number; data: number[] };
    return { width, height, data: Uint8Array.from(data) };
  }
});
