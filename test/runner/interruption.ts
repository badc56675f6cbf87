import { constants } from 'node:os';

let interrupted = false;

export const isInterrupted = () => interrupted;

/** Resolves with the exit code once someone stops this program, or kills the npm that started it. */
export function interruption(): Promise<number> {
  return new Promise((resolve) => {
    const interrupt = (signal: 'SIGINT' | 'SIGTERM' | 'SIGHUP') => {
      interrupted = true;
      resolve(128 + constants.signals[signal]);
    };
    process.on('SIGINT', interrupt).on('SIGTERM', interrupt).on('SIGHUP', interrupt);
    if (process.env.npm_lifecycle_event) onOrphaned(() => interrupt('SIGHUP'));
  });
}

/** A parent killed by SIGKILL sends no signal, but its children get another parent. */
function onOrphaned(listener: () => void) {
  const parent = process.ppid;
  setInterval(() => process.ppid !== parent && listener(), 500);
}
