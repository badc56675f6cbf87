import { createConnection } from 'mysql2/promise';
import { freshDatabase, freshSqlite } from '../../../test/harness/database.ts';
import { ensureGalera, startGalera } from '../../../test/harness/galera.ts';
import { ensureMariadb, startMariadb } from '../../../test/harness/mariadb.ts';
import { requireMysqlUrl } from '../../../test/harness/mysql.ts';
import type { ProveDatabase } from '../experiment.ts';

/** A server of the tested database. */
type DatabaseNode = {
  /** Its process; `restart` changes it. */
  readonly pid: number;
  kill9(): Promise<void>;
  restart(): Promise<void>;
};

export type TestedDatabase = {
  /** For each server, the address of the database on it. */
  urls: string[];
  /** The servers that faults may strike. SQLite has none, and one that is only given is left alone. */
  nodes: DatabaseNode[];
  close(): Promise<void>;
};

const name = 'hushpush';

/** Creates an empty database of a kind. */
export async function openTestedDatabase(kind: ProveDatabase): Promise<TestedDatabase> {
  if (kind === 'sqlite') {
    const { url, drop } = await freshSqlite();
    return { urls: [url], nodes: [], close: drop };
  }
  if (kind === 'mysql') {
    requireMysqlUrl();
    const { urls, drop } = await freshDatabase();
    return { urls, nodes: [], close: drop };
  }
  if (kind === 'galera') {
    await ensureGalera();
    const { nodes, stop } = await startGalera();
    return openOn(nodes, stop);
  }
  await ensureMariadb();
  const server = await startMariadb({ options: ['--max-allowed-packet=4M'] }); // less than the large payloads of a group
  return openOn([server], server.stop);
}

/** Creates an empty database on connected servers. */
async function openOn(
  nodes: (DatabaseNode & { url: string })[],
  stop: () => Promise<void>,
): Promise<TestedDatabase> {
  const connection = await createConnection(nodes[0]?.url ?? '');
  await connection.query(`CREATE DATABASE ${name}`);
  await connection.end();
  return { urls: nodes.map(({ url }) => `${url}/${name}`), nodes, close: stop };
}
