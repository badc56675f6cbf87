import { createConnection } from 'mysql2/promise';
import { ensureMariadb, startMariadb } from './mariadb.ts';
import { untilLater } from './until.ts';

const sharedOptions = ['--log-bin=binlog', '--binlog-format=ROW', '--sync-binlog=1'];

/** Starts a MariaDB primary and replicas that follow it, as asynchronous as they are by default. */
export async function startReplicated(replicas = 2) {
  await ensureMariadb();
  const primary = await startMariadb({ options: [...sharedOptions, '--server-id=1'] });
  const servers = [primary];
  const stop = async () => {
    for (const server of servers.toReversed()) await server.stop();
  };
  try {
    for (let number = 1; number <= replicas; number++) {
      const replica = await startMariadb({ options: [...sharedOptions, `--server-id=${number + 1}`] });
      servers.push(replica);
      await query(
        replica.url,
        `CHANGE MASTER TO master_host = '127.0.0.1', master_port = ${primary.port}, master_user = 'root',
           master_use_gtid = slave_pos`,
      );
      await query(replica.url, 'START SLAVE');
      await untilLater(async () =>
        JSON.stringify(await query(replica.url, 'SHOW SLAVE STATUS')).includes('"Slave_SQL_Running":"Yes"'),
      );
    }
  } catch (error) {
    await stop();
    throw error;
  }
  return { url: primary.url, stop };
}

async function query(url: string, sql: string): Promise<unknown> {
  const connection = await createConnection(url);
  try {
    return (await connection.query(sql))[0];
  } finally {
    await connection.end();
  }
}
