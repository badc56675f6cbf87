import { type Config, databaseFileOf } from '../../config.ts';
import { errorText } from '../errorText.ts';
import { type Finding, report } from './finding.ts';

const codes = {
  ECONNREFUSED: 'databaseRefuses',
  ENOTFOUND: 'databaseHostUnknown',
  EAI_AGAIN: 'databaseHostUnknown',
  ETIMEDOUT: 'databaseSilent',
  EHOSTUNREACH: 'databaseSilent',
  ER_ACCESS_DENIED_ERROR: 'databaseDeniesUser',
  ER_DBACCESS_DENIED_ERROR: 'databaseDeniesUser',
  ER_BAD_DB_ERROR: 'databaseUnknown',
} as const;

/** Why a database cannot be used, naming host, port and database, never its password. */
export function databaseFailure(config: Config, error: unknown): Finding {
  const code = codes[driverCode(error) as keyof typeof codes];
  const place = placeOf(config);
  return code === undefined
    ? report('databaseFails', { place, error: errorText(error) })
    : report(code, { place });
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
