import type { Page } from 'playwright-core';
import type { TestBrowser } from '../../test/harness/browser.ts';
import type { startFront } from './pages/front.ts';
import { openStudio, type Variant } from './pages/studio.ts';

type Tools = { front: Awaited<ReturnType<typeof startFront>>; browser: TestBrowser };

const screens = { phone: { width: 360, height: 740 }, desktop: { width: 1_440, height: 900 } };
const submit = '#new-push [type=submit]:not([name])';

/**
 * Measures what a sender meets, in both languages, on a phone and on a desktop: the first page signed out and in, and the list
 * of links. Prints a line for each, to compare with that of another commit.
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
      for (let count = 0; count < 30; count++)
        await studio.ownPush({ name: `${count} ${studio.texts.names.database}` });
      const list = (await studio.own('/pushes')).page;
      console.log(`${device} ${locale}, list: ${await list.evaluate(measureList)}`);
      await studio.close();
    }
}

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
