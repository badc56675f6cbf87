import { join } from 'node:path';
import { defaultLook } from '../../src/look/look.ts';
import { readLook } from '../../src/look/readLook.ts';
import { startStage as startMattermost } from '../../test/bots/mattermost/stage.ts';
import { startStage as startSlack } from '../../test/bots/slack/stage.ts';
import type { TestBrowser } from '../../test/harness/browser.ts';
import { lookFolder } from '../../test/harness/look.ts';
import { takeChatPicture, takePicture } from './camera.ts';
import { renderMailSample } from './mails.ts';
import { drawMattermost, postScene } from './mattermostDrawing.tsx';
import type { startFront } from './pages/front.ts';
import { takeShots } from './pages/gallery.ts';
import { createReader } from './reader.ts';
import { drawSlack } from './slackDrawing.tsx';

type Tools = { front: Awaited<ReturnType<typeof startFront>>; browser: TestBrowser };

const locale = 'en';
const pages = ['new-push', 'sign-in', 'step', 'secret', 'answer-sealed', 'answer-sealed-sent'];
const mails = ['request', 'viewed'];

/** A logo with the first letter of the name. */
const logo = (fill: string, text: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" rx="14" fill="${fill}"/><path d="M14 50 32 14 50 50M22 38h20" fill="none" stroke="${text}" stroke-width="7" stroke-linecap="round" stroke-linejoin="round"/></svg>`;

const acme = {
  name: 'Acme Secrets',
  light: { accent: '#a50f2d', background: '#f6f6f4' },
  dark: { accent: '#ff8a93' },
  footer: 'Acme Ltd. For our customers and partners.',
  links: [{ text: 'Imprint', url: 'https://acme.example/imprint' }],
  welcome: 'Send us passwords and keys here, never by mail.',
};

/** Takes pictures of six pages, two mails and two cards in FOLDER, before and after a look is set. Returns what went wrong. */
export async function takeLookPictures(tools: Tools, folder: string): Promise<string[]> {
  const images = { 'logo.svg': logo('#a50f2d', '#fff'), 'logo-dark.svg': logo('#ff8a93', '#1b1b1b') };
  const looks = { before: '', after: await lookFolder(acme, images) };
  const problems: string[] = [];
  for (const [name, look] of Object.entries(looks)) {
    const path = (picture: string) => join(folder, name, `${picture}.webp`);
    const shots = pages.map((scene) => ({ scene, path: path(scene) }));
    const variant = { locale, theme: 'light', device: 'desktop', look } as const;
    problems.push(...(await takeShots(tools, variant, shots)));
    await takeMails(tools.browser, look, path);
    await takeCards(tools.browser, look, join(folder, name));
  }
  return problems;
}

async function takeMails(
  browser: TestBrowser,
  look: string,
  path: (picture: string) => string,
): Promise<void> {
  const { page, close } = await browser.open({ contextOptions: { viewport: { width: 900, height: 600 } } });
  for (const mail of mails) {
    await page.setContent(
      renderMailSample(mail, locale, look === '' ? defaultLook : await readLook(look)).html,
    );
    await takePicture(page, path(`mail-${mail}`));
  }
  await close();
}

/** The help, which names whose service it is, and in Mattermost a push as well, beside which the colour stands. */
async function takeCards(browser: TestBrowser, look: string, folder: string): Promise<void> {
  const environment = { LOOK_DIR: look };
  const { push, help } = { push: '/push correct horse battery staple', help: '/push help' };
  const reader = createReader(locale, []);

  const slackStage = await startSlack({ environment });
  const inSlack = await slackStage.slack.user('alice').runs(help).message();
  const scene = { place: '# general', message: inSlack.blocks, isPrivate: true };
  const slackHtml = drawSlack([[{ person: 'alice', scenes: [scene] }]], reader);
  await takeChatPicture(browser, {
    name: 'card-slack',
    locale,
    html: slackHtml,
    url: slackStage.url,
    folder,
  });
  await slackStage.stop();

  const { mattermost, url, stop } = await startMattermost({ environment });
  const alice = mattermost.user('alice');
  const scenes = [await alice.runs(push).message(), await alice.runs(help).message()].map((post) =>
    postScene('Town Square', post),
  );
  const html = drawMattermost([[{ person: 'alice', scenes }]], reader);
  await takeChatPicture(browser, { name: 'card-mattermost', locale, html, url, folder });
  await stop();
}
