import { setTimeout as sleep } from 'node:timers/promises';
import axe from 'axe-core';
import type { Context } from 'mocha';
import { type BrowserContext, type BrowserContextOptions, chromium, type Request } from 'playwright-core';
import { findProgram } from './debian.ts';

const chromiumFolders = [
  '/usr/bin',
  '/usr/local/bin',
  '/snap/bin',
  '/Applications/Chromium.app/Contents/MacOS',
];
const holdMs = 900;

/** How a page is looked at; a desktop in the light, in English and with scripts, unless said otherwise. */
export type PageOptions = {
  theme?: 'light' | 'dark';
  device?: 'desktop' | 'phone';
  scripts?: boolean;
  locale?: string;
  contextOptions?: BrowserContextOptions;
};

export type TestBrowser = Awaited<ReturnType<typeof launch>>;
export type TestPage = Awaited<ReturnType<TestBrowser['open']>>;

/** Whether Chromium is installed. Tests that need it are skipped otherwise. */
export function hasChromium(): boolean {
  return findChromium() !== undefined;
}

/** Starts Chromium for the tests of a `before` hook, which are skipped where there is none. */
export async function startBrowser(test: Context): Promise<TestBrowser> {
  const program = findChromium();
  if (program === undefined) test.skip();
  return launch(String(program));
}

function findChromium(): string | undefined {
  return findProgram('chromium', chromiumFolders) ?? findProgram('Chromium', chromiumFolders);
}

async function launch(executablePath: string) {
  const browser = await chromium.launch({
    executablePath,
    args: ['--disable-gpu', '--no-first-run', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
  });

  /** A fresh browser profile that has no cookie, and one page in it. */
  async function open(options: PageOptions = {}) {
    const context = await browser.newContext(toContextOptions(options));
    const page = await openCheckedPage(context);
    return { ...page, close: () => context.close() };
  }

  return {
    open,
    /** Opens the link of a push as a person does, and gives what they see then. */
    async reveal(link: string): Promise<string> {
      const page = await open();
      await page.goto(link);
      await page.hold('Hold to reveal');
      const text = await page.text();
      await page.close();
      return text;
    },
    close: () => browser.close(),
  };
}

function toContextOptions({
  theme = 'light',
  device = 'desktop',
  scripts = true,
  locale = 'en-GB',
  contextOptions,
}: PageOptions) {
  const size = device === 'phone' ? { width: 375, height: 740 } : { width: 1280, height: 900 };
  return {
    colorScheme: theme,
    viewport: size,
    ...(device === 'phone' ? { hasTouch: true, isMobile: true, deviceScaleFactor: 2 } : {}),
    javaScriptEnabled: scripts,
    locale,
    serviceWorkers: 'block',
    ...contextOptions,
  } satisfies BrowserContextOptions;
}

/** A page whose troubles are noted: refused by the content policy, thrown, or loaded from another origin. */
async function openCheckedPage(context: BrowserContext) {
  context.setDefaultTimeout(100_000);
  const page = await context.newPage();
  const problems: string[] = [];
  const requests: string[] = [];
  let origin: string | undefined;
  page.on('console', (message) => {
    if (/Content Security Policy|Refused to/i.test(message.text())) problems.push(message.text());
  });
  page.on('pageerror', (error) => problems.push(`thrown: ${error.message}`));
  page.on('dialog', (dialog) => {
    problems.push(`dialog: ${dialog.message()}`);
    dialog.dismiss().catch(() => {});
  });
  page.on('request', (request) => {
    requests.push(request.url());
    const url = new URL(request.url());
    if (url.protocol === 'blob:') return;
    origin ??= url.origin;
    if (url.origin !== origin) problems.push(`another origin: ${url.origin}`);
  });

  const pendingNavigations = new Set<Request>();
  page.on('request', (request) => request.isNavigationRequest() && pendingNavigations.add(request));
  page.on('requestfinished', (request) => pendingNavigations.delete(request));
  page.on('requestfailed', (request) => pendingNavigations.delete(request));

  /** Presses a button with the mouse until it has had time to notice. */
  async function hold(name: string | RegExp, ms = holdMs): Promise<void> {
    const box = await button(name).boundingBox();
    if (box === null) throw new Error(`there is no button ${name} in sight`);
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await awaitNavigation(async () => {
      await page.mouse.down();
      await sleep(ms);
      await page.mouse.up();
    });
  }

  /** The same by a key, on whatever has the focus. */
  async function holdKey(key: 'Space' | 'Enter', ms = holdMs): Promise<void> {
    await awaitNavigation(async () => {
      await page.keyboard.down(key);
      await sleep(ms);
      await page.keyboard.up(key);
    });
  }

  /** Acts, and waits for the page that this leads to, if it leads to one. */
  async function awaitNavigation(action: () => Promise<void>): Promise<void> {
    await action();
    await page.evaluate('0').catch(() => {}); // a busy page first does what was asked of it
    do await page.waitForTimeout(60);
    while (pendingNavigations.size > 0);
    await page.waitForLoadState('load');
  }

  /** What axe-core finds wrong for WCAG 2.2 AA and its own best practices: rule and elements. */
  async function accessibilityViolations(): Promise<string[]> {
    if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axe.source);
    const results = (await page.evaluate(
      `axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] })`,
    )) as { violations: { id: string; nodes: { html: string }[] }[] };
    return results.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
  }

  const button = (name: string | RegExp) => page.getByRole('button', { name });

  return {
    page,
    context,
    hold,
    holdKey,
    awaitNavigation,
    accessibilityViolations,
    /** All that was refused by a content policy, thrown or asked of another origin so far. */
    problems: () => [...problems],
    requests: () => [...requests],
    goto: (url: string) => page.goto(url),
    click: (name: string | RegExp) => awaitNavigation(() => button(name).click()),
    fill: (label: string | RegExp, text: string) => page.getByLabel(label).fill(text),
    /** What a reader sees. */
    text: () => page.locator('main').innerText(),
    screenshot: (path: string, fullPage = true) => page.screenshot({ path, fullPage }),
  };
}
