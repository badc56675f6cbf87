// npm run release VERSION: writes the version everywhere. A version that ends in -dev begins the time until that release;
// any other one closes “Unreleased” in the CHANGELOG, freezes the migrations, and writes the hashes of what pages load into
// docs/releases/. Writes into the current folder. `npm run release` goes on with artifacts.mjs.
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pageHashes } from './pageHashes.mjs';

const [version = ''] = process.argv.slice(2);
const read = (name) => readFileSync(name, 'utf8');
const sha256 = (text) => createHash('sha256').update(text).digest('hex');

function replaceIn(name, pattern, replacement) {
  const text = read(name);
  if (!pattern.test(text)) throw new Error(`${name} has nothing like ${pattern}.`);
  writeFileSync(name, text.replace(pattern, replacement));
}

function closeUnreleased() {
  const [, notes = ''] = /^## Unreleased\n([\s\S]*?)(?=^## |$(?![\s\S]))/m.exec(read('CHANGELOG.md')) ?? [];
  if (notes.trim() === '') throw new Error('CHANGELOG.md has nothing under “Unreleased”.');
  if (read('CHANGELOG.md').includes(`\n## ${version}\n`))
    throw new Error(`${version} has a heading already.`);
  replaceIn('CHANGELOG.md', /^## Unreleased\n/m, `## Unreleased\n\n## ${version}\n`);
}

/** The hash of each migration, and of what it makes of the schema. */
function freezeMigrations() {
  const changes = JSON.parse(read('migrations/schema.json'));
  const files = readdirSync('migrations').filter((file) => /^\d{4}-.*\.ts$/.test(file));
  const hashes = files.sort().map((file) => {
    const name = file.replace('.ts', '');
    return [
      name,
      { file: sha256(read(`migrations/${file}`)), schema: sha256(JSON.stringify(changes[name])) },
    ];
  });
  const released = { ...JSON.parse(read('migrations/released.json')), [version]: Object.fromEntries(hashes) };
  writeFileSync('migrations/released.json', `${JSON.stringify(released, null, 2)}\n`);
}

/** Columns that this version is the first not to use; the one after it may drop them. */
function markUnread() {
  const unread = Object.entries(JSON.parse(read('migrations/unread.json')));
  const marked = Object.fromEntries(unread.map(([column, release]) => [column, release ?? version]));
  writeFileSync('migrations/unread.json', `${JSON.stringify(marked, null, 2)}\n`);
}

function writePageHashes() {
  mkdirSync('docs/releases', { recursive: true });
  const hashes = { version, sha256: pageHashes(join(import.meta.dirname, '../src/web/public')) };
  writeFileSync(`docs/releases/${version}.json`, `${JSON.stringify(hashes, null, 2)}\n`);
}

try {
  if (!/^\d+\.\d+\.\d+(?:-(?:rc\.\d+|rc\.\d+-dev|dev))?$/.test(version))
    throw new Error('Name a version, such as 1.0.0-rc.2, 1.0.0, or 1.0.1-dev after it.');
  if (!version.endsWith('dev')) {
    closeUnreleased();
    freezeMigrations();
    markUnread();
    writePageHashes();
  }
  replaceIn('package.json', /"version": "[^"]*"/, `"version": "${version}"`);
  // The first two are of the package itself.
  replaceIn('package-lock.json', /"version": "[^"]*"/, `"version": "${version}"`);
  replaceIn('package-lock.json', /("": \{\s+"name": "hushpush",\s+"version": )"[^"]*"/, `$1"${version}"`);
  replaceIn('deploy/kubernetes/kustomization.yaml', /newTag: \S+/, `newTag: ${version}`);
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
