import { expect } from 'chai';
import { type Card, textCard } from '../../../src/bots/card.ts';
import { renderSlackMessage } from '../../../src/bots/slack/render.ts';

/** What a card of these lines says in Slack's markup. */
function marked(...lines: Card['lines']): string {
  return renderSlackMessage({ summary: ['x'], lines })
    .blocks.map((block) => (block.type === 'section' ? block.text?.text : ''))
    .join('|');
}

describe('Cards in Slack', () => {
  it('escape markup in the names that users give', () => {
    expect(marked(['<!channel> & <https://evil.test|safe>'])).to.equal(
      '&lt;!channel&gt; &amp; &lt;https://evil.test|safe&gt;',
    );
    expect(marked([{ bold: 'a*b\nc' }, { code: 'd`e' }])).to.equal('*a’b c*`d’e`');
    expect(marked([{ link: 'https://push.test/p/x', label: 'a|b>c' }])).to.equal(
      '<https://push.test/p/x|a¦b&gt;c>',
    );
    expect(renderSlackMessage(textCard('<@U1>')).text).to.equal('&lt;@U1&gt;');
    expect(renderSlackMessage(textCard([{ person: 'T1:U2' }, ' sent …'])).text).to.equal('<@U2> sent …');
  });

  it('mention people, and show times in the reader’s time zone', () => {
    expect(marked([{ person: 'T1:U2' }])).to.equal('<@U2>');
    const time = Date.UTC(2026, 0, 2, 3, 4, 5, 678);
    expect(marked([{ time, as: 'moment' }])).to.equal(
      '<!date^1767323045^{date_short}, {time}|2026-01-02 03:04 UTC>',
    );
  });

  it('show an entry of a list that has no buttons without an empty row', () => {
    const { blocks } = renderSlackMessage({
      summary: ['x'],
      lines: [],
      items: [{ line: ['item'], buttons: [], label: 'item', details: { id: 'show', value: '1' } }],
    });
    expect(blocks.map(({ type }) => type)).to.eql(['section']);
  });

  it('stay within Slack’s limits, however long the content', () => {
    const long = renderSlackMessage({
      summary: ['x'],
      lines: Array.from({ length: 200 }, (_, index) => [`${index} ${'x'.repeat(400)}`]),
      items: Array.from({ length: 80 }, (_, index) => ({
        line: [`item ${index}`],
        buttons: [{ label: 'Open', id: 'open', value: String(index) }],
        label: `item ${index}`,
        details: { id: 'show', value: String(index) },
      })),
    });
    expect(long.blocks).to.have.length(50);
    for (const block of long.blocks)
      if (block.type === 'section') expect(block.text?.text.length).to.be.at.most(3_000);
  });
});
