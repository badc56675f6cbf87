import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { type Locale, locales, messagesOf } from '../../src/locales/locales.ts';
import { startStage } from '../bots/discord/stage.ts';
import { findProgram } from '../harness/debian.ts';
import type { SeenMessage } from '../standins/discord/messages.ts';
import { type Drawn, drawPage } from './messages.tsx';

// npm run pictures: draws what people see in Discord into docs/, in every language, from what the service really sent.

const docs = join(import.meta.dirname, '..', '..', 'docs');

/** Draws a push and a request as somebody sees them in their language. */
async function tell(locale: Locale): Promise<void> {
  const stage = await startStage();
  const { discord, url, opens } = stage;
  const [alice, bob] = [discord.user('alice', { locale }), discord.user('bob', { locale })];
  const { forms, buttons } = messagesOf(locale).chat;
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
  const answer = await form
    .fill({ [forms.push.payload]: 'tulip' })
    .submit()
    .message();
  const dm = await bob.dms.next();
  await opens((await dm.press(buttons.open).message()).urlOf(buttons.open));
  const notice = await alice.dms.next();
  await notice.becomes(/1 (of|von) 2/);
  const live = seen('@alice', notice);
  const line = seen('@alice ↳', await alice.dms.next());
  const asked = await alice.runs('/pushes request', { user: bob, reason: 'Wifi' }).message();
  const request = await bob.dms.next();
  const made = seen('#general', answer);
  await answer.press(buttons.burn).edited();

  const page = drawPage(
    [
      modal,
      made,
      seen('@bob', dm),
      live,
      line,
      seen(`#general, ${buttons.burn}`, answer),
      seen('/pushes request', asked),
      seen('@bob', request),
    ],
    { locale, nameOf },
  );
  const browser = await chromium.launch({
    executablePath: findProgram('chromium', ['/usr/bin']) ?? 'chromium',
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  });
  const tab = await browser.newPage({ viewport: { width: 948, height: 200 } });
  await tab.setContent(page.replaceAll(url, 'https://push.example.com'));
  const name = `discord-push${locale === 'en' ? '' : `-${locale}`}.png`;
  await tab.screenshot({ path: join(docs, name), fullPage: true });
  await browser.close();
  await stage.stop();
}

for (const locale of locales) await tell(locale);
process.exit();
