import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import { styleFor, themes } from './theme.ts';

const folder = fileURLToPath(new URL('./public/', import.meta.url));

const files = new Map(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name))]));

/** The style sheets of all pages but those of recipients, as one, so that a page loads it at once. */
const pageSheets = [
  'tokens.css',
  'base.css',
  'components.css',
  'app.css',
  'areas.css',
  'tables.css',
  'create.css',
  'created.css',
  'activity.css',
  'style.css',
];

/** The name of that sheet in each theme. */
export const pageStyles = { system: 'pages.css', light: 'pages-light.css', dark: 'pages-dark.css' };

const pageSheet = pageSheets.map((name) => fileOf(name)).join('');

/** The files that pages load, held in memory. The version changes with the content, so browsers may cache them forever. */
export const assets: ReadonlyMap<string, { content: Buffer; version: string }> = new Map(
  [
    ...files,
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

/** Files as one text without indentation, for pages that must render without a second request. */
export function inlined(...names: string[]): string {
  return names.map((name) => required(name).content.toString().replace(/\n\s*/g, '\n')).join('');
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
