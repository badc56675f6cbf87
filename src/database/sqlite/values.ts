import { SqliteError } from './errors.ts';

export type SqliteRow = Record<string, unknown>;

/** Values by their names, or in the order of their question marks. */
export type SqliteBinds = SqliteRow | unknown[];

/** libsql aborts the process when it is given a boolean, so only known types pass. */
export function toSql(value: unknown): unknown {
  if (value === undefined || value === null) return null;
  if (typeof value === 'boolean') return value ? 1n : 0n;
  // libsql binds every number as REAL, and a TEXT column would turn 1 into '1.0'.
  if (Number.isSafeInteger(value)) return BigInt(value as number);
  if (typeof value === 'number' && Number.isFinite(value) && !Number.isInteger(value)) return value;
  if (typeof value === 'bigint' && BigInt.asIntN(64, value) === value) return value;
  // libsql reads text only up to its first NUL.
  if (typeof value === 'string' && !value.includes('\0')) return value;
  if (value instanceof Uint8Array) return value;
  // The format in which Sequelize writes and parses dates.
  if (value instanceof Date) return value.toISOString().replace('T', ' ').replace('Z', ' +00:00');
  throw new SqliteError('MISMATCH', `a bound ${typeof value} cannot be stored unchanged`);
}

/** Converts libsql's values to those of the sqlite3 package. */
export function fromSql(value: unknown): unknown {
  if (value instanceof ArrayBuffer) return Buffer.from(value);
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  if (typeof value !== 'number' || !Number.isInteger(value) || Number.isSafeInteger(value)) return value;
  throw new SqliteError('MISMATCH', 'a stored number is beyond 2^53');
}
