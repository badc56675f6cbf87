import { readdirSync, readFileSync } from 'node:fs';
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
const textsOf = (locale: string) =>
  literalsIn(read(`src/locales/${locale}.ts`).replace(/apiReference: \{.*?\n {2}\},\n/s, ''));

/** The literals of a source, without the values in them. */
const literalsIn = (source: string) =>
  (source.match(/'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`/g) ?? []).map((text) =>
    text.replaceAll(/\$\{[^}]*\}/g, ' '),
  );

/** What the command line and the tools for assistants print: not names of arguments, fields and modules. */
const programTexts = ['src/cli', 'src/mcp'].flatMap((folder) =>
  filesIn(folder, '.ts').flatMap((path) =>
    literalsIn(read(path).replaceAll(/\/\*\*.*?\*\/|\/\/ [^\n]*|^import [^;]*;/gms, ''))
      .map((text) => text.replaceAll(/<[^>]*>|\[[^\]]*\]|\{[^}]*\}/g, ' '))
      .filter((text) => text.trim().includes(' '))
      .map((text) => ({ path, text })),
  ),
);

/** The documentation for those who use and run hushpush, without its code. Decisions and `CONTRIBUTING.md` speak of the code. */
const documentation = ['README.md', 'SECURITY.md', 'deploy/README.md', ...filesIn('docs', '.md')]
  .filter((path) => !path.startsWith('docs/decisions/') && path !== 'docs/words.md')
  .flatMap((path) =>
    read(path)
      .replaceAll(/```.*?```|`[^`]*`|\]\([^)]*\)/gs, ' ')
      .split('\n')
      .map((text) => ({ path, text })),
  );

function filesIn(folder: string, ending: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending))
    .map((name) => join(folder, name));
}

/** Whether a text has a word, or several of what it names; a part of a name such as `pushes.payload` is none. */
const mentions = (text: string, word: string) =>
  [word, word.charAt(0).toUpperCase() + word.slice(1)].some((one) =>
    new RegExp(`(?<![\\p{L}.-])${one}s?(?![\\p{L}-])`, 'u').test(text),
  );

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

  for (const [where, texts] of [
    ['the command line and the tools for assistants', programTexts],
    ['the documentation', documentation],
  ] as const)
    it(`call each thing by its one name: ${where}`, () => {
      expect(texts).to.have.length.above(300);
      const wrong = texts.flatMap(({ path, text }) =>
        wordsIn(3)
          .filter((word) => mentions(text, word))
          .map((word) => `“${word}” in ${path}: ${text.trim()}`),
      );
      expect(wrong).to.deep.equal([]);
    });

  it('say “link” on pages, in chats and in mails, where “push” would be news to most', () => {
    const sections = (
      'layout newPush pushCreated status connect pushes requests account chats admin sessions tokens webhooks ' +
      'notices compose confirm gone secret privacy support contact activityExport errorPage chat'
    ).split(' ');
    for (const locale of ['en', 'de'])
      for (const section of sections) {
        const [text = ''] =
          new RegExp(`^  ${section}: \\{.*?^  \\},`, 'ms').exec(read(`src/locales/${locale}.ts`)) ?? [];
        const literals = literalsIn(text);
        expect(literals, section).to.not.be.empty;
        expect(
          literals.filter((each) => each !== "'push'" && /(?<![/.-])\bpush(es|st|ed)?\b(?!\.)/i.test(each)),
          locale,
        ).to.deep.equal([]);
      }
  });

  it('are read as they stand', () => {
    expect(textsOf('en')).to.include("'Share a secret'");
    expect(textsOf('de')).to.include("'Ein Geheimnis teilen'");
    expect(programTexts.map(({ text }) => text)).to.include("'Expire a push now, and erase its secret.'");
    expect(mentions("'Log in here'", 'log in')).to.equal(true);
    expect(mentions("'3 notices wait'", 'notice')).to.equal(true);
    expect(mentions("'X-User-Email'", 'email')).to.equal(false);
  });
});
