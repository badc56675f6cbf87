import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';

const root = join(import.meta.dirname, '..', '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

/** The rows of the list of terms, as cells. */
const [, , ...terms] = read('docs/words.md')
  .split('\n')
  .filter((line) => line.startsWith('|'))
  .map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );

const wordsIn = (column: number) =>
  terms.flatMap((cells) => (cells[column] ?? '').split(/,\s*/)).filter((word) => word !== '');

/** The texts of a language, as they stand in its file; those of the API's description are for programmers. */
function textsOf(locale: string): string[] {
  const source = read(`src/locales/${locale}.ts`).replace(/apiReference: \{.*?\n {2}\},\n/s, '');
  return (source.match(/'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`/g) ?? []).map((text) =>
    text.replaceAll(/\$\{[^}]*\}/g, ' '),
  );
}

const mentions = (text: string, word: string) =>
  new RegExp(`(?<![\\p{L}-])${word}(?![\\p{L}-])`, 'u').test(text) ||
  new RegExp(`(?<![\\p{L}-])${word.charAt(0).toUpperCase()}${word.slice(1)}(?![\\p{L}-])`, 'u').test(text);

describe('The texts that people read', () => {
  for (const [locale, column] of [
    ['en', 3],
    ['de', 4],
  ] as const)
    it(`call each thing by its one name: ${locale}`, () => {
      const words = wordsIn(column);
      expect(words).to.have.length.above(8);
      const wrong = textsOf(locale).flatMap((text) =>
        words.filter((word) => mentions(text, word)).map((word) => `“${word}” in ${text}`),
      );
      expect(wrong).to.deep.equal([]);
    });

  it('are read as they stand', () => {
    expect(textsOf('en')).to.include("'Share a secret'");
    expect(textsOf('de')).to.include("'Ein Geheimnis teilen'");
    expect(mentions("'Log in here'", 'log in')).to.equal(true);
    expect(mentions("'X-User-Email'", 'email')).to.equal(false);
  });
});
