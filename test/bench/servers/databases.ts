import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createConnection } from 'mysql2/promise';
import { ensureGalera, startGalera } from '../../harness/galera.ts';
import { ensureMariadb, startMariadb } from '../../harness/mariadb.ts';
import { startReplicated } from '../../harness/replicated.ts';
import { listenersOn } from './processes.ts';
import type { BenchDatabase } from './server.ts';

export type Databases = Awaited<ReturnType<typeof startDatabases>>;

/** Starts a throwaway database server, with default durability, and creates databases on it; or creates SQLite files. `options` are
 * further settings of mariadbd. */
export async function startDatabases(kind: string, options: string[] = []) {
  const dir = await mkdtemp(join(tmpdir(), 'bench-'));
  const server = await startServer(kind, options);
  const { port } = new URL(server?.url ?? 'mysql://127.0.0.1:0');
  const pids = server === undefined ? [] : listenersOn(Number(port));
  let created = 0;

  async function create(): Promise<BenchDatabase> {
    const name = `hushpush_${++created}`;
    if (server === undefined) return { url: `sqlite:${join(dir, name)}.db`, pids: () => [] };
    const connection = await createConnection(server.url);
    await connection.query(`CREATE DATABASE ${name} CHARACTER SET utf8mb4`);
    await connection.end();
    return { url: `${server.url}/${name}`, pids: () => pids };
  }

  async function stop(): Promise<void> {
    await server?.stop();
    await rm(dir, { recursive: true, force: true });
  }

  return { create, stop };
}

async function startServer(
  kind: string,
  options: string[],
): Promise<{ url: string; stop(): Promise<void> } | undefined> {
  if (kind === 'sqlite') return undefined;
  if (kind === 'replicated') return startReplicated();
  if (kind === 'galera') {
    await ensureGalera();
    const { nodes, stop } = await startGalera();
    return { url: nodes[0]?.url ?? '', stop };
  }
  if (kind !== 'mariadb') throw new Error('--database takes mariadb, replicated, galera or sqlite');
  await ensureMariadb();
  return startMariadb({ options });
}
