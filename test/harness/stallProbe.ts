import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect } from 'chai';

/**
 * The slowest response to `/livez`. `cpuMs` is how long the service's main thread ran meanwhile: unlike the time on the
 * wall it does not grow when the machine is busy with something else.
 */
export type Stall = { wallMs: number; cpuMs: number; asked: number; failed: number };

export type StallProbe = Awaited<ReturnType<typeof startStallProbe>>;

const intervalMs = 20;

/**
 * The longest stall that a test accepts. Four times what we promise, since the main thread of a test also runs the test
 * itself and its garbage collection; the defects that this guards against took seconds.
 */
const stallMaxMsInTests = 400;

/**
 * Asks a service for `/livez` every 20 ms, from a thread of its own, so that a busy test does not count. `pid` is the
 * process of the service; by default, it runs in this one. `localAddress` is the address to ask from.
 */
export async function startStallProbe({
  port,
  pid = process.pid,
  stallMaxMs = stallMaxMsInTests,
  localAddress,
}: {
  port: number;
  pid?: number;
  stallMaxMs?: number;
  localAddress?: string;
}) {
  const thread = new Worker(new URL('./stallProbeThread.js', import.meta.url), {
    workerData: { port, pid, intervalMs, localAddress },
    execArgv: [],
  });
  thread.unref();
  await once(thread, 'message');
  let slowest = { wallMs: 0, cpuMs: 0, during: 'nothing' };

  /** Returns the slowest response during some work. Calls must not overlap. */
  async function measure<T>(name: string, work: () => Promise<T>): Promise<{ result: T; stall: Stall }> {
    thread.postMessage('begin');
    try {
      return { result: await work(), stall: await end(name) };
    } catch (error) {
      await end(name);
      throw error;
    }
  }

  async function end(name: string): Promise<Stall> {
    const answer = once(thread, 'message');
    thread.postMessage('end');
    const [stall] = (await answer) as [Stall];
    if (stall.cpuMs >= slowest.cpuMs) slowest = { ...stall, during: name };
    return stall;
  }

  /** As `measure`, but fails after a stall, or when the service did not respond at all. */
  async function requireNoStall<T>(name: string, work: () => Promise<T>): Promise<T> {
    const { result, stall } = await measure(name, work);
    expect(stall.cpuMs, `the stall in ms of CPU time during ${name}`).to.be.below(stallMaxMs);
    expect(stall.failed, `unanswered requests to /livez during ${name}`).to.equal(0);
    return result;
  }

  /** One line on the slowest response so far. */
  function report(): string {
    const { wallMs, cpuMs, during } = slowest;
    return `slowest /livez: ${wallMs.toFixed()} ms, of which ${cpuMs.toFixed()} ms of CPU time, during ${during}`;
  }

  async function stop(): Promise<void> {
    const ended = once(thread, 'exit');
    thread.postMessage('stop');
    await ended;
  }

  return { measure, requireNoStall, report, stop };
}
