import { expect } from 'chai';
import { parseProveArguments } from './options.ts';

const known = ['history', 'fuzz'];

describe('The command line of the experiments', () => {
  it('runs all experiments by default, and otherwise those that it names', () => {
    expect(parseProveArguments([], known).names).to.eql(known);
    expect(parseProveArguments(['fuzz', '--seconds', '5'], known)).to.deep.include({ names: ['fuzz'] });
  });

  it('gives every experiment what the command line says', () => {
    const args =
      '--seconds 5 --seed 7 --database galera --only cut --mutant no-lock --room claim --jobs 2'.split(' ');
    expect(parseProveArguments(args, known).options).to.eql({
      seconds: 5,
      seed: 7,
      database: 'galera',
      only: 'cut',
      mutant: 'no-lock',
      room: 'claim',
      jobs: 2,
    });
  });

  it('refuses what it does not know', () => {
    expect(() => parseProveArguments(['noise'], known)).to.throw('no experiment is named noise');
    expect(() => parseProveArguments(['--database', 'oracle'], known)).to.throw('--database takes');
    expect(() => parseProveArguments(['--seconds', 'long'], known)).to.throw('--seconds takes');
  });
});
