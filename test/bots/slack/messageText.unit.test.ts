import { expect } from 'chai';
import { mentionsIn, messageText } from '../../../src/bots/slack/messageText.ts';

const text = (value: string, style = {}) => ({ type: 'text', text: value, style });
const section = (...elements: object[]) => ({ type: 'rich_text_section', elements });
const code = (...elements: object[]) => ({ type: 'rich_text_preformatted', elements });
const quote = (...elements: object[]) => ({ type: 'rich_text_quote', elements });
const link = (url: string, label?: string) => ({ type: 'link', url, ...(label && { text: label }) });
const list = (style: string, elements: object[], more = {}) => ({
  type: 'rich_text_list',
  style,
  elements,
  ...more,
});

const seen = (...elements: object[]) =>
  messageText(
    { text: 'not this <#C1|general> <!subteam^S1|@ops>', blocks: [{ type: 'rich_text', elements }] },
    new Map([['U1', 'bob']]),
  );

describe('The text of a message in Slack', () => {
  for (const [what, elements, expected] of [
    ['plain text', [section(text('a <b> & "c"'))], 'a <b> & "c"'],
    ['entities that were typed', [section(text('p&amp;q &lt;'))], 'p&amp;q &lt;'],
    ['non-breaking spaces', [section(text('a\u00a0b'))], 'a\u00a0b'],
    [
      'a link that Slack found in a password',
      [section(text('pw '), { type: 'link', url: 'http://Secret.com', text: 'Secret.com' })],
      'pw Secret.com',
    ],
    [
      'a link that was typed',
      [section({ type: 'link', url: 'https://a.test/?x=1&y' })],
      'https://a.test/?x=1&y',
    ],
    ['an e-mail address', [section({ type: 'link', url: 'mailto:a@b.test', text: 'a@b.test' })], 'a@b.test'],
    ['a code span', [section(text('hunter2', { code: true }))], 'hunter2'],
    ['bold and struck text', [section(text('a', { bold: true }), text('b', { strike: true }))], 'ab'],
    ['a code block', [code(text('k=v\nx'))], 'k=v\nx'],
    [
      'text before and after a code block',
      [section(text('key:\n')), code(text('k')), section(text('end'))],
      'key:\nk\nend',
    ],
    ['a quote', [quote(text('said'))], 'said'],
    ['a list', [list('bullet', [section(text('a')), section(text('b'))])], '• a\n• b'],
    [
      'a numbered list that goes on',
      [list('ordered', [section(text('a'))], { offset: 2, indent: 1 })],
      '    3. a',
    ],
    [
      'a mention',
      [section({ type: 'user', user_id: 'U1' }, text(' '), { type: 'user', user_id: 'U2' })],
      '@bob @U2',
    ],
    ['@here', [section({ type: 'broadcast', range: 'here' })], '@here'],
    ['an emoji', [section({ type: 'emoji', name: 'tulip', unicode: '1f337' })], '🌷'],
    [
      'an emoji of several code points',
      [section({ type: 'emoji', name: 'de', unicode: '1f1e9-1f1ea' })],
      '🇩🇪',
    ],
    ['an emoji of the workspace', [section({ type: 'emoji', name: 'parrot' })], ':parrot:'],
    [
      'an address without a scheme',
      [section(link('http://example.com/a?b=1', 'example.com/a?b=1'))],
      'example.com/a?b=1',
    ],
    [
      'an address with a port and a fragment',
      [section(link('https://a.test:8443/#x'))],
      'https://a.test:8443/#x',
    ],
    ['a link with a label', [section(text('see '), link('https://a.test', 'here'))], 'see here'],
    [
      'a link inside of a code span',
      [section({ ...link('http://k.test'), style: { code: true } })],
      'http://k.test',
    ],
    ['an e-mail address without a label', [section(link('mailto:a@b.test'))], 'a@b.test'],
    [
      'a password that ends like an e-mail address',
      [section(text('p:'), link('mailto:x!y@b.test', 'x!y@b.test'))],
      'p:x!y@b.test',
    ],
    ['a telephone number', [section(link('tel:+4930123', '+49 30 123'))], '+49 30 123'],
    ['marks that were typed', [section(text('*a* _b_ ~c~ `d`'))], '*a* _b_ ~c~ `d`'],
    ['backslashes and quotes', [section(text('a\\b "c" \'d\' \\n'))], 'a\\b "c" \'d\' \\n'],
    ['tabs and spaces at the ends', [section(text('  a\tb  '))], '  a\tb  '],
    ['empty lines', [section(text('a\n\n\nb'))], 'a\n\n\nb'],
    ['zero-width characters', [section(text('a\u200bb\u2060c'))], 'a\u200bb\u2060c'],
    ['a combining accent', [section(text('e\u0301'))], 'e\u0301'],
    ['right-to-left text', [section(text('סוד 1'))], 'סוד 1'],
    ['a code block with empty lines and indentation', [code(text('a:\n\n  - b\n'))], 'a:\n\n  - b\n'],
    ['a link in a code block', [code(text('url='), link('https://a.test/x'))], 'url=https://a.test/x'],
    [
      'a private key',
      [code(text('-----BEGIN KEY-----\nAA==\n-----END KEY-----'))],
      '-----BEGIN KEY-----\nAA==\n-----END KEY-----',
    ],
    ['two code blocks', [code(text('a')), code(text('b'))], 'a\nb'],
    ['a quote of two lines', [quote(text('a\nb')), section(text('c'))], 'a\nb\nc'],
    ['a list after a line', [section(text('keys:\n')), list('bullet', [section(text('a'))])], 'keys:\n• a'],
    [
      'a list in a list',
      [list('bullet', [section(text('a'))]), list('bullet', [section(text('b'))], { indent: 1 })],
      '• a\n    • b',
    ],
    [
      'a code span in a list',
      [list('ordered', [section(text('k: '), text('v', { code: true }))])],
      '1. k: v',
    ],
    [
      'a channel',
      [section({ type: 'channel', channel_id: 'C1' }, text(' '), { type: 'channel', channel_id: 'C2' })],
      '#general #C2',
    ],
    ['a group of users', [section({ type: 'usergroup', usergroup_id: 'S1' })], '@ops'],
    ['@everyone', [section({ type: 'broadcast', range: 'everyone' })], '@everyone'],
    ['a color', [section({ type: 'color', value: '#ff0000' })], '#ff0000'],
    [
      'a date',
      [section({ type: 'date', timestamp: 0, format: '{date}', fallback: 'Jan 1, 1970' })],
      'Jan 1, 1970',
    ],
    ['an emoji with a skin tone', [section({ type: 'emoji', name: 'wave', unicode: '1f44b-1f3fb' })], '👋🏻'],
    ['a part that Slack added since', [section(text('a'), { type: 'new' })], 'a'],
  ] as const)
    it(`is what people see of ${what}`, () => {
      expect(seen(...elements)).to.equal(expected);
    });

  it('comes from the markup where there is no rich text', () => {
    expect(
      messageText({ text: 'pw <http://Secret.com|Secret.com> &lt;&amp;&gt; <https://a.test>' }),
    ).to.equal('pw Secret.com <&> https://a.test');
    expect(
      messageText(
        {
          text: '<@U1> <@U2|carl> <#C1|general> <!here> <!subteam^S1|@ops> <mailto:a@b.test> <!date^0^{date}|Jan 1>',
        },
        new Map([['U1', 'b&<b>']]),
      ),
    ).to.equal('@b&<b> @carl #general @here @ops a@b.test Jan 1');
    expect(messageText({})).to.equal('');
  });

  it('tells whom it mentions, once each', () => {
    const user = { type: 'user', user_id: 'U1' };
    const elements = [section(user), list('bullet', [section(user, { type: 'user', user_id: 'U2' })])];
    expect(mentionsIn({ text: '<@U3> <@U3>' })).to.eql(['U3']);
    expect(mentionsIn({ blocks: [{ type: 'rich_text', elements }] })).to.eql(['U1', 'U2']);
  });
});
