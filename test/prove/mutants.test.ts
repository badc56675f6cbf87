import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { copySources, mutants, plant } from './mutants.ts';

describe('The defects that experiments must find', () => {
  it('can still be planted in the sources', async () => {
    const failures: string[] = [];
    for (const { edits } of Object.values(mutants)) {
      const folder = await mkdtemp(join(tmpdir(), 'mutant-'));
      await copySources(folder);
      await plant(edits, folder).catch((error: Error) => failures.push(error.message));
      await rm(folder, { recursive: true });
    }
    expect(failures).to.eql([]);
  });
});
