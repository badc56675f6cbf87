import { ForeignKeyConstraintError } from 'sequelize';
import { unavailable } from '../errors.ts';
import { randomDelay, retry } from '../retry.ts';
import { isContention } from './errors.ts';

/** How often work is tried in all, when the database refuses it for contention. */
export type RetryLimit = { attempts?: number };

/**
 * Repeats work that the database refused for contention, at most three times by default, after 10–200 ms at random. Refuses with
 * `unavailable` after that, and when the row that a new one belongs to has been removed meanwhile.
 */
export async function withRetries<T>(work: () => Promise<T>, { attempts = 4 }: RetryLimit = {}): Promise<T> {
  try {
    return await retry(work, { attempts, delayMs: randomDelay(10, 200), isRetryable: isContention });
  } catch (error) {
    if (isContention(error)) throw unavailable('databaseBusy', error, 1);
    if (error instanceof ForeignKeyConstraintError) throw unavailable('parentRemoved', error);
    throw error;
  }
}
