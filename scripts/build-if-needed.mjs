// Builds dist/ when it is missing or older than its sources; with --always, in any case. A build that fails, or a missing
// compiler, leaves the last one as it is.
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const sources = [
  'src',
  'migrations',
  'scripts/assets.mjs',
  'tsconfig.json',
  'tsconfig.build.json',
  'tsconfig.client.json',
  'package-lock.json',
];
const dist = join(root, 'dist');
const draft = join(root, `dist.new-${process.pid}`);
const replaced = join(root, `dist.old-${process.pid}`);
const entry = join(dist, 'src/main.js');
const compiler = join(root, 'node_modules/typescript/bin/tsc');
const isForced = process.argv.includes('--always');

function newest(path) {
  const { mtimeMs } = statSync(path);
  if (!statSync(path).isDirectory()) return mtimeMs;
  return Math.max(mtimeMs, ...readdirSync(path).map((name) => newest(join(path, name))));
}

function isOutdated() {
  const builtAt = statSync(entry, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return sources.some((name) => newest(join(root, name)) > builtAt);
}

async function build() {
  console.error('hushpush: compiling the program, which takes up to a minute…');
  try {
    for (const project of ['tsconfig.build.json', 'tsconfig.client.json']) {
      const options = ['-p', join(root, project), '--outDir', draft];
      execFileSync(process.execPath, [compiler, ...options], { stdio: 'inherit' });
    }
    cpSync(join(root, 'migrations/schema.json'), join(draft, 'migrations/schema.json'));
    await writeAssets();
    chmodSync(join(draft, 'src/main.js'), 0o755);
    if (existsSync(dist)) renameSync(dist, replaced);
    renameSync(draft, dist);
    rmSync(replaced, { recursive: true, force: true });
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

async function writeAssets() {
  const { bundle } = await import('./assets.mjs'); // its bundler is installed with the compiler
  for (const [name, content] of bundle(join(root, 'src/web/public'))) {
    const path = join(draft, 'src/web/assets', name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  }
}

function fail(problem) {
  console.error(`hushpush: ${problem}`);
  process.exitCode = 1;
}

if (isForced || isOutdated()) {
  if (existsSync(compiler)) {
    try {
      await build();
    } catch {
      fail(
        `the build failed.${existsSync(entry) ? ' dist/ still holds the last one: node dist/src/main.js start' : ''}`,
      );
    }
  } else if (existsSync(entry) && !isForced) {
    console.error(
      'hushpush: dist/ is older than its sources, and there is no compiler to build it anew. It starts as it is; to update it, run npm ci once without --omit=dev, then npm run build.',
    );
  } else {
    fail('there is no compiler: run npm ci once without --omit=dev, then npm run build.');
  }
}
