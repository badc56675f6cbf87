import { growingDelay } from '../../retry.ts';
import { hourMs, minuteMs } from '../../time.ts';

const delayMs = growingDelay(5_000, 6 * hourMs, 3);

/** The delay after the nth attempt (from 1): 5 s, 15 s, 45 s … 6 h, each multiplied by 0.5 to 1.5 at random. */
export function backoffMs(attempt: number, random = Math.random()): number {
  return delayMs(attempt) * (0.5 + random);
}

type Trouble = { failures: number; pauses: number; quietUntil: number };

/** So many failures, one after the other, mean that the destination is down, and not that it refuses one notice. */
const failuresUntilDown = 5;
const pauseMsMax = 5 * minuteMs;
const troubledMax = 10_000;

/**
 * When destinations get a pause: as long as they ask for one, and while they are down. A failure among successes pauses
 * nothing but its own notice.
 */
export function createPauses() {
  const troubled = new Map<string, Trouble>();

  /** How long a destination is left alone. */
  const quietMs = (destination: string) =>
    Math.max(0, (troubled.get(destination)?.quietUntil ?? 0) - performance.now());

  const succeeded = (destination: string) => void troubled.delete(destination);

  /** `askedMs` is the pause that the destination asked for, if it did. */
  function failed(destination: string, askedMs: number | undefined): void {
    if (troubled.size >= troubledMax) troubled.clear();
    const { failures, pauses, quietUntil } = troubled.get(destination) ?? {
      failures: 0,
      pauses: 0,
      quietUntil: 0,
    };
    const now = performance.now();
    // Of attempts that run in parallel, all fail: that is one pause.
    const isDown = failures + 1 >= failuresUntilDown && quietUntil <= now;
    const pauseMs = askedMs ?? (isDown ? Math.min(backoffMs(pauses + 1), pauseMsMax) : 0);
    troubled.set(destination, {
      failures: failures + 1,
      pauses: pauses + (isDown ? 1 : 0),
      quietUntil: Math.max(quietUntil, now + pauseMs),
    });
  }

  return { quietMs, succeeded, failed };
}
