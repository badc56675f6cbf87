import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { brotliCompressSync } from 'node:zlib';

type Files = ReadonlyMap<string, Buffer>;

/** What scripts/assets.mjs makes of `public/`: the build has; where the program runs from its sources, it does now. */
const files = import.meta.filename.endsWith('.js') ? builtFiles() : await bundledFiles();

/** The files that pages load, held in memory. The version changes with the content, so browsers may cache them forever. */
export const assets: ReadonlyMap<string, { content: Buffer; version: string }> = new Map(
  [...files]
    .filter(([name]) => !name.startsWith('inline/'))
    .map(([name, content]) => [
      name,
      { content, version: createHash('sha256').update(content).digest('hex').slice(0, 12) },
    ]),
);

const texts = new Map<string, string>();
const compressed = new Map<string, Buffer>();

/** A file of `public/inline/`, for pages that must render without a second request. */
export function inlined(name: string): string {
  const text = texts.get(name) ?? required(files, `inline/${name}`).toString();
  texts.set(name, text);
  return text;
}

/** A file in Brotli (RFC 7932), compressed when it is first requested; undefined for images, which are compressed. */
export function compressedAsset(name: string): Buffer | undefined {
  if (name.endsWith('.png')) return undefined;
  const content = compressed.get(name) ?? brotliCompressSync(required(files, name));
  compressed.set(name, content);
  return content;
}

/** The path of a file with its version. */
export function assetPath(name: string): string {
  return `/assets/${name}?v=${required(assets, name).version}`;
}

function builtFiles(): Files {
  const folder = new URL('./assets/', import.meta.url);
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return new Map(
    names.filter((name) => extname(name) !== '').map((name) => [name, readFileSync(new URL(name, folder))]),
  );
}

async function bundledFiles(): Promise<Files> {
  const bundler = new URL('../../scripts/assets.mjs', import.meta.url);
  const { bundle }: { bundle(folder: string): Files } = await import(bundler.href);
  return bundle(`${import.meta.dirname}/public`);
}

function required<T>(all: ReadonlyMap<string, T>, name: string): T {
  const one = all.get(name);
  if (one === undefined) throw new Error(`there is no file ${name} for pages`);
  return one;
}
