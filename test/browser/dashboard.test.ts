import { expect } from 'chai';
import type { Look, TestPage } from '../harness/browser.ts';
import { type Site, startSite } from '../harness/site.ts';
import { hostileWords } from './hostileWords.ts';

const password = 'correct horse battery';

describe('the pages of an account in a browser', function () {
  this.timeout(60_000);
  let site: Site;
  let open: TestPage[];
  let counter = 0;

  before(async function () {
    site = await startSite(this);
  });
  beforeEach(() => {
    open = [];
  });
  afterEach(async () => {
    const troubles = open.flatMap((page) => page.troubles());
    await Promise.all(open.map((page) => page.close()));
    expect(troubles).to.deep.equal([]);
  });
  after(() => site?.stop());

  async function visit(path: string, look: Look = {}): Promise<TestPage> {
    const page = await site.browser.open(look);
    open.push(page);
    await page.goto(`${site.base}${path}`);
    return page;
  }

  /** A browser in which somebody is signed in, who has an account of their own. */
  async function signedIn(look: Look = {}): Promise<TestPage & { email: string }> {
    const page = await visit('/sign-up', look);
    const email = `browser${counter++}@example.com`;
    await page.page.locator('#email').fill(email);
    await page.page.locator('#password').fill(password);
    await page.settling(() => page.page.keyboard.press('Enter'));
    return { ...page, email };
  }

  /** Presses Tab until something of that name has the focus. */
  async function tabTo(page: TestPage, name: string): Promise<void> {
    for (let presses = 0; presses < 40; presses++) {
      await page.page.keyboard.press('Tab');
      const focused = await page.page.evaluate(
        `(document.activeElement.labels?.[0] ?? document.activeElement).innerText.trim()`,
      );
      if (focused === name) return;
    }
    expect.fail(`the keyboard does not reach “${name}” on ${page.page.url()}`);
  }

  it('can be used by keyboard alone, from the account to the end of a push', async () => {
    const page = await visit('/');
    const { keyboard } = page.page;
    const press = (key: string) => page.settling(() => keyboard.press(key));
    await tabTo(page, 'Sign in');
    await press('Enter');
    await tabTo(page, 'Make one');
    await press('Enter');
    await tabTo(page, 'Password');
    await keyboard.type(password);
    await page.page.keyboard.press('Shift+Tab');
    await keyboard.type(`keys${counter++}@example.com`);
    await press('Enter');
    expect(page.page.url()).to.equal(`${site.base}/`);

    await keyboard.type('tulip');
    await tabTo(page, 'Erase it after');
    await keyboard.press('Home');
    await tabTo(page, 'More');
    await keyboard.press('Enter');
    await tabTo(page, 'Name');
    await keyboard.type('rose');
    await tabTo(page, 'Make the link');
    await press('Enter');
    expect(await page.text()).to.include('Your link is ready');
    await tabTo(page, 'See what happens to it');
    await press('Enter');
    expect(await page.text())
      .to.include('rose')
      .and.include('ends in 5 minutes');
    await tabTo(page, 'Delete now');
    await press('Enter');
    expect(await page.text()).to.include('The push is deleted.');
  });

  it('can be used without scripts', async () => {
    const page = await signedIn({ scripts: false });
    await page.page.locator('#payload').fill('tulip');
    await page.page.locator('#lifetime').selectOption('1h');
    await page.page.locator('#views').fill('2');
    await page.click('Make the link');
    const link = await page.page.locator('#link').inputValue();
    expect(await site.viewsOf(link)).to.equal(0);
    await page.page.getByRole('link', { name: 'Your pushes' }).click();
    await page.page.getByRole('link', { name: 'See Without a name' }).click();
    await page.click('Delete now');
    expect(await page.text()).to.include('The push is deleted.');
    await page.goto(`${site.base}/account`);
    await page.click('Sign out');
    expect(await page.text()).to.include('Sign in');
  });

  it('show times in the zone of the reader', async () => {
    const page = await signedIn({ more: { timezoneId: 'Asia/Tokyo' } });
    await page.page.locator('#payload').fill('tulip');
    await page.click('Make the link');
    await page.goto(`${site.base}/pushes`);
    const { shown, at } = (await page.page.evaluate(
      `(() => { const time = document.querySelector('time'); return { shown: time.textContent, at: time.dateTime } })()`,
    )) as { shown: string; at: string };
    const inTokyo = { dateStyle: 'medium', timeStyle: 'short', timeZone: 'Asia/Tokyo' } as const;
    expect(shown).to.equal(new Intl.DateTimeFormat('en', inTokyo).format(new Date(at)));
  });

  describe('the form that makes a push', () => {
    it('generates passwords and passphrases, each another', async () => {
      const page = await visit('/');
      const made = new Set<string>();
      for (let i = 0; i < 20; i++) {
        await page.page.getByRole('button', { name: 'Generate a password' }).click();
        const text = await page.page.locator('#payload').inputValue();
        expect(text).to.match(/^(?=.*[a-z])(?=.*[A-Z])(?=.*\d)(?=.*[!#%+:=?@\-_])[\w!#%+:=?@-]{20}$/);
        await page.page.getByRole('button', { name: 'Generate a passphrase' }).click();
        const phrase = await page.page.locator('#passphrase').inputValue();
        expect(phrase).to.match(/^(?:[bdfghjklmnprstvz][aeiou]){2}(?:-(?:[bdfghjklmnprstvz][aeiou]){2}){4}$/);
        made.add(text).add(phrase);
      }
      expect(made.size).to.equal(40);
    });

    it('has sliders that are what is sent', async () => {
      const page = await visit('/');
      await page.page.locator('#payload').fill('tulip');
      await page.page.getByRole('slider', { name: 'Erase it after' }).press('End');
      expect(await page.page.locator('output').innerText()).to.equal('90 days');
      await page.page.evaluate(
        `{ const s = document.querySelector('#views-slider'); s.value = 42; s.dispatchEvent(new Event('input')) }`,
      );
      await page.click('Make the link');
      const link = await page.page.locator('#link').inputValue();
      const { body } = await site.api.get(new URL(`${link}.json`).pathname);
      expect(body).to.include({ expire_after_days: 90, views_total: 42 });
    });

    it('gives a link, a message, a QR code and an e-mail, all of the same push', async () => {
      const page = await visit('/', { more: { permissions: ['clipboard-read', 'clipboard-write'] } });
      await page.page.locator('#payload').fill('tulip');
      await page.click('Make the link');
      const link = await page.page.locator('#link').inputValue();
      const clipboard = () => page.page.evaluate('navigator.clipboard.readText()');
      await page.page.getByRole('button', { name: 'Copy the link' }).click();
      await page.page.getByRole('button', { name: 'Copied' }).waitFor();
      expect(await clipboard()).to.equal(link);
      await page.page.getByRole('button', { name: 'Copy the message' }).click();
      await page.page.waitForTimeout(100);
      expect(await clipboard())
        .to.match(/^I have a secret for you\. It opens 5 times, until .*:\n/)
        .and.include(link);
      const mail = await page.page.getByRole('link', { name: 'Write an e-mail' }).getAttribute('href');
      expect(decodeURIComponent(String(mail)))
        .to.include('mailto:?subject=A secret for you')
        .and.include(link);
      await page.page.getByText('Show it as a QR code').click();
      expect(await page.page.getByRole('img', { name: 'QR code of the link' }).isVisible()).to.equal(true);
    });

    it('keeps what was entered when something is wrong, and says what', async () => {
      const page = await visit('/');
      await page.page.getByText('Link', { exact: true }).click();
      await page.page.locator('#payload').fill('no address');
      await page.click('Make the link');
      expect(await page.text()).to.include('Must be an absolute http or https URL');
      expect(await page.page.locator('#payload').inputValue()).to.equal('no address');
      expect(await page.inaccessible()).to.deep.equal([]);
    });
  });

  for (const theme of ['light', 'dark'] as const) {
    for (const device of ['desktop', 'phone'] as const) {
      it(`are for everybody in the ${theme} on a ${device}`, async () => {
        const locale = theme === 'light' ? 'de-DE' : 'en-GB';
        const stranger = await visit('/sign-in', { theme, device, locale });
        expect(await stranger.inaccessible(), 'sign in').to.deep.equal([]);
        await stranger.goto(`${site.base}/sign-up`);
        expect(await stranger.inaccessible(), 'sign up').to.deep.equal([]);

        const page = await signedIn({ theme, device, locale });
        await site.service.domain.accounts.setAdmin(page.email, true);
        const owner = await site.service.domain.accounts.find(page.email);
        const { api } = site;
        const token = await site.service.domain.apiTokens.create(owner, { name: 'laptop' });
        await site.service.domain.webhooks.register(owner, { url: 'https://example.com/hook' });
        const headers = { authorization: `Bearer ${token}` };
        const { token: urlToken, json } = await api.create(
          { name: 'rose', note: 'thorn', passphrase: 'p' },
          headers,
        );
        await api.get(json);
        await api.get(`${json}?passphrase=p`);
        await api.get(json, { 'user-agent': 'Slackbot' });
        const old = await api.create({ name: 'old', expire_after_views: 1 }, headers);
        await api.get(old.json);
        const paths = [
          '/',
          '/pushes',
          '/pushes?state=expired&search=o',
          `/pushes/${urlToken}`,
          `/pushes/${old.token}`,
          '/account',
          '/account/tokens',
          '/account/webhooks',
          '/account/sessions',
          '/admin',
          '/docs',
        ];
        for (const path of paths) {
          await page.goto(`${site.base}${path}`);
          expect(await page.inaccessible(), path).to.deep.equal([]);
          const width = Number(await page.page.evaluate('document.documentElement.scrollWidth'));
          expect(width, `the width of ${path}`).to.be.at.most(device === 'phone' ? 375 : 1280);
        }
      });
    }
  }

  it('show hostile words as words: names, notes, browsers, referrers, tokens, searches', async () => {
    const page = await signedIn();
    const { pushes, apiTokens, accounts, sessions } = site.service.domain;
    const owner = await accounts.find(page.email);
    const parts = 'document.querySelectorAll("header.top, main#main, footer.foot").length';
    const expectWhole = async (words: string) => {
      expect(page.troubles(), words).to.deep.equal([]);
      expect(await page.page.evaluate(`[typeof pwned, ${parts}].join()`), words).to.equal('undefined,3');
    };
    for (const words of hostileWords) {
      const sent = words.replaceAll(/\p{Cc}/gu, ''); // HTTP has no other headers
      const visit = { ip: '192.0.2.7', userAgent: sent, referrer: sent, isPreviewer: false };
      const push = await pushes.create({ payload: words, name: words, note: words }, { owner, visit });
      await pushes.reveal(push.urlToken, undefined, { owner: null, visit });
      await page.goto(`${site.base}/pushes/${push.urlToken}?done=${encodeURIComponent(words)}`);
      await expectWhole(words);
      expect(await page.page.evaluate('document.querySelector("h1").textContent')).to.equal(
        words.replaceAll('\0', ''),
      );
      await page.goto(`${site.base}/pushes?search=${encodeURIComponent(words)}`);
      await expectWhole(words);
      await pushes.expire(push.urlToken, { owner, visit });
      await apiTokens.create(owner, { name: words.slice(0, 100) }).catch(() => {});
      await sessions.begin(owner, visit);
    }
    for (const path of ['/pushes?state=expired', '/account/tokens', '/account/sessions']) {
      await page.goto(`${site.base}${path}`);
      await expectWhole(path);
    }
  });
});
