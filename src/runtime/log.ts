import pino, { type DestinationStream, type Logger } from 'pino';
import { minuteMs } from '../time.ts';

/** A log of JSON lines. Every `error` is described without secrets. */
export function createLogger(level: string, destination: DestinationStream): Logger {
  return pino(
    {
      level,
      serializers: { error: describeError },
      formatters: { level: (label) => ({ level: label }) },
      timestamp: pino.stdTimeFunctions.isoTime,
    },
    destination,
  );
}

type ErrorDescription = {
  name: string;
  message?: string;
  code?: string;
  at?: string[];
  cause?: ErrorDescription;
};

/**
 * Describes an error and its causes for the log. Database errors contain statements and values, so only their codes
 * are logged. All other messages are our own.
 */
function describeError(error: unknown): ErrorDescription {
  if (!(error instanceof Error)) return { name: 'unknown' };
  const { name, message, stack = '', cause } = error;
  const { code, errno, sql } = ((error as { parent?: object }).parent ?? error) as {
    code?: unknown;
    errno?: unknown;
    sql?: unknown;
  };
  const isOurs = code === undefined && sql === undefined;
  return {
    name,
    ...(isOurs ? { message } : { code: [code, errno].filter((part) => part !== undefined).join(' ') }),
    at: stack
      .split('\n')
      .filter((line) => /^\s+at /.test(line))
      .slice(0, 6)
      .map((line) => line.trim()),
    ...(cause === undefined ? {} : { cause: describeError(cause) }),
  };
}

/** The log on standard output: lines of JSON, or text if a person looks at it. */
export function openLog(level: string): { logger: Logger; warn: Warn } {
  const logger = createLogger(level, process.stdout.isTTY ? terminal : openBlocks());
  // Sequelize reports a failed COMMIT or ROLLBACK only here; its text would break a log of JSON lines
  console.warn = () => logger.warn('a library warned');
  return { logger, warn: createWarn(logger) };
}

const terminal: DestinationStream = {
  write: (line) => void process.stdout.write(terminalText(line)),
};

/** A line of the log as people read it: time of day, level, message, then the rest. */
export function terminalText(line: string): string {
  const { time, level, msg, pid: _pid, hostname: _hostname, ...rest } = JSON.parse(line) as LogEntry;
  const fields = Object.entries(rest).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  return `${time.slice(11, 19)} ${level.padEnd(5)} ${[msg, ...fields].join(' ')}\n`;
}

type LogEntry = { time: string; level: string; msg: string; pid?: number; hostname?: string };

/** Standard output. What is still in memory at the end of the process is written then. */
function openBlocks(): DestinationStream {
  const destination = pino.destination({ sync: false });
  const blocks = inBlocks(destination);
  process.once('exit', () => {
    blocks.flush();
    destination.flushSync();
  });
  return blocks;
}

/** Each write costs as much as a few requests. */
const blockLength = 15 * 1024;
const flushMs = 250;

/**
 * Writes lines in blocks, and what is left over a quarter of a second later. Wakes nobody while nothing is logged. pino's
 * destination can do that, too, but copies all that it has collected for each line.
 */
export function inBlocks(destination: DestinationStream) {
  let lines = '';
  let timer: NodeJS.Timeout | undefined;

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    const block = lines;
    lines = '';
    if (block !== '') destination.write(block);
  }

  function write(line: string): void {
    lines += line;
    timer ??= setTimeout(flush, flushMs).unref();
    if (lines.length >= blockLength) flush();
  }

  return { write, flush };
}

export type Warn = (message: string, fields: { error: unknown; job?: string; provider?: string }) => void;

const warnEveryMs = minuteMs;

/**
 * Writes the first of equal warnings at once, then one a minute with how many were `suppressed`. Work that runs many
 * times a second fails as often while the database is unreachable. Warnings are equal if their message and job are.
 */
export function createWarn(logger: Pick<Logger, 'warn'>, now = () => performance.now()): Warn {
  const written = new Map<string, { at: number; suppressed: number }>();
  return (message, fields) => {
    const key = `${message} ${fields.job ?? fields.provider ?? ''}`;
    const { at, suppressed } = written.get(key) ?? { at: Number.NEGATIVE_INFINITY, suppressed: 0 };
    const isDue = now() - at >= warnEveryMs;
    written.set(key, isDue ? { at: now(), suppressed: 0 } : { at, suppressed: suppressed + 1 });
    if (isDue) logger.warn(suppressed > 0 ? { ...fields, suppressed } : fields, message);
  };
}
