import type { Job } from './jobs.ts';

/** Called after each run of a job. */
export type OnRun = (name: string, ms: number, error?: unknown) => void;

/**
 * Runs a job one at a time in this process. A call during a run starts one more run afterwards. Never rejects: failed
 * runs are reported. Resolves to whether all went well.
 */
export function createRunner(job: Job, isStopping: () => boolean, onRun: OnRun) {
  let running: Promise<boolean> | undefined;
  let isRequestedAgain = false;

  async function runAll(): Promise<boolean> {
    do {
      isRequestedAgain = false;
      const startedAt = performance.now();
      try {
        await job.run(isStopping);
        onRun(job.name, performance.now() - startedAt);
      } catch (error) {
        onRun(job.name, performance.now() - startedAt, error);
        return false;
      }
    } while (isRequestedAgain && !isStopping());
    return true;
  }

  async function run(): Promise<boolean> {
    isRequestedAgain = true;
    running ??= runAll().finally(() => {
      running = undefined;
    });
    return running;
  }

  return Object.assign(run, { settled: async () => running });
}
