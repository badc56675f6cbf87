import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { packageRoot } from '../../../src/runtime/package.ts';
import { freePort } from '../../../test/harness/mariadb.ts';
import { newSharedSettings, startProcess } from '../../../test/harness/process.ts';
import type { Framework, Mode } from './bare.ts';
import { withChildren } from './processes.ts';

/** Something to measure, and the processes that do its work. */
export type Server = {
  name: string;
  url: string;
  /** Of further services that are measured together with it. */
  otherUrls?: string[];
  /** The name of the target that says how to use it. */
  target: string;
  /** How many connections it gets, if not as many as the others. */
  connections?: number;
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
export async function startBare(
  mode: Mode,
  { url, pids }: BenchDatabase,
  { pool, framework = 'node:http' }: { pool: number; framework?: Framework },
): Promise<Server> {
  const bare = await startScript('bare.ts', url, String(pool), mode, framework);
  return {
    name: framework === 'koa' ? `bare ${mode} with Koa` : `bare ${mode}`,
    target: 'json',
    url: bare.url,
    databasePids: pids,
    pids: () => [bare.pid],
    stop: bare.stop,
  };
}

/** Starts an upper bound for files: a bare HTTP server that writes bodies to the file of that path, and returns them. */
export function startBareFiles(path: string) {
  return startScript('bareFiles.ts', path);
}

/** Runs a server of this folder, which gets a port and these arguments, and waits until it responds. */
async function startScript(script: string, ...args: string[]) {
  const port = await freePort();
  const nodeArgs = ['--import', 'tsx', join(import.meta.dirname, script), String(port), ...args];
  const child = spawn(process.execPath, nodeArgs, {
    cwd: packageRoot,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const url = `http://127.0.0.1:${port}`;
  while (!(await isResponding(url))) {
    if (child.exitCode !== null) throw new Error(`${script} did not start`);
    await sleep(50);
  }
  return {
    url,
    pid: child.pid ?? 0,
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
