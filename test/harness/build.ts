import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');

/** The built program, as it is installed. */
export const mainFile = join(root, 'dist', 'src', 'main.js');

let isBuilt = process.env.TEST_TALLY_FILE !== undefined; // `npm test` builds before it runs Mocha

/** Builds the program when it is missing or out of date. Blocks, so that it builds once. */
export function ensureBuilt(): void {
  if (isBuilt) return;
  execFileSync(process.execPath, [join(root, 'scripts/build-if-needed.mjs')], { stdio: 'inherit' });
  isBuilt = true;
}

/** The built program, after building it if necessary. */
export function builtMain(): string {
  ensureBuilt();
  return mainFile;
}
