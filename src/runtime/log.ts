import pino, { type Logger } from 'pino';
import { minuteMs } from '../time.ts';

/** Lines leave in blocks of 4 KiB, but no later than after a quarter of a second: a write for each would cost the requests. */
export function openLog(level: string): { logger: Logger; flush: () => void } {
  const destination = pino.destination({ sync: false, minLength: 4_096 });
  setInterval(() => destination.flush(), 250).unref();
  const logger = pino({ level }, destination);
  // Sequelize tells of a failed COMMIT on the console
  console.warn = () => logger.warn('a library warned');
  return { logger, flush: () => destination.flushSync() };
}

export type Warn = (message: string, fields: { error: unknown; job?: string }) => void;

const warnEveryMs = minuteMs;

/**
 * Writes the first of equal warnings at once, and then one a minute with how many were `leftOut`: what runs many times a
 * second fails as often while the database is away. Equal are those with the same message and the same job.
 */
export function warnSparingly(
  logger: Pick<Logger, 'warn'>,
  now: () => number = () => performance.now(),
): Warn {
  const written = new Map<string, { at: number; leftOut: number }>();
  return (message, fields) => {
    const key = `${message} ${fields.job ?? ''}`;
    const { at, leftOut } = written.get(key) ?? { at: Number.NEGATIVE_INFINITY, leftOut: 0 };
    const isTime = now() - at >= warnEveryMs;
    written.set(key, isTime ? { at: now(), leftOut: 0 } : { at, leftOut: leftOut + 1 });
    if (isTime) logger.warn(leftOut > 0 ? { ...fields, leftOut } : fields, message);
  };
}
