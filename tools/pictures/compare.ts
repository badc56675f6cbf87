import type { Page } from 'playwright-core';
import type { TestBrowser } from '../../test/harness/browser.ts';
import type { startFront } from './pages/front.ts';
import { openStudio, type Studio, type Variant } from './pages/studio.ts';

type Tools = { front: Awaited<ReturnType<typeof startFront>>; browser: TestBrowser };

const screens = { phone: { width: 360, height: 740 }, desktop: { width: 1_440, height: 900 } };
const submit = '#new-push [type=submit]:not([name])';

/** Slow 3G, as Chromium emulates it: the latency in milliseconds, and the throughput in bytes per second. */
const slow3G = { offline: false, latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 };

/**
 * Measures what people meet, in both languages, on a phone and on a desktop: the first page signed out and in, the page before
 * a secret, and the list of links. Prints a line for each, to compare with that of another commit.
 */
export async function compare({ front, browser }: Tools): Promise<void> {
  for (const device of ['phone', 'desktop'] as const)
    for (const locale of ['en', 'de'] as const) {
      const variant: Variant = { device, locale, theme: 'light' };
      const studio = await openStudio(front, browser, variant);
      const { page } = await studio.visit('/');
      const own = (await studio.own('/')).page;
      for (const [name, each] of Object.entries({ 'signed out': page, 'signed in': own })) {
        await each.setViewportSize(screens[device]);
        console.log(`${device} ${locale}, first page, ${name}: ${await measureForm(each)}`);
      }
      for (const [name, path] of Object.entries({ first: '/', step: await studio.push() }))
        console.log(`${device} ${locale}, ${name} page on slow 3G: ${await measurePaint(studio, path)}`);
      for (let count = 0; count < 30; count++)
        await studio.ownPush({ name: `${count} ${studio.texts.names.database}` });
      const list = (await studio.own('/pushes')).page;
      console.log(`${device} ${locale}, list: ${await list.evaluate(measureList)}`);
      await studio.close();
    }
}

/** The first paint of a page, in a browser that has nothing of it yet. */
async function measurePaint(studio: Studio, path: string): Promise<string> {
  const { page, context } = await studio.visit('/support?theme=system'); // warms up the connection alone
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.setCacheDisabled', { cacheDisabled: true });
  await session.send('Network.emulateNetworkConditions', slow3G);
  await page.goto(path.startsWith('https:') ? path : studio.origin + path);
  return page.evaluate<string>(paintOf);
}

const paintOf = `(() => {
  const [{ startTime }] = performance.getEntriesByName('first-contentful-paint');
  const loaded = performance.getEntriesByType('resource').concat(performance.getEntriesByType('navigation'));
  const bytes = loaded.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0);
  return Math.round(startTime) + ' ms to the first paint, ' + loaded.length + ' requests, ' + (bytes / 1024).toFixed(1) + ' KiB';
})()`;

async function measureForm(page: Page): Promise<string> {
  const box = await page.locator(submit).boundingBox();
  await page.locator('#payload').focus();
  let presses = 0;
  while (
    presses < 40 &&
    !(await page.locator(submit).evaluate((button) => button === document.activeElement))
  ) {
    await page.keyboard.press('Tab');
    presses += 1;
  }
  return `${await page.evaluate(measurePage)}, ${presses} presses of Tab, the button ends at ${Math.round((box?.y ?? 0) + (box?.height ?? 0))} px`;
}

const measurePage = `(() => {
  const button = document.querySelector('#new-push [type=submit]');
  const asked = [...document.querySelectorAll('#new-push :is(textarea, select, input, [name=kind])')];
  const before = asked.filter((field) => field.type !== 'file' && field.checkVisibility() &&
    field.compareDocumentPosition(button) & Node.DOCUMENT_POSITION_FOLLOWING);
  const bytes = performance.getEntriesByType('resource').concat(performance.getEntriesByType('navigation'))
    .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0);
  return before.length + ' decisions, ' + Math.round(bytes / 1024) + ' KiB, ' + document.documentElement.scrollHeight + ' px high';
})()`;

const measureList = `(() => {
  const heights = [...document.querySelectorAll('tbody tr')].map((row) => row.getBoundingClientRect().height);
  return Math.round(Math.max(...heights)) + ' px at most for a link, ' + document.documentElement.scrollHeight + ' px for ' + heights.length;
})()`;
