import { hourMs } from '../../time.ts';

const firstMs = 5_000;
const factor = 3;
const maxMs = 6 * hourMs;

/** How long to wait after the nth attempt, from 1: 5 s, 15 s, 45 s … 6 h, each half as long or longer at random. */
export function backoffMs(attempt: number, random = Math.random()): number {
  return Math.min(maxMs, firstMs * factor ** (attempt - 1)) * (0.5 + random);
}
