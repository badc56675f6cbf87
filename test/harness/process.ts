import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { urlTokenDigest } from '../../src/crypto/cipher.ts';
import { newKey, parseKeyring } from '../../src/crypto/keyring.ts';
import { connectDatabase } from '../../src/database/database.ts';
import { ensureBuilt, mainFile } from './build.ts';
import { createLifeline } from './lifeline.ts';

const startMs = 100_000;
const stopMs = 60_000;

/** The settings that make processes one service: its database and its keys. */
export type SharedSettings = { DATABASE_URL: string; MASTER_KEYS: string; PEPPER: string };

/** Settings for a service of its own on a database, with fresh keys. */
export function newSharedSettings(url: string): SharedSettings {
  return { DATABASE_URL: url, MASTER_KEYS: `1:${newKey()}`, PEPPER: newKey() };
}

export type ServiceProcess = Awaited<ReturnType<typeof startProcess>>;

type Environment = Record<string, string>;

/**
 * Starts the real service as a process in a temp folder of its own, and waits until it is ready, or until it answers
 * where `until` says so. It knows nothing of this process's environment, and dies with it, however that ends. Its log
 * must be at `info` or finer; `imports` are modules for node to run before it, `within` the words of a command to run node by.
 */
export async function startProcess(
  environment: Environment,
  {
    imports = [],
    readyPath = '/readyz',
    wrapper = [],
  }: { imports?: string[]; readyPath?: '/readyz' | '/livez'; wrapper?: string[] } = {},
) {
  const started = await launch('start', environment, imports, wrapper);
  const url = await started.waitFor(async () => {
    const [, url] = /"url":"(http:[^"]+)"/.exec(started.process.output) ?? [];
    return url !== undefined && (await fetch(url + readyPath).catch(() => undefined))?.ok ? url : undefined;
  });
  return Object.assign(started.process, { url, port: Number(new URL(url).port) });
}

/** Starts a process like the service's that runs the jobs alone. */
export async function startWorker(environment: Environment) {
  const started = await launch('worker', environment, [], []);
  await started.waitFor(async () => started.process.output.includes('"msg":"worker started"') || undefined);
  return started.process;
}

async function launch(
  command: 'start' | 'worker',
  environment: Environment,
  imports: string[],
  wrapper: string[],
) {
  ensureBuilt();
  const folder = await mkdtemp(join(tmpdir(), 'process-'));
  const lifeline = createLifeline(folder);
  const options = imports.flatMap((module) => ['--import', module]);
  const [program = '', ...nodeArgs] = [...wrapper, process.execPath, ...options];
  const child = spawn(program, [...nodeArgs, mainFile, command], {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      TMPDIR: tmpdir(),
      HOST: '127.0.0.1',
      PORT: '0',
      RATE_LIMITS: 'off',
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

  /** Asks until there is something; a process that does not come so far is ended. */
  async function waitFor<T>(poll: () => Promise<T | undefined>): Promise<T> {
    for (const deadline = Date.now() + startMs; Date.now() < deadline && !hasExited(); await sleep(20)) {
      const found = await poll();
      if (found !== undefined) return found;
    }
    await end('SIGKILL');
    throw new Error(`The ${command} process did not come up:\n${output}`);
  }

  return {
    waitFor,
    process: {
      pid,
      folder,
      /** All that it has written to standard output and standard error. */
      get output() {
        return output;
      },
      /** Resolves when it has ended, however. */
      ended: exited,
      /** Stops it as an operator would, and gives its exit code. */
      stop: () => end('SIGTERM'),
      /** Kills it as a power cut would, at once: even before this returns. */
      kill9: () => end('SIGKILL'),
    },
  };
}

/** What the database holds of a push. */
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

/** The database of a service, for a look behind the service's back. */
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

  return { database, keyring, digest, push, close: database.close };
}
