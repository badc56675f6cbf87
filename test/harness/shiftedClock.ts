import { execFileSync } from 'node:child_process';

/** An offset that Debian's faketime understands. */
export type ClockShift = '+2h' | '-2h';

/**
 * The environment of a process whose time of day is shifted. The program faketime would set it too, but it stays as the
 * parent of what it runs: a signal for the process would then reach faketime alone.
 */
export function shiftedClock(shift: ClockShift): Record<string, string> {
  const library = execFileSync('faketime', ['-m', '-f', shift, 'printenv', 'LD_PRELOAD'], {
    encoding: 'utf8',
  });
  return { LD_PRELOAD: library.trim(), FAKETIME: shift, FAKETIME_DONT_FAKE_MONOTONIC: '1' };
}
