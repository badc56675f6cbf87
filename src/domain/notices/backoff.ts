import { growingDelay } from '../../retry.ts';
import { hourMs } from '../../time.ts';

const delayMs = growingDelay(5_000, 6 * hourMs, 3);

/** The delay after the nth attempt (from 1): 5 s, 15 s, 45 s … 6 h, each multiplied by 0.5 to 1.5 at random. */
export function backoffMs(attempt: number, random = Math.random()): number {
  return delayMs(attempt) * (0.5 + random);
}
