import { ConnectionError, DatabaseError, TimeoutError, UniqueConstraintError } from 'sequelize';
import { DomainError, unavailable } from '../errors.ts';

/**
 * Errors after which the server has rolled the transaction back, or can be asked to: deadlock, lock wait, changed
 * since read, not certified by its group.
 */
const retryableErrnos = new Set([1213, 1205, 1020, 3101]);
/** The server is starting, stopping, read-only, full, or not (yet) part of its cluster, and cannot work for any client. */
const unavailableErrnos = new Set([
  1021, 1026, 1030, 1037, 1040, 1041, 1042, 1043, 1047, 1053, 1077, 1078, 1079, 1114, 1129, 1180, 1203, 1223,
  1226, 1290, 1637, 1792, 1836, 3032, 3100, 3168, 9001,
]);
/**
 * The connection ended, or a proxy lost its server. What was sent last, which may have been a COMMIT, may have been done.
 * From 2002 on, the numbers of the client library, which proxies such as MaxScale and ProxySQL answer with.
 */
const lostConnectionErrnos = new Set([
  1080, 1152, 1154, 1155, 1156, 1157, 1158, 1159, 1160, 1161, 1184, 1927, 3169, 4031, 2002, 2003, 2006, 2013,
  2026, 2027, 2055,
]);
/**
 * The server gave up one statement, of which it did nothing: it was killed, took too long, was larger than a packet, or
 * needed more memory, locks or room for temporary files than there are.
 */
const interruptedErrnos = new Set([1317, 1969, 3024, 1153, 1038, 1206, 1689, 1878, 3170]);
/** The disk, a table or a quota is full. */
const fullErrnos = new Set([1021, 1114, 3675]);
/** “Got error 28 from storage engine” and the like: ENOSPC or EDQUOT of the system, which the text alone names. */
const fullInText = /\b(?:error|errno:|errcode:) "?(?:28|122)\b/i;
/** Of a statement that was not sent, because its connection had ended. */
export const unsentCode = 'UNSENT';
const unavailableCodes = new Set([
  unsentCode,
  'PROTOCOL_CONNECTION_LOST',
  'ECONNRESET',
  'ECONNABORTED',
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EPIPE',
  'ETIMEDOUT',
  'SQLITE_BUSY',
  'SQLITE_FULL',
  'SQLITE_IOERR',
  'SQLITE_CANTOPEN',
  'SQLITE_READONLY',
]);

/** Of a server that no longer responds. */
export const silenceCode = 'ETIMEDOUT';

/**
 * Thrown in a transaction whose guarded write found its row changed since it was read. The whole transaction runs
 * again.
 */
export class StaleReadError extends Error {}

/** The refusal for an error of the database itself. Undefined for our own defects. */
export function toRefusal(error: unknown): DomainError | undefined {
  if (error instanceof DomainError) return error;
  if (isFull(error)) return unavailable('databaseFull', error, 60);
  if (isOutOfReach(error)) return unavailable('databaseUnreachable', error);
  return interruptedErrnos.has(driverError(error).errno)
    ? unavailable('databaseInterrupted', error)
    : undefined;
}

/** For `catch`: throws this refusal where a row that must be unique exists already, and any other error as it is. */
export const refuseDuplicate = (refusal: () => DomainError) => (error: unknown) => {
  throw error instanceof UniqueConstraintError ? refusal() : error;
};

/** Whether the same work may succeed if it is retried. */
export function isContention(error: unknown): boolean {
  if (error instanceof StaleReadError) return true;
  const { errno, code } = driverError(error);
  return retryableErrnos.has(errno) || (error instanceof TimeoutError && code === 'SQLITE_BUSY');
}

/**
 * Whether a statement that failed like this may have been done. Also for a database that is out of reach, where nobody's
 * work can be done.
 */
export function isOutcomeUnknown(error: unknown): boolean {
  return (isOutOfReach(error) && !isUnsent(error)) || isHopeless(error);
}

/**
 * Whether a transaction that failed like this may have been committed, because COMMIT was sent and never confirmed, or
 * whether the database is out of reach. After any other failure nothing was committed, even if the connection was lost.
 */
export function isHopeless(error: unknown): boolean {
  if (error instanceof DomainError) return error.messageCode === 'commitUnconfirmed';
  return error instanceof ConnectionError || driverError(error).code === silenceCode;
}

/** Whether there was no room to write. */
export function isFull(error: unknown): boolean {
  const { errno, code, text } = driverError(error);
  return code === 'SQLITE_FULL' || fullErrnos.has(errno) || fullInText.test(text);
}

/** Whether nothing of a transaction was stored, although its COMMIT failed. SQLite stores all of it or says so. */
export function isUndone(error: unknown): boolean {
  return driverError(error).code === 'SQLITE_FULL' || isUnsent(error);
}

const isUnsent = (error: unknown) => driverError(error).code === unsentCode;

function isOutOfReach(error: unknown): boolean {
  if (error instanceof ConnectionError) return true;
  const { errno, code } = driverError(error);
  return unavailableErrnos.has(errno) || lostConnectionErrnos.has(errno) || unavailableCodes.has(code);
}

function driverError(error: unknown): { errno: number; code: string; text: string } {
  const parent: unknown = error instanceof DatabaseError ? error.parent : error;
  const { errno = 0, code = '', sqlMessage = '' } = (parent ?? {}) as Record<string, unknown>;
  return { errno: Number(errno), code: String(code), text: String(sqlMessage) };
}
