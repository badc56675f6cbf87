// The SHA-256 of each script and style sheet that pages load or contain, by name, as a server of this version sends them.
import { createHash } from 'node:crypto';
import { bundle } from './assets.mjs';

/**
 * @param {string} folder such as src/web/public
 * @returns {Record<string, string>}
 */
export function pageHashes(folder) {
  const code = [...bundle(folder)].filter(([name]) => /\.(?:js|css)$/.test(name)).sort();
  return Object.fromEntries(
    code.map(([name, content]) => [name, createHash('sha256').update(content).digest('hex')]),
  );
}
