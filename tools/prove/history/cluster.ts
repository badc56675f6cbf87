import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { domainSettings, readConfig } from '../../../src/config.ts';
import { createDomain } from '../../../src/domain/index.ts';
import { type Client, createClient } from '../../../test/harness/api.ts';
import {
  type LaunchOptions,
  newSharedSettings,
  openServiceDatabase,
  type ServiceProcess,
  startProcess,
  startWorker,
} from '../../../test/harness/process.ts';
import { proxiedUrl, startProxy, type TcpProxy } from '../../../test/harness/proxy.ts';
import { type ClockShift, shiftedClock } from '../../../test/harness/shiftedClock.ts';
import { untilLater } from '../../../test/harness/until.ts';
import { createCommitFault } from './commits.ts';
import type { TestedDatabase } from './databases.ts';

export type ClusterOptions = {
  webs: number;
  workers: number;
  /** The program to run instead of the one built from these sources. */
  main: string | undefined;
  /** Settings beside those of every cluster. */
  settings?: Record<string, string>;
};

type StartedProcess = Pick<ServiceProcess, 'pid' | 'output' | 'kill9' | 'ended'>;
type Launch = (environment: Record<string, string>, options: LaunchOptions) => Promise<StartedProcess>;

/** A process of the service, which faults may replace. Its name stays. */
export type ClusterProcess = {
  name: string;
  /** Between it and its database; SQLite has none. */
  databaseProxy: TcpProxy | undefined;
  pid(): number;
  /** Whether it runs, and has not been killed. */
  isUp(): boolean;
  /** What it has written since it was started last. */
  output(): string;
  kill9(): Promise<void>;
  /** Starts its successor, with its clock shifted. */
  start(shift?: ClockShift): Promise<void>;
};

/** A web process, which clients reach through a proxy on a port that stays. */
export type ClusterWeb = ClusterProcess & { clientProxy: TcpProxy; client: Client; port(): number };

export type Cluster = Awaited<ReturnType<typeof startCluster>>;

/** Starts web processes and workers that share a database. They are spread over its servers. */
export async function startCluster(
  database: TestedDatabase,
  { webs, workers, main, settings: own = {} }: ClusterOptions,
) {
  const folder = await mkdtemp(join(tmpdir(), 'prove-'));
  const [url = ''] = database.urls;
  const shared = newSharedSettings(url);
  const store = openServiceDatabase(shared);
  const settings = {
    ...shared,
    RATE_LIMITS: 'off',
    FILES: 'everyone',
    FILES_DIR: folder,
    WEBHOOK_ALLOW_PRIVATE: 'true',
    ...own,
  };
  const domain = createDomain({
    database: store.database,
    keyring: store.keyring,
    settings: domainSettings(readConfig(settings)),
  });
  const commitFault = createCommitFault();
  const outputs: (() => string)[] = [];
  const closers: (() => Promise<unknown>)[] = [];
  const gone: string[] = [];

  /** The way of a process to its database: each has a proxy of its own. */
  async function databaseOf(index: number) {
    const server = database.urls[index % database.urls.length] ?? url;
    if (server.startsWith('sqlite:')) return { DATABASE_URL: server, databaseProxy: undefined };
    const { hostname, port } = new URL(server);
    const target = { host: hostname, port: Number(port) };
    const databaseProxy = await startProxy({ target, onPair: commitFault.watch });
    closers.push(databaseProxy.close);
    return { DATABASE_URL: proxiedUrl(server, databaseProxy), databaseProxy };
  }

  /** A place for a process: `launch` starts one there, now and after each fault. */
  async function place(name: string, index: number, launch: Launch): Promise<ClusterProcess> {
    const { DATABASE_URL, databaseProxy } = await databaseOf(index);
    let current: StartedProcess | undefined;

    async function start(shift?: ClockShift): Promise<void> {
      const clock = shift === undefined ? {} : shiftedClock(shift);
      const started = await launch({ ...settings, ...clock, DATABASE_URL }, { main });
      outputs.push(() => started.output);
      current = started;
      void started.ended.then(() => {
        if (current === started) gone.push(`${name} ended by itself:\n${lastLines(started.output)}`);
      });
    }

    async function kill9(): Promise<void> {
      const killed = current;
      current = undefined;
      await killed?.kill9();
    }

    await start();
    closers.push(kill9);
    return {
      name,
      databaseProxy,
      pid: () => Number(current?.pid),
      isUp: () => current !== undefined,
      output: () => current?.output ?? '',
      kill9,
      start,
    };
  }

  async function addWeb(index: number): Promise<ClusterWeb> {
    const clientProxy = await startProxy();
    const client = createClient(clientProxy.port, { connections: 128 });
    closers.push(clientProxy.close, async () => client.close());
    let port = 0;
    const process = await place(`web${index + 1}`, index, async (environment, options) => {
      const started = await startProcess(environment, options);
      port = started.port;
      clientProxy.retarget({ host: '127.0.0.1', port });
      return started;
    });
    return { ...process, clientProxy, client, port: () => port };
  }

  async function close(): Promise<void> {
    for (const closer of closers.reverse()) await closer();
    await store.close();
    await rm(folder, { recursive: true, force: true });
  }

  try {
    const first = await addWeb(0); // it migrates
    const started = {
      webs: [first, ...(await Promise.all(indexes(webs - 1).map((index) => addWeb(index + 1))))],
      workers: await Promise.all(
        indexes(workers).map((index) => place(`worker${index + 1}`, index + 1, startWorker)),
      ),
    };
    return {
      ...started,
      processes: [...started.webs, ...started.workers] as ClusterProcess[],
      database,
      commitFault,
      store,
      domain,
      settings,
      /** All that the processes wrote. */
      logs: () => outputs.map((text) => text()).join('\n'),
      /** What the processes logged as warnings or errors. */
      warnings: () => outputs.flatMap((text) => warningsIn(text())),
      /** Throws if a process has ended by itself, with what it wrote last. */
      requireRunning() {
        if (gone.length > 0) throw new Error(gone.join('\n'));
      },
      /** Waits until every web process is ready. Otherwise fails with what they wrote last. */
      ready: () =>
        untilLater(async () => {
          const ready = await Promise.all(started.webs.map(({ port }) => isReady(port())));
          return ready.every(Boolean);
        }).catch(async (cause: unknown) => {
          const states = await Promise.all(started.webs.map(describeState));
          throw new Error(`not ready:\n${states.join('\n')}`, { cause });
        }),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function describeState({ name, isUp, port, output }: ClusterWeb): Promise<string> {
  const readiness = await fetchReadiness(port()).then((response) => response.text(), String);
  return `${name}${isUp() ? '' : ' is not running'}: ${readiness}\n${lastLines(output())}`;
}

const lastLines = (text: string) => text.trim().split('\n').slice(-10).join('\n');

function warningsIn(output: string): string[] {
  return [...output.matchAll(/^\{"level":"(?:warn|error|fatal)".*"msg":"([^"]+)"\}$/gm)].map(([, message]) =>
    String(message),
  );
}

async function isReady(port: number): Promise<boolean> {
  return fetchReadiness(port).then(
    ({ ok }) => ok,
    () => false,
  );
}

const fetchReadiness = (port: number) => fetch(`http://127.0.0.1:${port}/readyz`);

const indexes = (count: number) => Array.from({ length: count }, (_, index) => index);
