import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import pLimit from 'p-limit';
import { urlTokenDigest } from '../../src/crypto/pepper.ts';
import { asForm, type Fields } from '../harness/api.ts';
import type { TestPage } from '../harness/browser.ts';
import { onMariadb } from '../harness/database.ts';
import { type HtmlForm, payloadShown, sameOrigin } from '../harness/forms.ts';
import { type Site, startSite } from '../harness/site.ts';

type Scan = (address: string, path: string) => Promise<unknown>;

/** Long enough for what a page does by itself or after a held press. */
const watchedMs = 1_000;

// Browsers do not depend on the database, so this runs once.
const describeOnce = onMariadb ? describe : () => {};

describeOnce('Link scanners', () => {
  let site: Site;

  before(async function () {
    site = await startSite(this);
  });
  after(() => site?.stop());

  /** How many wrong passphrases the owner of a push is told of. */
  async function attemptsOn(address: string): Promise<number> {
    const { database, keyring } = site.service;
    const rows = await database.select(
      `SELECT 1 FROM audit_rows JOIN pushes ON pushes.id = push_id
       WHERE token_digest = $digest AND audit_rows.kind = 'failed_passphrase'`,
      { digest: urlTokenDigest(keyring, address.slice(-26)) },
    );
    return rows.length;
  }

  const get = (path: string, headers: Record<string, string> = {}) => site.api.get(path, headers);

  /** Chrome acts on a page and stays on it for a while. */
  function chrome(act: (page: TestPage) => Promise<unknown>): Scan {
    return async (address) => {
      const page = await site.browser.open();
      try {
        await page.goto(address);
        await sleep(600);
        await act(page);
        await sleep(watchedMs);
      } finally {
        await page.close();
      }
    };
  }

  /** Submits a form as a scraping library does. */
  async function post(path: string, { headers, fields }: HtmlForm, more: Record<string, string> = {}) {
    const body = String(new URLSearchParams({ ...fields, ...more }));
    await site.api.send('POST', path, { headers: { ...asForm, ...headers, ...sameOrigin }, body });
  }

  const everyControl = 'a, button, input, summary, label, form, [onclick], [tabindex]';

  /** Acts on the middle of each visible control, on a fresh page each time. */
  async function everywhere(page: TestPage, act: (x: number, y: number) => Promise<void>) {
    const address = page.page.url();
    const count = await page.page.locator(everyControl).count();
    for (let i = 0; i < count; i++) {
      const box = await page.page.locator(everyControl).nth(i).boundingBox();
      if (box === null) continue;
      await page.awaitNavigation(() => act(box.x + box.width / 2, box.y + box.height / 2));
      await page.goto(address);
      await sleep(550);
    }
  }

  const unfurlers = [
    'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
    'Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)',
    'WhatsApp/2.23.20.0',
    'facebookexternalhit/1.1',
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) SkypeUriPreview Preview/0.5',
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/126.0 Safari/537.36',
    '',
  ];

  const scanners: [string, Scan][] = [
    ...unfurlers.map((agent): [string, Scan] => [
      `an unfurler that says “${agent}”`,
      async (_, path) => {
        await site.api.send('HEAD', path, { headers: { 'user-agent': agent } });
        await get(path, { 'user-agent': agent });
      },
    ]),
    [
      'a browser that fetches ahead',
      async (_, path) => {
        for (const header of [{ 'sec-purpose': 'prefetch;prerender' }, { purpose: 'prefetch' }])
          await get(path, header);
      },
    ],
    [
      'a follower of links',
      async (_, path) => {
        const { text } = await get(path);
        const links = [...text.matchAll(/(?:href|src|action|content)="([^"]+)"/g)].map(
          ([, link = '']) => link,
        );
        for (const link of links) {
          const url = new URL(link.replaceAll('&amp;', '&'), `${site.origin}${path}`);
          if (url.origin === site.origin) await get(`${url.pathname}${url.search}`);
        }
      },
    ],
    [
      'a poster of forms without cookies',
      async (_, path) =>
        post(path, { headers: {}, fields: (await site.forms.loadForm(path)).fields }, { word: '' }),
    ],
    [
      'a poster of forms with cookies, who waits',
      async (_, path) => {
        const form = await site.forms.loadForm(path);
        await sleep(600);
        await post(path, form);
        await post(path, form, { word: '' });
      },
    ],
    [
      'a poster of forms with cookies, who fills them in',
      async (_, path) => {
        for (const word of ['test', 'test@example.com', 'on', '1', 'admin', 'word'])
          await post(path, await site.forms.loadForm(path), { word, passphrase: word });
      },
    ],
    ['Chrome that waits', chrome(async () => sleep(2_000))],
    [
      'Chrome that clicks everything by script',
      chrome((page) =>
        page.page.evaluate(`for (const e of document.querySelectorAll('${everyControl}')) e.click?.()`),
      ),
    ],
    [
      'Chrome that makes up pointers and keys and holds them',
      chrome(async (page) => {
        const fire = (events: string[]) =>
          page.page.evaluate(`for (const e of document.querySelectorAll('*')) for (const type of ${JSON.stringify(events)})
            e.dispatchEvent(type.startsWith('key') ? new KeyboardEvent(type, { key: ' ', code: 'Space', bubbles: true })
              : new PointerEvent(type, { bubbles: true, isPrimary: true, button: 0, pointerId: 1 }))`);
        await fire(['pointerdown', 'mousedown', 'keydown']);
        await sleep(900);
        await fire(['pointerup', 'mouseup', 'keyup', 'click']);
      }),
    ],
    [
      'Chrome that submits forms by script',
      chrome(async (page) => {
        await page.awaitNavigation(() => page.page.evaluate('for (const f of document.forms) f.submit()'));
        await sleep(600);
        await page.awaitNavigation(() => page.page.evaluate('for (const f of document.forms) f.submit()'));
      }),
    ],
    [
      'Chrome that fills forms in and submits them',
      chrome(async (page) => {
        await page.page.evaluate(
          `for (const i of document.querySelectorAll('input')) { if (i.type !== 'hidden') i.value = 'test'; i.checked = true }`,
        );
        await page.awaitNavigation(() =>
          page.page.evaluate('for (const f of document.forms) f.requestSubmit()'),
        );
      }),
    ],
    [
      'Chrome that clicks everything with a mouse',
      chrome(async (page) => {
        await everywhere(page, (x, y) => page.page.mouse.click(x, y, { delay: 80 }));
      }),
    ],
    [
      'Chrome that clicks everything twice with a mouse',
      chrome((page) => everywhere(page, (x, y) => page.page.mouse.dblclick(x, y))),
    ],
    [
      'Chrome that fills in what it clicks, and presses Enter',
      chrome(async (page) => {
        await everywhere(page, async (x, y) => {
          await page.page.mouse.click(x, y);
          await page.page.keyboard.type('test');
          await page.page.keyboard.press('Enter');
        });
      }),
    ],
    [
      'Chrome that presses everything and never lets go',
      chrome((page) =>
        everywhere(page, async (x, y) => {
          await page.page.mouse.move(x, y);
          await page.page.mouse.down();
          await sleep(watchedMs);
        }),
      ),
    ],
    [
      'Chrome that fills in everything, presses the button and drags away',
      chrome(async (page) => {
        for (const field of await page.page.locator('input:visible:not([type=checkbox])').all())
          await field.fill('test');
        await page.page.locator('.hold-button').hover();
        await page.page.mouse.down();
        await sleep(watchedMs);
        await page.page.mouse.move(1, 1);
        await page.page.mouse.up();
      }),
    ],
    [
      'Chrome that presses Enter and Space on everything',
      chrome(async (page) => {
        const address = page.page.url();
        for (const key of ['Enter', 'Space']) {
          for (let tabs = 1; tabs <= 6; tabs++) {
            for (let i = 0; i < tabs; i++) await page.page.keyboard.press('Tab');
            await page.awaitNavigation(() => page.page.keyboard.press(key, { delay: 60 }));
            await page.goto(address);
            await sleep(550);
          }
        }
      }),
    ],
  ];

  /** The address of a scanned push. */
  type Scanned = Promise<string>;
  let scanned: Map<string, { open: Scanned; behindPassphrase: Scanned }>;

  // Scans mostly wait, so some run at the same time.
  before(() => {
    const some = pLimit(4);
    const scans = (scan: Scan, fields: Fields): Scanned => {
      const scanning = some(async () => {
        const address = await site.push({ expire_after_views: 1, ...fields });
        await scan(address, new URL(address).pathname);
        return address;
      });
      scanning.catch(() => {}); // its test reports it
      return scanning;
    };
    scanned = new Map(
      scanners.map(([name, scan]) => [
        name,
        { open: scans(scan, {}), behindPassphrase: scans(scan, { passphrase: 'open sesame' }) },
      ]),
    );
  });

  for (const [name] of scanners) {
    it(`spends no view on a scanner and leaves the secret to a person: ${name}`, async () => {
      const address = String(await scanned.get(name)?.open);
      expect(await site.viewsUsed(address)).to.equal(0);

      expect(payloadShown(await site.forms.reveal({ page: new URL(address).pathname }))).to.equal('tulip');
    });

    it(`spends no view of a push with a passphrase on a scanner, and counts no attempt: ${name}`, async () => {
      const address = String(await scanned.get(name)?.behindPassphrase);
      expect(await site.viewsUsed(address)).to.equal(0);
      expect(await attemptsOn(address)).to.equal(0);
    });
  }

  it('opens the secret to a person who holds the button after all scanners without a browser were there', async () => {
    const address = await site.push({ expire_after_views: 1 });
    for (const [, scan] of scanners.slice(0, -11)) await scan(address, new URL(address).pathname);
    const person = await site.browser.open();
    await person.goto(address);
    await person.hold('Hold to reveal');
    expect(await person.text()).to.include('tulip');
    expect(await site.viewsUsed(address)).to.equal(1);
    await person.close();
  });
});
