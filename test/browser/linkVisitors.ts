import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { asForm } from '../harness/api.ts';
import type { TestPage } from '../harness/browser.ts';
import { type HtmlForm, parseForm, sameOrigin } from '../harness/forms.ts';
import type { Site } from '../harness/site.ts';

/** What somebody who meets a link does with it. */
export type Visit = (address: string, site: Site) => Promise<unknown>;

/** What a page does by itself, or after a press, has happened by then. */
const watchedMs = 1_000;
/** A form that is sent sooner is refused as too quick. */
const readingMs = 600;

const everyControl = 'a, button, input, summary, label, form, [onclick], [tabindex]';

const unfurlers = [
  'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
  'Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)',
  'WhatsApp/2.23.20.0',
  'facebookexternalhit/1.1',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) SkypeUriPreview Preview/0.5',
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/126.0 Safari/537.36',
  '',
];

/** Programs without a browser that follow links, load previews, and fill in forms. */
export const programs: Record<string, Visit> = {
  ...Object.fromEntries(
    unfurlers.map((agent): [string, Visit] => [
      `an unfurler that says “${agent}”`,
      async (address, { api }) => {
        await api.send('HEAD', pathOf(address), { headers: { 'user-agent': agent } });
        await api.get(pathOf(address), { 'user-agent': agent });
      },
    ]),
  ),
  'a browser that fetches ahead': async (address, { api }) => {
    for (const header of [{ 'sec-purpose': 'prefetch;prerender' }, { purpose: 'prefetch' }])
      await api.get(pathOf(address), header);
  },
  'a follower of links': async (address, { api, origin }) => {
    const { text } = await api.get(pathOf(address));
    for (const [, link = ''] of text.matchAll(/(?:href|src|action|content)="([^"]+)"/g)) {
      const url = new URL(link.replaceAll('&amp;', '&'), address);
      if (url.origin === origin) await api.get(`${url.pathname}${url.search}`);
    }
  },
  'an antivirus that repeats what a browser requested, with its cookies and without': async (
    address,
    site,
  ) => {
    const { headers } = await site.forms.loadForm(pathOf(address));
    for (const repeated of [headers, headers, {}]) {
      await site.api.get(pathOf(address), repeated);
      await post(site, address, { headers: repeated, fields: {} });
    }
  },
  'a gateway that asks from elsewhere, and with other letters and values': async (address, { api }) => {
    const path = pathOf(address);
    for (const changed of [
      path,
      `${path}?locale=undefined`,
      path.toLowerCase(),
      path.toUpperCase(),
      rot13(path),
    ])
      await api.get(changed, { 'user-agent': 'Mozilla/4.0 (compatible; MSIE 7.0; Windows NT 5.1)' });
  },
  'a poster of forms without cookies': async (address, site) => {
    const { fields } = await site.forms.loadForm(pathOf(address));
    await post(site, address, { headers: {}, fields }, { word: '' });
  },
  'a poster of forms with cookies, who waits': async (address, site) => {
    const form = await site.forms.loadForm(pathOf(address));
    await sleep(readingMs);
    await post(site, address, form);
    await post(site, address, form, { word: '' });
  },
  'a poster of forms with cookies, who fills them in': async (address, site) => {
    for (const word of ['test', 'test@example.com', 'on', '1', 'admin', 'word'])
      await post(site, address, await site.forms.loadForm(pathOf(address)), filledIn(word));
  },
};

