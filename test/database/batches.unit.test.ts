import { expect } from 'chai';
import { createBatches } from '../../src/database/batches.ts';
import { unavailable } from '../../src/errors.ts';
import { refusalOf } from '../harness/refusal.ts';
import { until } from '../harness/until.ts';

type Run = { items: string[]; finish: () => void; fail: (error: unknown) => void };

/** Batches that run until the test ends them. */
function heldBatches(options: Partial<Parameters<typeof createBatches<string, string>>[0]> = {}) {
  const runs: Run[] = [];
  const run = (items: string[]) =>
    new Promise<string[]>((resolve, reject) => {
      runs.push({ items, finish: () => resolve(items.map((item) => `done ${item}`)), fail: reject });
    });
  const limits = { running: 1, size: 3, waiting: 4, bytes: 100 };
  const open = (more = {}) => createBatches<string, string>({ run, ...options }, { ...limits, ...more });
  return { runs, open };
}

const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('Batches', () => {
  it('run a lone item at once, by itself', async () => {
    const { runs, open } = heldBatches();
    const result = open().submit('a');
    expect(runs.map(({ items }) => items)).to.eql([['a']]);
    runs[0]?.finish();
    expect(await result).to.equal('done a');
  });

  it('run together what arrives while others run, oldest first, and give each its own result', async () => {
    const { runs, open } = heldBatches();
    const batches = open();
    const results = ['a', 'b', 'c', 'd', 'e'].map(batches.submit);
    expect(batches.waiting()).to.equal(4);
    for (let index = 0; index < 3; index++) {
      runs[index]?.finish();
      await settled();
    }
    expect(runs.map(({ items }) => items)).to.eql([['a'], ['b', 'c', 'd'], ['e']]);
    expect(await Promise.all(results)).to.eql(['done a', 'done b', 'done c', 'done d', 'done e']);
  });

  it('have few sizes, and leave the youngest for the next one', async () => {
    const { runs, open } = heldBatches();
    const { submit } = open({ size: 32, waiting: 60 });
    const items = Array.from({ length: 60 }, (_, index) => `${index}`);
    const results = items.map(submit);
    for (let index = 0; index < 6; index++) {
      runs[index]?.finish();
      await settled();
    }
    expect(runs.map((run) => run.items.length)).to.eql([1, 32, 24, 3]);
    expect(runs.flatMap((run) => run.items)).to.eql(items);
    await Promise.all(results);
  });

  /** The sizes of the first batches of clients that ask again once they are answered, four times each. */
  async function sizesOf(count: number): Promise<number[]> {
    const { runs, open } = heldBatches();
    const { submit } = open({ size: 32, waiting: 60 });
    const clients = Array.from({ length: count }, async (_, client) => {
      for (let time = 0; time < 4; time++) {
        await submit(`${client}`);
        await settled();
      }
    });
    for (let index = 0; index < 11; index++) {
      runs[index]?.finish();
      await settled();
      await settled();
    }
    await Promise.all(clients);
    return runs.slice(0, 8).map(({ items }) => items.length);
  }

  it('become equally large while the same clients ask again and again', async () => {
    expect(await sizesOf(32)).to.eql([1, 24, 8, 16, 16, 16, 16, 16]);
  });

  it('have the next larger size where half of the clients is none', async () => {
    expect(await sizesOf(20)).to.eql([1, 16, 4, 12, 8, 12, 8, 12]);
  });

  it('start beside another once they are full', async () => {
    const { runs, open } = heldBatches();
    const batches = open({ running: 2, slowMs: 60_000 });
    const results = ['a', 'b', 'c'].map(batches.submit);
    expect(runs.map(({ items }) => items)).to.eql([['a']]);
    results.push(batches.submit('d'));
    expect(runs.map(({ items }) => items)).to.eql([['a'], ['b', 'c', 'd']]);
    for (const { finish } of runs) finish();
    expect(await Promise.all(results)).to.have.length(4);
  });

  it('start beside another once their items are large enough together', async () => {
    const { runs, open } = heldBatches({ bytesOf: (item) => Number(item) });
    const batches = open({ running: 2, slowMs: 60_000 });
    const results = ['1', '99'].map(batches.submit);
    expect(runs.map(({ items }) => items)).to.eql([['1']]);
    results.push(batches.submit('2'));
    expect(runs.map(({ items }) => items)).to.eql([['1'], ['99']]);
    for (let index = 0; index < 3; index++) {
      runs[index]?.finish();
      await settled();
    }
    expect(await Promise.all(results)).to.have.length(3);
  });

  it('start beside another that takes long', async () => {
    const { runs, open } = heldBatches();
    const batches = open({ running: 2, slowMs: 1 });
    const [hanging, ...others] = ['a', 'b', 'c'].map(batches.submit);
    await until(() => runs.length === 2);
    runs[1]?.finish();
    expect(await Promise.all(others)).to.eql(['done b', 'done c']);
    runs[0]?.finish();
    await hanging;
  });

  it('never run items with the same key at the same time', async () => {
    const { runs, open } = heldBatches({ keyOf: (item) => item.charAt(0) });
    const batches = open({ running: 2, slowMs: 0 });
    const results = ['a1', 'a2', 'b1', 'a3'].map(batches.submit);
    expect(runs.map(({ items }) => items)).to.eql([['a1'], ['b1']]);
    runs[0]?.finish();
    await settled();
    expect(runs[2]?.items).to.eql(['a2', 'a3']);
    for (const { finish } of runs) finish();
    expect(await Promise.all(results)).to.have.length(4);
  });

  it('stay below their size in bytes, unless a single item exceeds it', async () => {
    const { runs, open } = heldBatches({ bytesOf: (item) => Number(item) });
    const results = ['0', '40', '60', '1', '500'].map(open().submit);
    for (let index = 0; index < 4; index++) {
      runs[index]?.finish();
      await settled();
    }
    expect(runs.map(({ items }) => items)).to.eql([['0'], ['40', '60'], ['1'], ['500']]);
    await Promise.all(results);
  });

  it('run their items one by one after a failure, which concerns only the item that fails alone', async () => {
    const tried: string[][] = [];
    const batches = createBatches<string, string>(
      {
        async run(items) {
          tried.push(items);
          await settled();
          if (items.includes('bad')) throw new Error('tulip');
          return items;
        },
      },
      { running: 1 },
    );
    const results = await Promise.allSettled(['first', 'good', 'bad', 'also good'].map(batches.submit));
    expect(results.map(({ status }) => status)).to.eql(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
    expect(tried).to.eql([['first'], ['good', 'bad', 'also good'], ['good'], ['bad'], ['also good']]);
  });

  it('try nothing again when the outcome is unknown, and give nobody a result', async () => {
    const { runs, open } = heldBatches();
    const [first, ...others] = ['a', 'b', 'c'].map(open().submit);
    runs[0]?.finish();
    await first;
    await settled();
    const results = Promise.allSettled(others);
    runs[1]?.fail(unavailable('commitUnconfirmed'));
    await settled();
    expect(runs).to.have.length(2);
    expect((await results).map(({ status }) => status)).to.eql(['rejected', 'rejected']);
  });

  it('run them one by one although the outcome of a statement would be unknown, when only other failures are final', async () => {
    const tried: string[][] = [];
    const run = async (items: string[]) => {
      tried.push(items);
      await settled();
      if (items.length > 1) throw unavailable('databaseUnreachable');
      return items;
    };
    const isFinal = () => false;
    const batches = createBatches<string, string>({ run, isFinal }, { running: 1 });
    expect(await Promise.all(['a', 'b', 'c'].map(batches.submit))).to.eql(['a', 'b', 'c']);
    expect(tried).to.eql([['a'], ['b', 'c'], ['b'], ['c']]);
  });

  it('drop what need not run any more when its turn comes', async () => {
    const over = new Set<string>();
    const { runs, open } = heldBatches({
      withoutRun: (item) => (over.has(item) ? `dropped ${item}` : undefined),
    });
    const results = ['a', 'b', 'c', 'd', 'e'].map(open().submit);
    for (const item of ['b', 'c', 'd']) over.add(item);
    runs[0]?.finish();
    await settled();
    expect(runs.map(({ items }) => items)).to.eql([['a'], ['e']]);
    runs[1]?.finish();
    expect(await Promise.all(results)).to.eql(['done a', 'dropped b', 'dropped c', 'dropped d', 'done e']);
  });

  it('let small items pass a large one that has no room yet, and the oldest go first', async () => {
    const { runs, open } = heldBatches({ bytesOf: (item) => Number(item) });
    const results = ['0', '90', '80', '5'].map(open().submit);
    for (let index = 0; index < 3; index++) {
      runs[index]?.finish();
      await settled();
    }
    expect(runs.map(({ items }) => items)).to.eql([['0'], ['90', '5'], ['80']]);
    await Promise.all(results);
  });

  it('refuse what exceeds their queue, with a time to try again', async () => {
    const { runs, open } = heldBatches();
    const batches = open();
    const accepted = ['a', 'b', 'c', 'd', 'e'].map(batches.submit);
    const { code, messageCode, retryAfterSeconds } = await refusalOf(batches.submit('f'));
    expect({ code, messageCode, retryAfterSeconds }).to.eql({
      code: 'unavailable',
      messageCode: 'databaseBusy',
      retryAfterSeconds: 1,
    });
    for (let index = 0; index < 3; index++) {
      runs[index]?.finish();
      await settled();
    }
    expect(await Promise.all(accepted)).to.have.length(5);
  });

  it('refuse what has waited too long, and never run it', async () => {
    const { runs, open } = heldBatches();
    const batches = open({ waitingMs: 1 });
    const first = batches.submit('a');
    for (const late of ['b', 'c'])
      expect((await refusalOf(batches.submit(late))).code).to.equal('unavailable');
    runs[0]?.finish();
    await first;
    expect({ runs: runs.length, waiting: batches.waiting() }).to.eql({ runs: 1, waiting: 0 });
  });
});
