import { expect } from 'chai';
import { endsWithTest } from './endsWithTest.ts';

describe('What a test starts', () => {
  const ended: string[] = [];
  const start = (name: string) => endsWithTest(async () => ended.push(name));
  let shared: () => Promise<unknown>;

  before(() => {
    shared = start('shared');
  });

  it('may be ended by the test', async () => {
    start('first');
    const second = start('second');
    start('third');
    await Promise.all([second(), second()]);
    expect(ended).to.eql(['second']);
  });

  it('has ended when the next one begins, the last first, but not what was started for both', async () => {
    expect(ended).to.eql(['second', 'third', 'first']);
    await shared();
    expect(ended.at(-1)).to.equal('shared');
  });
});
