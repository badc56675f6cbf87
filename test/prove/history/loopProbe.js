// Loaded into a service process before the program. Writes a line for each stall of its event loop: for how long the
// main thread ran without returning to the loop, and when that ended. The time of day would also count how long the
// machine let the thread wait for a core.
import { readFileSync } from 'node:fs';

const everyMs = 10;
const reportedMs = 30;

/** How long the main thread has run. 0 where the kernel does not say. */
function ranMs() {
  try {
    return Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[0]) / 1e6;
  } catch {
    return 0;
  }
}

let last = ranMs();

setInterval(() => {
  const now = ranMs();
  const stallMs = Math.round(now - last);
  if (stallMs >= reportedMs) process.stdout.write(`${JSON.stringify({ stallMs, endedAt: Date.now() })}\n`);
  last = now;
}, everyMs).unref();
