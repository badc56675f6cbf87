import { execFileSync, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import type { Command } from 'commander';
import { exitCodes } from '../src/cli/client/failure.ts';
import { secretNames } from '../src/config/secretFiles.ts';
import { settingNames } from '../src/config.ts';
import type { WebhookEndpoint } from '../src/domain/index.ts';
import { signatureHeaders } from '../src/webhooks/messenger.ts';
import { chatTextsPage } from '../tools/pictures/texts.ts';
import { readMutants } from '../tools/prove/mutants/list.ts';
import { clientPage } from './docs/clientPage.ts';
import { documentedProgram, manPage } from './docs/manPage.ts';
import { apiPage } from './docs/scopesTable.ts';
import { settingsPage } from './docs/settingsPage.ts';
import { requireProgram } from './harness/programs.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');

const pages = [
  ...['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md'],
  ...['docs', 'deploy'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.md'))
      .map((name) => join(folder, name)),
  ),
].map((path) => ({ path, text: read(path) }));

/** Names in capitals that look like settings and are none of ours. */
const otherNames = [
  ...['AWS_REGION', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'APPLICATION_ID', 'URL_TOKEN'],
  ...[
    'TEST_INSTALL',
    'TEST_DATABASE_URL',
    'DISCORD_OPENAPI',
    'NAME_FILE',
    'PWPUSH_MASTER_KEY',
    'MALLOC_ARENA_MAX',
  ],
  ...['HUSHPUSH_SERVER', 'HUSHPUSH_TOKEN', 'HUSHPUSH_PROFILE'],
  ...['HUSHPUSH_TRUST_RULE', 'HUSHPUSH_IDENTITY_TOKEN', 'HUSHPUSH_IDENTITY_TOKEN_FILE'],
  ...['ACTIONS_ID_TOKEN_REQUEST_URL', 'ACTIONS_ID_TOKEN_REQUEST_TOKEN'],
  ...['HTTPS_PROXY', 'HTTP_PROXY', 'NO_PROXY', 'NODE_USE_ENV_PROXY', 'NODE_EXTRA_CA_CERTS', 'NODE_OPTIONS'],
];

