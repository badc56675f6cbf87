import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageRoot } from '../../../src/runtime/package.ts';

/** Builds another commit in a temporary work tree, with the packages that are installed here. Returns its folder. */
export async function buildCommit(ref: string) {
  const folder = join(await mkdtemp(join(tmpdir(), 'bench-commit-')), 'tree');
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: packageRoot, stdio: ['ignore', 'ignore', 'inherit'] });
  git('worktree', 'add', '--detach', folder, ref);

  async function remove(): Promise<void> {
    git('worktree', 'remove', '--force', folder);
    await rm(join(folder, '..'), { recursive: true, force: true });
  }

  try {
    await symlink(join(packageRoot, 'node_modules'), join(folder, 'node_modules'));
    const script = join(folder, 'scripts/build-if-needed.mjs');
    execFileSync(process.execPath, [script, '--always'], { cwd: folder, stdio: 'inherit' });
  } catch (error) {
    await remove();
    throw error;
  }
  return { root: folder, remove };
}
