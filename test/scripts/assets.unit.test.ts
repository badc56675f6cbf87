import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect } from 'chai';

type Bundler = { bundle(folder: string): Map<string, Buffer> };

const root = join(import.meta.dirname, '..', '..');
const { bundle }: Bundler = await import(join(root, 'scripts/assets.mjs'));

describe('The files of pages', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'assets-'));
    await mkdir(join(folder, 'inline'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  async function write(files: Record<string, string>): Promise<void> {
    for (const [name, text] of Object.entries(files)) {
      await mkdir(dirname(join(folder, name)), { recursive: true });
      await writeFile(join(folder, name), text);
    }
  }

  const textOf = (name: string) => String(bundle(folder).get(name));

  it('may use a name twice, wrap an import over lines, and rename what they import', async () => {
    await write({
      'parts/tulip.js': 'const form = "tulip";\nexport const tulip = () => form;\n',
      'parts/rose.js': 'const form = "rose";\nexport function rose() { return form; }\n',
      'files.js':
        'import { rose as other } from "./parts/rose.js";\nimport {\n  tulip,\n} from "./parts/tulip.js";\nconst form = "field";\nreport([form, tulip(), other()]);\n',
    });
    const reported: unknown[] = [];
    new Function('report', textOf('files.js'))((words: string[]) => reported.push(...words));
    expect(reported).to.deep.equal(['field', 'tulip', 'rose']);
  });

  it('wait for a script before the next one runs, as for what decrypts a secret', async () => {
    await write({
      'parts/first.js':
        'await new Promise((done) => setTimeout(done, 5));\nglobalThis.bundled = ["first"];\n',
      'parts/second.js': 'globalThis.bundled.push("second");\n',
      'inline/secret.js': 'import "../parts/first.js";\nimport "../parts/second.js";\n',
    });
    await import(`data:text/javascript,${encodeURIComponent(textOf('inline/secret.js'))}`);
    expect(Reflect.get(globalThis, 'bundled')).to.deep.equal(['first', 'second']);
    Reflect.deleteProperty(globalThis, 'bundled');
  });

  it('are style sheets for each theme, and images as they are', async () => {
    await write({
      'parts/tokens.css':
        ':root { color-scheme: light dark; color: #111; }\n@media (prefers-color-scheme: dark) { :root { color: #eee; } }\n',
      'pages.css': '@import "./parts/tokens.css";\n',
      'icon.svg': '<svg></svg>\n',
    });
    const files = Object.fromEntries(
      [...bundle(folder)].map(([name, content]) => [name, `${content}`.trim()]),
    );
    const sheet = (scheme: string, condition: string) =>
      `:root{color-scheme:${scheme};color:#111}@media${condition}{:root{color:#eee}}`;
    expect(files).to.deep.equal({
      'pages.css': sheet('light dark', '(prefers-color-scheme:dark)'),
      'pages-light.css': sheet('light', ' not all'),
      'pages-dark.css': sheet('dark', ' all'),
      'icon.svg': '<svg></svg>',
    });
  });

  it('have what they import within them, and no source maps', () => {
    for (const [name, content] of bundle(join(root, 'src/web/public')))
      expect(`${name}: ${content.toString('latin1')}`).not.to.match(
        /sourceMappingURL|\bfrom ?["']\.|@import/,
      );
  });
});
