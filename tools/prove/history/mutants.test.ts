import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { mailMutants } from '../mail/mutants.ts';
import { plant } from '../mutants/plant.ts';
import { copySources, mutants } from './mutants.ts';

describe('The defects that experiments must find', () => {
  it('can still be planted in the sources, and built', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'mutant-'));
    await copySources(folder);
    const edits = Object.values({ ...mutants, ...mailMutants }).flatMap((mutant) => mutant.edits);
    await plant(edits, folder);
    const build = [join(folder, 'scripts/build-if-needed.mjs'), '--always'];
    const { stdout } = await promisify(execFile)(process.execPath, build).catch(
      ({ stdout, stderr }: { stdout: string; stderr: string }) => ({ stdout: `${stdout}${stderr}` }),
    );
    await rm(folder, { recursive: true });
    expect(stdout).to.equal('');
  });
});
