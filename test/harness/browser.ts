import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
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
/** The small build: each page that is checked parses it. */
const axe = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/** How a page is opened. Defaults: light theme, desktop, scripts, English. */
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

/** Starts Chromium in a `before` hook. Skips its tests if Chromium is not installed. */
export async function startBrowser(test: Context): Promise<TestBrowser> {
  if (!hasChromium()) test.skip();
  return launchBrowser();
}

/**
 * Opens pages for the tests of a describe block, each in a profile of its own. They are closed after each test, which fails if
 * one of them had a problem that is not `expected`.
 */
export function usePages(
  browser: () => TestBrowser,
  { expected = () => false }: { expected?: (problem: string) => boolean } = {},
) {
  const opened: TestPage[] = [];

  afterEach(async () => {
    const pages = opened.splice(0);
    const problems = pages.flatMap((page) => page.problems());
    await Promise.all(pages.map((page) => page.close()));
    expect(problems.filter((problem) => !expected(problem))).to.deep.equal([]);
  });

  return async function open(address?: string, options: PageOptions = {}): Promise<TestPage> {
    const page = await browser().open(options);
    opened.push(page);
    if (address !== undefined) await page.goto(address);
    return page;
  };
}

/** What a browser gets beside the defaults: arguments for Chromium, and variables of its environment. */
type LaunchOptions = { args?: string[]; env?: Record<string, string> };

/** Starts Chromium. Throws if it is not installed. */
export async function launchBrowser(options: LaunchOptions = {}) {
  const program = findChromium();
  if (program === undefined) throw new Error('Chromium is not installed');
  return launch(program, options);
}

/** The headless shell takes half of Chromium's CPU time. */
const programNames = ['chromium-headless-shell', 'chromium', 'Chromium'];

function findChromium(): string | undefined {
  return programNames
    .map((name) => findProgram(name, chromiumFolders))
    .find((program) => program !== undefined);
}

/** Opens a page in a Chromium of its own, which keeps its profile in a folder as people's browsers do. */
export async function openProfile(folder: string, options: PageOptions = {}): Promise<TestPage> {
  const executablePath = findChromium();
  if (executablePath === undefined) throw new Error('Chromium is not installed');
  const context = await chromium.launchPersistentContext(folder, {
    ...{ executablePath, args: argumentsOf(), ...toContextOptions(options) },
  });
  const page = await openCheckedPage(context);
  return { ...page, close: () => context.close() };
}

/** What Chromium is started with. Pages are drawn without a process for a GPU, which would take a fourteenth of the CPU time. */
function argumentsOf(more: string[] = []): string[] {
  const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return ['--disable-gpu', '--in-process-gpu', '--no-first-run', ...sandbox, ...more];
}

async function launch(executablePath: string, { args = [], env = {} }: LaunchOptions) {
  const browser = await chromium.launch({
    executablePath,
    args: argumentsOf(args),
    env: { ...process.env, ...env },
  });

  /** Opens a page in a new browser profile without cookies. */
  async function open(options: PageOptions = {}) {
    const context = await browser.newContext(toContextOptions(options));
    const page = await openCheckedPage(context);
    return { ...page, close: () => context.close() };
  }

  return {
    open,
    /** Opens the link of a push as a person does, and returns the visible text. */
    async reveal(link: string): Promise<string> {
      const page = await open();
      await page.goto(link);
      await page.hold('Hold to open');
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

/** Opens a page and records its problems: violations of the content policy, errors, requests to other origins. */
async function openCheckedPage(context: BrowserContext) {
  context.setDefaultTimeout(300_000);
  const page = await context.newPage();
  const problems: string[] = [];
  const requests: string[] = [];
  let origin: string | undefined;
  page.on('console', (message) => {
    if (/Content Security Policy|Refused to/i.test(message.text())) problems.push(message.text());
  });
  page.on('pageerror', (error) => problems.push(`thrown: ${error.message}`));
  page.on('dialog', (dialog) => {
    if (dialog.type() === 'beforeunload') return void dialog.accept().catch(() => {}); // leaves what was written
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

  /** Navigations, and the forms that a script sends before it navigates. */
  const pendingNavigations = new Set<Request>();
  const isNavigation = (request: Request) =>
    request.isNavigationRequest() || request.resourceType() === 'xhr';
  page.on('request', (request) => isNavigation(request) && pendingNavigations.add(request));
  page.on('requestfinished', (request) => pendingNavigations.delete(request));
  page.on('requestfailed', (request) => pendingNavigations.delete(request));

  /** Holds a button with the mouse, long enough to confirm. */
  async function hold(name: string | RegExp, ms = holdMs): Promise<void> {
    await button(name).scrollIntoViewIfNeeded();
    const box = await button(name).boundingBox();
    if (box === null) throw new Error(`the button ${name} is not visible`);
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await awaitNavigation(async () => {
      await page.mouse.down();
      await sleep(ms);
      await page.mouse.up();
    });
  }

  /** Holds a key on the focused element. */
  async function holdKey(key: 'Space' | 'Enter', ms = holdMs): Promise<void> {
    await awaitNavigation(async () => {
      await page.keyboard.down(key);
      await sleep(ms);
      await page.keyboard.up(key);
    });
  }

  /** Runs an action, and waits for the navigation that it causes, if any. */
  async function awaitNavigation(action: () => Promise<void>): Promise<void> {
    await action();
    do {
      await page.evaluate('0').catch(() => {}); // returns once the page has handled the action, or a response
      await page.waitForTimeout(60);
    } while (pendingNavigations.size > 0);
    await page.waitForLoadState('load');
  }

  /** The violations of WCAG 2.2 AA and of axe-core's best practices, as rule and elements. */
  async function accessibilityViolations(): Promise<string[]> {
    if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axe);
    const results = (await page.evaluate(
      `axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'], resultTypes: ['violations'], selectors: false })`,
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
    /** The problems recorded so far. */
    problems: () => [...problems],
    requests: () => [...requests],
    goto: (url: string) => page.goto(url),
    click: (name: string | RegExp) => awaitNavigation(() => button(name).click()),
    /** Types the word that the page of a push asks for, as read from its label. */
    async typeWord() {
      const field = page.getByLabel(/Type the word/);
      const label = await page.locator('label[for=word]').innerText();
      await field.fill(/“(.*)”/.exec(label)?.[1] ?? '');
    },
    fill: (label: string | RegExp, text: string) => page.getByLabel(label).fill(text),
    /** The visible text. */
    text: () => page.locator('main').innerText(),
    screenshot: (path: string, fullPage = true) => page.screenshot({ path, fullPage }),
  };
}
