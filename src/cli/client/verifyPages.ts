import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parsePushLink } from '../../client/client.ts';
import { packageRoot } from '../../runtime/package.ts';
import { print } from '../output.ts';
import { openClient } from './connect.ts';
import { ClientCommandError } from './failure.ts';
import { proxiedFetch } from './proxy.ts';
import { visible } from './terminal.ts';

/** What a release sends: the SHA-256 of each script and style sheet, by name. */
type ReleaseHashes = { version: string; sha256: Record<string, string> };

/** A script or style sheet that was sent; `name` is that of the file which it is, if it is one of the release. */
type Part = { page: string; where: string; name: string | undefined };

/** Pages that everybody can load. */
const publicPages = ['', 'sign-in', `p/${'0'.repeat(26)}`];
/** Link previewers send it. To them no page shows a secret. */
const asPreviewer = { 'sec-purpose': 'prefetch' };
/** What the policy of a page may let run: what has the nonce of this response. */
const scriptPolicy = /(?:^|;)\s*script-src 'nonce-[\w+/=-]+'\s*(?:;|$)/;
/** What could load or run something beside `script` and `style`. */
const otherCode =
  /<(?:applet|base|embed|frame|iframe|object)\b|<link\b[^>]*\brel="?(?:modulepreload|preload|import)\b/i;

/** `hushpush verify-pages` */
export async function verifyPages(
  [first = '', ...more]: string[],
  options: { hashes?: string; json?: true },
): Promise<void> {
  const server = parsePushLink(first)?.server ?? first;
  const client = await openClient({ server });
  const release = await readHashes(options.hashes, (await client.version()).application_version);
  const base = `${client.server}/`;
  const send = (await proxiedFetch()) ?? fetch;
  const links = [first, ...more].filter((text) => parsePushLink(text)?.server !== undefined);
  const byHash = new Map(Object.entries(release.sha256).map(([name, hash]) => [hash, name]));
  const nameOf = (content: string | Buffer) => byHash.get(createHash('sha256').update(content).digest('hex'));

  async function load(address: URL): Promise<Response> {
    if (!address.href.startsWith(base))
      throw new ClientCommandError(`A page loads ${visible(address.href)}, which is not on this server.`);
    return send(address, { headers: asPreviewer, redirect: 'manual' });
  }

  async function partsOf(address: URL): Promise<Part[]> {
    const response = await load(address);
    const html = await response.text();
    const page = address.pathname;
    const problems = problemsOf(response, html);
    const loaded = await Promise.all(
      addressesIn(html).map(async (path): Promise<Part> => {
        const file = new URL(path.replaceAll('&amp;', '&'), address);
        const content = Buffer.from(await (await load(file)).arrayBuffer());
        return { page, where: file.pathname, name: nameOf(content) };
      }),
    );
    const contained = textsIn(html).map(({ tag, text }) => ({
      page,
      where: `a ${tag} in the page`,
      name: nameOf(text),
    }));
    return [...problems.map((where) => ({ page, where, name: undefined })), ...loaded, ...contained];
  }

  const pages = [...publicPages.map((path) => new URL(path, base)), ...links.map((link) => withoutKey(link))];
  const parts = (await Promise.all(pages.map(partsOf))).flat();
  const wrong = parts.filter(({ name }) => name === undefined);
  const count = new Set(parts.map(({ name }) => name)).size;
  const compared = { version: release.version, pages: pages.length, parts, matches: wrong.length === 0 };
  if (wrong.length > 0 && !options.json)
    throw new ClientCommandError(
      `${client.server} does not send what ${release.version} does: ${wrong.map(({ page, where }) => visible(`${where} of ${page}`)).join(', ')}.`,
    );
  print(
    options.json,
    compared,
    `${pages.length} pages of ${client.server} load and contain ${count} files, all of ${release.version}.`,
  );
  if (wrong.length > 0) process.exitCode = 1;
}

async function readHashes(file: string | undefined, version: string): Promise<ReleaseHashes> {
  const path = file ?? join(packageRoot, 'docs/releases', `${version.replace(/[^\w.-]/g, '')}.json`);
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT' || file !== undefined) throw error;
    throw new ClientCommandError(
      `The server runs ${visible(version)}, whose hashes this version of hushpush does not have. Take docs/releases of a newer one, and name the file with --hashes.`,
    );
  });
  const release = JSON.parse(text) as ReleaseHashes;
  if (release.version !== version)
    throw new ClientCommandError(
      `The server says that it runs ${visible(version)}, and the hashes are those of ${visible(release.version)}.`,
    );
  return release;
}

/** What a page may not have, whatever it loads. */
function problemsOf({ headers }: Response, html: string): string[] {
  const policy = headers.get('content-security-policy') ?? '';
  return [
    ...(scriptPolicy.test(policy) ? [] : ['the Content-Security-Policy, which lets other scripts run']),
    ...(otherCode.test(html) ? ['an element that loads something else'] : []),
    ...(openings(html) === textsIn(html).length + scriptsIn(html).length
      ? []
      : ['a script that is not closed']),
  ];
}

const openings = (html: string) => html.match(/<(?:script|style)\b/gi)?.length ?? 0;

const scriptsIn = (html: string) =>
  [...html.matchAll(/<script\b[^>]*\bsrc="([^"]*)"[^>]*><\/script>/gi)].map(([, src = '']) => src);

/** The addresses of the scripts and style sheets of a page. */
const addressesIn = (html: string): string[] => [
  ...scriptsIn(html),
  ...[...html.matchAll(/<link\b[^>]*\brel="stylesheet"[^>]*\bhref="([^"]*)"/gi)].map(([, href = '']) => href),
];

/** The scripts and styles that a page contains. */
const textsIn = (html: string): { tag: string; text: string }[] =>
  [...html.matchAll(/<(script|style)\b(?![^>]*\bsrc=)[^>]*>([\s\S]*?)<\/\1>/gi)].map(
    ([, tag = '', text = '']) => ({ tag, text }),
  );

/** A link without the key of an encrypted push, which no server may get. */
function withoutKey(link: string): URL {
  const url = new URL(link);
  url.hash = '';
  return url;
}
