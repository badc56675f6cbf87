import { type Locale, locales, messagesOf } from '../../src/locales/locales.ts';
import { startStage } from '../../test/bots/mattermost/stage.ts';
import type { TestBrowser } from '../../test/harness/browser.ts';
import { takeChatPicture } from './camera.ts';
import type { Column } from './frame.tsx';
import { dialogScene, drawMattermost, type MattermostScene, postScene } from './mattermostDrawing.tsx';
import { createReader } from './reader.ts';

/** Pictures of a push and of each command as people see them in their language, from what the service really sent. */
export async function drawMattermostPictures(browser: TestBrowser): Promise<void> {
  for (const locale of locales) await drawIn(locale, browser);
}

async function drawIn(locale: Locale, browser: TestBrowser): Promise<void> {
  const stage = await startStage();
  const { mattermost, url, opens } = stage;
  const reading = { locale, timeZone: 'UTC' };
  const [alice, bob] = [mattermost.user('alice', reading), mattermost.user('bob', reading)];
  const mary = mattermost.user('mary', { ...reading, role: 'admin' });
  const reader = createReader(locale, [alice, bob]);
  const { forms, buttons, commandNames: words } = messagesOf(locale).chat;
  const [channel, direct] = ['Town Square', 'hushpush'];
  const draw = (name: string, columns: Column<MattermostScene>[]) =>
    takeChatPicture(browser, { name, locale, html: drawMattermost(columns, reader), url });
  const answerTo = async (words: string) => postScene(channel, await alice.runs(`/push ${words}`).message());

  const form = await alice.runs('/push').modal();
  form.fill({
    ...{ [forms.push.payload]: 'correct horse battery staple', [forms.push.name]: 'VPN' },
    [forms.push.recipients]: [bob],
  });
  const filled = dialogScene(form);
  const answer = postScene(channel, await form.submit().message());
  const received = await bob.dms.next();
  const unread = postScene(direct, received);
  const opened = await received.press(buttons.open).message();
  await opens(String(opened.urlOf(buttons.open)));
  const notice = await alice.dms.next();
  await stage.deliverHeld();
  await mattermost.until('the end of the message', () => received.buttons.length === 0 || undefined);
  await draw('mattermost-push', [
    [{ person: 'alice', scenes: [filled] }],
    [
      { person: 'alice', scenes: [answer] },
      { person: 'bob', scenes: [unread, postScene(direct, opened), postScene(direct, received)] },
      { person: 'alice', scenes: [postScene(direct, notice)] },
    ],
  ]);

  const audit = await answerTo(`${words.audit} VPN`);
  const wifi = await alice.runs('/push').modal();
  await wifi.fill({ [forms.push.payload]: 'tulip', [forms.push.name]: 'Wi-Fi' }).submit();
  const list = await answerTo(words.list);
  const asked = await answerTo(`${words.request} @bob Wi-Fi`);
  const request = postScene(direct, await bob.dms.next());
  const settings = dialogScene(await alice.runs(`/push ${words.settings}`).modal());
  const which = await mary.runs(`/push ${words.settings}`).message();
  const rules = dialogScene(await which.press(buttons.rules.team).modal());
  await draw('mattermost-commands', [
    [
      { person: 'alice', scenes: [list, audit, await answerTo(`${words.expire} Wi-Fi`), asked] },
      { person: 'bob', scenes: [request] },
      { person: 'alice', scenes: [await answerTo(words.connect), await answerTo(words.help)] },
    ],
    [
      { person: 'alice', scenes: [settings] },
      { person: 'mary', scenes: [postScene(channel, which), rules] },
    ],
  ]);
  await stage.stop();
}
