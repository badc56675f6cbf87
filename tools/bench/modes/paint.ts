import { encryptPush } from '../../../src/client/client.ts';
import { createClient, type Fields } from '../../../test/harness/api.ts';
import { launchBrowser, type TestBrowser, type TestPage } from '../../../test/harness/browser.ts';
import { createCleanups } from '../cleanups.ts';
import type { BenchOptions } from '../options.ts';
import { markdownTable, median } from '../report.ts';
import { startDatabases } from '../servers/databases.ts';
import { startHushpush } from '../servers/server.ts';

const mebibyte = 1024 ** 2;
const slow4g = {
  offline: false,
  latency: 150,
  downloadThroughput: (1.6 * mebibyte) / 8,
  uploadThroughput: (750 * 1024) / 8,
};
const slowCpu = { rate: 4 };

type Row = Record<string, string | number>;
type Push = (fields?: Fields) => Promise<string>;

/** Measures how soon Chromium paints pages on a slow phone, and secrets of a mebibyte on a desktop. */
export async function paint({ database: kind, settings, rounds }: BenchOptions): Promise<void> {
  const cleanups = createCleanups();
  try {
    const databases = await startDatabases(kind);
    cleanups.add(databases.stop);
    const server = await startHushpush(await databases.create(), settings);
    cleanups.add(server.stop);
    const client = createClient(Number(new URL(server.url).port));
    cleanups.add(client.close);
    const browser = await launchBrowser();
    cleanups.add(browser.close);
    const push: Push = async (fields) => server.url + (await client.create(fields)).page;

    const pages: [string, () => Promise<string>][] = [
      ['the step', push],
      ['the step, with a passphrase', () => push({ passphrase: 'p' })],
      ['a new push', async () => `${server.url}/`],
      ['a link that opens nothing', async () => `${server.url}/p/${'0'.repeat(26)}`],
    ];
    const onPhone = await inRounds(rounds, pages, async (address) => loadOnPhone(browser, await address()));
    console.log('A phone: 150 ms latency, 1.6 Mbit/s, a CPU of a quarter; nothing cached\n');
    console.log(markdownTable(onPhone));

    const secrets: [string, string][] = [
      ['one line', 'x'.repeat(mebibyte)],
      ['lines of 76', `${'x'.repeat(75)}\n`.repeat(mebibyte / 76)],
      ['words without a line break', 'lorem ipsum '.repeat(mebibyte / 12)],
    ];
    const links: [string, () => Promise<string>][] = secrets.flatMap(([name, payload]) => [
      [name, () => push({ payload })],
      [
        `${name}, encrypted`,
        async () => {
          const encrypted = await encryptPush({ payload });
          return `${await push(encrypted.push)}#${encrypted.key}`;
        },
      ],
    ]);
    const onDesktop = await inRounds(rounds, links, async (link) => showOnDesktop(browser, await link()));
    console.log('\nA desktop: a secret of a mebibyte, milliseconds until the next frame\n');
    console.log(markdownTable(onDesktop));
  } finally {
    await cleanups.run();
  }
}

/** Runs a measurement of each case in each round. Returns the medians, one row for each case. */
async function inRounds<Case>(
  rounds: number,
  cases: [string, Case][],
  measure: (each: Case) => Promise<Record<string, number>>,
): Promise<Row[]> {
  const measured = new Map<string, Record<string, number>[]>();
  for (let round = 0; round < rounds; round++)
    for (const [name, each] of cases)
      measured.set(name, [...(measured.get(name) ?? []), await measure(each)]);
  return [...measured].map(([name, all]) => ({ page: name, ...mediansOf(all) }));
}

function mediansOf(all: Record<string, number>[]): Record<string, number> {
  const names = Object.keys(all[0] ?? {});
  return Object.fromEntries(names.map((name) => [name, median(all.map((each) => each[name] ?? 0))]));
}

async function loadOnPhone(browser: TestBrowser, address: string) {
  const page = await browser.open({ device: 'phone' });
  const session = await page.context.newCDPSession(page.page);
  let bytes = 0;
  let requests = 0;
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength;
    requests += 1;
  });
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', slow4g);
  await session.send('Emulation.setCPUThrottlingRate', slowCpu);
  await page.page.goto(address, { waitUntil: 'networkidle' });
  const entries = (type: string) =>
    page.page.evaluate(`new Promise((resolve) => {
      new PerformanceObserver((list) => resolve(list.getEntries().map(({ startTime, value }) => ({ startTime, value }))))
        .observe({ type: '${type}', buffered: true });
      setTimeout(() => resolve([]), 500);
    })`) as Promise<{ startTime: number; value: number }[]>;
  const [largest, shifts] = [await entries('largest-contentful-paint'), await entries('layout-shift')];
  await page.close();
  return {
    'LCP ms': Math.round(largest.at(-1)?.startTime ?? Number.NaN),
    CLS: Number(shifts.reduce((sum, { value }) => sum + value, 0).toFixed(3)),
    KiB: Number((bytes / 1024).toFixed(1)),
    requests,
  };
}

async function showOnDesktop(browser: TestBrowser, address: string) {
  const page = await browser.open();
  await page.page.addInitScript(`requestAnimationFrame(function frame() {
    if (document.getElementById('secret')?.offsetHeight > 0) setTimeout(() => performance.mark('shown'));
    else requestAnimationFrame(frame);
  })`);
  await page.goto(address);
  await page.hold('Hold to open');
  const shown = Number(
    await page.page.evaluate(`new Promise((resolve) => {
      const [{ responseStart }] = performance.getEntriesByType('navigation');
      new PerformanceObserver((list) => resolve(list.getEntries().at(-1).startTime - responseStart))
        .observe({ type: 'mark', buffered: true });
    })`),
  );
  const figures = {
    'response to secret': Math.round(shown),
    show: await frameAfter(page, 'document.querySelector("[data-toggle-secret]").click()'),
    'scroll to the end': await frameAfter(page, 'secret.scrollTo(0, secret.scrollHeight)'),
    unwrap: await frameAfter(page, 'document.querySelector("[data-wrap]").click()'),
    'select all': await frameAfter(page, 'getSelection().selectAllChildren(secret)'),
  };
  await page.close();
  return figures;
}

/** Milliseconds until what a script did is painted. */
async function frameAfter({ page }: TestPage, script: string): Promise<number> {
  const ms = await page.evaluate(`new Promise((resolve) => {
    const startedAt = performance.now();
    ${script};
    requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - startedAt)));
  })`);
  return Math.round(Number(ms));
}
