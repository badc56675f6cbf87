import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import { styleFor, themes } from './theme.ts';

const folder = fileURLToPath(new URL('./public/', import.meta.url));

/** Modules that pages share with the client. */
const clientModules = ['findKey.js', 'linkKey.js', 'encryption.js'].map(
  (name) => [name, readFileSync(new URL(`../client/${name}`, import.meta.url))] as const,
);

const files = new Map([
  ...readdirSync(folder).map((name) => [name, readFileSync(join(folder, name))] as const),
  ...clientModules,
]);

/** The style sheets of all pages but those of recipients, as one, so that a page loads it at once. */
const pageSheets = [
  'tokens.css',
  'base.css',
  'components.css',
  'app.css',
  'areas.css',
  'tables.css',
  'lists.css',
  'create.css',
  'created.css',
  'activity.css',
  'style.css',
];

/** The name of that sheet in each theme. */
export const pageStyles = { system: 'pages.css', light: 'pages-light.css', dark: 'pages-dark.css' };

const pageSheet = pageSheets.map((name) => fileOf(name)).join('');

/** Scripts of several modules, as one. */
const joinedScripts = {
  'files.js': ['sizes.js', 'files.js'],
  'submit.js': ['linkKey.js', 'encryption.js', 'encryptForm.js', 'submit.js'],
  'times.js': ['readerLocale.js', 'times.js'],
  'share.js': ['readerLocale.js', 'messageToSend.js', 'share.js'],
  'encryptedCreated.js': ['drawQr.js', 'messageToSend.js', 'encryptedCreated.js'],
};

/** What draws QR codes in browsers. It imports nothing. */
const qrEncoder = readFileSync(new URL(import.meta.resolve('qr')));

/** The files that pages load, held in memory. The version changes with the content, so browsers may cache them forever. */
export const assets: ReadonlyMap<string, { content: Buffer; version: string }> = new Map(
  [
    ...files,
    ...Object.entries(joinedScripts).map(([name, modules]) => [name, Buffer.from(joined(modules))] as const),
    ['qr.js', qrEncoder] as const,
    ...themes.map((theme) => [pageStyles[theme], Buffer.from(styleFor(theme, pageSheet))] as const),
  ].map(([name, content]) => [
    name,
    { content, version: createHash('sha256').update(content).digest('hex').slice(0, 12) },
  ]),
);

const compressed = new Map<string, Buffer>();

/** A file in Brotli (RFC 7932), compressed when it is first requested; undefined for images, which are compressed. */
export function compressedAsset(name: string): Buffer | undefined {
  if (name.endsWith('.png')) return undefined;
  const content = compressed.get(name) ?? brotliCompressSync(required(name).content);
  compressed.set(name, content);
  return content;
}

/** The design tokens, as `tokens.css` sets them first. */
export function styleTokens(): { name: string; value: string }[] {
  const [light = ''] = required('tokens.css').content.toString().split('@media');
  return [...light.matchAll(/(--[\w-]+): ([^;]+);/g)].map(([, name = '', value = '']) => ({ name, value }));
}

/** The path of a file with its version. */
export function assetPath(name: string): string {
  return `/assets/${name}?v=${required(name).version}`;
}

/** Files as one text without indentation and comments, for pages that must render without a second request. */
export function inlined(...names: string[]): string {
  return joined(names)
    .replace(/\n\s*/g, '\n')
    .replace(/^(?:\/\/.*|\/\*[\s\S]*?\*\/)\n/gm, '');
}

/** Files as one text. What a module imports from another is in the same text. */
function joined(names: readonly string[]): string {
  const text = names.map((name) => fileOf(name).toString()).join('');
  return text.replace(/^import .*\n/gm, '').replace(/^export /gm, '');
}

function fileOf(name: string): Buffer {
  const content = files.get(name);
  if (content === undefined) throw new Error(`there is no file ${name} in ${folder}`);
  return content;
}

function required(name: string) {
  const asset = assets.get(name);
  if (asset === undefined) throw new Error(`there is no file ${name} in ${folder}`);
  return asset;
}
