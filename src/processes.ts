import cluster, { type Worker } from 'node:cluster';
import { setTimeout as sleep } from 'node:timers/promises';

/** The exit code for settings or keys that cannot work (EX_CONFIG of sysexits.h): starting again would not help. */
export const exitConfig = 78;

const respawnMs = 1_000;

/** Resolves when the process is asked to stop; asked again, it stops at once. */
export function askedToStop(): Promise<void> {
  return new Promise((resolve) => {
    let asked = false;
    const stop = () => {
      if (asked) process.exit(1);
      asked = true;
      resolve();
    };
    process.on('SIGTERM', stop).on('SIGINT', stop);
    if (cluster.isWorker) process.on('disconnect', resolve);
  });
}

/** Runs so many processes of one service, replaces those that die, and resolves when all have stopped after being asked to. */
export async function runWebProcesses(count: number): Promise<void> {
  let isStopping = false;
  const stop = () => {
    isStopping = true;
    for (const worker of Object.values(cluster.workers ?? {})) worker?.kill('SIGTERM');
  };
  askedToStop().then(stop);

  async function keepOne(): Promise<void> {
    while (!isStopping) {
      const code = await exitOf(cluster.fork());
      if (code === exitConfig) {
        process.exitCode = exitConfig;
        stop();
      }
      if (!isStopping) await sleep(respawnMs);
    }
  }

  await Promise.all(Array.from({ length: count }, keepOne));
}

function exitOf(worker: Worker): Promise<number> {
  return new Promise((resolve) => {
    worker.once('exit', (code) => resolve(code));
  });
}
