import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Finding, failure, ok, warning } from '../../config/checks.ts';
import { type Config, databaseFileOf } from '../../config.ts';
import { longestPayloadBytes, payloadBytesMax } from '../../domain/index.ts';
import type { Service } from '../../service.ts';
import { errorText } from '../errorText.ts';
import { nearestFolder } from './files.ts';

const clockSkewMs = 2_000;
/** The next power of two after the longest payload in a backup, where each of its bytes takes two. */
const packetBytesMin = 4 * longestPayloadBytes;

/** Whether the embedded database can be created, if it does not exist yet. */
export async function checkDatabaseFile(config: Config): Promise<Finding | undefined> {
  const path = databaseFileOf(config);
  if (path === undefined || existsSync(path)) return undefined;
  const { folder, isWritable } = await nearestFolder(dirname(path));
  if (!isWritable)
    return failure(
      'databaseNotCreatable',
      'database',
      `${path} does not exist, and cannot be created in ${folder}`,
      'Correct DATABASE_URL, or allow the service’s user to write there.',
    );
  if (folder === dirname(path))
    return warning(
      'databaseNotYet',
      'database',
      `${path} does not exist yet`,
      'Start the service, which creates it; if it should exist, correct DATABASE_URL.',
    );
  return warning(
    'databaseFolderNotYet',
    'database',
    `${path} does not exist yet, and neither does its folder below ${folder}`,
    'Start the service, which creates both; if they should exist, correct DATABASE_URL.',
  );
}

export async function checkDatabase({ DATABASE_URL }: Config, { database }: Service): Promise<Finding> {
  const address = DATABASE_URL.replace(/^(\w+:\/\/[^:@/]*):.*@/, '$1:…@'); // without the password
  const problem = await database.versionProblem();
  return problem === undefined
    ? ok('databaseResponds', 'database', `${await database.version()} responds at ${address}`)
    : failure('databaseTooOld', 'database', problem, 'Update the server, or use another one.');
}

export async function checkSchema({ migrations }: Service): Promise<Finding> {
  const { pending, newer } = await migrations.status();
  if (newer.length > 0)
    return failure(
      'schemaNewer',
      'schema',
      `newer than this version: ${newer.join(', ')}`,
      'Run the version that added them.',
    );
  const problem = await migrations.problem();
  if (problem !== undefined)
    return failure('schemaUnusable', 'schema', problem, 'See “Upgrade” in docs/operate.md.');
  return pending.length === 0
    ? ok('schemaCurrent', 'schema', 'all migrations are applied, and the tables are those that they make')
    : warning(
        'migrationsPending',
        'schema',
        `pending: ${pending.join(', ')}`,
        'Run hushpush migrate up, or start the service.',
      );
}

export async function checkClock({ domain }: Service): Promise<Finding> {
  const startedAt = Date.now();
  const skewMs = (await domain.clock()) - (startedAt + Date.now()) / 2;
  return Math.abs(skewMs) < clockSkewMs
    ? ok('clockAgrees', 'clock', `differs from the database’s clock by ${Math.round(skewMs)} ms`)
    : warning(
        'clockDiffers',
        'clock',
        `differs from the database’s clock by ${Math.round(skewMs / 1000)} s`,
        'Synchronize both machines with NTP; pushes expire by the database’s clock.',
      );
}

/** Nothing to say of an embedded database, which has no such limit. */
export async function checkPackets({ database }: Service): Promise<Finding[]> {
  const bytes = await database.packetBytes();
  if (bytes === Number.POSITIVE_INFINITY) return [];
  const size = `${mebibytesIn(bytes)} MiB`;
  if (bytes >= packetBytesMin)
    return [ok('packetsLarge', 'packets', `the database takes statements of ${size}`)];
  const refused = payloadBytesMax(bytes);
  const isRefused = refused < longestPayloadBytes;
  const refusal = isRefused ? `secrets of more than ${mebibytesIn(refused)} MiB are refused, and ` : '';
  return [
    warning(
      'packetsSmall',
      'packets',
      `max_allowed_packet is ${size}: ${refusal}a backup with long secrets may not be restored`,
      `Set max_allowed_packet to ${mebibytesIn(packetBytesMin)}M or more on the database server, and restart hushpush.`,
    ),
  ];
}

const mebibytesIn = (bytes: number) => Math.floor((10 * bytes) / 1_048_576) / 10;

/** Why a database cannot be used, naming host, port and database, never its password. */
export function databaseFailure(config: Config, error: unknown): Finding {
  const place = placeOf(config);
  const failed = (code: string, finding: string, advice: string) =>
    failure(code, 'database', finding, advice);
  switch (driverCode(error)) {
    case 'ECONNREFUSED':
      return failed(
        'databaseRefuses',
        `nothing listens at ${place} (ECONNREFUSED)`,
        'Start the database server, or correct the host and port in DATABASE_URL.',
      );
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return failed(
        'databaseHostUnknown',
        `the host of ${place} has no address`,
        'Correct the host in DATABASE_URL, or the DNS of its name.',
      );
    case 'ETIMEDOUT':
    case 'EHOSTUNREACH':
      return failed(
        'databaseSilent',
        `${place} does not respond`,
        'Correct the host and port in DATABASE_URL, or allow the connection in the firewall.',
      );
    case 'ER_ACCESS_DENIED_ERROR':
    case 'ER_DBACCESS_DENIED_ERROR':
      return failed(
        'databaseDeniesUser',
        `${place} denies access`,
        'Correct user and password in DATABASE_URL, or grant the user all rights on the database.',
      );
    case 'ER_BAD_DB_ERROR':
      return failed(
        'databaseUnknown',
        `${place} does not exist`,
        'Create the database, or correct its name in DATABASE_URL.',
      );
    default:
      return failed(
        'databaseFails',
        `${place}: ${errorText(error)}`,
        'Check DATABASE_URL, that the server runs, and that its user may use the database.',
      );
  }
}

function placeOf(config: Config): string {
  const file = databaseFileOf(config);
  if (file !== undefined) return file;
  const { hostname, port, pathname, searchParams } = new URL(config.DATABASE_URL);
  const server = searchParams.get('socket') ?? `${hostname}:${port || 3306}`;
  return `${server}, database ${decodeURIComponent(pathname.slice(1))}`;
}

/** The driver's code is in the cause of a refusal, or in the parent of an error of Sequelize. */
function driverCode(error: unknown): string {
  const { cause, parent, code } = error as { cause?: unknown; parent?: unknown; code?: unknown };
  const inner = parent ?? cause;
  return inner === undefined || inner === error ? String(code ?? '') : driverCode(inner);
}
