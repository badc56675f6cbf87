import { type Locale, locales, messagesOf } from '../../src/locales/locales.ts';
import { type Stage, startStage } from '../../test/bots/discord/stage.ts';
import type { TestBrowser } from '../../test/harness/browser.ts';
import type { SeenMessage } from '../standins/discord/messages.ts';
import { takeChatPicture } from './camera.ts';
import { type DiscordScene, drawDiscord, modalScene } from './discordDrawing.tsx';
import type { Column } from './frame.tsx';
import { createReader } from './reader.ts';

/** Pictures of a push and a request as people see them in their language, from what the service really sent. */
export async function drawDiscordPictures(browser: TestBrowser): Promise<void> {
  for (const locale of locales) await drawIn(locale, browser);
}

async function drawIn(locale: Locale, browser: TestBrowser): Promise<void> {
  const stage = await startStage();
  const { discord, url, opens } = stage;
  const [alice, bob] = [discord.user('alice', { locale }), discord.user('bob', { locale })];
  const reader = createReader(locale, [alice, bob]);
  const { forms, buttons } = messagesOf(locale).chat;

  const form = await alice.runs('/push', { recipient: bob, name: 'VPN' }).modal();
  form.fill({ [forms.push.payload]: 'correct horse battery staple' });
  const filled = modalScene(form);
  const answer = await form.submit().message();
  const created = sceneOf('# general', answer, { person: alice.name, name: '/push' });
  const received = await bob.dms.next();
  const unread = sceneOf('hushpush', received);
  const opened = await received.press(buttons.open).message();
  await opens(opened.urlOf(buttons.open));
  const notice = await alice.dms.next();
  await stage.deliverHeld();
  await discord.until('the end of the message', () => received.buttons.length === 0 || undefined);

  const asked = await alice.runs('/pushes request', { user: bob, reason: 'Wi-Fi' }).message();
  const request = await bob.dms.next();

  const requested = sceneOf('# general', asked, { person: alice.name, name: '/pushes request' });
  const html = drawDiscord(
    [
      [
        { person: 'alice', scenes: [filled, created] },
        { person: 'bob', scenes: [unread] },
      ],
      [
        { person: 'bob', scenes: [sceneOf('hushpush', opened), sceneOf('hushpush', received)] },
        { person: 'alice', scenes: [sceneOf('hushpush', notice), requested] },
        { person: 'bob', scenes: [sceneOf('hushpush', request)] },
      ],
    ],
    reader,
  );
  await takeChatPicture(browser, { name: 'discord-push', locale, html, url });
  const commands = drawDiscord(await commandColumns(stage, locale), reader);
  await takeChatPicture(browser, { name: 'discord-commands', locale, html: commands, url });
  await stage.stop();
}

/** What each command shows. */
async function commandColumns({ discord }: Stage, locale: Locale): Promise<Column<DiscordScene>[]> {
  const { forms, buttons, commandNames } = messagesOf(locale).chat;
  const [alice, mary] = [discord.user('alice'), discord.user('mary', { locale })];
  const carol = discord.user('carol', { locale, role: 'member' });
  /** Discord shows subcommands by their names in the user's language. */
  const shown = (word: Word) => `/pushes ${commandNames[word]}`;
  const answerTo = async (word: Word, options: Record<string, string> = {}) => {
    const message = await alice.runs(`/pushes ${word}`, options).message();
    return sceneOf('# general', message, { person: alice.name, name: shown(word) });
  };
  const wifi = await alice.runs('/push', { name: 'Wi-Fi' }).modal();
  await wifi.fill({ [forms.push.payload]: 'tulip' }).submit();
  const list = await answerTo('list');
  const audit = await answerTo('audit', { push: 'VPN' });
  const expire = await answerTo('expire', { push: 'Wi-Fi' });
  const settings = modalScene(await carol.runs('/pushes settings').modal());
  const which = await mary.runs('/pushes settings').message();
  const rules = modalScene(await which.press(buttons.rules.server).modal());
  const asked = sceneOf('# general', which, { person: mary.name, name: shown('settings') });
  return [
    [
      { person: 'alice', scenes: [list, audit, expire, await answerTo('connect')] },
      { person: 'mary', scenes: [asked, rules] },
    ],
    [
      { person: 'carol', scenes: [settings] },
      { person: 'alice', scenes: [await answerTo('help')] },
    ],
  ];
}

type Word = 'list' | 'audit' | 'expire' | 'connect' | 'settings' | 'help';
type Command = { person: string; name: string };

/** A message as it is now. */
const sceneOf = (place: string, { sent, isPrivate }: SeenMessage, command?: Command): DiscordScene => ({
  ...{ place, isPrivate, content: sent.content, components: structuredClone(sent.components) },
  ...(command && { command }),
});
