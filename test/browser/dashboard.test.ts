import { expect } from 'chai';
import { type PageOptions, type TestPage, usePages } from '../harness/browser.ts';
import { confirmInChat, connectChat, slackOn } from '../harness/chat.ts';
import { byPassword } from '../harness/service.ts';
import { type Site, startSite } from '../harness/site.ts';
import { until } from '../harness/until.ts';
import { hostileWords } from './hostileWords.ts';
import { variants, widthMax } from './variants.ts';

const password = 'correct horse battery';

describe('The account pages in a browser', () => {
  let site: Site;
  let counter = 0;

  before(async function () {
    site = await startSite(this, slackOn);
  });
  after(() => site?.stop());

  const open = usePages(() => site.browser);
  const client = (path: string, options?: PageOptions) => open(`${site.base}${path}`, options);

  /** A browser that is signed in to a new account. */
  async function signedIn(options: PageOptions = {}): Promise<TestPage & { email: string }> {
    const page = await client('/sign-up', options);
    const email = `browser${counter++}@example.com`;
    await page.page.locator('#email').fill(email);
    await page.page.locator('#password').fill(password);
    await page.awaitNavigation(() => page.page.keyboard.press('Enter'));
    return { ...page, email };
  }

  /** The form of an admin who may attach files: it has the most navigation, and the most fields. */
  async function signedInWithEverything(options: PageOptions): Promise<TestPage> {
    const page = await signedIn(options);
    await site.service.domain.accounts.setAdmin(page.email, true, 'operator');
    await site.service.domain.accounts.setSubscribed(page.email, true, 'operator');
    await page.goto(`${site.base}/`);
    return page;
  }

  /** Presses Tab until the element with that name has the focus. */
  async function tabTo(page: TestPage, name: string): Promise<void> {
    for (let presses = 0; presses < 40; presses++) {
      await page.page.keyboard.press('Tab');
      const focused = await page.page.evaluate(
        `(document.activeElement.labels?.[0] ?? document.activeElement).innerText.trim()`,
      );
      if (String(focused).split('\n')[0] === name) return;
    }
    expect.fail(`the keyboard does not reach “${name}” on ${page.page.url()}`);
  }

  it('works by keyboard alone, from signing up to deleting a push', async () => {
    const page = await client('/');
    const { keyboard } = page.page;
    const press = (key: string) => page.awaitNavigation(() => keyboard.press(key));
    await tabTo(page, 'Sign in');
    await press('Enter');
    await tabTo(page, 'Create one');
    await press('Enter');
    await tabTo(page, 'Password');
    await keyboard.type(password);
    await page.page.keyboard.press('Shift+Tab');
    await keyboard.type(`keys${counter++}@example.com`);
    await press('Enter');
    expect(page.page.url()).to.equal(`${site.base}/`);

    await keyboard.type('tulip');
    await tabTo(page, 'and ends after');
    await keyboard.press('Home');
    await tabTo(page, 'Options');
    await keyboard.press('Enter');
    await tabTo(page, 'Name');
    await keyboard.type('rose');
    await press('Control+Enter');
    expect(await page.text()).to.include('Your link is ready');
    await tabTo(page, 'See what happens to it');
    await press('Enter');
    expect(await page.text())
      .to.include('rose')
      .and.include('ends in 5 minutes');
    await tabTo(page, 'Delete now');
    await keyboard.press('Enter');
    await tabTo(page, 'Delete for good');
    await press('Enter');
    expect(await page.text()).to.include('The link is deleted.');
  });

  it('shows what is typed into a password, and sends it as a password', async () => {
    const page = await client('/sign-up');
    const field = page.page.locator('#password');
    await page.page.locator('#email').fill(`browser${counter++}@example.com`);
    await field.fill('short');
    await page.page.getByLabel('Show what I type').check();
    expect(await field.getAttribute('type')).to.equal('text');
    await field.evaluate((input) => {
      const { form } = input as HTMLInputElement;
      form?.addEventListener('submit', () =>
        sessionStorage.setItem('type', (input as HTMLInputElement).type),
      );
    });
    await field.fill(password);
    await page.awaitNavigation(() => page.page.keyboard.press('Enter'));
    expect(await page.page.evaluate('sessionStorage.getItem("type")')).to.equal('password');
    await page.goto(`${site.base}/account/security`);
    await page.page.getByLabel('Show what I type').check();
    for (const name of ['#current', '#next'])
      expect(await page.page.locator(name).getAttribute('type'), name).to.equal('text');
  });

  it('asks before it revokes a token or removes a webhook', async () => {
    const page = await signedIn();
    const account = await site.service.domain.accounts.find(page.email);
    await site.service.domain.apiTokens.issue(account, { name: 'laptop' });
    await site.service.domain.webhooks.create(account, { url: 'https://example.com/hook' });
    for (const [path, name, done] of [
      ['/account/tokens', 'Revoke laptop', 'The token is revoked.'],
      ['/account/webhooks', 'Remove https://example.com/hook', 'The webhook is removed.'],
    ] as const) {
      await page.goto(`${site.base}${path}`);
      const button = page.page.getByRole('button', { name });
      expect(await button.isVisible(), path).to.equal(false);
      await page.page.locator(`summary[aria-label="${name}"]`).click();
      await page.awaitNavigation(() => button.click());
      expect(await page.text()).to.include(done);
    }
  });

  it('ends the lines of a row of buttons at one edge of a narrow phone, and is no wider than it', async () => {
    const viewport = { width: 320, height: 640 };
    const page = await signedIn({ device: 'phone', locale: 'de-DE', contextOptions: { viewport } });
    const account = await site.service.domain.accounts.find(page.email);
    await site.service.domain.accounts.setAdmin(page.email, true, 'operator');
    await site.service.domain.webhooks.create(account, { url: 'https://example.com/hook' });
    const endsOfRows = `[...document.querySelectorAll('.row:has(button, .button)')].map((row) => {
      const buttons = [...row.querySelectorAll('button, .button')].filter((button) => button.checkVisibility());
      const boxes = buttons.map((button) => button.getBoundingClientRect());
      const ends = Map.groupBy(boxes, ({ top }) => Math.round(top)).values();
      return new Set([...ends].map((line) => Math.round(Math.max(...line.map(({ right }) => right))))).size;
    })`;
    for (const path of ['/account/webhooks', '/admin', '/admin?search=nobody']) {
      await page.goto(`${site.base}${path}`);
      const ends = (await page.page.evaluate(endsOfRows)) as number[];
      expect(ends, path).to.deep.equal(ends.map(() => 1)).and.not.be.empty;
      expect(await page.page.evaluate('document.documentElement.scrollWidth'), path).to.equal(viewport.width);
    }
    for (const path of ['/', '/pushes']) {
      await page.goto(`${site.base}${path}`);
      expect(await page.page.evaluate('document.documentElement.scrollWidth'), path).to.equal(viewport.width);
    }
  });

  it('works without scripts, from creating a push to signing out', async () => {
    const page = await signedIn({ scripts: false });
    await page.page.locator('#payload').fill('tulip');
    await page.page.locator('#lifetime').selectOption('1h');
    await page.page.locator('#views').selectOption('2');
    await page.click('Create the link');
    const link = await page.page.locator('#link').inputValue();
    expect(await site.viewsUsed(link)).to.equal(0);
    await page.page.getByRole('link', { name: 'Your links', exact: true }).click();
    await page.page.getByRole('link', { name: /^Text, / }).click();
    await page.page.getByText('Delete now').first().click();
    await page.click('Delete for good');
    expect(await page.text()).to.include('The link is deleted.');
    await page.goto(`${site.base}/account`);
    await page.click('Sign out');
    expect(await page.text()).to.include('Sign in');
  });

  it('shows times in the reader’s time zone, as their region writes them', async () => {
    const page = await signedIn({ contextOptions: { timezoneId: 'Asia/Tokyo' } });
    await page.page.locator('#payload').fill('tulip');
    await page.click('Create the link');
    const until = await page.page.locator('.created time').getAttribute('datetime');
    const parts = {
      year: 'numeric',
      month: 'short',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
    } as const;
    const withZone = { ...parts, timeZoneName: 'short', timeZone: 'Asia/Tokyo' } as const;
    const inMessage = new Intl.DateTimeFormat('en-GB', withZone).format(new Date(String(until)));
    expect(await page.page.locator('#message').inputValue()).to.include(`until ${inMessage}:`);
    expect(await page.page.locator('.created time').innerText()).to.equal(inMessage);
    const mail = await page.page.locator('a[href^="mailto:"]').getAttribute('href');
    expect(decodeURIComponent(String(mail))).to.include(inMessage);
    await page.goto(`${site.base}/pushes`);
    const { shown, at } = (await page.page.evaluate(
      `(() => { const time = document.querySelector('td time'); return { shown: time.textContent, at: time.dateTime } })()`,
    )) as { shown: string; at: string };
    const inTokyo = { dateStyle: 'medium', timeStyle: 'short', timeZone: 'Asia/Tokyo' } as const;
    expect(shown).to.equal(new Intl.DateTimeFormat('en-GB', inTokyo).format(new Date(at)));
  });

  describe('The form for a new push in a browser', () => {
    for (const viewport of [
      { width: 360, height: 740 },
      { width: 1440, height: 900 },
    ])
      it(`ends above the fold at ${viewport.width} × ${viewport.height}, and its button is at most five presses of Tab away`, async () => {
        for (const [locale, isSignedIn] of [
          ['en-GB', false],
          ['de-DE', false],
          ['en-GB', true],
          ['de-DE', true],
        ] as const) {
          const device = viewport.width < 400 ? 'phone' : 'desktop';
          const options = { locale, device, contextOptions: { viewport } } as const;
          const page = isSignedIn ? await signedInWithEverything(options) : await client('/', options);
          const submit = page.page.locator('#new-push [type=submit]:not([name])').first();
          const box = await submit.boundingBox();
          expect(box && box.y + box.height, locale).to.be.at.most(viewport.height);
          await page.page.locator('#payload').focus();
          let presses = 0;
          while (!(await submit.evaluate((button) => button === document.activeElement))) {
            await page.page.keyboard.press('Tab');
            presses += 1;
            expect(presses, locale).to.be.at.most(5);
          }
          const asked = 'document.querySelectorAll("#new-push :is(textarea, select)")';
          const decisions = `[...${asked}].filter((field) => field.checkVisibility()).length`;
          expect(await page.page.evaluate(decisions), locale).to.equal(3);
        }
      });

    it('generates a different password and passphrase each time', async () => {
      const page = await client('/');
      const generated = new Set<string>();
      await page.page.locator('.more > summary').click();
      for (let i = 0; i < 20; i++) {
        await page.page.getByRole('button', { name: 'Generate a password' }).click();
        const text = await page.page.locator('#payload').inputValue();
        expect(text).to.match(/^(?=.*[a-z])(?=.*[A-Z])(?=.*\d)(?=.*[!#%+:=?@\-_])[\w!#%+:=?@-]{20}$/);
        await page.page.getByRole('button', { name: 'Generate a passphrase' }).click();
        const phrase = await page.page.locator('#passphrase').inputValue();
        expect(phrase).to.match(/^(?:[bdfghjklmnprstvz][aeiou]){2}(?:-(?:[bdfghjklmnprstvz][aeiou]){2}){4}$/);
        generated.add(text).add(phrase);
      }
      expect(generated.size).to.equal(40);
    });

    it('generates a password where the cursor is, and another in its place, as the sender chooses', async () => {
      const page = await client('/');
      const payload = page.page.locator('#payload');
      await payload.fill('user ann, password ');
      await page.page.getByRole('button', { name: 'Generate a password' }).click();
      expect(await payload.inputValue()).to.match(/^user ann, password \S{20}$/);
      await page.page.locator('.more > summary').click();
      await page.page.locator('#password-style').selectOption('digits');
      expect(await payload.inputValue()).to.match(/^user ann, password [2-9]{20}$/);
      await page.page.locator('#password-length').fill('8');
      await page.page.keyboard.press('Tab');
      expect(await payload.inputValue()).to.match(/^user ann, password [2-9]{8}$/);
      await page.page.locator('#password-length').fill('1');
      await page.click('Create the link'); // its limits are not those of the form
      expect(await page.text()).to.include('Your link is ready');
    });

    it('offers to show one address as a link, in the place of the generator', async () => {
      const page = await client('/');
      const generate = page.page.getByRole('button', { name: 'Generate a password' });
      const asLink = page.page.getByLabel('Show it as a link');
      await page.page.locator('#payload').fill('see https://example.com/');
      expect([await generate.isVisible(), await asLink.isVisible()]).to.deep.equal([true, false]);
      await page.page.locator('#payload').fill('https://example.com/');
      expect([await generate.isVisible(), await asLink.isVisible()]).to.deep.equal([false, true]);
      await asLink.check();
      expect(await page.text()).to.match(/Options\s+shown as a link/);
      expect(await page.accessibilityViolations()).to.deep.equal([]);
      await page.page.locator('#payload').fill('https://example.com/ and more');
      expect(await page.text()).to.match(/Options\s+none set/);
      await page.page.locator('#payload').fill('https://example.com/');
      await asLink.check();
      await page.click('Create the link');
      const { body } = await site.api.get(
        new URL(`${await page.page.locator('#link').inputValue()}.json`).pathname,
      );
      expect(body).to.include({ payload: 'https://example.com/', kind: 'url', views_total: 1 });
    });

    it('opens once unless the sender chooses more, and says which options are set', async () => {
      const page = await client('/');
      await page.page.locator('#payload').fill('tulip');
      expect(await page.page.locator('#views option:checked').innerText()).to.equal('once');
      await page.page.locator('#views').selectOption({ label: '20 times' });
      await page.page.locator('#lifetime').selectOption({ label: '1 hour' });
      await page.page.locator('.more > summary').click();
      await page.page.locator('#passphrase').fill('open sesame');
      await page.page.getByLabel('Anyone with the link may delete it').uncheck();
      await page.page.getByLabel('Show it as', { exact: true }).selectOption({ label: 'a QR code to scan' });
      expect(await page.text()).to.match(
        /Options\s+passphrase, recipients cannot delete it, shown as a QR code/,
      );
      await page.click('Create the link');
      const link = await page.page.locator('#link').inputValue();
      const { body } = await site.api.get(`${new URL(link).pathname}.json?passphrase=open%20sesame`);
      expect(body).to.include({ views_total: 20, kind: 'qr', deletable_by_viewer: false });
      expect(Date.parse(String(body.created_at)) + 3_600_000).to.be.above(Date.now());
    });

    it('keeps the choices of an account as its defaults, and those of nobody else', async () => {
      const page = await signedIn();
      await page.page.locator('#payload').fill('tulip');
      await page.page.locator('#views').selectOption('3');
      await page.page.locator('#lifetime').selectOption('1h');
      await page.page.locator('.more > summary').click();
      await page.page.getByLabel('Anyone with the link may delete it').uncheck();
      await page.page.getByLabel('Encrypt it in this browser').check();
      await page.page.getByLabel('Keep these choices as my defaults').check();
      await page.click('Create the link');
      await page.page.locator('#with-key').waitFor();
      for (const [choices, summary] of [
        ['3 1h', 'encrypted, recipients cannot delete it'],
        ['1 7d', 'none set'],
      ] as const) {
        await page.goto(`${site.base}/`);
        const chosen = `[...document.querySelectorAll('.sentence select')].map(({ value }) => value).join(' ')`;
        expect(await page.page.evaluate(chosen)).to.equal(choices);
        expect(await page.page.locator('#options-set').innerText()).to.equal(summary);
        await page.context.clearCookies();
      }
    });

    it('changes its language and its theme in place, with everything that was entered', async () => {
      const page = await client('/');
      await page.page.locator('#payload').fill('tulip');
      await page.page.locator('.more > summary').click();
      await page.page.locator('#passphrase').fill('open sesame');
      await page.page.locator('#views').selectOption('3');
      const background = () => page.page.evaluate('getComputedStyle(document.body).backgroundColor');
      const light = await background();
      await page.page.getByRole('link', { name: 'Dark' }).click();
      await page.page.waitForFunction(
        (before) => getComputedStyle(document.body).backgroundColor !== before,
        light,
      );
      await page.page.getByRole('link', { name: 'Deutsch' }).click();
      await page.page.getByText('Dein Geheimnis').waitFor();
      expect(await page.text())
        .to.include('Link erzeugen')
        .and.include('Der Link öffnet sich');
      expect(await page.page.locator('#payload').inputValue()).to.equal('tulip');
      expect(await page.page.locator('#passphrase').inputValue()).to.equal('open sesame');
      expect(await page.page.locator('#views option:checked').innerText()).to.equal('3-mal');
      expect(await page.page.title()).to.include('Ein Geheimnis teilen');
      expect(await page.accessibilityViolations()).to.deep.equal([]);
      await page.click('Link erzeugen');
      expect(await page.text()).to.include('Dein Link ist fertig');
      expect(await background()).to.not.equal(light);
    });

    it('shows no button that does nothing when a script does not load', async () => {
      const page = await client('/sign-in');
      await page.page.route('**/generate.js*', (route) => route.abort());
      await page.page.goto(`${site.base}/`);
      const generate = page.page.locator('[data-generate=payload]');
      await until(async () => !(await generate.isVisible()));
      await page.page.locator('#payload').fill('tulip');
      await page.click('Create the link');
      expect(await page.text()).to.include('Your link is ready');
    });

    it('asks before it is left with a text, a passphrase or a name', async () => {
      const page = await signedIn();
      await page.page.locator('.more > summary').click();
      const isAsked = `!dispatchEvent(new Event('beforeunload', { cancelable: true }))`;
      expect(await page.page.evaluate(isAsked)).to.equal(false);
      for (const field of ['payload', 'passphrase', 'name']) {
        await page.page.locator(`#${field}`).fill('tulip');
        expect(await page.page.evaluate(isAsked), field).to.equal(true);
        await page.page.locator(`#${field}`).fill('');
      }
      expect(await page.page.evaluate(isAsked)).to.equal(false);
    });

    for (const scripts of [true, false])
      it(`creates nothing without the account that its session had, unless the sender says so${scripts ? '' : ', without scripts'}`, async () => {
        const page = await signedIn({ scripts });
        const { accounts, sessions, pushes } = site.service.domain;
        const account = await accounts.find(page.email);
        await page.page.locator('#payload').fill('tulip');
        await page.page.locator('.more > summary').click();
        await page.page.locator('#name').fill('rose');
        for (const { id } of await sessions.list(account)) await sessions.revoke(account, id);
        for (const time of ['first', 'second']) {
          await page.click('Create the link');
          await page.page.getByText('Your session has ended').waitFor();
          expect(await page.page.locator('#payload').inputValue(), time).to.equal('tulip');
          expect(await page.page.locator('#name').inputValue(), time).to.equal('rose');
        }
        if (scripts) expect(await page.accessibilityViolations()).to.deep.equal([]);
        await page.click('Create it without my account');
        expect(await page.text()).to.include('Your link is ready');
        expect(await pushes.list({ account }, 'active', 1)).to.deep.equal([]);
      });

    it('goes on by itself once its sender has signed in again', async () => {
      const page = await signedIn();
      const { accounts, sessions, pushes } = site.service.domain;
      const account = await accounts.find(page.email);
      await page.page.locator('#payload').fill('tulip');
      for (const { id } of await sessions.list(account)) await sessions.revoke(account, id);
      await page.click('Create the link');
      const [tab] = await Promise.all([
        page.context.waitForEvent('page'),
        page.page.getByRole('link', { name: 'Sign in, in a new tab' }).click(),
      ]);
      await tab.locator('#email').fill(page.email);
      await tab.locator('#password').fill(password);
      await tab.keyboard.press('Enter');
      await tab.waitForURL(`${site.base}/pushes`);
      await tab.close();
      await page.page.bringToFront();
      await page.page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`); // headless tabs are never hidden
      await page.page.getByText('Your link is ready').waitFor();
      expect(await pushes.list({ account }, 'active', 1)).to.have.length(1);
    });

    it('offers the link, a message, a QR code and an e-mail for the same push', async () => {
      const page = await client('/', {
        contextOptions: { permissions: ['clipboard-read', 'clipboard-write'] },
      });
      await page.page.locator('#payload').fill('tulip');
      await page.click('Create the link');
      const link = await page.page.locator('#link').inputValue();
      const clipboard = () => page.page.evaluate('navigator.clipboard.readText()');
      await page.page.getByRole('button', { name: 'Copy the link' }).click();
      await page.page.getByRole('button', { name: 'Copied' }).waitFor();
      expect(await clipboard()).to.equal(link);
      await page.page.getByRole('button', { name: 'Copy the message' }).click();
      await page.page.waitForTimeout(100);
      expect(await clipboard())
        .to.match(/^I have a secret for you\. It opens once, until .*:\n/)
        .and.include(link);
      const mail = await page.page.getByRole('link', { name: 'Write an e-mail' }).getAttribute('href');
      expect(decodeURIComponent(String(mail)))
        .to.include('mailto:?subject=A secret for you')
        .and.include(link);
      expect(await page.page.getByRole('img', { name: 'QR code of the link' }).isVisible()).to.equal(true);
      for (const onPhones of ['Share …', 'Write a text message'])
        expect(await page.page.getByText(onPhones).isVisible(), onPhones).to.equal(false);
    });

    for (const variant of variants)
      it(`shows links whole, and the navigation of an admin in one row, on a ${variant.device}`, async () => {
        const page = await signedIn(variant);
        await site.service.domain.accounts.setAdmin(page.email, true, 'operator');
        await page.goto(`${site.base}/`);
        await page.page.locator('#payload').fill('tulip');
        await page.awaitNavigation(() => page.page.locator('#new-push [type=submit]:not([name])').click());
        const cut = `[link, message].filter(({ scrollWidth, clientWidth, scrollHeight, clientHeight }) =>
          scrollWidth > clientWidth || scrollHeight > clientHeight).map(({ id }) => id)`;
        expect(await page.page.evaluate(cut)).to.deep.equal([]);
        const rows = `[...new Set([...document.querySelectorAll('.nav a')].map((link) => link.offsetTop))].length`;
        expect(await page.page.evaluate(rows)).to.equal(1);
      });

    it('shows the passphrase once more, in its tab alone, and copies it', async () => {
      const page = await client('/', {
        contextOptions: { permissions: ['clipboard-read', 'clipboard-write'] },
      });
      await page.page.locator('#payload').fill('tulip');
      await page.page.locator('.more > summary').click();
      await page.page.locator('#passphrase').fill(' open sesame '); // phones add spaces that nobody sees
      await page.click('Create the link');
      await page.page.reload();
      await page.page.getByRole('button', { name: 'Copy the passphrase' }).click();
      await page.page.getByRole('button', { name: 'Copied' }).waitFor();
      expect(await page.page.evaluate('navigator.clipboard.readText()')).to.equal('open sesame');
      expect(await page.accessibilityViolations()).to.deep.equal([]);
      const other = await page.context.newPage();
      await other.goto(page.page.url());
      expect(await other.locator('main').innerText())
        .to.include('Send the passphrase by another way')
        .and.not.include('Copy the passphrase');
      expect(await other.content()).to.not.include('open sesame');
      const link = await page.page.locator('#link').inputValue();
      const { body } = await site.api.get(`${new URL(link).pathname}.json?passphrase=open%20sesame`);
      expect(body).to.include({ payload: 'tulip' });
    });

    it('takes a name once there is a link, and shows it in the list', async () => {
      const page = await signedIn();
      await page.page.locator('#payload').fill('tulip');
      await page.click('Create the link');
      const created = page.page.url();
      await page.page.getByLabel('Name').fill('the Wi-Fi of the garden');
      await page.click('Save');
      expect(page.page.url()).to.equal(created);
      expect(await page.page.getByLabel('Name').inputValue()).to.equal('the Wi-Fi of the garden');
      await page.goto(`${site.base}/pushes`);
      expect(await page.text()).to.include('the Wi-Fi of the garden');
    });

    it('keeps the focus where it was when it copies without a clipboard, as over http', async () => {
      const page = await client('/');
      await page.page.addInitScript(`Object.defineProperty(navigator, 'clipboard', { value: undefined })`);
      await page.page.locator('#payload').fill('tulip');
      await page.click('Create the link');
      await page.page.getByRole('button', { name: 'Copy the link' }).click();
      await page.page.getByRole('button', { name: 'Copied' }).waitFor();
      expect(await page.page.evaluate('document.activeElement.dataset.copy')).to.equal('link');
    });

    it('prints the code of a link with how to use it, and nothing that leads on', async () => {
      const page = await client('/', { device: 'phone' });
      await page.page.locator('#payload').fill('tulip');
      await page.click('Create the link');
      await page.page.evaluate(`dispatchEvent(new Event('beforeprint'))`);
      await page.page.emulateMedia({ media: 'print' });
      expect(await page.page.getByRole('img', { name: 'QR code of the link' }).isVisible()).to.equal(true);
      expect((await page.text()).split(/\n+/)).to.have.ordered.members([
        'Your link is ready',
        'The link',
        await page.text().then((text) => /It opens once, until .*/.exec(text)?.[0]),
        'Scan it with the camera of a phone to open the link there.',
      ]);
    });

    it('selects the whole link when it is clicked', async () => {
      const page = await client('/');
      await page.page.locator('#payload').fill('tulip');
      await page.click('Create the link');
      await page.page.locator('#link').click();
      const link = await page.page.locator('#link').inputValue();
      expect(await page.page.evaluate('getSelection().toString()')).to.equal(link);
    });

    it('shares the link by the share sheet of a phone, or a text message', async () => {
      const page = await client('/', { device: 'phone' });
      await page.page.addInitScript(`navigator.share = async (shared) => { window.shared = shared; };`);
      await page.page.locator('#payload').fill('tulip');
      await page.click('Create the link');
      const link = await page.page.locator('#link').inputValue();
      await page.click('Share …');
      const { title, text, url } = (await page.page.evaluate('shared')) as Record<string, string>;
      expect({ title, url }).to.deep.equal({ title: 'A secret for you', url: link });
      expect(text).to.match(/^I have a secret for you\. It opens once, until .*:$/);
      await page.page.locator('summary', { hasText: 'Message to send' }).click();
      const message = await page.page
        .getByRole('link', { name: 'Write a text message' })
        .getAttribute('href');
      expect(decodeURIComponent(String(message))).to.equal(`sms:?&body=${text}\n${link}`);
      expect(await page.accessibilityViolations()).to.deep.equal([]);
    });

    it('leads to what happened to a secret without an account, and deletes it there', async () => {
      const page = await client('/', { device: 'phone', theme: 'dark' });
      await page.page.locator('#payload').fill('tulip');
      await page.click('Create the link');
      const link = await page.page.locator('#link').inputValue();
      await page.awaitNavigation(() => page.page.getByText('See what happens to it').click());
      expect(await page.text()).to.include('Nobody has opened it yet.');
      expect(await page.accessibilityViolations()).to.deep.equal([]);
      const privateLink = await page.page.getByLabel('Your private link').inputValue();
      const elsewhere = await open();
      await elsewhere.goto(privateLink);
      expect(elsewhere.page.url()).to.match(/\/status\/[0-9a-f]{8}$/);
      await elsewhere.page.getByText('Delete now').click();
      await elsewhere.click('Delete for good');
      expect(await elsewhere.text()).to.include('The link is deleted.');
      await page.goto(link);
      expect(await page.text()).to.include('This secret is not available');
    });

    it('sends nothing without a connection, and keeps what was entered', async () => {
      const page = await client('/');
      await page.page.locator('#payload').fill('tulip');
      await page.context.setOffline(true);
      await page.click('Create the link');
      expect(await page.page.getByRole('alert').innerText()).to.include('You are offline.');
      expect(await page.page.locator('#payload').inputValue()).to.equal('tulip');
      await page.context.setOffline(false);
      await page.click('Create the link');
      expect(await page.text()).to.include('Your link is ready');
    });

    it('says at once that a text is too long, and sends it once it is not', async () => {
      const page = await client('/');
      const payload = page.page.locator('#payload');
      const problem = () => payload.evaluate((field) => (field as HTMLTextAreaElement).validationMessage);
      await payload.fill('🌷'.repeat(1_048_576)); // twice as many units as characters
      expect(await problem()).to.equal('');
      await payload.fill('t'.repeat(1_048_577));
      expect(await problem()).to.equal('That is more than 1,048,576 characters. Attach it as a file.');
      await payload.fill('tulip');
      await page.click('Create the link');
      expect(await page.text()).to.include('Your link is ready');
    });

    it('keeps what was entered and says what is wrong', async () => {
      const page = await client('/');
      await page.page.locator('.more > summary').click();
      await page.page.getByLabel('Show it as', { exact: true }).selectOption('url');
      await page.page.locator('#payload').fill('no address');
      await page.click('Create the link');
      expect(await page.text()).to.include('Must be a whole address that begins with http:// or https://');
      expect(await page.page.locator('#payload').inputValue()).to.equal('no address');
      expect(await page.accessibilityViolations()).to.deep.equal([]);
    });
  });

  describe('The pages of a chat user in a browser', () => {
    const platform = 'slack' as const;
    const nobody = {
      account: null,
      client: { ip: '', userAgent: '', referrer: '', isPreviewer: () => false },
    };
    let people = 0;

    /** Two chat users who have requested a secret from each other. */
    async function inChat() {
      const { chat } = site.service.domain;
      people += 1;
      const [me, other] = ['ann', 'ben'].map((name) => ({
        platform,
        address: `T1:U${name.toUpperCase()}${people}`,
      }));
      if (me === undefined || other === undefined) throw new Error('there is nobody');
      await connectChat(site.service.domain, other, { name: '@ben' });
      await chat.pushes.create({ chatUser: me, workspace: 'T1', idempotencyKey: null }, { payload: 'tulip' });
      await chat.requests.create(other, [me], { reason: 'the password of the VPN' });
      await chat.requests.create(me, [other], { reason: null });
      const connecting = async () =>
        `/connect/${await chat.createConnectLink({ chatUser: me, name: '@ann' })}`;
      return { me, other, connecting };
    }

    for (const scripts of [true, false]) {
      it(`connects a chat to an account, answers its requests and disconnects it${scripts ? '' : ', without scripts'}`, async () => {
        const { me, connecting } = await inChat();
        const page = await client(await connecting(), { scripts });
        await page.awaitNavigation(() => page.page.getByRole('link', { name: 'Create an account' }).click());
        await page.page.locator('#email').fill(`browser${counter++}@example.com`);
        await page.page.locator('#password').fill(password);
        await page.awaitNavigation(() => page.page.keyboard.press('Enter'));
        expect(await page.text()).to.include('1 link comes along');
        await page.click('Share this account with @ann in Slack');
        await confirmInChat(site.service.domain, me, { text: await page.page.content() });
        await page.goto(`${site.base}/connect`);
        expect(await page.text()).to.include('Connected. What you share');

        await page.goto(`${site.base}/pushes`);
        await page.awaitNavigation(() => page.page.getByRole('link', { name: 'Requests' }).click());
        expect(await page.text()).to.include('the password of the VPN');
        await page.click('Cancel the request to @ben in Slack');
        expect(await page.text()).to.include('The request is cancelled.');
        await page.click('Provide the secret to @ben in Slack');
        await page.page.locator('#payload').fill('tulip');
        await page.click('Create the link');
        expect(await page.text()).to.include('Its recipients got a message in the chat.');
        await page.goto(`${site.base}/requests`);
        expect(await page.text()).to.include('Nobody is waiting for a secret from you.');

        await page.goto(`${site.base}/account/chats`);
        await page.page.locator('summary', { hasText: 'Disconnect' }).click();
        await page.click('Disconnect @ann in Slack');
        expect(await page.text()).to.include('No chat is connected.');
      });

      it(`lets a late visitor ask for a new link${scripts ? '' : ', without scripts'}`, async () => {
        const { me } = await inChat();
        const { chat, pushes } = site.service.domain;
        const wanted = { payload: 'tulip', expireAfterViews: 1 };
        const { urlToken } = await chat.pushes.create(
          { chatUser: me, workspace: 'T1', idempotencyKey: null },
          wanted,
        );
        await pushes.reveal(urlToken, undefined, nobody);
        const page = await client(`/p/${urlToken}`, { scripts });
        await page.click('Ask the sender for a new one');
        expect(await page.text()).to.include('The sender has been told');
      });
    }

    for (const options of variants) {
      it(`has accessible chat pages in the ${options.theme} theme on a ${options.device}`, async () => {
        const { me, connecting } = await inChat();
        const { chat, pushes, accounts } = site.service.domain;
        const place = { workspace: 'T1', userId: 'ann', label: 'Acme' };
        await chat.installations.store(platform, place, {});
        const expectFit = async (page: TestPage, what: string) => {
          expect(await page.accessibilityViolations(), what).to.deep.equal([]);
          const width = Number(await page.page.evaluate('document.documentElement.scrollWidth'));
          expect(width, `the width of ${what}`).to.be.at.most(widthMax[options.device]);
        };

        const stranger = await client(await connecting(), options);
        await expectFit(stranger, 'connecting, signed out');
        const mine = await chat.pushes.create(
          { chatUser: me, workspace: 'T1', idempotencyKey: null },
          { payload: 'tulip' },
        );
        await pushes.expire(mine.urlToken, {
          account: await chat.identities.accountOf(me),
          client: nobody.client,
        });
        await stranger.goto(`${site.base}/p/${mine.urlToken}`);
        await expectFit(stranger, 'what is over');
        await stranger.awaitNavigation(() => stranger.page.locator('form button').click());
        await expectFit(stranger, 'the sender is told');
        await stranger.goto(`${site.base}${await connecting()}`);
        await stranger.awaitNavigation(() => stranger.page.locator('form button').click());
        await expectFit(stranger, 'waiting for the chat');
        await confirmInChat(site.service.domain, me, { text: await stranger.page.content() });
        await stranger.goto(`${site.base}/connect`);
        for (const path of ['/account', '/account/chats', '/requests', `/pushes/${mine.urlToken}`]) {
          await stranger.goto(`${site.base}${path}`);
          await expectFit(stranger, `${path} of an account made in a chat`);
        }

        const page = await signedIn(options);
        await accounts.setAdmin(page.email, true, 'operator');
        for (const path of ['/account/chats', '/requests']) {
          await page.goto(`${site.base}${path}`);
          await expectFit(page, `${path} without a chat`);
        }
        await page.goto(`${site.base}${await connecting()}`);
        await expectFit(page, 'connecting');
        await page.awaitNavigation(() => page.page.locator('main form button').click());
        await confirmInChat(site.service.domain, me, { text: await page.page.content() });
        await page.goto(`${site.base}/connect`);
        await chat.identities.setReachable(me, false);
        const removal = '/admin/installations/remove?id=T1';
        for (const path of ['/account/chats', '/requests', '/admin', '/admin/installations', removal]) {
          await page.goto(`${site.base}${path}`);
          await expectFit(page, path);
        }
      });
    }
  });

  describe('The list of pushes in a browser', () => {
    /** The list of a new account with three pushes. */
    async function withPushes(options: PageOptions = {}) {
      const page = await signedIn(options);
      const { pushes, accounts } = site.service.domain;
      const account = await accounts.find(page.email);
      const owner = { account, client: { ip: '', userAgent: '', referrer: '', isPreviewer: () => false } };
      for (const name of ['first', 'second', 'third']) await pushes.create({ payload: 'x', name }, owner);
      await page.goto(`${site.base}/pushes`);
      return page;
    }

    for (const scripts of [true, false]) {
      it(`deletes the pushes that are selected${scripts ? '' : ', without scripts'}`, async () => {
        const page = await withPushes({ scripts });
        await page.page.getByRole('checkbox', { name: 'first' }).check();
        await page.page.getByRole('checkbox', { name: 'third' }).check();
        await page.click('Delete the selected');
        expect(await page.text()).to.match(/Delete 2 links\?.*third.*first/s);
        await page.click('Delete 2 links');
        expect(await page.text())
          .to.include('2 links are deleted.')
          .and.include('second')
          .and.not.include('third');
      });
    }

    it('offers what can be done to pushes once some are selected, and counts them', async () => {
      const page = await withPushes({ theme: 'dark', device: 'phone' });
      const extend = page.page.getByRole('button', { name: 'Extend the selected' });
      const all = page.page.getByLabel('Select all on this page');
      expect(await extend.isVisible()).to.equal(false);
      await all.check();
      expect(await page.text()).to.include('3 selected');
      expect(await page.accessibilityViolations()).to.deep.equal([]);
      await page.page.getByRole('checkbox', { name: 'second' }).uncheck();
      expect(await page.text()).to.include('2 selected');
      expect(await page.page.evaluate(`document.getElementById('select-all').indeterminate`)).to.equal(true);
      await all.check();
      await all.uncheck();
      expect(await extend.isVisible()).to.equal(false);
    });

    it('calls a push without a name by its kind and its time, as its reader’s clock shows it', async () => {
      const page = await signedIn({ contextOptions: { timezoneId: 'Asia/Tokyo' } });
      const account = await site.service.domain.accounts.find(page.email);
      const owner = { account, client: { ip: '', userAgent: '', referrer: '', isPreviewer: () => false } };
      const push = await site.service.domain.pushes.create({ payload: 'x' }, owner);
      const parts = { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' } as const;
      const inTokyo = new Intl.DateTimeFormat('en-GB', { ...parts, timeZone: 'Asia/Tokyo' });
      const title = `Text, ${inTokyo.format(push.createdAt)}`;
      await page.goto(`${site.base}/pushes`);
      expect(await page.page.locator('tbody th a').innerText()).to.equal(title);
      expect(await page.page.locator('tbody th .hint').innerText()).to.equal(`…${push.urlToken.slice(-4)}`);
      await page.goto(`${site.base}/pushes/${push.urlToken}`);
      expect(await page.page.locator('h1').innerText()).to.equal(title);
    });

    for (const [device, viewport, rowMax] of [
      ['phone', { width: 360, height: 740 }, 120],
      ['desktop', { width: 1440, height: 2_000 }, 80],
    ] as const)
      it(`takes at most ${rowMax} px for a push on a ${device}, whatever its name`, async () => {
        const page = await signedIn({ device, locale: 'de-DE', contextOptions: { viewport } });
        const { pushes, accounts } = site.service.domain;
        const account = await accounts.find(page.email);
        const owner = { account, client: { ip: '', userAgent: '', referrer: '', isPreviewer: () => false } };
        for (let each = 0; each < 30; each++) {
          const name =
            each % 5 === 0 ? 'The password of the staging database, until Monday '.repeat(4) : `${each}`;
          await pushes.create({ payload: 'x', name, expireAfterViews: 100 }, owner);
        }
        await page.goto(`${site.base}/pushes`);
        const boxes = (await page.page.evaluate(
          `[...document.querySelectorAll('tbody tr')].map((row) => row.getBoundingClientRect()).map(({ top, height }) => ({ top, height }))`,
        )) as { top: number; height: number }[];
        expect(Math.max(...boxes.map(({ height }) => height))).to.be.at.most(rowMax);
        if (device === 'desktop')
          expect(boxes.filter(({ top, height }) => top + height <= viewport.height)).to.have.length.at.least(
            25,
          );
        expect(await page.accessibilityViolations()).to.deep.equal([]);
      });

    it('copies the link of a push from its row', async () => {
      const page = await withPushes({
        contextOptions: { permissions: ['clipboard-read', 'clipboard-write'] },
      });
      await page.page.locator('tr', { hasText: 'second' }).locator('summary').click();
      expect(await page.accessibilityViolations()).to.deep.equal([]);
      await page.page.getByRole('button', { name: 'Copy the link second' }).click();
      await page.page.getByRole('status').filter({ hasText: 'Copied' }).waitFor();
      const account = await site.service.domain.accounts.find(page.email);
      const [second] = await site.service.domain.pushes.list({ account }, 'active', 1, { search: 'second' });
      expect(await page.page.evaluate('navigator.clipboard.readText()')).to.equal(
        `${site.base}/p/${second?.urlToken}`,
      );
    });
  });

  for (const options of variants) {
    it(`has accessible account pages in the ${options.theme} theme on a ${options.device}`, async () => {
      const stranger = await client('/sign-in', options);
      expect(await stranger.accessibilityViolations(), 'sign in').to.deep.equal([]);
      await stranger.goto(`${site.base}/sign-up`);
      expect(await stranger.accessibilityViolations(), 'sign up').to.deep.equal([]);

      const page = await signedIn(options);
      await site.service.domain.accounts.setAdmin(page.email, true, 'operator');
      const account = await site.service.domain.accounts.find(page.email);
      const { api } = site;
      const token = await site.service.domain.apiTokens.issue(account, { name: 'laptop' });
      const { webhooks } = site.service.domain;
      const { id } = await webhooks.create(account, { url: 'https://example.com/hook' });
      await webhooks.test(account, id);
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
      const shared = await api.create({ recipients: ['Ann', 'Bob'] }, headers);
      const [push] = await site.service.domain.pushes.list({ account }, 'active', 1);
      const accountPage = `/admin/accounts/${account.id.toString('hex')}`;
      const paths = [
        '/',
        '/pushes',
        '/pushes?sort=ends_soonest&recipient=bob&kind=text',
        '/pushes?search=nothing',
        `/pushes/selected?action=expire&push=${push?.id}`,
        `/pushes/selected?action=extend&push=${push?.id}`,
        '/pushes/selected',
        `/pushes/${shared.token}`,
        accountPage,
        `${accountPage}/disable`,
        '/pushes?state=expired&search=o',
        `/pushes/${urlToken}`,
        `/pushes/${old.token}`,
        '/account',
        '/account/tokens',
        '/account/rules',
        '/device',
        '/account/webhooks',
        `/account/webhooks/deliveries?id=${id}`,
        `/account/webhooks/events?id=${id}`,
        '/account/security',
        '/account/security/log',
        '/account/notices',
        '/admin',
        '/docs',
        '/privacy',
        '/support',
      ];
      const expectFit = async (what: string) => {
        expect(await page.accessibilityViolations(), what).to.deep.equal([]);
        const width = Number(await page.page.evaluate('document.documentElement.scrollWidth'));
        expect(width, `the width of ${what}`).to.be.at.most(widthMax[options.device]);
      };
      for (const path of paths) {
        await page.goto(`${site.base}${path}`);
        await expectFit(path);
      }
      await page.goto(`${site.base}/account/tokens`);
      await site.service.database.execute(
        'UPDATE sessions SET authenticated_at = authenticated_at - 660000 WHERE account_id = $id',
        { id: account.id },
      );
      await page.page.locator('#name').fill('desktop');
      await page.awaitNavigation(() => page.page.keyboard.press('Enter'));
      expect(await page.page.locator('#stepUpPassword').count()).to.equal(1);
      await expectFit('the page that asks who it is');
    });
  }

  it('shows hostile names, notes, browsers, referrers, tokens and searches as text', async () => {
    const page = await signedIn();
    const { pushes, apiTokens, accounts, sessions } = site.service.domain;
    const account = await accounts.find(page.email);
    const parts = 'document.querySelectorAll("header.site-header, main#main, footer.site-footer").length';
    const expectWhole = async (words: string) => {
      expect(page.problems(), words).to.deep.equal([]);
      expect(await page.page.evaluate(`[typeof pwned, ${parts}].join()`), words).to.equal('undefined,3');
    };
    for (const words of hostileWords) {
      const sent = words.replaceAll(/\p{Cc}/gu, ''); // HTTP headers have no control characters
      const client = { ip: '192.0.2.7', userAgent: sent, referrer: sent, isPreviewer: () => false };
      const push = await pushes.create({ payload: words, name: words, note: words }, { account, client });
      await pushes.reveal(push.urlToken, undefined, { account: null, client });
      await page.goto(`${site.base}/pushes/${push.urlToken}?done=${encodeURIComponent(words)}`);
      await expectWhole(words);
      expect(await page.page.evaluate('document.querySelector("h1").textContent')).to.equal(
        words.replaceAll(/[\0\u202a-\u202e\u2066-\u2069]/g, ''),
      );
      await page.goto(`${site.base}/pushes?search=${encodeURIComponent(words)}`);
      await expectWhole(words);
      await pushes.expire(push.urlToken, { account, client });
      await apiTokens.issue(account, { name: words.slice(0, 100) }).catch(() => {});
      await sessions.create(account, client, byPassword);
    }
    for (const path of ['/pushes?state=expired', '/account/tokens', '/account/sessions']) {
      await page.goto(`${site.base}${path}`);
      await expectWhole(path);
    }
  });
});
