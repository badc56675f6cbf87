/** What a shell says of a program that Ctrl-C ended: 128 and the number of SIGINT. */
const exitInterrupted = 130;

/** The user pressed Ctrl-C. */
export class CancelledError extends Error {
  constructor() {
    super('Cancelled.');
  }
}

/** Ends the process as SIGINT does, so that a script that runs it ends, too. */
export function endAsInterrupted(): never {
  process.kill(process.pid, 'SIGINT');
  process.exit(exitInterrupted);
}
