import cluster, { type Worker as WebProcess } from 'node:cluster';
import { url as debuggerUrl } from 'node:inspector';
import { Worker } from 'node:worker_threads';

const beatMs = 1_000;
const hangBeats = 10;
const startBeats = 120; // loading the program takes a while on a busy machine
const heartbeat = 'heartbeat';

/** Tells the supervisor every second that the event loop runs. */
function sendHeartbeats(): void {
  const beat = () => process.send?.(heartbeat, undefined, undefined, () => {});
  beat();
  setInterval(beat, beatMs).unref();
}

/**
 * Kills a web process whose event loop has not run for ten seconds. The watcher counts seconds by its own timer, so a
 * suspended machine makes no process late.
 */
export function killWhenHung(webProcess: WebProcess, onHung: () => void): void {
  let missed = 0;
  let limit = startBeats;
  webProcess.on('message', (message) => {
    if (message === heartbeat) [missed, limit] = [0, hangBeats];
  });
  const timer = setInterval(() => {
    if (++missed < limit) return;
    clearInterval(timer);
    onHung();
    webProcess.process.kill('SIGKILL');
  }, beatMs);
  webProcess.once('exit', () => clearInterval(timer));
}

/** As source code, because a file would need the compiler that this process runs with. */
const watchThread = `
  const { workerData: beats } = require('node:worker_threads');
  const { writeSync } = require('node:fs');
  const { pid, kill } = process;
  let last = 0;
  let missed = 0;
  setInterval(() => {
    const count = Atomics.load(beats, 0);
    missed = count === last ? missed + 1 : 0;
    last = count;
    if (missed < ${hangBeats}) return;
    const line = { level: 'error', time: new Date().toISOString(), pid, msg: 'the event loop hung for 10 s; exiting' };
    writeSync(1, JSON.stringify(line) + '\\n');
    kill(pid, 'SIGKILL');
  }, ${beatMs});`;

/**
 * Ends this process when its event loop has not run for ten seconds, for a process that nobody supervises: whatever
 * started it notices that it ended, but not that it hangs. Costs a thread; not for a process that is being debugged.
 */
function endWhenHung(): void {
  if (debuggerUrl() !== undefined) return;
  const beats = new Int32Array(new SharedArrayBuffer(4));
  setInterval(() => Atomics.add(beats, 0, 1), beatMs).unref();
  const options = { eval: true, workerData: beats, execArgv: [], env: {} };
  new Worker(watchThread, { ...options, resourceLimits: { maxOldGenerationSizeMb: 8 } }).unref();
}

/** Has this process ended when its event loop hangs: by its supervisor, or else by itself. */
export function watchEventLoop(): void {
  if (cluster.isWorker) sendHeartbeats();
  else endWhenHung();
}
