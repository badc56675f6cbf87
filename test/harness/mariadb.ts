import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { createConnection } from 'mysql2/promise';
import { withinTime } from '../../src/retry.ts';
import { findProgram, installPackages, mayInstall } from './debian.ts';
import { createLifeline } from './lifeline.ts';

const run = promisify(execFile);
const isRoot = process.getuid?.() === 0;
const asUser = isRoot ? ['--user=root'] : [];
const startMs = 300_000;
const stopMs = 200_000;

/**
 * Starts a MariaDB server in a new folder within `parent`, on a free loopback port, with default durability. It is
 * killed when this process ends, even by SIGKILL. `options` are further settings of mariadbd, and `firstOptions` arguments
 * for its first start only.
 */
export async function startMariadb({
  options = [],
  firstOptions = [],
  parent = tmpdir(),
}: {
  options?: string[];
  firstOptions?: string[];
  parent?: string;
} = {}) {
  const programs = requireMariadb();
  const dir = await mkdtemp(join(parent, 'mariadb-'));
  const lifeline = createLifeline(dir);
  const socket = join(dir, 'socket');

  async function launch(port: number, extraOptions: string[] = []) {
    const file = await writeSettings(dir, [...settings({ dir, port, socket }), ...options]);
    const child = spawn(programs.server, [`--defaults-file=${file}`, ...extraOptions], {
      cwd: dir,
      detached: true,
      stdio: 'ignore',
    });
    await once(child, 'spawn');
    lifeline.hold(pidOf(child));
    child.once('exit', () => lifeline.release());
    await waitUntilResponding(child, port, dir);
    return child;
  }

  try {
    await installTables(programs.install, dir);
    const port = await freePort();
    let child = await launch(port, firstOptions);

    return {
      url: `mysql://root@127.0.0.1:${port}`,
      port,
      socket,
      dir,
      /** The pid of the running server; `restart` changes it. */
      get pid() {
        return pidOf(child);
      },
      /** Stops it with SIGTERM, and removes its folder. */
      async stop() {
        await terminate(child, 'SIGTERM');
        await lifeline.cut();
      },
      /** Kills it with SIGKILL. The folder stays, for `restart`. */
      kill9: () => terminate(child, 'SIGKILL'),
      /** Stops it with SIGSTOP until `thaw`. Returns once nothing is answered: its threads do not stop all at once. */
      async freeze() {
        const connection = await connect(port);
        child.kill('SIGSTOP');
        while ((await withinTime(connection.ping(), 200)) !== undefined);
        connection.destroy();
      },
      thaw: () => child.kill('SIGCONT'),
      /** Starts it again with the same port and folder, after a clean stop if it still runs. */
      async restart() {
        await terminate(child, 'SIGTERM');
        child = await launch(port);
      },
    };
  } catch (error) {
    await lifeline.cut();
    throw error;
  }
}

/** Installs the MariaDB server when it is missing and may be installed. Throws an error that says what to install. */
export async function ensureMariadb() {
  if (!hasMariadb() && mayInstall) await installPackages(['mariadb-server']);
  requireMariadb();
}

/** Whether the MariaDB server program is installed. */
export function hasMariadb(): boolean {
  return findPrograms() !== undefined;
}

/** Settings are in a file, where programs that the server starts look for them too. */
async function writeSettings(dir: string, options: string[]): Promise<string> {
  const file = join(dir, 'my.cnf');
  const lines = options.map((option) => option.replace(/^--/, ''));
  await writeFile(file, ['[mariadbd]', ...lines, ''].join('\n'));
  return file;
}

/** Small and quick to start, with default durability. */
function settings({ dir, port, socket }: { dir: string; port: number; socket: string }) {
  return [
    ...asUser,
    `--datadir=${join(dir, 'data')}`,
    `--socket=${socket}`,
    `--tmpdir=${dir}`,
    `--pid-file=${join(dir, 'pid')}`,
    `--log-error=${errorLog(dir)}`,
    `--port=${port}`,
    '--bind-address=127.0.0.1',
    '--skip-name-resolve',
    '--character-set-server=utf8mb4',
    '--innodb-flush-log-at-trx-commit=1',
    '--innodb-log-file-size=32M',
    '--innodb-buffer-pool-size=64M',
    '--performance-schema=OFF',
  ];
}

async function installTables(program: string, dir: string) {
  await run(program, [
    '--no-defaults',
    ...asUser,
    `--datadir=${join(dir, 'data')}`,
    `--tmpdir=${dir}`,
    '--auth-root-authentication-method=normal',
    '--skip-test-db',
    '--skip-name-resolve',
  ]);
}

async function waitUntilResponding(child: ChildProcess, port: number, dir: string) {
  const deadline = Date.now() + startMs;
  while (isRunning(child) && Date.now() < deadline) {
    if (await isResponding(port)) return;
    await sleep(25);
  }
  await terminate(child, 'SIGKILL');
  throw new Error(`mariadbd did not start:\n${await readFile(errorLog(dir), 'utf8').catch(() => '')}`);
}

async function isResponding(port: number) {
  try {
    const connection = await connect(port);
    await connection.ping();
    await connection.end();
    return true;
  } catch {
    return false;
  }
}

const connect = (port: number) =>
  createConnection({ host: '127.0.0.1', port, user: 'root', connectTimeout: 1000 });

async function terminate(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL') {
  if (!isRunning(child)) return;
  const exited = once(child, 'exit');
  child.kill(signal);
  const killTimer = setTimeout(() => child.kill('SIGKILL'), stopMs);
  await exited;
  clearTimeout(killTimer);
}

function isRunning(child: ChildProcess) {
  return child.exitCode === null && child.signalCode === null;
}

function pidOf(child: ChildProcess) {
  if (child.pid === undefined) throw new Error('mariadbd could not be started');
  return child.pid;
}

function errorLog(dir: string) {
  return join(dir, 'error.log');
}

/**
 * A free port below the range of outgoing connections. While the server is down between `kill9` and `restart`, a
 * retrying client could otherwise be assigned this port, connect to itself and keep it.
 */
export async function freePort(): Promise<number> {
  const port = randomInt(20_000, 32_000);
  const probe = createServer();
  try {
    await once(probe.listen(port, '127.0.0.1'), 'listening');
    return port;
  } catch {
    return freePort();
  } finally {
    probe.close();
  }
}

/** The programs of MariaDB. Throws an error that says what to install. */
export function requireMariadb() {
  const programs = findPrograms();
  if (programs) return programs;
  const command = process.platform === 'darwin' ? 'brew install mariadb' : 'apt-get install mariadb-server';
  throw new Error(
    `The MariaDB server program is missing: ${command} (npm test -- --only sqlite does not need it)`,
  );
}

function findPrograms() {
  const folders = mariadbFolders();
  const server = findProgram('mariadbd', folders);
  const install = findProgram('mariadb-install-db', folders);
  return server && install ? { server, install } : undefined;
}

function mariadbFolders() {
  const usual = [
    '/usr/sbin',
    '/usr/bin',
    '/usr/libexec',
    '/usr/local/sbin',
    '/usr/local/bin',
    '/usr/local/mysql/bin',
  ];
  return [...usual, ...brewFolders()];
}

function brewFolders() {
  return ['/opt/homebrew', '/usr/local', '/home/linuxbrew/.linuxbrew'].flatMap((prefix) => {
    const opt = join(prefix, 'opt');
    const kegs = existsSync(opt) ? readdirSync(opt).filter((keg) => keg.startsWith('mariadb')) : [];
    return [join(prefix, 'bin'), ...kegs.map((keg) => join(opt, keg, 'bin'))];
  });
}
