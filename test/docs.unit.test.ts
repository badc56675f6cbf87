import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { settingNames } from '../src/config.ts';
import type { WebhookEndpoint } from '../src/domain/index.ts';
import { signatureHeaders } from '../src/webhooks/signature.ts';
import { chatTextsPage } from './pictures/texts.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');

const pages = [
  ...['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md'],
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
].map((path) => ({ path, text: read(path) }));

/** Names in capitals that look like settings and are none of ours. */
const otherNames = [
  ...['AWS_REGION', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'APPLICATION_ID', 'URL_TOKEN'],
  ...['TEST_INSTALL', 'DISCORD_OPENAPI'],
];

describe('the documentation', () => {
  it('names only files that exist', () => {
    expect(wrongIn(pathsIn, (path) => existsSync(join(root, path)))).to.deep.equal([]);
  });

  it('links only to files and headings that exist', () => {
    expect(wrongIn(linksIn, hasTarget)).to.deep.equal([]);
  });

  it('lists what the chats say now', () => {
    expect(read('docs/chat-texts.md')).to.equal(chatTextsPage());
  });

  it('names only npm scripts that exist', () => {
    const { scripts } = JSON.parse(read('package.json'));
    const namesIn = (text: string) => matchesIn(text, /\bnpm run ([\w:]+)/g);
    expect(wrongIn(namesIn, (name) => name in scripts)).to.deep.equal([]);
  });

  it('names only settings that exist', () => {
    const namesIn = (text: string) => matchesIn(text, /(?<![\w/])([A-Z]+(?:_[A-Z]+)+)\b/g);
    expect(
      wrongIn(
        namesIn,
        (name, page) =>
          page.startsWith('docs/decisions') || settingNames.includes(name) || otherNames.includes(name),
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
    const sign = (at: number) => signatureHeaders({ secret, now: at } as WebhookEndpoint, 'id', body);
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
  return matchesIn(text, /(?<![\w/.])((?:src|test|docs|migrations|scripts)\/[\w./{},-]*)/g).flatMap((path) =>
    expandBraces(path.replace(/[.,]+$/, '')),
  );
}

function expandBraces(path: string): string[] {
  const [, before, choices, after] = /^(.*)\{(.*)\}(.*)$/.exec(path) ?? [];
  return choices?.split(',').map((choice) => `${before}${choice}${after}`) ?? [path];
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
