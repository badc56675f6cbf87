import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('./public/', import.meta.url));

/** The few files that pages load, kept in memory. The version changes with the content, so a browser may keep a file for ever. */
export const assets: ReadonlyMap<string, { content: Buffer; version: string }> = new Map(
  readdirSync(folder).map((name) => {
    const content = readFileSync(join(folder, name));
    return [name, { content, version: createHash('sha256').update(content).digest('hex').slice(0, 12) }];
  }),
);

/** The path of a file, for a page to load it from. */
export function assetPath(name: string): string {
  return `/assets/${name}?v=${required(name).version}`;
}

/** Files as one text, for a page that is to show without a second round trip; indentation goes. */
export function inlined(...names: string[]): string {
  return names.map((name) => required(name).content.toString().replace(/\n\s*/g, '\n')).join('');
}

function required(name: string) {
  const asset = assets.get(name);
  if (asset === undefined) throw new Error(`there is no file ${name} in ${folder}`);
  return asset;
}
