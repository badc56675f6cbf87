import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { newKey, parseKeyring } from '../../src/crypto/keyring.ts';
import { urlTokenDigest } from '../../src/crypto/pepper.ts';
import { connectDatabase } from '../../src/database/database.ts';
import { builtMain } from './build.ts';
import { endsWithTest } from './endsWithTest.ts';
import { createLifeline } from './lifeline.ts';
import { freePort } from './mariadb.ts';

const startMs = 300_000;
const stopMs = 200_000;

/** The settings that all processes of a service share. */
export type SharedSettings = { DATABASE_URL: string; MASTER_KEYS: string; PEPPER: string };

/** The settings of a new service on a database, with new keys. */
export function newSharedSettings(url: string): SharedSettings {
  return { DATABASE_URL: url, MASTER_KEYS: `1:${newKey()}`, PEPPER: newKey() };
}

export type ServiceProcess = Awaited<ReturnType<typeof startProcess>>;

type Environment = Record<string, string>;

export type LaunchOptions = {
  /** Modules that Node loads first. */
  imports?: string[];
  /** A command to run Node with. */
  wrapper?: string[];
  /** The program; by default the one that is built from these sources. */
  main?: string | undefined;
};

/**
 * Starts the built service as a process in a temp folder, and waits until `readyPath` responds. It does not inherit the
 * environment of this process, and dies with it. Its log level must be `info` or finer.
 */
export async function startProcess(
  environment: Environment,
  { readyPath = '/readyz', ...options }: LaunchOptions & { readyPath?: '/readyz' | '/livez' } = {},
) {
  const started = await launch('start', environment, options);
  const url = await started.waitFor(async () => {
    const [, url] = /"url":"(http:[^"]+)"/.exec(started.process.output) ?? [];
    return url !== undefined && (await fetch(url + readyPath).catch(() => undefined))?.ok ? url : undefined;
  });
  return Object.assign(started.process, { url, port: Number(new URL(url).port) });
}

/** Starts a worker, which only runs the jobs. */
export async function startWorker(environment: Environment, options: LaunchOptions = {}) {
  const started = await launch('worker', environment, options);
  await started.waitFor(async () => started.process.output.includes('"msg":"worker started"') || undefined);
  return started.process;
}

async function launch(
  command: 'start' | 'worker',
  environment: Environment,
  { imports = [], wrapper = [], main = builtMain() }: LaunchOptions,
) {
  const folder = await mkdtemp(join(tmpdir(), 'process-'));
  const lifeline = createLifeline(folder);
  const options = imports.flatMap((module) => ['--import', module]);
  const [program = '', ...nodeArgs] = [...wrapper, process.execPath, ...options];
  const child = spawn(program, [...nodeArgs, main, command], {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      TMPDIR: tmpdir(),
      HOST: '127.0.0.1',
      PORT: String(await freePort()),
      RATE_LIMITS: 'off',
      MALLOC_ARENA_MAX: '1', // as `npm start` sets it
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const exited = once(child, 'exit');
  const hasExited = () => child.exitCode !== null || child.signalCode !== null;
  const pid = Number(child.pid);
  lifeline.hold(pid);

  async function end(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null> {
    if (!hasExited()) child.kill(signal);
    const timer = setTimeout(() => child.kill('SIGKILL'), stopMs);
    await exited;
    clearTimeout(timer);
    lifeline.release();
    await lifeline.cut();
    return child.exitCode;
  }

  endsWithTest(() => end('SIGKILL'));

  /** Polls until there is a result. Kills a process that does not get so far. */
  async function waitFor<T>(poll: () => Promise<T | undefined>): Promise<T> {
    for (const deadline = Date.now() + startMs; Date.now() < deadline && !hasExited(); await sleep(20)) {
      const found = await poll();
      if (found !== undefined) return found;
    }
    await end('SIGKILL');
    throw new Error(`The ${command} process did not start:\n${output}`);
  }

  return {
    waitFor,
    process: {
      pid,
      folder,
      /** Everything written to standard output and standard error. */
      get output() {
        return output;
      },
      /** Resolves when the process has ended. */
      ended: exited,
      /** Stops it with SIGTERM, and returns its exit code. */
      stop: () => end('SIGTERM'),
      /** Kills it with SIGKILL, before this function returns. */
      kill9: () => end('SIGKILL'),
    },
  };
}

/** A push as it is stored. */
export type StoredPush = {
  viewsMax: number;
  viewsUsed: number;
  payload: Buffer | null;
  passphraseHash: string | null;
  createdAt: number;
  expiresAt: number;
  expiredOn: number | null;
  deleted: boolean;
  /** The number of its `view` rows. */
  views: number;
  /** The number of its `expire` rows. */
  expiries: number;
};

export type ServiceDatabase = ReturnType<typeof openServiceDatabase>;

/** Opens the database of a service, to inspect it directly. */
export function openServiceDatabase({ DATABASE_URL, MASTER_KEYS, PEPPER }: SharedSettings) {
  const database = connectDatabase(DATABASE_URL, { poolSize: 4 });
  const keyring = parseKeyring(MASTER_KEYS, PEPPER);

  const digest = (urlToken: string) => urlTokenDigest(keyring, urlToken);

  async function push(urlToken: string): Promise<StoredPush> {
    const count = (kind: string) =>
      `(SELECT COUNT(*) FROM audit_rows WHERE push_id = pushes.id AND kind = '${kind}')`;
    const [row] = await database.select<StoredPush>(
      `SELECT views_max AS viewsMax, views_used AS viewsUsed, payload, passphrase_hash AS passphraseHash,
         created_at AS createdAt, expires_at AS expiresAt, expired_on AS expiredOn, deleted,
         ${count('view')} AS views, ${count('expire')} AS expiries FROM pushes WHERE token_digest = $digest`,
      { digest: digest(urlToken) },
    );
    if (row === undefined) throw new Error('The database does not have the push.');
    return { ...row, deleted: Boolean(row.deleted) };
  }

  /** Ends all leases of notices, as time would. */
  async function endLeases(): Promise<void> {
    await database.execute(`UPDATE notices SET due_at = ${database.dialect.now} WHERE lease IS NOT NULL`, {});
  }

  return { database, keyring, digest, push, endLeases, close: database.close };
}