/** Browsers that a machine drives, as mail gateways and previews do. */
export const drivenBrowsers: Record<string, Visit> = {
  'Chrome that waits': chrome(() => sleep(2_000)),
  'Chrome that clicks everything by script': chrome(({ page }) =>
    page.evaluate(`for (const e of document.querySelectorAll('${everyControl}')) e.click?.()`),
  ),
  'Chrome that makes up pointers and keys and holds them': chrome(async ({ page }) => {
    const fire = (events: string[]) =>
      page.evaluate(`for (const e of document.querySelectorAll('*')) for (const type of ${JSON.stringify(events)})
          e.dispatchEvent(type.startsWith('key') ? new KeyboardEvent(type, { key: ' ', code: 'Space', bubbles: true })
            : new PointerEvent(type, { bubbles: true, isPrimary: true, button: 0, pointerId: 1 }))`);
    await fire(['pointerdown', 'mousedown', 'keydown']);
    await sleep(900);
    await fire(['pointerup', 'mouseup', 'keyup', 'click']);
  }),
  'Chrome that submits forms by script': chrome(async (page) => {
    await page.awaitNavigation(() => page.page.evaluate('for (const f of document.forms) f.submit()'));
    await sleep(readingMs);
    await page.awaitNavigation(() => page.page.evaluate('for (const f of document.forms) f.submit()'));
  }),
  'Chrome that fills forms in and submits them': chrome(async (page) => {
    await page.page.evaluate(
      `for (const i of document.querySelectorAll('input, textarea')) { if (!/hidden|file/.test(i.type)) i.value = 'test'; i.checked = true }`,
    );
    await page.awaitNavigation(() => page.page.evaluate('for (const f of document.forms) f.requestSubmit()'));
  }),
  'Chrome that clicks everything with a mouse': chrome((page) =>
    everywhere(page, (x, y) => page.page.mouse.click(x, y, { delay: 80 })),
  ),
  'Chrome that shows what is hidden, and presses every button for 200 ms': chrome(async (page) => {
    const unhide = `for (const e of document.querySelectorAll('[hidden], details, .alternative')) {
      e.hidden = false; e.open = true; e.classList.add('open') }`;
    await page.page.evaluate(unhide);
    await everywhere(page, (x, y) => page.page.mouse.click(x, y, { delay: 200 }), unhide);
  }),
  'Chrome that sends every form with each of its buttons, at once': chrome(async (page) => {
    const address = page.page.url();
    const count = await page.page.locator('form button').count();
    for (let i = 0; i < count; i++) {
      await page.goto(address);
      await page.awaitNavigation(() =>
        page.page.evaluate(`{ const button = document.querySelectorAll('form button')[${i}];
          button.form.noValidate = true; button.type = 'submit'; button.form.requestSubmit(button) }`),
      );
    }
  }),
  'Chrome that says it is a preview, scrolls, and takes a picture': async (address, { browser }) => {
    const userAgent =
      'Mozilla/5.0 (compatible; LinkPreview/1.0) AppleWebKit/537.36 Chrome/126.0 Safari/537.36';
    const page = await browser.open({ contextOptions: { userAgent } });
    await page.goto(address);
    await page.page.mouse.wheel(0, 5_000);
    await page.page.screenshot({ fullPage: true });
    await sleep(watchedMs);
    await page.close();
  },
  'Chrome that loads and renders ahead': async (address, { browser }) => {
    const ahead = JSON.stringify([{ urls: [address], eagerness: 'immediate' }]);
    const rules = `<script type="speculationrules">{"prefetch":${ahead},"prerender":${ahead}}</script>`;
    const other = createServer((_, response) => response.setHeader('Content-Type', 'text/html').end(rules));
    await once(other.listen(0, '127.0.0.1'), 'listening');
    const page = await browser.open();
    const { port } = other.address() as AddressInfo;
    await page.page.goto(`http://127.0.0.1:${port}/`);
    await sleep(2 * watchedMs);
    await page.close();
    other.close();
  },
  'Chrome that clicks everything twice with a mouse': chrome((page) =>
    everywhere(page, (x, y) => page.page.mouse.dblclick(x, y)),
  ),
  'Chrome that fills in what it clicks, and presses Enter': chrome((page) =>
    everywhere(page, async (x, y) => {
      await page.page.mouse.click(x, y);
      await page.page.keyboard.type('test');
      await page.page.keyboard.press('Enter');
    }),
  ),
  'Chrome that presses everything and never lets go': chrome((page) =>
    everywhere(page, async (x, y) => {
      await page.page.mouse.move(x, y);
      await page.page.mouse.down();
      await sleep(watchedMs);
    }),
  ),
  'Chrome that fills in everything, presses the button and drags away': chrome(async (page) => {
    await fillIn(page, 'test');
    await page.page.locator('.hold-button').hover();
    await page.page.mouse.down();
    await sleep(watchedMs);
    await page.page.mouse.move(1, 1);
    await page.page.mouse.up();
  }),
  'Chrome that presses Enter and Space on everything': chrome(async (page) => {
    const address = page.page.url();
    for (const key of ['Enter', 'Space'])
      for (let tabs = 1; tabs <= 6; tabs++) {
        for (let i = 0; i < tabs; i++) await page.page.keyboard.press('Tab');
        await page.awaitNavigation(() => page.page.keyboard.press(key, { delay: 60 }));
        await page.goto(address);
        await sleep(readingMs);
      }
  }),
};

