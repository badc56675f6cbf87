import { expect } from 'chai';
import type { ChatUser } from '../../src/domain/index.ts';
import type { TestPage } from '../harness/browser.ts';
import { connectChat } from '../harness/chat.ts';
import { onMariadb } from '../harness/database.ts';
import { byPassword, newEmail } from '../harness/service.ts';
import { type Site, startSite } from '../harness/site.ts';
import { hostileWords } from './hostileWords.ts';

// Browsers do not depend on the database, so this runs once.
const describeOnce = onMariadb ? describe : () => {};

describeOnce('Hostile input in a browser', () => {
  let site: Site;
  let page: TestPage;

  before(async function () {
    site = await startSite(this);
  });
  beforeEach(async () => {
    page = await site.browser.open();
  });
  afterEach(() => page.close());
  after(() => site?.stop());

  /** Expects that nothing ran, nothing was loaded from elsewhere, and the page is complete. */
  async function expectWhole(words: string): Promise<void> {
    expect(page.problems(), words).to.deep.equal([]);
    const parts = 'document.querySelectorAll("header.site-header, main#main, footer.site-footer").length';
    expect(await page.page.evaluate(`[typeof pwned, ${parts}].join()`), words).to.equal('undefined,3');
    expect(page.page.url(), words).to.match(new RegExp(`^${site.base}/`));
  }

  it('tries at least sixty hostile inputs', () => {
    expect(new Set(hostileWords).size).to.be.at.least(60);
  });

  it('shows a hostile secret, name and note as text', async () => {
    for (const [index, words] of hostileWords.entries()) {
      const kind = index % 4 ? 'text' : 'qr';
      const fields = { payload: words, name: words, note: words, kind, retrieval_step: false };
      await page.goto(await site.push(fields));
      await expectWhole(words);
      const shown = await page.page.evaluate('secret.textContent'); // HTML drops NUL; copying keeps it
      expect(shown).to.equal(words.replaceAll('\0', ''));
    }
  });

  it('shows hostile links as text', async () => {
    for (const words of hostileWords) {
      const payload = `https://example.com/${words.replaceAll(/[\s\p{Cc}]/gu, '')}`;
      await page.goto(await site.push({ payload, kind: 'url', retrieval_step: false }));
      await expectWhole(words);
      expect(await page.page.locator('#secret').getAttribute('href')).to.equal(payload);
    }
  });

  it('ignores hostile paths and queries', async () => {
    for (const words of hostileWords) {
      const path = encodeURIComponent(words).replaceAll('.', '%2E');
      for (const url of [`/p/${path}?locale=${path}`, `/p/${'0'.repeat(26)}?${path}&locale=de&x=${path}`]) {
        await page.goto(`${site.base}${url}`);
        await expectWhole(words);
      }
    }
  });

  it('shows hostile names of people and workspaces, and hostile requests, as text', async () => {
    const { domain } = site.service;
    const { chat, accounts, sessions } = domain;
    const account = await accounts.create({ email: 'hostile@example.com' });
    await accounts.setAdmin(account.email, true, 'operator');
    const client = { ip: '192.0.2.7', userAgent: '', referrer: '', isPreviewer: () => false };
    const session = await sessions.create(account, client, byPassword);
    await page.context.addCookies([{ name: 'hushpush-session', value: session, url: site.base }]);
    const connecting = (chatUser: ChatUser, name: string) => chat.createConnectLink({ chatUser, name });

    for (const [index, words] of hostileWords.entries()) {
      const personIn = (user: string): ChatUser => ({ platform: 'slack', address: `T${index}:${user}` });
      const [me, other] = [personIn('UME'), personIn('UOTHER')];
      await page.goto(`${site.base}/connect/${await connecting(me, words)}`);
      await expectWhole(words);
      await connectChat(domain, me, { account, name: words });
      await connectChat(domain, other, { name: words });
      await chat.requests.create(other, [me], { reason: words });
      await chat.requests.create(me, [other], { reason: words });
      const place = { workspace: `T${index}`, userId: 'UOTHER', label: words };
      await chat.installations.store('slack', place, {});
      const isBatchEnd = index % 20 === 19 || index === hostileWords.length - 1; // pages list all names so far
      for (const path of isBatchEnd ? ['/account/chats', '/requests', '/admin/installations'] : []) {
        await page.goto(`${site.base}${path}`);
        await expectWhole(words);
        expect(await page.text()).to.include(
          hostileWords[index]?.split('\n')[0]?.replaceAll('\0', '').trim(),
        );
      }
    }
  });

  it('shows hostile titles, notes and names of request links as text, to strangers and to those who asked', async () => {
    const { accounts, sessions, requestLinks } = site.service.domain;
    const account = await accounts.create({ email: newEmail() });
    const client = { ip: '192.0.2.7', userAgent: '', referrer: '', isPreviewer: () => false };
    const session = await sessions.create(account, client, byPassword);
    await page.context.addCookies([{ name: 'hushpush-session', value: session, url: site.base }]);
    const asker = { account, client };
    const create = (input: object) => requestLinks.create(asker, { title: 'x', allowName: true, ...input });
    const collected = await create({ answers: 100 });
    const answer = async (urlToken: string | null, name: string) => {
      await using begun = await requestLinks.beginAnswer(urlToken ?? '', client);
      await begun.send({ formId: `${name} ${urlToken}`, text: name, name });
    };
    const seen = (words: string) => words.split('\n')[0]?.replaceAll('\0', '').trim();
    for (const words of hostileWords) {
      const { id, urlToken } = await create({ title: words.slice(0, 100), note: words });
      for (const path of [`/a/${urlToken}`, `/requests/links/${id}`]) {
        await page.goto(`${site.base}${path}`);
        await expectWhole(words);
        expect(await page.text(), words).to.include(seen(words));
      }
      await answer(collected.urlToken, words);
    }
    for (const path of [`/requests/links/${collected.id}`, '/requests', '/pushes']) {
      await page.goto(`${site.base}${path}`);
      await expectWhole(path);
    }
    await page.goto(`${site.base}/requests/links/${collected.id}`);
    const onOneLine = (text = '') => text.replaceAll(/\s+/g, ' ');
    const all = onOneLine(await page.text());
    for (const words of hostileWords) expect(all, words).to.include(onOneLine(seen(words)));
  });

  it('ignores hostile request headers', async () => {
    const address = await site.push();
    for (const words of hostileWords.filter((each) => /^[\x20-\x7e]*$/.test(each))) {
      await page.context.setExtraHTTPHeaders({
        'user-agent': words,
        referer: words,
        'accept-language': words,
      });
      await page.goto(address);
      await expectWhole(words);
    }
  });
});
