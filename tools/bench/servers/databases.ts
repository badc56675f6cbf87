import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createConnection } from 'mysql2/promise';
import { ensureGalera, startGalera } from '../../../test/harness/galera.ts';
import { ensureMariadb, startMariadb } from '../../../test/harness/mariadb.ts';
import { requireMysqlUrl } from '../../../test/harness/mysql.ts';
import { startReplicated } from '../../../test/harness/replicated.ts';
import { listenersOn } from './processes.ts';
import type { BenchDatabase } from './server.ts';

export type Databases = Awaited<ReturnType<typeof startDatabases>>;

/**
 * Starts a throwaway database server, with default durability, or takes that of TEST_DATABASE_URL for MySQL, and creates
 * databases on it; or creates SQLite files. `options` are further settings of mariadbd.
 */
export async function startDatabases(kind: string, options: string[] = []) {
  const dir = await mkdtemp(join(tmpdir(), 'bench-'));
  const server = await startServer(kind, options);
  const { port } = new URL(server?.url ?? 'mysql://127.0.0.1:0');
  const pids = server === undefined ? [] : listenersOn(Number(port));
  const run = randomBytes(4).toString('hex');
  const created: string[] = [];

  async function create(): Promise<BenchDatabase> {
    const name = `hushpush_${run}_${created.length + 1}`;
    created.push(name);
    if (server === undefined) return { url: `sqlite:${join(dir, name)}.db`, pids: () => [] };
    await query(server.url, `CREATE DATABASE ${name} CHARACTER SET utf8mb4`);
    return { url: new URL(`/${name}`, server.url).href, pids: () => pids };
  }

  async function stop(): Promise<void> {
    if (kind === 'mysql' && server)
      for (const name of created) await query(server.url, `DROP DATABASE ${name}`);
    await server?.stop();
    await rm(dir, { recursive: true, force: true });
  }

  return { create, stop };
}

async function query(url: string, sql: string): Promise<void> {
  const connection = await createConnection(url);
  await connection.query(sql).finally(() => connection.end());
}

async function startServer(
  kind: string,
  options: string[],
): Promise<{ url: string; stop(): Promise<void> } | undefined> {
  if (kind === 'sqlite') return undefined;
  if (kind === 'replicated') return startReplicated();
  if (kind === 'mysql') return { url: requireMysqlUrl(), stop: async () => {} };
  if (kind === 'galera') {
    await ensureGalera();
    const { nodes, stop } = await startGalera();
    return { url: nodes[0]?.url ?? '', stop };
  }
  if (kind !== 'mariadb') throw new Error('--database takes mariadb, replicated, galera, mysql or sqlite');
  await ensureMariadb();
  return startMariadb({ options });
}
