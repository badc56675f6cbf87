import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { startStage } from '../bots/slack/stage.ts';
import { findProgram } from '../harness/debian.ts';
import { type Drawn, drawPage } from './blocks.tsx';

// npm run pictures: draws what people see in Slack into docs/, from what the service really sent.

const docs = join(import.meta.dirname, '..', '..', 'docs');
const stage = await startStage();
const { slack, service, url } = stage;
const [alice, bob] = [slack.user('alice'), slack.user('bob')];
const nameOf = (id: string) => [alice, bob].find((person) => person.id === id)?.name;

async function draw(name: string, things: Drawn[]): Promise<void> {
  const browser = await chromium.launch({
    executablePath: findProgram('chromium', ['/usr/bin']) ?? 'chromium',
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  });
  const page = await browser.newPage({ viewport: { width: 970, height: 200 } });
  await page.setContent(drawPage(things, nameOf).replaceAll(url, 'https://push.example.com'));
  await page.screenshot({ path: join(docs, `${name}.png`), fullPage: true });
  await browser.close();
}

const opens = (link: string) =>
  service.domain.pushes.reveal(/\w{26}$/.exec(link)?.[0] ?? '', undefined, {
    account: null,
    client: { ip: '203.0.113.9', userAgent: 'a browser', referrer: '', isPreviewer: false },
  });

const form = await alice.runs('/push').modal();
const formBlocks = structuredClone(form.blocks);
await stage.withMore(form);
const moreBlocks = structuredClone(form.blocks);
form.fill({ Secret: 'tulip', Recipients: [bob], Views: '2 views', Name: 'VPN password' });
const answer = await form.submit().message();
const dm = await bob.dms.next();
const link = String(dm.urlOf('Open'));
await opens(link);
const notice = await alice.dms.next();
await notice.reply(/was opened on/);
const live = structuredClone(notice.blocks);
await opens(link);
await notice.becomes(/That was the last view/);
await stage.deliverHeld();

await draw('slack-push', [
  { title: '/push', blocks: formBlocks, submit: 'Push' },
  { title: 'The same after “More options”', blocks: moreBlocks, submit: 'Push' },
  { title: '#general', blocks: answer.blocks, isPrivate: true },
  { title: 'Bob’s direct message', blocks: dm.blocks },
  { title: 'Alice’s direct message, after the first view', blocks: live },
  { title: 'The same message, after the last', blocks: notice.blocks },
  { title: 'Its thread', blocks: notice.replies.flatMap(({ blocks }) => blocks) },
]);

const dialog = await alice.runs('/push request').modal();
const dialogBlocks = structuredClone(dialog.blocks);
await dialog.fill({ 'Who should send it?': bob, 'What for?': 'The VPN, please' }).submit();
const request = await bob.dms.next();
const wifi = await stage.withMore(await alice.runs('/push').modal());
await wifi.fill({ Secret: 'tulip', Name: 'Wifi' }).submit();
const home = await alice.opensHome().home();
await home.becomes(/Wifi/);
await draw('slack-more', [
  { title: 'The app’s home', blocks: home.blocks },
  { title: '/push request', blocks: dialogBlocks, submit: 'Ask' },
  { title: 'Bob’s direct message', blocks: request.blocks },
  { title: '/push help', blocks: (await alice.runs('/push help').message()).blocks, isPrivate: true },
]);
await stage.stop();
process.exit();
