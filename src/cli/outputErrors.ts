/** What a shell says of a program that SIGPIPE ended: 128 and the number of the signal. Node.js ignores the signal itself. */
const exitBrokenPipe = 141;

/** Ends the process when its output cannot be written: quietly when nobody reads it any more, as in `hushpush list | head -1`. */
export function endOnOutputError(print: (error: string) => void): void {
  onOutputError(({ code, message }) => {
    if (code === 'EPIPE') process.exit(exitBrokenPipe);
    print(`The output cannot be written: ${message}.`);
    process.exit(1);
  });
}

/** Lets a service go on when nobody reads its log any more. */
export function ignoreOutputErrors(): void {
  onOutputError(() => {});
}

function onOutputError(listener: (error: NodeJS.ErrnoException) => void): void {
  for (const stream of [process.stdout, process.stderr])
    stream.removeAllListeners('error').on('error', listener);
}
