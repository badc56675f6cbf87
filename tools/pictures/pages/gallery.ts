import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestBrowser } from '../../../test/harness/browser.ts';
import { takePicture } from '../camera.ts';
import { accountScenes, errorScenes } from './accountScenes.ts';
import type { startFront } from './front.ts';
import { recipientScenes } from './recipientScenes.ts';
import { requestLinkScenes } from './requestLinkScenes.ts';
import { senderScenes } from './senderScenes.ts';
import { signInScenes } from './signInScenes.ts';
import { openStudio, type Variant } from './studio.ts';

const scenes = {
  ...{ ...senderScenes, ...recipientScenes, ...requestLinkScenes },
  ...{ ...accountScenes, ...signInScenes, ...errorScenes },
};

/** A picture: what it shows, how, and where it is saved. */
export type Shot = { scene: string; path: string; isWhole?: boolean };

type Front = Awaited<ReturnType<typeof startFront>>;

/** Takes pictures of pages, all in one variant. Goes on after a scene that fails, and returns what went wrong or looks wrong. */
export async function takeShots(
  { front, browser }: { front: Front; browser: TestBrowser },
  variant: Variant,
  shots: Shot[],
): Promise<string[]> {
  const studio = await openStudio(front, browser, variant);
  const problems: string[] = [];
  for (const { scene, path, isWhole } of shots) {
    const act = scenes[scene];
    try {
      if (act === undefined) throw new Error('there is no such scene');
      const { page } = await act(studio);
      await takePicture(page, path, { isWhole });
      problems.push(...((await page.evaluate(overflowing)) as string[]).map((found) => `${path}: ${found}`));
    } catch (error) {
      problems.push(`${path}: ${error}`);
    }
  }
  await studio.close();
  return problems;
}

/** What is wider than the page, and texts that are cut off. */
const overflowing = `(() => {
  const { scrollWidth, clientWidth } = document.documentElement;
  const isCut = ({ scrollWidth, clientWidth, tagName }) => clientWidth > 1 && scrollWidth > clientWidth + 1;
  const cut = [...document.querySelectorAll('main *')].filter(
    (element) => isCut(element) && getComputedStyle(element).overflowX !== 'visible' && !element.closest('.visually-hidden'),
  );
  return [
    ...(scrollWidth > clientWidth ? ['wider than the screen: ' + scrollWidth] : []),
    ...cut.map((element) => 'cut off: ' + element.outerHTML.slice(0, 120)),
  ];
})()`;

const variants: Record<string, Variant> = {
  'desktop-light-en': { device: 'desktop', theme: 'light', locale: 'en' },
  'phone-dark-de': { device: 'phone', theme: 'dark', locale: 'de' },
  'desktop-dark-de': { device: 'desktop', theme: 'dark', locale: 'de' },
  'phone-light-en': { device: 'phone', theme: 'light', locale: 'en' },
};

/** Takes a picture of every page in every state and variant, or of some variants, with an index to look at them. */
export async function takeAll(
  tools: { front: Front; browser: TestBrowser },
  folder: string,
  names: string[] = [],
): Promise<string[]> {
  const chosen = Object.entries(variants).filter(([name]) => names.length === 0 || names.includes(name));
  const problems: string[] = [];
  for (const [name, variant] of chosen) {
    const shots = Object.keys(scenes).map((scene) => ({
      scene,
      path: join(folder, name, `${scene}.webp`),
      isWhole: scene !== 'docs',
    }));
    problems.push(...(await takeShots(tools, variant, shots)));
  }
  await writeFile(join(folder, 'index.html'), indexOf(chosen.map(([name]) => name)));
  return problems;
}

const indexOf = (names: string[]) => `<!doctype html><meta charset="utf-8"><title>Every page</title>
<style>body { font: 14px system-ui; } figure { display: inline-block; margin: 8px; vertical-align: top; } img { width: 320px; border: 1px solid #ccc; }</style>
${Object.keys(scenes)
  .map((scene) => `<h2>${scene}</h2>${names.map((name) => figureOf(`${name}/${scene}.webp`)).join('')}`)
  .join('\n')}`;

const figureOf = (path: string) =>
  `<figure><a href="${path}"><img loading="lazy" src="${path}" alt=""></a><figcaption>${path}</figcaption></figure>`;
