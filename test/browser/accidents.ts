import { setTimeout as sleep } from 'node:timers/promises';
import type { TestPage } from '../harness/browser.ts';
import { mistypedLinks } from '../harness/mistypedLinks.ts';
import { anonymous, byPassword, createAccount } from '../harness/service.ts';
import type { Site } from '../harness/site.ts';
import { programMs, until } from '../harness/until.ts';
import { translatePage } from './translation.ts';

const holdButton = 'Hold to open';

/** Where an accident happens: a browser that shows the retrieval step of a push with one view. */
type Scene = { site: Site; page: TestPage; address: string };

/** What a person sees of a secret. */
type Sight = 'the secret' | 'when this browser opened it' | 'that it is not available' | 'something else';

/** What can happen to somebody who opens a secret. `happen` opens it and returns the text that is on the screen at the end. */
export type Accident = {
  name: string;
  passphrase?: string;
  sees: Sight;
  happen(scene: Scene): Promise<string>;
};

/** Opens the secret, and then lets something happen to its page. */
const afterwards = (name: string, act: (scene: Scene) => Promise<unknown>, sees: Sight = 'the secret') => ({
  name,
  sees,
  async happen(scene: Scene): Promise<string> {
    await scene.page.hold(holdButton);
    await act(scene);
    return scene.page.text();
  },
});

/** The same, and then somebody opens the link anew. */
const anew = (
  name: string,
  open: (scene: Scene) => Promise<TestPage['page']>,
  sees: Sight = 'the secret',
) => ({
  name,
  sees,
  async happen(scene: Scene): Promise<string> {
    await scene.page.hold(holdButton);
    const tab = await open(scene);
    await tab.goto(scene.address);
    return tab.locator('main').innerText();
  },
});

