import { join } from 'node:path';
import { openCamera, screensFolder } from './camera.ts';
import { compare } from './compare.ts';
import { drawDiscordPictures } from './discord.ts';
import { takeLookPictures } from './look.ts';
import { takeMailPictures } from './mails.ts';
import { drawMattermostPictures } from './mattermost.ts';
import { startFront } from './pages/front.ts';
import { takeAll, takeShots } from './pages/gallery.ts';
import type { Variant } from './pages/studio.ts';
import { drawSlackPictures } from './slack.ts';

// npm run pictures [slack] [discord] [mattermost] [pages] [all FOLDER] [mails FOLDER] [look FOLDER] [compare]: the pictures of the
// documentation, every page or mail in FOLDER, some before and after a look is set, or figures.

const light = { locale: 'en', theme: 'light', device: 'desktop' } as const;

/** The pictures of pages in the documentation. */
const pageShots: [Variant, Record<string, { isWhole: boolean }>][] = [
  [
    { ...light, width: 900 },
    {
      step: { isWhole: false },
      'new-push': { isWhole: true },
      created: { isWhole: true },
      'device-ask': { isWhole: true },
      'sign-in': { isWhole: true },
    },
  ],
  [
    { ...light, width: 1120 },
    {
      pushes: { isWhole: true },
      admin: { isWhole: true },
      'trust-rules': { isWhole: true },
      'security-log-events': { isWhole: true },
      passkeys: { isWhole: true },
    },
  ],
  [{ ...light, width: 1120, theme: 'dark', locale: 'de' }, { push: { isWhole: true } }],
  [{ ...light, device: 'phone' }, { 'new-push-files': { isWhole: false } }],
  [{ device: 'phone', theme: 'dark', locale: 'de' }, { 'secret-shown': { isWhole: true } }],
];

async function takePagePictures(tools: Tools): Promise<void> {
  for (const [variant, scenes] of pageShots) {
    const shots = Object.entries(scenes).map(([scene, { isWhole }]) => ({
      ...{ scene, isWhole },
      path: join(screensFolder, `${scene}.webp`),
    }));
    report(await takeShots(tools, variant, shots));
  }
}

function report(problems: string[]): void {
  for (const problem of problems) console.log(problem);
}

const front = await startFront();
const browser = await openCamera(front.browserArgs);
const tools = { front, browser };
type Tools = typeof tools;

const [first = '', folder = '', ...variants] = process.argv.slice(2);
if (first === 'compare') await compare(tools);
if (first === 'all') report(await takeAll(tools, folder, variants));
if (first === 'mails') report(await takeMailPictures(browser, folder));
if (first === 'look') report(await takeLookPictures(tools, folder));
if (['', 'slack'].includes(first)) await drawSlackPictures(browser);
if (['', 'discord'].includes(first)) await drawDiscordPictures(browser);
if (['', 'mattermost'].includes(first)) await drawMattermostPictures(browser);
if (['', 'pages'].includes(first)) await takePagePictures(tools);
await browser.close();
process.exit();
