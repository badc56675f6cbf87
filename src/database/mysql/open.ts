import type { Socket } from 'node:net';
import { Sequelize } from 'sequelize';
import { minuteMs } from '../../time.ts';
import { sharedOptions } from '../dialect.ts';
import { silenceCode } from '../errors.ts';

const lockWaitSeconds = 3;
const silenceTimeoutMs = 10_000;
const connectTimeoutMs = 4_000;
const acquireTimeoutMs = 5_000;
/** Of each connection. mysql2 would reserve memory for 16,000, as many as a server has for all by default. */
const preparedMax = 1_000;

/** Returns a row on a node of a Galera cluster, and none elsewhere. */
export const galeraProbe = "SHOW VARIABLES WHERE Variable_name = 'wsrep_on' AND Value = 'ON'";

/** The parts of `mysql://USER:PASSWORD@HOST:PORT/NAME?socket=PATH&ssl=true`. */
function parseMysqlUrl(url: string) {
  const { hostname, port, username, password, pathname, searchParams } = new URL(url);
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port || 3306),
    username: decodeURIComponent(username),
    password: decodeURIComponent(password),
    database: decodeURIComponent(pathname.slice(1)),
    socketPath: searchParams.get('socket'),
    isEncrypted: searchParams.get('ssl') === 'true',
  };
}

export function openMysql(
  url: string,
  { poolSize, readOnly }: { poolSize: number; readOnly: boolean },
): Sequelize {
  const { host, port, username, password, database, socketPath, isEncrypted } = parseMysqlUrl(url);
  const sequelize = new Sequelize({
    ...sharedOptions,
    dialect: 'mysql',
    host,
    port,
    username,
    password,
    database,
    pool: { max: poolSize, min: 0, acquire: acquireTimeoutMs, idle: minuteMs },
    dialectOptions: {
      charset: 'utf8mb4',
      connectTimeout: connectTimeoutMs,
      maxPreparedStatements: preparedMax,
      // mysql2's own conversions. Those of Sequelize cost a call per value, and our types do not need them.
      typeCast: true,
      ...(socketPath === null ? {} : { socketPath }),
      ...(isEncrypted ? { ssl: { minVersion: 'TLSv1.2' } } : {}),
    },
  });
  sequelize.addHook('afterConnect', async (opened: unknown) => {
    const connection = opened as MysqlConnection;
    connection.stream.setTimeout(silenceTimeoutMs, () => connection.stream.destroy(new SilenceError()));
    for (const sql of await sessionSettings(connection, readOnly)) await run(connection, sql);
  });
  return sequelize;
}

type MysqlConnection = {
  query(sql: string, done: (error: Error | null, rows: unknown[]) => void): void;
  stream: Socket;
};

/**
 * The error of a connection that is destroyed because it received nothing for `silenceTimeoutMs`. A frozen server never
 * responds, so this fails the statement. An idle connection is simply reopened for the next one.
 */
class SilenceError extends Error {
  readonly code = silenceCode;
}

function run(connection: MysqlConnection, sql: string): Promise<unknown[]> {
  return new Promise((resolve, reject) => {
    connection.query(sql, (error, rows) => (error ? reject(error) : resolve(rows)));
  });
}

/**
 * READ COMMITTED takes no gap locks, so looking for a push that does not exist blocks nobody. On Galera, reads wait
 * for earlier writes.
 */
async function sessionSettings(connection: MysqlConnection, readOnly: boolean): Promise<string[]> {
  const galera = await run(connection, galeraProbe);
  return [
    `SET SESSION innodb_lock_wait_timeout = ${lockWaitSeconds}`,
    'SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED',
    ...(readOnly ? ['SET SESSION TRANSACTION READ ONLY'] : []),
    ...(galera.length > 0 ? ['SET SESSION wsrep_sync_wait = 3'] : []),
  ];
}
