import { expect } from 'chai';
import { createFairQueue } from '../../../src/domain/limits/fairQueue.ts';
import { hashing } from '../../../src/domain/limits/rules.ts';
import { refusalOf } from '../../harness/refusal.ts';

const waitingMs = 60_000;

/** Jobs that end when they are told to, and the order in which they started. */
function createJobs(queue: ReturnType<typeof createFairQueue>) {
  const started: string[] = [];
  const running: (() => void)[] = [];

  function add(key: string, name: string, isGone?: () => boolean): Promise<string> {
    const job = queue.run({ key, isGone }, async () => {
      started.push(name);
      await new Promise<void>((resolve) => running.push(resolve));
      return name;
    });
    job.catch(() => {}); // refused at the deadline, where a test leaves jobs waiting
    return job;
  }

  /** Ends the job that has run for the longest time, and lets the next one start. */
  async function endOne(): Promise<void> {
    running.shift()?.();
    await new Promise(setImmediate);
  }

  return { started, add, endOne };
}

describe('The queue of password checks', () => {
  it('lets everybody who arrives go before the backlog of one client', async () => {
    const jobs = createJobs(createFairQueue({ running: 1, waiting: 32, waitingPerClient: 7, waitingMs }));
    for (let i = 0; i < 8; i++) void jobs.add('flooder', `flooder ${i}`);
    for (const bystander of ['ann', 'bob']) void jobs.add(bystander, bystander);
    for (let i = 0; i < 4; i++) await jobs.endOne();
    expect(jobs.started).to.deep.equal(['flooder 0', 'ann', 'bob', 'flooder 1', 'flooder 2']);
  });

  it('runs one job of a client at once, even if nobody else waits', async () => {
    const jobs = createJobs(createFairQueue({ running: 2, waiting: 32, waitingPerClient: 7, waitingMs }));
    for (let i = 0; i < 3; i++) void jobs.add('flooder', `flooder ${i}`);
    void jobs.add('ann', 'ann');
    expect(jobs.started).to.deep.equal(['flooder 0', 'ann']);
    await jobs.endOne();
    expect(jobs.started).to.deep.equal(['flooder 0', 'ann', 'flooder 1']);
  });

  it('refuses a client that has too many jobs, and nobody else', async () => {
    const jobs = createJobs(createFairQueue({ running: 1, waiting: 32, waitingPerClient: 1, waitingMs }));
    for (let i = 0; i < 2; i++) void jobs.add('flooder', `flooder ${i}`);
    const { code, retryAfterSeconds } = await refusalOf(jobs.add('flooder', 'flooder 2'));
    expect({ code, retryAfterSeconds }).to.deep.equal({ code: 'too_many', retryAfterSeconds: 1 });
    void jobs.add('ann', 'ann');
    await jobs.endOne();
    expect(jobs.started).to.deep.equal(['flooder 0', 'ann']);
  });

  it('refuses everybody when too many clients wait, and accepts them again once there is room', async () => {
    const jobs = createJobs(createFairQueue({ running: 1, waiting: 2, waitingPerClient: 1, waitingMs }));
    for (const name of ['ann', 'bob', 'carol']) void jobs.add(name, name);
    expect(await refusalOf(jobs.add('dan', 'dan'))).to.include({ code: 'unavailable', retryAfterSeconds: 2 });
    await jobs.endOne();
    void jobs.add('dan', 'dan');
    for (let i = 0; i < 2; i++) await jobs.endOne();
    expect(jobs.started).to.deep.equal(['ann', 'bob', 'carol', 'dan']);
  });

  it('never starts a job whose client has disconnected', async () => {
    const queue = createFairQueue({ running: 1, waiting: 32, waitingPerClient: 7, waitingMs });
    const jobs = createJobs(queue);
    const gone: string[] = [];
    void jobs.add('ann', 'ann');
    const dropped = ['bob', 'carol'].map((name) =>
      refusalOf(jobs.add(name, name, () => gone.includes(name))),
    );
    void jobs.add('dan', 'dan');
    gone.push('bob', 'carol');
    await jobs.endOne();
    await Promise.all(dropped);
    expect(jobs.started).to.deep.equal(['ann', 'dan']);
    expect(queue.counts()).to.deep.equal({ started: 2, running: 1, waiting: 0 });
  });

  it('refuses a job that has waited too long, and never starts it', async () => {
    const queue = createFairQueue({ running: 1, waiting: 32, waitingPerClient: 7, waitingMs: 1 });
    const jobs = createJobs(queue);
    void jobs.add('ann', 'ann');
    expect(await refusalOf(jobs.add('bob', 'bob'))).to.include({ code: 'unavailable', retryAfterSeconds: 2 });
    await jobs.endOne();
    expect(jobs.started).to.deep.equal(['ann']);
    expect(queue.counts()).to.deep.equal({ started: 1, running: 0, waiting: 0 });
  });

  it('goes on after a job has failed', async () => {
    const queue = createFairQueue({ running: 1, waiting: 2, waitingPerClient: 1, waitingMs });
    const failing = queue.run({ key: 'ann' }, () => Promise.reject(new Error('no')));
    const next = queue.run({ key: 'bob' }, async () => 'done');
    expect(await failing.catch(({ message }) => message)).to.equal('no');
    expect(await next).to.equal('done');
  });
});

describe('Hashing', () => {
  it('costs 2^12 rounds for the password of an account and 2^10 for the passphrase of a push', () => {
    expect([hashing.account.cost, hashing.passphrase.cost]).to.deep.equal([12, 10]);
  });

  it('leaves one of the four threads of libuv to files and DNS', () => {
    expect(hashing.account.running + hashing.passphrase.running).to.equal(3);
  });
});