export const accidents: Accident[] = [
  afterwards('a reload', ({ page }) => page.page.reload()),
  afterwards('back', ({ page }) => page.page.goBack()),
  afterwards('back and forward', async ({ page }) => {
    await page.page.goBack();
    await page.page.goForward();
  }),
  afterwards('a tab that the browser had discarded', async ({ page }) => {
    const session = await page.context.newCDPSession(page.page);
    const { currentIndex, entries } = await session.send('Page.getNavigationHistory');
    await page.awaitNavigation(async () => {
      await session.send('Page.navigateToHistoryEntry', { entryId: entries[currentIndex]?.id ?? 0 });
    });
  }),
  afterwards('the phone locked and unlocked', async ({ page }) => {
    const session = await page.context.newCDPSession(page.page);
    await session.send('Page.setWebLifecycleState', { state: 'frozen' });
    await session.send('Page.setWebLifecycleState', { state: 'active' });
  }),
  anew('the link in a second tab', ({ page }) => page.context.newPage()),
  anew('the tab closed, the link opened again', async ({ page }) => {
    await page.page.close();
    return page.context.newPage();
  }),
  {
    name: 'two tabs from before, and a press in each',
    sees: 'the secret',
    async happen({ page, address }) {
      const other = await page.context.newPage();
      await other.goto(address);
      await page.hold(holdButton);
      await other.bringToFront();
      const box = await other.locator('.hold-button').boundingBox();
      await other.mouse.move((box?.x ?? 0) + 60, (box?.y ?? 0) + 60);
      await other.mouse.down();
      await sleep(900);
      await other.mouse.up();
      await other.locator('.hold-button').waitFor({ state: 'detached' });
      return other.locator('main').innerText();
    },
  },
  {
    name: 'two tabs, pressed in the same instant',
    sees: 'the secret',
    async happen({ page, address }) {
      const other = await page.context.newPage();
      await other.goto(address);
      const tabs = [page.page, other];
      let pressed = 0;
      for (const tab of tabs)
        await tab.route('**/p/*', async (route) => {
          pressed += 1;
          await until(() => pressed === tabs.length, programMs);
          await route.continue();
        });
      for (const tab of tabs) {
        await tab.bringToFront();
        await tab.locator('.hold-button').hover();
        await tab.mouse.down();
        await sleep(900);
        await tab.mouse.up();
      }
      for (const tab of tabs) await tab.locator('.hold-button').waitFor({ state: 'detached' });
      const texts = await Promise.all(tabs.map((tab) => tab.locator('main').innerText()));
      return texts.every((text) => text.includes('tulip')) ? texts.join() : 'not in both';
    },
  },
  {
    name: 'a translated page, and Copy',
    sees: 'the secret',
    async happen({ page }) {
      await page.context.grantPermissions(['clipboard-read', 'clipboard-write']);
      await page.hold(holdButton);
      await translatePage(page, { everything: true });
      await page.page.locator('[data-copy]').click();
      await page.page.locator('#copy-status', { hasText: 'Copied' }).waitFor({ state: 'attached' });
      return String(await page.page.evaluate('navigator.clipboard.readText()'));
    },
  },
  {
    name: 'a sign-in in another tab, before the press',
    sees: 'the secret',
    async happen({ site, page, address }) {
      const { domain } = site.service;
      const { account } = await createAccount(domain);
      const value = await domain.sessions.create(account, anonymous.client, byPassword);
      await page.context.addCookies([{ name: 'hushpush-session', value, url: new URL(address).origin }]);
      await page.hold(holdButton);
      return page.text();
    },
  },
  ...['open-sesame ', '  open-sesame', 'open–sesame', 'open—sesame '].map((typed) => ({
    name: `a passphrase typed as “${typed}”`,
    passphrase: 'open-sesame',
    sees: 'the secret' as const,
    async happen({ page }: Scene) {
      await page.fill('Passphrase', typed);
      await page.page.keyboard.press('Enter');
      await page.holdKey('Space');
      return page.text();
    },
  })),
  {
    name: 'a reload, of a push with a passphrase',
    passphrase: 'open sesame',
    sees: 'the secret',
    async happen({ page }) {
      await page.fill('Passphrase', 'open sesame');
      await page.hold(holdButton);
      await page.page.reload();
      return page.text();
    },
  },
  {
    name: 'the response lost, then a reload',
    sees: 'the secret',
    async happen({ page }) {
      await page.page.route('**/p/*', async (route) => {
        await route.fetch();
        await page.context.clearCookies({ name: /opened/ }); // it came with the response
        await route.abort('connectionreset');
      });
      await page.hold(holdButton);
      await page.page.unroute('**/p/*');
      await page.page.reload();
      return page.text();
    },
  },
  {
    name: 'a slow response, and a second press meanwhile',
    sees: 'the secret',
    async happen({ page }) {
      const { mouse } = page.page;
      let isPressed = false;
      await page.page.route('**/p/*', async (route) => {
        await until(() => isPressed, programMs);
        await route.continue();
      });
      await page.page.getByRole('button', { name: holdButton }).hover();
      await page.awaitNavigation(async () => {
        for (let presses = 0; presses < 2; presses++) {
          await mouse.down();
          await sleep(900);
          await mouse.up();
        }
        isPressed = true;
      });
      return page.text();
    },
  },
  {
    name: 'a double click, without scripts',
    sees: 'the secret',
    async happen({ site, address }) {
      const page = await site.browser.open({ scripts: false });
      await page.goto(address);
      await sleep(600); // faster is no person
      await page.typeWord();
      await page.awaitNavigation(() => page.page.getByRole('button', { name: 'Show the secret' }).dblclick());
      const text = await page.text();
      await page.close();
      return text;
    },
  },
  afterwards(
    'a reload, after a minute',
    async ({ site, page }) => {
      await endMinute(site);
      await page.page.reload();
    },
    'when this browser opened it',
  ),
  anew(
    'the link in another browser',
    async ({ site }) => (await site.browser.open()).page, // closes with the browser
    'that it is not available',
  ),
];

/** What happened to the link before somebody opened it. */
export const accidentsToLinks: Accident[] = Object.entries(mistypedLinks).map(([how, mistype]) => ({
  name: `the link ${how}`,
  sees: 'the secret',
  async happen({ page, address }) {
    await page.goto(mistype(address));
    await page.hold(holdButton);
    return page.text();
  },
}));

/** Lets an accident happen. Returns the views that the push has used by then, and what the person sees. */
export async function sufferAccident(
  site: Site,
  { passphrase, happen }: Accident,
): Promise<{ views: number; sees: Sight }> {
  const page = await site.browser.open();
  const address = await site.push({ expire_after_views: 1, passphrase });
  try {
    await page.goto(address);
    const text = await happen({ site, page, address });
    return { views: await site.viewsUsed(address), sees: sightOf(text) };
  } finally {
    await page.close();
  }
}

/** What a text on the screen is about. */
function sightOf(text: string): Sight {
  if (text.includes('tulip')) return 'the secret';
  if (/You have seen this secret.*minute/s.test(text)) return 'when this browser opened it';
  const isGone = text.includes('This secret is not available') && !text.includes('seen');
  return isGone ? 'that it is not available' : 'something else';
}

/** Ends the time in which a browser may see a view again. */
async function endMinute({ service }: Site): Promise<void> {
  await service.database.execute('UPDATE spent_nonces SET view_expires_at = 1', {});
}
