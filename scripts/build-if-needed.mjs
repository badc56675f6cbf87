// Builds dist/ when it is missing or older than its sources; with --always, in any case.
import { execFileSync } from 'node:child_process';
import { cpSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const sources = ['src', 'migrations', 'tsconfig.json', 'tsconfig.build.json', 'package-lock.json'];
const entry = join(root, 'dist/src/main.js');

function newest(path) {
  const { mtimeMs } = statSync(path);
  if (!statSync(path).isDirectory()) return mtimeMs;
  return Math.max(mtimeMs, ...readdirSync(path).map((name) => newest(join(path, name))));
}

function builtAt() {
  return statSync(entry, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

if (process.argv.includes('--always') || sources.some((name) => newest(join(root, name)) > builtAt())) {
  rmSync(join(root, 'dist'), { recursive: true, force: true });
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  execFileSync(process.execPath, [compiler, '-p', join(root, 'tsconfig.build.json')], { stdio: 'inherit' });
  cpSync(join(root, 'src/web/public'), join(root, 'dist/src/web/public'), { recursive: true });
}
