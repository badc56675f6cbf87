import { join } from 'node:path';
import { docker, imageName, nodeInImage } from './docker.ts';

type Line = {
  at?: number;
  attempt?: number;
  isAnswered?: boolean;
  gaveUp?: string;
  wrong?: string;
  kept?: number;
  lost?: string[];
};

const stopSeconds = 600;

/** Starts clients in a container that push and read until they are stopped. */
export async function startTraffic(name: string, origin: string, options: string[]) {
  const script = ['--volume', `${join(import.meta.dirname, 'traffic.mjs')}:/traffic.mjs:ro`];
  const command = [imageName, '/traffic.mjs', origin];
  await docker([
    'run',
    '--detach',
    '--name',
    name,
    ...options,
    ...script,
    '--entrypoint',
    nodeInImage,
    ...command,
  ]);
  const lines = async (): Promise<Line[]> =>
    (await docker(['logs', name]))
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line));

  return {
    /** What was sent since a time: requests, those among them that were sent again, and what was not as it should be. */
    async since(time: number) {
      const sent = (await lines()).filter(({ at = 0 }) => at >= time);
      return {
        requests: sent.filter(({ attempt }) => attempt === 1).length,
        unanswered: sent.filter(({ isAnswered }) => isAnswered === false).length,
        wrong: sent.flatMap(({ gaveUp, wrong }) => gaveUp ?? wrong ?? []),
      };
    },
    /** Ends them, and returns how many pushes they read last, and which were lost. */
    async stop() {
      await docker(['stop', '--time', String(stopSeconds), name]);
      const all = await lines();
      const { kept = 0, lost = ['all: they did not end'] } = all.find((line) => 'kept' in line) ?? {};
      return { kept, lost };
    },
    remove: () => docker(['rm', '--force', name]).catch(() => {}),
  };
}