describe('the documentation', () => {
  it('names only files that exist', () => {
    expect(wrongIn(pathsIn, (path) => existsSync(join(root, path)))).to.deep.equal([]);
  });

  it('links only to files and headings that exist', () => {
    expect(wrongIn(linksIn, hasTarget)).to.deep.equal([]);
  });

  it('has only pictures that a page shows', () => {
    const shown = pages.flatMap(({ path, text }) => linksIn(text).map((link) => join(dirname(path), link)));
    const pictures = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(png|jpe?g|webp)$/.test(name))
      .map((name) => join('docs', name));
    expect(pictures.filter((path) => !shown.includes(path))).to.deep.equal([]);
  });

  it('lists every decision, with the later ones that the lines under its title name', () => {
    const decisions = readdirSync(join(root, 'docs/decisions')).filter((name) => /^\d/.test(name));
    const numbers = decisions.map((name) => name.slice(0, 4));
    expect(numbers.length, 'each has a number of its own').to.equal(new Set(numbers).size);
    const rows = decisions.sort().map((name) => {
      const [, title = '', body = ''] = /^# ([^\n]*)\n\n(.*)/s.exec(read(`docs/decisions/${name}`)) ?? [];
      const [note = ''] = /^\*[^*].*?\n\n/s.exec(body) ?? [];
      const later = [...note.matchAll(/\[\d{4}\]\(\d{4}-[\w-]+\.md\)/g)].join(', ');
      return `| ${name.slice(0, 4)} | [${title}](${name}) | ${later}${later && ' '}|`;
    });
    expect(read('docs/decisions/README.md').match(/^\| \d.*$/gm)).to.deep.equal(rows);
  });

  it('lists what the chats say now', () => {
    expect(read('docs/chat-texts.md')).to.equal(chatTextsPage());
  });

  it('lists the settings as .env.example does; otherwise run npm run docs', () => {
    expect(read('docs/settings.md')).to.equal(settingsPage(read('.env.example')));
  });

  it('says what a token of each scope gets as the tests do; otherwise run npm run docs', () => {
    const page = read('docs/api.md');
    expect(page).to.equal(apiPage(page)).and.to.include('| with links | no | yes | no |');
  });

  it('describes the library as its comments do; otherwise run npm run docs', () => {
    const page = read('docs/client.md');
    expect(page).to.equal(clientPage(page, (name) => read(`src/client/${name}`)));
  });

  it('has a manual page of all commands; otherwise run npm run docs', () => {
    expect(read('docs/hushpush.1')).to.equal(manPage(documentedProgram(), read('docs/client.md')));
  });

  it('has a manual page that groff takes without a warning', function () {
    const groff = requireProgram(this, 'groff');
    const args = ['-man', '-ww', '-Tascii', join(root, 'docs/hushpush.1')];
    const { stdout, stderr } = spawnSync(groff, args, { encoding: 'utf8' });
    expect(stderr).to.equal('');
    expect(stdout).to.match(/after.?-.?restore/);
  });

  it('lists the exit codes of the client, each with its errors', () => {
    const rows = read('docs/client.md').matchAll(/^\| (\d+) \|.*\| (.*) \|$/gm);
    const listed = [...rows].flatMap(([, exitCode, codes = '']) =>
      matchesIn(codes, /`(\w+)`/g).map((code) => [code, Number(exitCode)]),
    );
    expect(Object.fromEntries(listed)).to.deep.equal(exitCodes);
  });

  const wordsIn = (path: string) =>
    read(path)
      .replace(/```.*?```|\]\([^)]*\)/gs, ' ')
      .match(/[\p{L}\d][^\s|]*/gu) ?? [];

  it('begins with a README of at most 700 words', () => {
    expect(wordsIn('README.md').length).to.be.at.most(700);
  });

  it('answers questions, symptoms and fears in at most 600 words a page', () => {
    const short = ['upgrade', 'troubleshooting', 'questions', 'threats'].map((name) => `docs/${name}.md`);
    expect(short.filter((path) => wordsIn(path).length > 600)).to.deep.equal([]);
    expect(read('docs/troubleshooting.md').match(/^\| `/gm)).to.have.length.at.least(20);
    expect(short.filter((path) => !read('README.md').includes(`](${path})`))).to.deep.equal([]);
  });

  it('says what it costs on one page of at most 900 words, whose tables a command writes', () => {
    const page = read('docs/performance.md');
    const written = /<!-- overview -->.*<!-- \/overview -->/s;
    expect(page).to.match(written);
    expect(page.replace(written, '')).not.to.match(/^\|/m);
    expect(wordsIn('docs/performance.md').length).to.be.at.most(900);
    for (const path of ['docs/performance.md', 'docs/scaling.md'])
      expect(read(path)).to.match(/commit [0-9a-f]{8}\b/);
  });

  it('says of each attack on sign-in which test and which planted mistake there are', () => {
    const mutants = new Map(readMutants().map((mutant) => [mutant.id, mutant]));
    const [, section = ''] = read('docs/security.md').split('## Attacks on sign-in');
    const rows = [...section.matchAll(/^\| .* \| `([^`]*)`: (.*) \| `([^`]*)` \|$/gm)];
    expect(rows).to.have.length.above(15);
    for (const [row, file = '', title = '', mistake = ''] of rows) {
      expect(read(file), row).to.include(title);
      expect(mutants.get(mistake)?.testFiles, row).to.include(file);
    }
  });

  it('names only npm scripts that exist', () => {
    const { scripts } = JSON.parse(read('package.json'));
    const namesIn = (text: string) => matchesIn(text, /\bnpm run ([\w:]+)/g);
    expect(wrongIn(namesIn, (name) => name in scripts)).to.deep.equal([]);
  });

  it('names only commands and options that exist', () => {
    const program = documentedProgram();
    const scriptsIn = (text: string) => matchesIn(text, /```sh\n(.*?)```/gs).join('\n');
    const linesIn = (text: string) =>
      [
        ...matchesIn(text, /(?:npx hushpush|src\/main\.js) ([^\n`#;&|)]+)/g),
        ...matchesIn(scriptsIn(text), /^hushpush ([^\n#;&|<]+)/gm),
      ].map((line) => line.trim());
    expect(linesIn(read('docs/upgrade.md'))).to.include('migrate down --to 0007-scheduler --yes');
    expect(linesIn(read('docs/client.md'))).to.include('push --views 1 --days 1');
    expect(wrongIn(linesIn, (line) => isCommand(program, line.split(' ')))).to.deep.equal([]);
  });

  it('names only settings that exist', () => {
    const namesIn = (text: string) => matchesIn(text, /(?<![\w/])([A-Z]+(?:_[A-Z]+)+)\b/g);
    expect(
      wrongIn(
        namesIn,
        (name, page) =>
          page.startsWith('docs/decisions') ||
          settingNames.includes(name.replace(/^OIDC_OKTA_/, 'OIDC_')) ||
          secretNames.some((secret) => name === `${secret}_FILE`) ||
          otherNames.includes(name),
      ),
    ).to.deep.equal([]);
  });
});

describe('the code for receivers of webhooks in the documentation', () => {
  it('verifies what hushpush signs, and refuses everything else', async () => {
    const [, code = ''] = /```js\n(.*?)```/s.exec(read('docs/webhooks.md')) ?? [];
    const { verify } = await import(`data:text/javascript,${encodeURIComponent(code)}`);
    const secret = `whsec_${randomBytes(32).toString('base64')}`;
    const body = '{"type":"push.viewed","data":{"name":"Ünïcode 🌷"}}';
    const sign = (at: number) =>
      signatureHeaders({ secrets: [secret], now: at } as WebhookEndpoint, 'id', body);
    const headers = sign(Date.now());
    expect(verify(secret, headers, body)).to.equal(true);
    const signature = headers['webhook-signature'];
    expect(verify(secret, { ...headers, 'webhook-signature': `v1,other ${signature}` }, body)).to.equal(true);
    expect(verify(secret, headers, `${body} `)).to.equal(false);
    expect(verify(`whsec_${randomBytes(32).toString('base64')}`, headers, body)).to.equal(false);
    expect(verify(secret, { ...headers, 'webhook-id': 'another' }, body)).to.equal(false);
    for (const minutes of [-6, 6])
      expect(verify(secret, sign(Date.now() + minutes * 60_000), body)).to.equal(false);
  });

  it('does so in Python, too', function () {
    const python = requireProgram(this, 'python3');
    const [, code = ''] = /```python\n(.*?)```/s.exec(read('docs/webhooks.md')) ?? [];
    const calls = `
import json, sys
for secret, headers, body in json.load(sys.stdin):
    print(verify(secret, headers, body.encode()))`;
    const secret = `whsec_${randomBytes(32).toString('base64')}`;
    const body = '{"type":"push.viewed","data":{"name":"Ünïcode 🌷"}}';
    const sign = (at: number) =>
      signatureHeaders({ secrets: [secret], now: at } as WebhookEndpoint, 'id', body);
    const headers = sign(Date.now());
    const input = JSON.stringify([
      [secret, headers, body],
      [secret, headers, `${body} `],
      [`whsec_${randomBytes(32).toString('base64')}`, headers, body],
      [secret, sign(Date.now() - 6 * 60_000), body],
    ]);
    const printed = execFileSync(python, ['-c', code + calls], { input, encoding: 'utf8' });
    expect(printed.trim().split('\n')).to.deep.equal(['True', 'False', 'False', 'False']);
  });
});

/** What the pages name that is not right, each with its page. */
function wrongIn(
  namesIn: (text: string) => string[],
  isRight: (name: string, page: string) => boolean,
): string[] {
  return pages.flatMap(({ path, text }) =>
    namesIn(text)
      .filter((name) => !isRight(name, path))
      .map((name) => `${path}: ${name}`),
  );
}

function matchesIn(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(([, name = '']) => name);
}

/** The paths of this repository that a text names; `{a,b}` stands for several. */
function pathsIn(text: string): string[] {
  return matchesIn(text, /(?<![\w/.])((?:src|test|docs|deploy|migrations|scripts)\/[\w./{},-]*)/g).flatMap(
    (path) => expandBraces(path.replace(/[.,]+$/, '')),
  );
}

function expandBraces(path: string): string[] {
  const [, before, choices, after] = /^(.*)\{(.*)\}(.*)$/.exec(path) ?? [];
  return choices?.split(',').map((choice) => `${before}${choice}${after}`) ?? [path];
}

function isCommand(command: Command, [word, ...rest]: string[]): boolean {
  if (word === undefined) return command.commands.length === 0 || command.parent === null;
  if (word.startsWith('--')) {
    const name = word.split('=')[0];
    return (
      (name === '--help' || command.options.some(({ long }) => long === name)) && isCommand(command, rest)
    );
  }
  if (command.commands.length === 0) return isCommand(command, rest);
  const next = command.commands.find((one) => one.name() === word);
  return next !== undefined && isCommand(next, rest);
}

function linksIn(text: string): string[] {
  return matchesIn(text, /\]\(([^)\s]+)\)/g).filter((link) => !/^https?:/.test(link));
}

function hasTarget(link: string, page: string): boolean {
  const [path = '', heading] = link.split('#');
  const target = path === '' ? page : join(dirname(page), path);
  if (!existsSync(join(root, target))) return false;
  return heading === undefined || anchorsOf(read(target)).includes(heading);
}

/** The anchors that GitHub gives to headings. */
function anchorsOf(text: string): string[] {
  return matchesIn(text, /^#+ (.+)$/gm).map((heading) =>
    heading
      .toLowerCase()
      .replace(/[^\w\s-]/g, '')
      .replaceAll(' ', '-'),
  );
}
