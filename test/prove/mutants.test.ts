import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { copySources, mutants, plant } from './mutants.ts';

const compiler = join(import.meta.dirname, '../../node_modules/typescript/bin/tsc');

describe('The defects that experiments must find', () => {
  it('can still be planted in the sources, and compile', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'mutant-'));
    await copySources(folder);
    const edits = Object.values(mutants).flatMap((mutant) => mutant.edits);
    await plant(edits, folder);
    const args = [compiler, '-p', 'tsconfig.build.json', '--noEmit'];
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: folder }).catch(
      (error: { stdout: string }) => error,
    );
    await rm(folder, { recursive: true });
    expect(stdout).to.equal('');
  });
});
