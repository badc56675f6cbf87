import { expect } from 'chai';
import type { PageOptions, TestPage } from '../harness/browser.ts';
import { onMariadb } from '../harness/database.ts';
import { lookFolder, png, svg } from '../harness/look.ts';
import { byPassword, newEmail, someClient } from '../harness/service.ts';
import { type Site, startSite } from '../harness/site.ts';

// Browsers do not depend on the database, so this runs once.
const describeOnce = onMariadb ? describe : () => {};

const evil = `<script>document.documentElement.dataset.ran = 'yes'; parent.pwned = 1; top.pwned = 1; fetch('/?stolen')</script>
  <image href="x" onerror="parent.pwned = 1"/><style>rect { fill: rgb(1, 2, 3) }</style>`;

describeOnce('A look of one’s own in a browser', () => {
  let site: Site;

  before(async function () {
    const folder = await lookFolder(
      {
        name: 'Acme Secrets',
        light: { accent: '#c8102e', background: '#ffffff' },
        dark: { accent: '#ff8a93' },
        footer: 'Acme Ltd.',
        links: [{ text: 'Imprint', url: 'https://acme.example/imprint' }],
        welcome: { en: 'Send us secrets here.', de: 'Schick uns Geheimnisse hier.' },
      },
      {
        'logo.svg': svg('red', evil),
        'logo-dark.svg': svg('blue'),
        'icon.svg': svg('red'),
        'share.png': png(600, 315),
      },
    );
    site = await startSite(this, { LOOK_DIR: folder });
  });
  after(() => site?.stop());

  async function open(path: string, options: PageOptions = {}): Promise<TestPage> {
    const page = await site.browser.open(options);
    await page.goto(path.startsWith('http') ? path : site.base + path);
    return page;
  }

  const colourOf = (page: TestPage, selector: string, property: string) =>
    page.page.evaluate(
      `getComputedStyle(document.querySelector('${selector}')).getPropertyValue('${property}')`,
    );

  /** The colour that a design token has, drawn. */
  const inPage = (page: TestPage, token: string) =>
    page.page.evaluate(`(() => {
      const drawn = document.body.appendChild(document.createElement('i'));
      drawn.style.color = 'var(${token})';
      return getComputedStyle(drawn).color;
    })()`);

  /** The colour of one pixel in the middle of the logo that is shown. */
  const logoColour = (page: TestPage) =>
    page.page.evaluate(`(async () => {
      const logo = document.querySelector('.brand img');
      await logo.decode();
      const context = document.createElement('canvas').getContext('2d');
      context.drawImage(logo, 0, 0, 40, 20);
      return [...context.getImageData(20, 10, 1, 1).data].join();
    })()`);

  for (const { theme, accent, background, logo } of [
    { theme: 'light', accent: 'rgb(200, 16, 46)', background: 'rgb(255, 255, 255)', logo: '1,2,3,255' },
    { theme: 'dark', accent: 'rgb(255, 138, 147)', background: 'rgb(22, 21, 18)', logo: '0,0,255,255' },
  ] as const) {
    it(`draws all kinds of pages in its ${theme} colours, with its logo, and everybody can read them`, async () => {
      for (const path of ['/', '/sign-in', '/support', await site.push(), `/p/${'0'.repeat(26)}`]) {
        const page = await open(path, { theme });
        expect(await colourOf(page, 'body', 'background-color'), path).to.equal(background);
        const button = '.hold-button, button.wide-button';
        if ((await page.page.locator(button).count()) > 0)
          expect(await colourOf(page, button, 'background-color'), path).to.equal(accent);
        expect(await inPage(page, '--accent'), path).to.equal(accent);
        expect(await logoColour(page), path).to.equal(logo);
        expect(await page.accessibilityViolations(), path).to.deep.equal([]);
        expect(page.problems(), path).to.deep.equal([]);
        await page.close();
      }
    });
  }

  it('follows a theme that somebody chose, whatever the device prefers', async () => {
    const page = await open('/?theme=dark', { theme: 'light' });
    expect(await colourOf(page, 'button.wide-button', 'background-color')).to.equal('rgb(255, 138, 147)');
    expect(await logoColour(page)).to.equal('0,0,255,255');
    await page.close();
  });

  it('has a logo whose script does nothing, on a page and when it is opened', async () => {
    const page = await open('/');
    expect(await page.page.evaluate('typeof pwned')).to.equal('undefined');
    const logo = (await page.page.locator('.brand img').getAttribute('src')) ?? '';
    const asked: string[] = [];
    page.page.on('request', (request) => asked.push(request.url()));
    await page.page.goto(new URL(logo, site.origin).href);
    expect(await page.page.evaluate('document.documentElement.dataset.ran ?? "no"')).to.equal('no');
    expect(await colourOf(page, 'rect', 'fill')).to.equal('rgb(1, 2, 3)');
    expect(asked.filter((url) => url.includes('stolen'))).to.deep.equal([]);
    expect(page.problems().some((problem) => problem.includes('Content Security Policy'))).to.equal(true);
    await page.close();
  });

  it('moves nothing when its logo arrives', async () => {
    const page = await site.browser.open();
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.page.route(/look-logo/, async (route) => {
      await released;
      await route.continue();
    });
    await page.page.goto(`${site.base}/`, { waitUntil: 'domcontentloaded' });
    const place = () =>
      page.page.evaluate(
        'JSON.stringify(document.querySelector("main").getBoundingClientRect()) + document.querySelector(".brand").getBoundingClientRect().width',
      );
    const before = await place();
    release();
    await page.page.evaluate('document.querySelector(".brand img").decode()');
    expect(await place()).to.equal(before);
    await page.close();
  });

  it('keeps its buttons and its logo in forced colours', async () => {
    const page = await open(await site.push(), { contextOptions: { forcedColors: 'active' } });
    expect(await colourOf(page, '.card', 'border-color')).to.equal(
      await colourOf(page, 'button', 'border-color'),
    );
    expect(await page.page.locator('.brand img').isVisible()).to.equal(true);
    expect(await colourOf(page, '.hold-button', 'background-color')).to.not.equal('rgb(200, 16, 46)');
    expect(await page.accessibilityViolations()).to.deep.equal([]);
    await page.close();
  });

  it('has a preview for admins that everybody can read, at every width', async () => {
    const { accounts, sessions } = site.service.domain;
    const account = await accounts.create({ email: newEmail(), isAdmin: true });
    const session = await sessions.create(account, someClient, byPassword);
    for (const options of [{}, { device: 'phone', theme: 'dark' }] as const) {
      const page = await site.browser.open(options);
      await page.context.addCookies([{ name: 'hushpush-session', value: session, url: site.base }]);
      await page.goto(`${site.base}/admin/look`);
      expect(await page.text()).to.include('All pages have this look.');
      expect(await page.accessibilityViolations()).to.deep.equal([]);
      expect(page.problems()).to.deep.equal([]);
      expect(await page.page.evaluate('document.documentElement.scrollWidth <= innerWidth')).to.equal(true);
      await page.close();
    }
  });
});
