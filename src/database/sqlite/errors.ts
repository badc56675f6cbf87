/** How long a statement waits for other writers before it is refused. */
export const busyTimeoutMs = 5_000;

/** SQLite's result codes, indexed by number. */
const codes =
  `OK ERROR INTERNAL PERM ABORT BUSY LOCKED NOMEM READONLY INTERRUPT IOERR CORRUPT NOTFOUND FULL CANTOPEN
  PROTOCOL EMPTY SCHEMA TOOBIG CONSTRAINT MISMATCH MISUSE NOLFS AUTH FORMAT RANGE NOTADB`.split(/\s+/);

/** SQLITE_IOERR_SHMSIZE: on a full disk, the index of the write-ahead log cannot grow. */
const noRoomForIndex = 10 | (19 << 8);

/**
 * An error of the engine, with the `code` and `errno` by which Sequelize distinguishes errors of the sqlite3 package.
 */
export class SqliteError extends Error {
  readonly code: string;
  readonly errno: number;

  constructor(name: string, message: string) {
    super(`SQLITE_${name}: ${message}`);
    this.code = `SQLITE_${name}`;
    this.errno = codes.indexOf(name);
  }
}

export const isBusy = (error: unknown) => error instanceof SqliteError && error.code === 'SQLITE_BUSY';
export const busyError = () =>
  new SqliteError(
    'BUSY',
    `other writers, or the caller's own transaction, held the database for ${busyTimeoutMs / 1000} s`,
  );

/** Calls the engine. Removes error messages that could quote a bound value, such as those for a bad JSON path. */
export function callEngine<T>(call: () => T, { bound = false } = {}): T {
  try {
    return call();
  } catch (error) {
    const { rawCode, code, message } = error as Record<string, unknown>;
    if (typeof rawCode !== 'number') throw new SqliteError('MISUSE', String(code ?? 'refused by the engine'));
    const name = rawCode === noRoomForIndex ? 'FULL' : (codes[rawCode & 0xff] ?? 'ERROR');
    throw new SqliteError(name, bound && name === 'ERROR' ? 'failed on a bound value' : String(message));
  }
}
