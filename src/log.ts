import pino, { type Logger } from 'pino';

/** Lines leave in blocks of 4 KiB, but no later than after a quarter of a second: a write for each would cost the requests. */
export function openLog(level: string): { logger: Logger; flush: () => void } {
  const destination = pino.destination({ sync: false, minLength: 4_096 });
  setInterval(() => destination.flush(), 250).unref();
  const logger = pino({ level }, destination);
  // Sequelize tells of a failed COMMIT on the console
  console.warn = () => logger.warn('a library warned');
  return { logger, flush: () => destination.flushSync() };
}
