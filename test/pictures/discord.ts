import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { startStage } from '../bots/discord/stage.ts';
import { findProgram } from '../harness/debian.ts';
import type { SeenMessage } from '../standins/discord/messages.ts';
import { type Drawn, drawPage } from './messages.tsx';

// npm run pictures: draws what people see in Discord into docs/, from what the service really sent.

const stage = await startStage();
const { discord, url, opens } = stage;
const [alice, bob] = [discord.user('alice'), discord.user('bob')];
const nameOf = (id: string) => [alice, bob].find((person) => person.id === id)?.name;

const seen = (title: string, { sent, isPrivate }: SeenMessage): Drawn => ({
  title,
  content: sent.content,
  components: structuredClone(sent.components),
  isPrivate,
});

const form = await alice.runs('/push', { recipient: bob, views: 2, name: 'VPN password' }).modal();
const modal = {
  title: '/push recipient: @bob views: 2 name: VPN password',
  components: form.view.components,
};
const answer = await form.fill({ Secret: 'tulip' }).submit().message();
const dm = await bob.dms.next();
await opens(dm.urlOf('Open'));
const notice = await alice.dms.next();
await notice.becomes(/was opened 1 of 2 times/);
const live = seen('Alice’s direct message, after the first view', notice);
const line = seen('Below it', await alice.dms.next());
const asked = await alice.runs('/pushes request', { user: bob, reason: 'The Wifi, please' }).message();
const request = await bob.dms.next();
const made = seen('#general', answer);
await answer.press('Burn now').edited();

const page = drawPage(
  [
    modal,
    made,
    seen('Bob’s direct message', dm),
    live,
    line,
    seen('After “Burn now”', answer),
    seen('/pushes request', asked),
    seen('Bob’s direct message', request),
  ],
  nameOf,
);
const browser = await chromium.launch({
  executablePath: findProgram('chromium', ['/usr/bin']) ?? 'chromium',
  args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
});
const tab = await browser.newPage({ viewport: { width: 948, height: 200 } });
await tab.setContent(page.replaceAll(url, 'https://push.example.com'));
await tab.screenshot({
  path: join(import.meta.dirname, '..', '..', 'docs', 'discord-push.png'),
  fullPage: true,
});
await browser.close();
await stage.stop();
process.exit();