/** Machines that do what people do, and cannot be told from them. Where a passphrase is asked for, they guess. */
export const imitators: Record<string, Visit> = {
  'Chrome that holds the button with a mouse': chrome(async (page) => {
    await fillIn(page, 'test');
    await page.hold(holdButton);
  }),
  'Chrome that drags within the button for a second': chrome(async (page) => {
    await fillIn(page, 'test');
    const { x = 0, y = 0 } = (await page.page.locator('.hold-button').boundingBox()) ?? {};
    await page.page.mouse.move(x + 70, y + 70);
    await page.page.mouse.down();
    for (let i = 0; i < 10; i++) {
      await page.page.mouse.move(x + 70 + 3 * i, y + 70 + 2 * i);
      await sleep(100);
    }
    await page.awaitNavigation(() => page.page.mouse.up());
  }),
  'Chrome that holds Space on the button': chrome(async (page) => {
    await fillIn(page, 'test');
    await page.page.locator('.hold-button').focus();
    await page.holdKey('Space');
  }),
  'Chrome that reads the label and types its word': chrome(async (page) => {
    await fillIn(page, 'test');
    await page.page.getByRole('button', { name: 'I cannot press and hold' }).click();
    await page.typeWord();
    await page.awaitNavigation(() => page.page.keyboard.press('Enter'));
  }),
  'a program that reads the label and sends its word': async (address, site) => {
    const response = await site.api.get(pathOf(address));
    const form = parseForm(response);
    const [, word = ''] = /Type the word “<span[^>]*>(\w+)</.exec(response.text) ?? [];
    await sleep(readingMs);
    await post(site, address, form, { ...filledIn('test'), word });
  },
  'Chrome that holds the button for each of six passphrases': chrome(async (page) => {
    for (const guess of ['test', 'password', 'admin', '123456', 'secret', 'letmein']) {
      await fillIn(page, guess);
      const button = page.page.locator('.hold-button');
      if (await button.isVisible()) await page.hold(holdButton);
    }
  }),
};

/** What opens a secret, sends one, or asks for a code. */
const holdButton = /^Hold (to|for) /;

/** Every field that a form of these pages has. */
const filledIn = (text: string) => ({ word: text, passphrase: text, payload: text, name: text });

function pathOf(address: string): string {
  return new URL(address).pathname;
}

/** Letters thirteen places on, as some gateways change what they ask for. */
const rot13 = (text: string) =>
  text.replace(/[a-z]/gi, (letter) =>
    String.fromCharCode(letter.charCodeAt(0) + (/[a-m]/i.test(letter) ? 13 : -13)),
  );

/** Submits a form as a scraping library does. */
async function post(
  site: Site,
  address: string,
  { headers, fields }: HtmlForm,
  more: Record<string, string> = {},
) {
  const body = String(new URLSearchParams({ ...fields, ...more }));
  await site.api.send('POST', pathOf(address), { headers: { ...asForm, ...headers, ...sameOrigin }, body });
}

/** Acts on the page of a link in Chrome, and stays on it for a while. */
function chrome(act: (page: TestPage) => Promise<unknown>): Visit {
  return async (address, { browser }) => {
    const page = await browser.open();
    try {
      await page.goto(address);
      await sleep(readingMs);
      await act(page);
      await sleep(watchedMs);
    } finally {
      await page.close();
    }
  };
}

/** Acts on the middle of each visible control, on a fresh page each time. */
async function everywhere(page: TestPage, act: (x: number, y: number) => Promise<void>, prepare = '') {
  const address = page.page.url();
  const count = await page.page.locator(everyControl).count();
  for (let i = 0; i < count; i++) {
    const control = page.page.locator(everyControl).nth(i);
    await control.evaluate((element) => element.scrollIntoView({ block: 'center' }));
    const box = await control.boundingBox();
    if (box === null) continue;
    await page.awaitNavigation(() => act(box.x + box.width / 2, box.y + box.height / 2));
    await page.goto(address);
    await page.page.evaluate(prepare);
    await sleep(readingMs);
  }
}

async function fillIn({ page }: TestPage, text: string): Promise<void> {
  const fields = 'input:visible:not([type=checkbox]):not([type=file]), textarea:visible';
  for (const field of await page.locator(fields).all()) await field.fill(text);
}
