import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = join(import.meta.dirname, '..', '..', '..');

/** The commit that gave a release its heading in the CHANGELOG. */
async function commitOf(release: string): Promise<string> {
  const heading = `^## ${release.replaceAll('.', '\\.')}$`;
  const { stdout } = await run(
    'git',
    ['log', '--reverse', '--format=%H', '--pickaxe-regex', `-S${heading}`, '--', 'CHANGELOG.md'],
    { cwd: root },
  );
  const [commit = ''] = stdout.split('\n');
  if (commit === '')
    throw new Error(
      `The history has no commit that released ${release}. A shallow clone has none: git fetch --unshallow.`,
    );
  return commit;
}

/** The sources of a release from the history of this repository, in a new folder within another, with what they need. */
export async function checkOut(release: string, parent: string): Promise<string> {
  const folder = join(parent, release);
  await mkdir(folder);
  const archive = join(parent, `${release}.tar`);
  await run('git', ['archive', '--output', archive, await commitOf(release)], { cwd: root });
  await run('tar', ['xf', archive, '-C', folder]);
  await run('npm', ['ci', '--no-audit', '--no-fund'], { cwd: folder });
  return folder;
}

/** Builds a release, and returns its program. */
export async function buildRelease(release: string, parent: string): Promise<string> {
  const folder = await checkOut(release, parent);
  await run('npm', ['run', 'build'], { cwd: folder });
  return join(folder, 'dist/src/main.js');
}
