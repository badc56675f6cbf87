import type { Database } from '../../database/database.ts';
import { secondMs } from '../../time.ts';
import type { Rate } from '../base/index.ts';
import { createTallies } from '../limits/index.ts';

/** A minute's notices are not sent in its first second: each part of a rate has a window of its own. */
const parts = 10;
const pauseMsMax = secondMs;

/** Keeps messengers within their rates, over all processes. */
export function createRates(database: Database) {
  const { add } = createTallies(database);
  const quietUntil = new Map<string, number>();

  /** How long a messenger takes nothing more, as far as this process knows. */
  const quietMs = (messenger: string) => Math.max(0, (quietUntil.get(messenger) ?? 0) - performance.now());

  /** Counts a notice. False if the messenger has had as many as its rate allows: try again later. */
  async function take(messenger: string, rate: Rate | undefined): Promise<boolean> {
    if (rate === undefined) return true;
    if (quietMs(messenger) > 0) return false;
    const points = Math.max(1, Math.floor(rate.points / parts));
    const seconds = Math.ceil((rate.seconds * secondMs * points) / rate.points) / secondMs;
    const counted = await add(`notices ${messenger}`, 1, seconds);
    if (counted.points <= points) return true;
    quietUntil.set(messenger, performance.now() + Math.min(seconds * secondMs, pauseMsMax));
    return false;
  }

  return { take, quietMs };
}
