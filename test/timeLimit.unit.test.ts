import { EventEmitter, once } from 'node:events';
import { expect } from 'chai';
import { withinTime } from '../src/timeLimit.ts';

describe('a time limit', () => {
  it('gives what is known in time, even undefined, and throws what failed', async () => {
    expect(await withinTime(Promise.resolve('known'), 60_000)).to.deep.equal({ value: 'known' });
    expect(await withinTime(Promise.resolve(undefined), 60_000)).to.deep.equal({ value: undefined });
    const failed = await withinTime(Promise.reject(new Error('broken')), 60_000).catch(String);
    expect(failed).to.equal('Error: broken');
  });

  it('gives undefined when time is up', async () => {
    const held = setTimeout(() => {}, 60_000); // its own timer keeps nobody up
    expect(await withinTime(once(new EventEmitter(), 'never'), 1)).to.equal(undefined);
    clearTimeout(held);
  });
});
