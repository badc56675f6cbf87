import { expect } from 'chai';
import type { Account, RequestLink } from '../../src/domain/index.ts';
import { type PageOptions, type TestPage, usePages } from '../harness/browser.ts';
import { byPassword, createAccount, someClient } from '../harness/service.ts';
import { type Site, startSite } from '../harness/site.ts';
import { variants, widthMax } from './variants.ts';

const hebrew = 'הסיסמה של חנות האינטרנט';
const everything = { accepts: 'both', allowName: true, passphrase: 'hush' };

describe('Request links, for whoever uses them in another way', () => {
  let site: Site;
  let ann: Account;

  before(async function () {
    site = await startSite(this);
    ({ account: ann } = await createAccount(site.service.domain, undefined, { subscribed: true }));
  });
  after(() => site?.stop());

  const open = usePages(() => site.browser);
  const links = () => site.service.domain.requestLinks;
  const create = (input: object = {}) =>
    links().create(
      { account: ann, client: someClient },
      { title: 'The password of the web shop', note: 'The one of the admin, please.', ...input },
    );
  const addressOf = ({ urlToken }: RequestLink) => `${site.base}/a/${urlToken}`;

  async function answer({ urlToken }: RequestLink, name: string): Promise<void> {
    await using begun = await links().beginAnswer(urlToken ?? '', someClient);
    await begun.send({ formId: `${name} ${urlToken}`, text: 'tulip', name });
  }

  /** A page of the account. */
  async function own(path: string, options?: PageOptions): Promise<TestPage> {
    const page = await open(undefined, options);
    const value = await site.service.domain.sessions.create(ann, someClient, byPassword);
    await page.context.addCookies([{ name: 'hushpush-session', value, url: site.origin }]);
    await page.goto(site.base + path);
    return page;
  }

  /** Every page of request links, by its name. */
  async function* allPages(options: PageOptions): AsyncGenerator<[string, TestPage]> {
    const link = await create({ allowName: true, answers: 3 });
    yield ['to answer', await open(addressOf(await create(everything)), options)];
    yield ['to answer with a text', await open(addressOf(await create({ accepts: 'text' })), options)];
    yield ['closed', await open(`${site.base}/a/${'0'.repeat(26)}`, options)];
    yield ['a new one', await own('/requests/links/new', options)];
    yield ['unanswered', await own(`/requests/links/${link.id}`, options)];
    for (const name of ['Bea, Acme', hebrew]) await answer(link, name);
    yield ['answered', await own(`/requests/links/${link.id}`, options)];
    await links().close(ann, link.id);
    yield ['ended', await own(`/requests/links/${link.id}`, options)];
    yield ['the list', await own('/requests', options)];
  }

  for (const variant of variants)
    it(`have pages without barriers: ${variant.theme}, ${variant.device}, ${variant.locale}`, async () => {
      for await (const [name, page] of allPages(variant)) {
        expect(await page.accessibilityViolations(), name).to.deep.equal([]);
        const width = await page.page.evaluate('document.documentElement.scrollWidth');
        expect(width, name).to.be.at.most(widthMax[variant.device]);
      }
    });

  for (const locale of ['en-GB', 'de-DE'])
    for (const [name, scripts, width] of [
      ['at 400 %', true, 320],
      ['on a small phone, without scripts', false, 360],
    ] as const)
      it(`never scroll sideways, with text twice as large either: ${name}, in ${locale}`, async () => {
        const contextOptions = { viewport: { width, height: 256 } };
        for await (const [which, { page }] of allPages({ locale, scripts, contextOptions })) {
          const over = () => page.evaluate(`Math.max(0, document.documentElement.scrollWidth - ${width})`);
          expect(await over(), which).to.equal(0);
          await page.evaluate(`{
            const large = new CSSStyleSheet();
            large.replaceSync('html { font-size: 200% }');
            document.adoptedStyleSheets = [large];
            document.querySelector('.alternative')?.classList.add('open');
            for (const details of document.querySelectorAll('details')) details.open = true;
          }`);
          expect(await over(), `${which}, with text twice as large`).to.equal(0);
        }
      });

  it('show what can be pressed in forced colours', async () => {
    for await (const [name, page] of allPages({ contextOptions: { forcedColors: 'active' } })) {
      expect(await page.accessibilityViolations(), name).to.deep.equal([]);
      const bare = `(() => {
        const probe = document.body.appendChild(document.createElement('p'));
        probe.style.color = 'ButtonText';
        const { color } = getComputedStyle(probe);
        const isSeen = (e) => getComputedStyle(e).borderTopColor === color && getComputedStyle(e).borderTopStyle !== 'none';
        const all = [...document.querySelectorAll('main button:not(.text-button)')].filter((e) => e.checkVisibility());
        return all.filter((e) => !isSeen(e)).map((e) => e.innerText);
      })()`;
      expect(await page.page.evaluate(bare), name).to.deep.equal([]);
    }
  });

  it('read from right to left what was written so, and nothing else', async () => {
    const link = await create({ title: hebrew, note: `${hebrew}.`, allowName: true });
    const direction = (page: TestPage, selector: string) =>
      page.page.evaluate(`getComputedStyle(document.querySelector('${selector}')).direction`);
    const asked = await open(addressOf(link));
    expect(await direction(asked, 'dd .preserve-lines')).to.equal('rtl');
    expect(await asked.page.locator('dd bdi', { hasText: hebrew }).count()).to.equal(1);
    expect(await direction(asked, 'main')).to.equal('ltr');
    await answer(link, hebrew);
    const owned = await own(`/requests/links/${link.id}`);
    expect(await direction(owned, '.preserve-lines')).to.equal('rtl');
    expect(await owned.page.locator('h1 bdi, .list bdi', { hasText: hebrew }).count()).to.equal(2);
    expect(await direction(owned, '.list')).to.equal('ltr');
  });

  it('are answered by keyboard alone, field after field', async () => {
    const link = await create(everything);
    const page = await open(addressOf(link));
    const { keyboard } = page.page;
    const focused = () =>
      page.page.evaluate(`(() => {
        const { labels, innerText, ariaLabel, id } = document.activeElement;
        return (labels?.[0]?.innerText ?? ariaLabel ?? innerText ?? id).trim().split('\\n')[0].trim();
      })()`);
    const seen: unknown[] = [];
    const entries: Record<string, string> = {
      'Passphrase of this request': 'hush',
      'Who you are': 'Bea',
      'Your secret': 'tulip',
    };
    for (let presses = 0; presses < 20 && seen.at(-1) !== 'Hold to send'; presses++) {
      await keyboard.press('Tab');
      const name = String(await focused());
      seen.push(name);
      if (name in entries) await keyboard.type(entries[name] ?? '');
    }
    expect(seen).to.deep.equal([
      'Skip to the content',
      'hushpush',
      'Passphrase of this request',
      'Show what I type',
      'Who you are',
      'Your secret',
      'Attach files',
      'Hold to send',
    ]);
    await page.holdKey('Space');
    expect(await page.text()).to.include('It was sent');
    expect((await links().listAnswers({ account: ann }, link.id))[0]).to.include({ name: 'Bea' });
  });

  it('say to a screen reader who asks, for what, and what is to be done', async () => {
    const page = await open(addressOf(await create(everything)));
    const tree = await page.page.locator('main').ariaSnapshot();
    for (const line of [
      '- heading "You are asked for a secret" [level=1]',
      '- heading "What happens to it" [level=2]',
      '- textbox "Passphrase of this request"',
      '- textbox "Who you are"',
      '- textbox "Your secret"',
      '- button "Hold to send"',
      '- button "I cannot press and hold"',
    ])
      expect(tree).to.include(line);
    const order = [
      'Asked by',
      ann.email,
      'The password of the web shop',
      'What happens to it',
      'Your secret',
    ];
    const places = order.map((text) => tree.indexOf(text));
    expect(places).to.deep.equal([...places].sort((a, b) => a - b));
    expect(places).to.not.include(-1);
    const described = await page.page.locator('.hold-button').getAttribute('aria-describedby');
    expect(await page.page.locator(`#${described}`).innerText()).to.match(
      /With a keyboard, hold Space or Enter/,
    );
  });

  it('are created, shown and closed without scripts', async () => {
    const page = await own('/requests/links/new', { scripts: false });
    await page.fill('What you ask for', 'the VPN');
    await page.click('Create the link');
    expect(await page.page.locator('#link').inputValue()).to.match(/\/a\/[0-9a-z]{26}$/);
    await page.page.locator('summary', { hasText: 'Close the link' }).click();
    await page.awaitNavigation(() => page.page.locator('.confirmation button').click());
    expect(await page.text()).to.include('The link is closed');
  });
});
