import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { packageRoot } from '../../../src/runtime/package.ts';
import { freePort } from '../../harness/mariadb.ts';
import { newSharedSettings, startProcess } from '../../harness/process.ts';
import type { Mode } from './bare.ts';
import { withChildren } from './processes.ts';

/** Something to measure, and the processes that do its work. */
export type Server = {
  name: string;
  url: string;
  /** The name of the target that says how to use it. */
  target: string;
  pids: () => number[];
  databasePids: () => number[];
  stop: () => Promise<unknown>;
};

export type BenchDatabase = { url: string; pids: () => number[] };

type Settings = Record<string, string>;

/** Starts a built hushpush. `root` is the folder of its sources, by default ours. */
export async function startHushpush(
  { url, pids }: BenchDatabase,
  settings: Settings = {},
  { name = 'hushpush', target = 'json', root = packageRoot } = {},
): Promise<Server> {
  const service = await startProcess(
    { ...newSharedSettings(url), ...settings },
    { main: join(root, 'dist/src/main.js') },
  );
  return {
    ...{ name, target, url: service.url, databasePids: pids },
    pids: () => withChildren(service.pid),
    stop: service.stop,
  };
}

/** Starts an upper bound: a bare HTTP server over a bare driver, on a database that hushpush has migrated. */
export async function startBare(mode: Mode, { url, pids }: BenchDatabase, pool: number): Promise<Server> {
  const port = await freePort();
  const script = join(import.meta.dirname, 'bare.ts');
  const child = spawn(process.execPath, ['--import', 'tsx', script, String(port), url, String(pool), mode], {
    cwd: packageRoot,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const address = `http://127.0.0.1:${port}`;
  while (!(await isResponding(address))) {
    if (child.exitCode !== null) throw new Error(`the bare ${mode} server did not start`);
    await sleep(50);
  }
  return {
    ...{ name: `bare ${mode}`, target: 'json', url: address, databasePids: pids },
    pids: () => [child.pid ?? 0],
    async stop() {
      child.kill('SIGTERM');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    },
  };
}

async function isResponding(url: string): Promise<boolean> {
  return fetch(url).then(
    ({ ok }) => ok,
    () => false,
  );
}
