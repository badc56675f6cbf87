import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Page } from 'playwright-core';
import type { Locale } from '../../src/locales/locales.ts';
import { launchBrowser, type TestBrowser } from '../../test/harness/browser.ts';
import { pictureFonts } from './fonts.ts';

/** Where the documentation has its pictures. */
export const screensFolder = join(import.meta.dirname, '..', '..', 'docs', 'screens');

/** A browser for pictures. `args` are for Chromium. */
export const openCamera = (args: string[] = []) => launchBrowser({ args, env: pictureFonts() });

/** At this quality text has sharp edges. */
const quality = 80;
/** WebP has no more pixels on a side. */
const sideMax = 16_383;

/** Saves what a page shows as WebP: all of it, or what is in view. */
export async function takePicture(page: Page, path: string, { isWhole = true } = {}): Promise<void> {
  if (!isWhole) await page.evaluate('scrollTo(0, 0)');
  const session = await page.context().newCDPSession(page);
  const { cssContentSize, cssVisualViewport } = await session.send('Page.getLayoutMetrics');
  const { clientWidth: width, clientHeight } = cssVisualViewport;
  const height = isWhole ? Math.ceil(cssContentSize.height) : clientHeight;
  const ratio = Number(await page.evaluate('devicePixelRatio'));
  const { data } = await session.send('Page.captureScreenshot', {
    format: 'webp',
    quality,
    captureBeyondViewport: isWhole,
    clip: { x: 0, y: 0, width, height: Math.min(height, Math.floor(sideMax / ratio)), scale: ratio },
  });
  await session.detach();
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, Buffer.from(data, 'base64'));
}

type ChatPicture = {
  name: string;
  locale: Locale;
  html: string;
  /** The address of the service, which the picture shows as another one. */
  url: string;
  folder?: string;
};

/** Saves a drawing of a chat. */
export async function takeChatPicture(
  browser: TestBrowser,
  { name, locale, html, url, folder = screensFolder }: ChatPicture,
): Promise<void> {
  const contextOptions = { viewport: { width: 940, height: 200 }, deviceScaleFactor: 1.5 };
  const { page, close } = await browser.open({ contextOptions });
  await page.setContent(html.replaceAll(url, 'https://push.example.com'));
  const suffix = locale === 'en' ? '' : `-${locale}`;
  await takePicture(page, join(folder, `${name}${suffix}.webp`));
  await close();
}
