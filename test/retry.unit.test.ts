import { EventEmitter, once } from 'node:events';
import { expect } from 'chai';
import { growingDelay, randomDelay, retry, withinTime } from '../src/retry.ts';

/** Fails with the errors one after the other, then succeeds. */
function failing(...errors: string[]) {
  let calls = 0;
  return {
    calls: () => calls,
    work: async () => {
      const error = errors[calls++];
      if (error !== undefined) throw new Error(error);
      return 'done';
    },
  };
}

const messageOf = (error: unknown) => (error as Error).message;
const delayMs = () => 0;

describe('retry', () => {
  it('returns what the first successful attempt returns, and reports each error before it', async () => {
    const { work, calls } = failing('first', 'second');
    const reported: string[] = [];
    const result = await retry(work, { delayMs, onRetry: (error) => reported.push(messageOf(error)) });
    expect({ result, calls: calls(), reported }).to.deep.equal({
      result: 'done',
      calls: 3,
      reported: ['first', 'second'],
    });
  });

  it('throws the last error after so many attempts', async () => {
    const { work, calls } = failing('first', 'second', 'third');
    expect(await retry(work, { attempts: 2, delayMs }).catch(messageOf)).to.equal('second');
    expect(calls()).to.equal(2);
  });

  it('throws at once an error that is not worth a retry', async () => {
    const { work, calls } = failing('first', 'fatal');
    const isRetryable = (error: unknown) => messageOf(error) !== 'fatal';
    expect(await retry(work, { delayMs, isRetryable }).catch(messageOf)).to.equal('fatal');
    expect(calls()).to.equal(2);
  });

  it('cuts a wait short when its signal aborts, and then throws the last error', async () => {
    const { work, calls } = failing('first');
    const stopping = new AbortController();
    const onRetry = () => setImmediate(() => stopping.abort());
    const { signal } = stopping;
    expect(await retry(work, { delayMs: () => 3_600_000, onRetry, signal }).catch(messageOf)).to.equal(
      'first',
    );
    expect(calls()).to.equal(1);
  });

  it('waits ever longer up to a limit, or at random between two', () => {
    expect([1, 2, 3, 4, 5].map(growingDelay(100, 1_000))).to.deep.equal([100, 200, 400, 800, 1_000]);
    expect([1, 2, 3].map(growingDelay(5, 1_000, 3))).to.deep.equal([5, 15, 45]);
    expect([1, 2, 3].map(growingDelay(15_000, 5_000))).to.deep.equal([15_000, 15_000, 15_000]);
    for (let round = 0; round < 100; round++) expect(randomDelay(10, 200)()).to.be.within(10, 200);
  });
});

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
