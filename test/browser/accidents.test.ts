import { expect } from 'chai';
import type { TestPage } from '../harness/browser.ts';
import { onMariadb } from '../harness/database.ts';
import { type Site, startSite } from '../harness/site.ts';

const holdButton = 'Hold to reveal';

// Browsers do not depend on the database, so this runs once.
const describeOnce = onMariadb ? describe : () => {};

describeOnce('Accidents to a secret on the screen', () => {
  let site: Site;
  let page: TestPage;
  let address: string;

  before(async function () {
    site = await startSite(this);
  });
  beforeEach(async () => {
    page = await site.browser.open();
    address = await site.push({ expire_after_views: 1 });
    await page.goto(address);
  });
  afterEach(() => page.close());
  after(() => site?.stop());

  const textOfNewTab = async () => {
    const tab = await page.context.newPage();
    await tab.goto(address);
    return tab.locator('main').innerText();
  };
  const endMinute = () => site.service.database.execute('UPDATE spent_nonces SET view_expires_at = 1', {});

  /** Lets the form reach the service, and drops what it responds. */
  async function dropResponse(): Promise<void> {
    await page.page.route('**/p/*', async (route) => {
      await route.fetch();
      await page.context.clearCookies({ name: /opened/ }); // it came with the response
      await route.abort('connectionreset');
    });
    await page.hold(holdButton);
    await page.page.unroute('**/p/*');
  }

  const accidents: [string, () => Promise<string>][] = [
    [
      'a reload',
      async () => {
        await page.page.reload();
        return page.text();
      },
    ],
    [
      'going back',
      async () => {
        await page.page.goBack();
        return page.text();
      },
    ],
    [
      'going back and forward',
      async () => {
        await page.page.goBack();
        await page.page.goForward();
        return page.text();
      },
    ],
    ['opening the link in a second tab', textOfNewTab],
    [
      'closing the tab and opening the link again',
      async () => {
        await page.page.close();
        return textOfNewTab();
      },
    ],
    [
      'a phone that is locked and unlocked',
      async () => {
        const session = await page.context.newCDPSession(page.page);
        await session.send('Page.setWebLifecycleState', { state: 'frozen' });
        await session.send('Page.setWebLifecycleState', { state: 'active' });
        return page.text();
      },
    ],
  ];
  for (const [name, happen] of accidents) {
    it(`shows the only view of a secret again to its browser: ${name}`, async () => {
      await page.hold(holdButton);
      expect(await page.text()).to.include('tulip');
      expect(await happen()).to.include('tulip');
      expect(await site.viewsUsed(address)).to.equal(1);
    });
  }

  it('shows the only view of a secret to a browser that the response did not reach', async () => {
    await dropResponse();
    expect(await site.viewsUsed(address)).to.equal(1);
    await page.page.reload();
    expect(await page.text()).to.include('tulip');
    expect(await site.viewsUsed(address)).to.equal(1);
  });

  it('says when a browser has seen a secret once its minute is over, and shows other browsers nothing', async () => {
    await page.hold(holdButton);
    await endMinute();
    await page.page.reload();
    expect(await page.text())
      .to.include('You have seen this secret')
      .and.include('minute')
      .and.not.include('tulip');
    const other = await site.browser.open();
    await other.goto(address);
    expect(await other.text())
      .to.include('This secret is not available')
      .and.not.include('seen');
    await other.close();
  });
});
