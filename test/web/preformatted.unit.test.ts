import { expect } from 'chai';
import { preformatted } from '../../src/web/components/longText.ts';
import { unescapeHtml } from '../harness/forms.ts';

const markupOf = (text: string) => preformatted(text).__html;

/** The text between the tags, without the line break that browsers drop. */
const textOf = (html: string) => unescapeHtml(html.replace(/^\n/, '').replaceAll(/<[^>]*>/g, ''));

const piecesOf = (html: string) =>
  [...html.matchAll(/<span[^>]*>([^<]*)<\/span>/g)].map(([, text = '']) => unescapeHtml(text));

describe('A preformatted text', () => {
  const mebibyte = 1024 ** 2;
  const texts = {
    'a line': 'x'.repeat(mebibyte),
    'a line of words': 'lorem ipsum '.repeat(mebibyte / 12),
    lines: 'tulip & <rose>\n'.repeat(20_000),
    'lines of which some are long': `a\n${'x'.repeat(30_000)}\nb\n\n\n${'y z'.repeat(9_000)}\n`.repeat(5),
    'line breaks alone': '\n'.repeat(20_000),
    'no line break at the end': `${'a\n'.repeat(8_191)}end`,
    'pairs of UTF-16': '😀'.repeat(20_000),
    'characters of many code points': '👩‍👩‍👧‍👦é'.repeat(2_000),
  };

  for (const [name, text] of Object.entries(texts))
    it(`has the same text in pieces that browsers lay out quickly: ${name}`, () => {
      const html = markupOf(text);
      expect(textOf(html) === text).to.equal(true);
      for (const piece of piecesOf(html)) {
        expect(piece.length).to.be.within(1, 8_192);
        expect(piece.endsWith('\n'), 'a line break at the end of a piece would not show').to.equal(false);
      }
    });

  it('is one text as long as that is laid out quickly', () => {
    expect(markupOf('a\n<b>')).to.equal('\na\n&lt;b>');
  });

  it('cuts a line between words, and never within a character', () => {
    for (const text of [texts['a line of words'], 'für Ялта '.repeat(mebibyte / 16)])
      expect(piecesOf(markupOf(text)).every((piece) => piece.endsWith(' '))).to.equal(true);
    const json = JSON.stringify(Array(20_000).fill({ colour: 'red', name: 'orchid' }));
    for (const piece of piecesOf(markupOf(json)))
      expect(piece).to.match(/^\W?(?:colour|red|name|orchid|\W|$).*\W$/);
    for (const text of [
      texts['pairs of UTF-16'],
      texts['characters of many code points'],
      'e \u0301'.repeat(9_000),
    ])
      for (const piece of piecesOf(markupOf(text))) expect(piece).to.match(/^[\u{1F469}\u{1F600}ée ]/u);
  });

  it('marks the parts of one line, which stand beside each other', () => {
    const long = 'x'.repeat(2 * 8_192);
    const html = markupOf(`short\n${long}\n${long}xx\nshort\n${'short\n'.repeat(2_000)}`);
    const parts = [...html.matchAll(/<span class="(part(?: last)?)">([^<]*)<\/span>/g)];
    expect(parts.map(([, kind = '', { length } = '']) => [kind, length])).to.deep.equal([
      ['part', 8_192],
      ['part last', 8_192],
      ['part', 8_192],
      ['part', 8_192],
      ['part last', 2],
    ]);
  });

  it('reads a carriage return as HTML does, wherever a piece ends', () => {
    expect(textOf(markupOf('a\r\nb\rc'.repeat(4_000))) === 'a\nb\nc'.repeat(4_000)).to.equal(true);
  });
});
