import { expect } from 'chai';
import { csvLine } from '../../src/http/csv.ts';

describe('A line of CSV', () => {
  const formulas = {
    '=': '=1+1',
    '+': '+1',
    '-': '-1',
    '@': '@SUM(A1)',
    'a tab': '\tx',
    'a carriage return': '\rx',
    'a line feed': '\nx',
    'a space before a formula': ' =1+1',
    'white space of any kind before a formula': '\u00a0\u3000\v @SUM(A1)',
    'a line feed before a formula': '\n=1+1',
    'a full-width ＝': '＝1+1',
    'a full-width ＋': '＋1',
    'a full-width －': '－1',
    'a full-width ＠': '＠SUM(A1)',
    'a space before a full-width sign': ' ＝1+1',
  };
  for (const [name, text] of Object.entries(formulas))
    it(`makes text of a cell that begins with ${name}`, () => {
      const cell = /[\r\n]/.test(text) ? `"'${text}"` : `'${text}`;
      expect(csvLine([text, 'next'])).to.equal(`${cell},next\r\n`);
    });

  it('leaves all other text as it is', () => {
    expect(csvLine(['tulip', ' tulip', 'a=b', '1-2', '', null, 5, true])).to.equal(
      'tulip, tulip,a=b,1-2,,,5,true\r\n',
    );
  });

  it('quotes commas, quotes and line breaks', () => {
    expect(csvLine(['a,b', 'a"b', 'a\nb'])).to.equal('"a,b","a""b","a\nb"\r\n');
  });
});
