import { expect } from 'chai';
import type { Card } from '../../src/bots/card.ts';
import { createCards } from '../../src/bots/cards/cards.ts';
import { renderDiscordMessage } from '../../src/bots/discord/render.ts';
import { createRenderer } from '../../src/bots/mattermost/render.ts';
import { renderSlackMessage } from '../../src/bots/slack/render.ts';
import type { PushNotice, RequestLink } from '../../src/domain/index.ts';
import { locales, messagesOf } from '../../src/locales/locales.ts';
import { hostileWords } from '../browser/hostileWords.ts';

/** What chats would take for a mention, a link, a picture, or the markup of a text or a line. */
const chatMarkup = [
  ...['<!channel>', '<!here|here>', '<@U1>', '<#C1>', '<http://evil.test|x>', '<slack://open>'],
  ...['@everyone', '@here', '@channel', '@all', '@alice', '<@1>', '<@&1>', '<#1>', '</push:1>', '<t:0:F>'],
  ...['~town-square', '#general', ':smile:', '<:x:1>', '<a:x:1>'],
  ...[
    '[x](javascript:alert(1))',
    '[x](http://evil.test)',
    '![x](http://evil.test/x.png)',
    '[x]: http://e.test',
  ],
  ...['http://evil.test', 'https://evil.test/x', 'www.evil.test', '<https://evil.test>'],
  ...['**b**', '*b*', '__u__', '_i_', '~~s~~', '||s||', '`c`', '```\nc\n```', '\\', '\\**', 'a|b>c'],
  ...['x\n# h', 'x\n> q', 'x\n>>> q', 'x\n- l', 'x\n+ l', 'x\n1. l', 'x\n-# s', '| a |\n|---|\n| b |'],
  ...['x\r\nBcc: y@evil.test', '\u202Eeverybody@', '@\u200Beveryone'],
];
const benign = 'The VPN';

const at = Date.UTC(2026, 10, 28, 14, 30);
const address = 'https://push.test/a/0123456789abcdefghjkmnpqrs';

/** Every card that shows the title of a request link. */
function cardsWith(title: string): Record<string, Card>[] {
  const link: RequestLink = {
    ...{ id: '1', urlToken: 'x', title, note: title, isUnreadable: false, accepts: 'text' },
    ...{ bytesMax: null, allowsName: true, hasPassphrase: true, answersMax: 3, answersUsed: 1 },
    ...{ answerLifetimeMs: 1, state: 'open', createdAt: at, expiresAt: at },
    ...{ publicKeys: null, wrappedKey: null },
  };
  const push = {
    ...{ id: '1', urlToken: 'x', name: title, createdAt: at, expiresAt: at, now: at, kind: 'text' },
    ...{ viewsMax: 1, viewsUsed: 0, hasPassphrase: false, deleted: false, expiredOn: null, recipients: [] },
  } as unknown as Parameters<ReturnType<typeof createCards>['pushStatus']>[0];
  const told = (event: PushNotice['event']) =>
    ({ event, times: 1, openers: [], happenedAt: at, startedAt: at, push }) as unknown as PushNotice;
  return locales.map((locale) => {
    const cards = createCards(messagesOf(locale));
    return {
      created: cards.requestLink(link, address),
      over: cards.requestLink({ ...link, state: 'answered' }, address),
      closed: cards.requestLinkClosed(link),
      listed: cards.list([{ push, link: address }], [{ ...link, address }]),
      arrived: cards.pushStatus(push, address),
      answered: cards.event(told('answered'), push, { times: 1 }),
      reminded: cards.event(told('about_to_expire'), push, { times: 1 }),
    };
  });
}

type Chat = {
  /** What people read, as it is sent. */
  textOf(card: Card): Promise<string>;
  /** What the chat makes of a text, besides showing it: what the text has of these, in order. */
  active: RegExp;
  /** What shows a sign as itself. */
  escapes: RegExp;
};

const renderPost = createRenderer({
  actionsUrl: 'https://push.test/actions',
  seal: () => '',
  namesOf: async () => new Map(),
});

const chats: Record<string, Chat> = {
  Slack: {
    textOf: async (card) => {
      const { text, blocks } = renderSlackMessage(card);
      const shown = blocks.map((block) => (block.type === 'section' ? block.text?.text : ''));
      return [text, ...shown].join('\n');
    },
    active: /<[^>\n]*>?|>|\*|^[ \t]*(?:&gt;|•)/gm,
    escapes: /(?!)/g,
  },
  Discord: {
    textOf: async (card) => renderDiscordMessage(card).content,
    active: /[[\]<*_~`|]|\]\(|@everyone|@here|:\/\/|^\s*(?:>|#|-|\+|\d+\.)/gm,
    escapes: /\\[\\*_~`|<[\]>#+:-]|\\(?=\d+\.)/g,
  },
  Mattermost: {
    textOf: async (card) => {
      const { message, props } = await renderPost(card, { reader: { locale: 'en', timeZone: 'UTC' } });
      const attachments = (props?.attachments ?? []) as { text: string }[];
      return [message, ...attachments.map(({ text }) => text)].join('\n');
    },
    active: /[[\]<>*_~`|{}]|@(?=\w)|:\/\/|:[\w+-]+:|\bwww\.|#|^\s*(?:[-+]|\d+\.)/gim,
    escapes: /\\[\\*_~`|[\]#<>{}]/g,
  },
};

for (const [name, { textOf, active, escapes }] of Object.entries(chats))
  describe(`A card about a request link, in ${name}`, () => {
    const marksIn = (text: string) => text.replace(escapes, '').match(active) ?? [];

    it('has no markup from its title, whatever that is', async () => {
      const expected = cardsWith(benign);
      for (const title of [...chatMarkup, ...hostileWords])
        for (const [at, cards] of cardsWith(title).entries())
          for (const [kind, card] of Object.entries(cards)) {
            const [text, plain] = [await textOf(card), await textOf(expected[at]?.[kind] ?? card)];
            expect(marksIn(text), `${kind}: ${text}`).to.deep.equal(marksIn(plain));
            expect(text.split('\n').length, `${kind}: ${text}`).to.equal(plain.split('\n').length);
          }
    });
  });
