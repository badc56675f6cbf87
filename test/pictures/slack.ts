import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { type Locale, locales, messagesOf } from '../../src/locales/locales.ts';
import { startStage } from '../bots/slack/stage.ts';
import { findProgram } from '../harness/debian.ts';
import { type Drawn, drawPage } from './blocks.tsx';

// npm run pictures: draws what people see in Slack into docs/, in every language, from what the service really sent.

const docs = join(import.meta.dirname, '..', '..', 'docs');

/** Draws a push, a request and the Home as somebody sees them in their language. */
async function tell(locale: Locale): Promise<void> {
  const stage = await startStage();
  const { slack, service, url } = stage;
  const [alice, bob] = [slack.user('alice', { locale }), slack.user('bob', { locale })];
  const nameOf = (id: string) => [alice, bob].find((person) => person.id === id)?.name;
  const { forms, buttons, modals } = messagesOf(locale).chat;
  const { push, request: asking } = forms;

  async function draw(name: string, things: Drawn[]): Promise<void> {
    const browser = await chromium.launch({
      executablePath: findProgram('chromium', ['/usr/bin']) ?? 'chromium',
      args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
    });
    const page = await browser.newPage({ viewport: { width: 970, height: 200 } });
    await page.setContent(drawPage(things, { locale, nameOf }).replaceAll(url, 'https://push.example.com'));
    const suffix = locale === 'en' ? '' : `-${locale}`;
    await page.screenshot({ path: join(docs, `${name}${suffix}.png`), fullPage: true });
    await browser.close();
  }

  const opens = (link: string) =>
    service.domain.pushes.reveal(/\w{26}$/.exec(link)?.[0] ?? '', undefined, {
      account: null,
      client: { ip: '203.0.113.9', userAgent: 'a browser', referrer: '', isPreviewer: false },
    });

  const emptyHome = structuredClone((await alice.opensHome().home()).blocks);
  const form = await alice.runs('/push').modal();
  const formBlocks = structuredClone(form.blocks);
  await stage.withMore(form);
  const moreBlocks = structuredClone(form.blocks);
  const [, , twice = ''] = form.optionsOf(push.views);
  form.fill({ [push.payload]: 'tulip', [push.recipients]: [bob], [push.views]: twice, [push.name]: 'VPN' });
  const answer = await form.submit().message();
  const dm = await bob.dms.next();
  const received = structuredClone(dm.blocks);
  await opens(String((await dm.press(buttons.open).message()).urlOf(buttons.open)));
  const notice = await alice.dms.next();
  await notice.reply(/VPN/);
  const live = structuredClone(notice.blocks);
  await opens(String((await dm.press(buttons.open).message()).urlOf(buttons.open)));
  await stage.deliverHeld();

  await draw('slack-push', [
    { title: '/push', blocks: formBlocks, buttons: [modals.cancel, push.submit] },
    { title: `/push, ${push.more}`, blocks: moreBlocks, buttons: [modals.cancel, push.submit] },
    { title: '#general', blocks: answer.blocks, isPrivate: true },
    { title: '@bob', blocks: received },
    { title: '@alice', blocks: live },
    { title: '@bob, 2 / 2', blocks: dm.blocks },
    { title: '@alice, 2 / 2', blocks: notice.blocks },
    { title: '@alice ↳', blocks: notice.replies.flatMap(({ blocks }) => blocks) },
  ]);

  const dialog = await alice.runs('/push request').modal();
  const dialogBlocks = structuredClone(dialog.blocks);
  await dialog.fill({ [asking.providers]: [bob], [asking.reason]: 'VPN' }).submit();
  const request = await bob.dms.next();
  const wifi = await stage.withMore(await alice.runs('/push').modal());
  await wifi.fill({ [push.payload]: 'tulip', [push.name]: 'Wifi' }).submit();
  const home = await alice.opensHome().home();
  await home.becomes(/Wifi/);
  await draw('slack-more', [
    { title: 'Home', blocks: emptyHome },
    { title: 'Home', blocks: home.blocks },
    { title: '/push request', blocks: dialogBlocks, buttons: [modals.cancel, asking.submit] },
    { title: '@bob', blocks: request.blocks },
    { title: '/push help', blocks: (await alice.runs('/push help').message()).blocks, isPrivate: true },
  ]);
  await stage.stop();
}

for (const locale of locales) await tell(locale);
process.exit();
