import { type Locale, locales, messagesOf } from '../../src/locales/locales.ts';
import { type Stage, startStage } from '../../test/bots/slack/stage.ts';
import type { TestBrowser } from '../../test/harness/browser.ts';
import { takeChatPicture } from './camera.ts';
import type { Column } from './frame.tsx';
import { createReader } from './reader.ts';
import { drawSlack, modalScene, type SlackScene } from './slackDrawing.tsx';

/** Pictures of a push, and of a request and the Home, as people see them in their language, from what the service really sent. */
export async function drawSlackPictures(browser: TestBrowser): Promise<void> {
  for (const locale of locales) await drawIn(locale, browser);
}

async function drawIn(locale: Locale, browser: TestBrowser): Promise<void> {
  const stage = await startStage();
  const { slack, url, opens } = stage;
  const [alice, bob] = [slack.user('alice', { locale }), slack.user('bob', { locale })];
  const reader = createReader(locale, [alice, bob]);
  const { forms, buttons } = messagesOf(locale).chat;
  const { push, request: asking } = forms;
  const withApp = 'hushpush';
  const draw = (name: string, columns: Column<SlackScene>[]) =>
    takeChatPicture(browser, { name, locale, html: drawSlack(columns, reader), url });

  const emptyHome = structuredClone((await alice.opensHome().home()).blocks);
  const form = await alice.runs('/push').modal();
  form.fill({ [push.payload]: 'correct horse battery staple', [push.recipients]: [bob] });
  const filled = modalScene(form);
  const answer = await form.submit().message();
  const received = await bob.dms.next();
  const unread = structuredClone(received.blocks);
  const opened = await received.press(buttons.open).message();
  await opens(String(opened.urlOf(buttons.open)));
  const notice = await alice.dms.next();
  const line = await notice.reply(/./);
  await stage.deliverHeld();
  await slack.until('the end of the message', () => received.buttons.length === 0 || undefined);

  await draw('slack-push', [
    [
      {
        person: 'alice',
        scenes: [filled, { place: '# general', message: answer.blocks, isPrivate: true }],
      },
    ],
    [
      {
        person: 'bob',
        scenes: [
          { place: withApp, message: unread },
          { place: withApp, message: opened.blocks, isPrivate: true },
          { place: withApp, message: received.blocks },
        ],
      },
      {
        person: 'alice',
        scenes: [{ place: withApp, message: notice.blocks, replies: [line.blocks] }],
      },
    ],
  ]);

  const dialog = await alice.runs('/push request').modal();
  dialog.fill({ [asking.providers]: [bob], [asking.reason]: 'VPN' });
  const asked = modalScene(dialog);
  await dialog.submit();
  const request = await bob.dms.next();
  const wifi = await stage.withMore(await alice.runs('/push').modal());
  const withMore = modalScene(wifi);
  await wifi.fill({ [push.payload]: 'tulip', [push.name]: 'Wi-Fi' }).submit();
  const home = await alice.opensHome().home();
  await home.becomes(/Wi-Fi/);
  const help = await alice.runs('/push help').message();
  await draw('slack-more', [
    [
      { person: 'alice', scenes: [{ home: home.blocks }, asked] },
      { person: 'bob', scenes: [{ place: withApp, message: request.blocks }] },
      {
        person: 'carol',
        scenes: [{ home: emptyHome }, { place: '# general', message: help.blocks, isPrivate: true }],
      },
    ],
    [{ person: 'alice', scenes: [withMore] }],
  ]);
  await draw('slack-commands', await commandColumns(stage, locale));
  await stage.stop();
}

/** What each command shows that the other pictures do not have. */
async function commandColumns({ slack }: Stage, locale: Locale): Promise<Column<SlackScene>[]> {
  const { commandNames: words } = messagesOf(locale).chat;
  const [alice, mary] = [slack.user('alice'), slack.user('mary', { locale, isAdmin: true })];
  const answerTo = async (typed: string): Promise<SlackScene> => {
    const { blocks } = await alice.runs(`/push ${typed}`).message();
    return { place: '# general', message: structuredClone(blocks), isPrivate: true };
  };
  const list = await answerTo(words.list);
  const audit = await answerTo(`${words.audit} Wi-Fi`);
  const expire = await answerTo(`${words.expire} Wi-Fi`);
  const asked = await answerTo(`${words.request} @bob Wi-Fi`);
  const settings = await mary.runs(`/push ${words.settings}`).modal();
  await slack.until('the settings', () => settings.labels.length > 5 || undefined);
  return [
    [
      {
        person: 'alice',
        scenes: [
          ...[await answerTo('correct horse battery staple'), list, audit, expire, asked],
          await answerTo(words.connect),
        ],
      },
    ],
    [{ person: 'mary', scenes: [modalScene(settings)] }],
  ];
}
