import { ConnectionError, DatabaseError, TimeoutError } from 'sequelize';
import { DomainError, unavailable } from '../errors.ts';

/**
 * Errors after which the server has rolled the transaction back, or can be asked to: deadlock, lock wait, changed
 * since read.
 */
const retryableErrnos = new Set([1213, 1205, 1020]);
/** Errors of a server that is shutting down, read-only, full, or not (yet) part of its Galera cluster. */
const unavailableErrnos = new Set([
  1021, 1040, 1041, 1047, 1053, 1114, 1180, 1203, 1290, 1792, 1836, 1927, 3100, 4031,
]);
const unavailableCodes = new Set([
  'PROTOCOL_CONNECTION_LOST',
  'ECONNRESET',
  'ECONNREFUSED',
  'EPIPE',
  'ETIMEDOUT',
  'SQLITE_BUSY',
  'SQLITE_FULL',
  'SQLITE_IOERR',
  'SQLITE_CANTOPEN',
  'SQLITE_READONLY',
]);

/**
 * Thrown in a transaction whose guarded write found its row changed since it was read. The whole transaction runs
 * again.
 */
export class StaleReadError extends Error {}

/** The refusal for an error of the database itself. Undefined for our own defects. */
export function toRefusal(error: unknown): DomainError | undefined {
  if (error instanceof DomainError) return error;
  return isOutOfReach(error) ? unavailable('databaseUnreachable', error) : undefined;
}

/** Whether the same work may succeed if it is retried. */
export function isContention(error: unknown): boolean {
  if (error instanceof StaleReadError) return true;
  const { errno, code } = driverError(error);
  return retryableErrnos.has(errno) || (error instanceof TimeoutError && code === 'SQLITE_BUSY');
}

/**
 * Whether the database may have done the work that failed like this. Also for a database that is out of reach, where
 * nobody's work can be done.
 */
export function isOutcomeUnknown(error: unknown): boolean {
  return isOutOfReach(error) || (error instanceof DomainError && error.messageCode === 'commitUnconfirmed');
}

function isOutOfReach(error: unknown): boolean {
  if (error instanceof ConnectionError) return true;
  const { errno, code } = driverError(error);
  return unavailableErrnos.has(errno) || unavailableCodes.has(code);
}

function driverError(error: unknown): { errno: number; code: string } {
  const parent: unknown = error instanceof DatabaseError ? error.parent : error;
  const { errno = 0, code = '' } = (parent ?? {}) as { errno?: unknown; code?: unknown };
  return { errno: Number(errno), code: String(code) };
}
