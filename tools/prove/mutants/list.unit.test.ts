import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { readMutants } from './list.ts';
import { edited } from './plant.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const mutants = readMutants();

describe('The list of mistakes that tests should notice', () => {
  it('fits the sources: each text to replace is there exactly once', () => {
    const misfits = mutants.flatMap((mutant) => {
      try {
        const source = readFileSync(join(root, mutant.file), 'utf8');
        return edited(source, mutant) === source ? [`${mutant.id} changes nothing`] : [];
      } catch (error) {
        return [`${mutant.room}/${mutant.id}: ${error instanceof Error ? error.message : error}`];
      }
    });
    expect(misfits).to.eql([]);
  });

  it('names test files that exist, and each mistake differently', () => {
    const missing = mutants.flatMap(({ id, testFiles }) =>
      testFiles.filter((file) => !existsSync(join(root, file))).map((file) => `${id}: ${file}`),
    );
    expect(missing).to.eql([]);
    expect(new Set(mutants.map(({ id }) => id))).to.have.property('size', mutants.length);
  });

  it('has mistakes of every kind', () => {
    expect(mutants.length).to.be.at.least(350);
    expect(new Set(mutants.map(({ kind }) => kind))).to.have.property('size', 7);
  });
});
