import { expect } from 'chai';
import { mentionsIn, messageText } from '../../../src/bots/slack/messageText.ts';

const text = (value: string, style = {}) => ({ type: 'text', text: value, style });
const section = (...elements: object[]) => ({ type: 'rich_text_section', elements });
const code = (...elements: object[]) => ({ type: 'rich_text_preformatted', elements });
const quote = (...elements: object[]) => ({ type: 'rich_text_quote', elements });
const list = (style: string, elements: object[], more = {}) => ({
  type: 'rich_text_list',
  style,
  elements,
  ...more,
});

const seen = (...elements: object[]) =>
  messageText({ text: 'not this', blocks: [{ type: 'rich_text', elements }] }, new Map([['U1', 'bob']]));

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
    ['a part that Slack added since', [section(text('a'), { type: 'new' })], 'a'],
  ] as const)
    it(`is what people see of ${what}`, () => {
      expect(seen(...elements)).to.equal(expected);
    });

  it('comes from the markup where there is no rich text', () => {
    expect(
      messageText({ text: 'pw <http://Secret.com|Secret.com> &lt;&amp;&gt; <https://a.test>' }),
    ).to.equal('pw Secret.com <&> https://a.test');
    expect(messageText({})).to.equal('');
  });

  it('tells whom it mentions, once each', () => {
    const user = { type: 'user', user_id: 'U1' };
    const elements = [section(user), list('bullet', [section(user, { type: 'user', user_id: 'U2' })])];
    expect(mentionsIn({ blocks: [{ type: 'rich_text', elements }] })).to.eql(['U1', 'U2']);
  });
});
