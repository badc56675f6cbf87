import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, type Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { parseMysqlUrl } from './mysql.ts';

/** Programs that do the same, the preferred one first. MariaDB and MySQL name them differently. */
type Names = readonly [string, string];

export const dumpPrograms: Names = ['mariadb-dump', 'mysqldump'];
export const clientPrograms: Names = ['mariadb', 'mysql'];

/**
 * Runs a client program of MariaDB or MySQL on a database. The credentials are in a file that only this user can read,
 * because others can see arguments. Throws an error that says what to install when there is none.
 */
export async function runMysqlProgram(
  names: Names,
  url: string,
  { args, ...streams }: Streams & { args: string[] },
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'hushpush-'));
  try {
    const options = join(folder, 'client.cnf');
    await writeFile(options, optionsOf(url), { mode: 0o600 });
    for (const name of names) {
      if (await run(name, [`--defaults-extra-file=${options}`, ...args], streams)) return;
    }
    throw new Error(`Neither ${names.join(' nor ')} is installed: install mariadb-client or mysql-client.`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** What a program reads, or where its output goes. */
type Streams = { input?: Readable; output?: Writable };

/** False if there is no such program. */
async function run(name: string, args: string[], { input, output }: Streams): Promise<boolean> {
  const child = spawn(name, args, { stdio: ['pipe', 'pipe', 'pipe'] });
  try {
    await once(child, 'spawn');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
  const closed = once(child, 'close');
  const [said] = await Promise.all([
    text(child.stderr),
    // A program that fails closes its input; what it says then is the reason.
    pipeline(input ?? Readable.from([]), child.stdin).catch(() => {}),
    output ? pipeline(child.stdout, output, { end: false }) : child.stdout.resume(),
  ]);
  const [code] = await closed;
  if (code !== 0) throw new Error(`${name} failed: ${reasonIn(said)}`);
  return true;
}

/** Programs also print warnings about options that only the other family has. */
function reasonIn(said: string): string {
  const lines = said.split('\n').filter((line) => line.trim() !== '' && !/warning/i.test(line));
  return lines.join(' ') || 'it did not say why';
}

function optionsOf(url: string): string {
  const { host, port, username, password, socketPath, isEncrypted } = parseMysqlUrl(url);
  const quoted = (value: string) => `"${value.replace(/["\\]/g, '\\$&')}"`;
  return [
    '[client]',
    `user=${quoted(username)}`,
    `password=${quoted(password)}`,
    ...(socketPath === null
      ? [`host=${quoted(host)}`, `port=${port}`, 'protocol=tcp']
      : [`socket=${quoted(socketPath)}`]),
    ...(isEncrypted ? ['loose-ssl', 'loose-ssl-mode=REQUIRED'] : ['loose-skip-ssl']),
    '[mysqldump]',
    'loose-set-gtid-purged=OFF',
    'loose-column-statistics=0',
    '',
  ].join('\n');
}
