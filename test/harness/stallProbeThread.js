import { closeSync, openSync, readSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';

// The thread of stallProbe.ts. It is JavaScript because it must start at once, without a loader.

const { port, pid, intervalMs, localAddress } = workerData;
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const readCpuMs = openCpuClock();
let slowest = nothing();
let isStopped = false;
let asking = Promise.resolve();

function nothing() {
  return { wallMs: 0, cpuMs: 0, asked: 0, failed: 0 };
}

/** Linux counts how long each thread has run. Elsewhere the wall clock has to do. */
function openCpuClock() {
  if (process.platform !== 'linux') return { now: () => performance.now(), close: () => {} };
  const file = openSync(`/proc/${pid}/task/${pid}/schedstat`, 'r');
  const text = Buffer.alloc(64);
  return {
    now() {
      try {
        const length = readSync(file, text, 0, text.length, 0);
        return Number.parseInt(text.toString('latin1', 0, length), 10) / 1e6;
      } catch {
        return Number.NaN; // The process has ended.
      }
    },
    close: () => closeSync(file),
  };
}

async function ask() {
  const result = slowest;
  const [wall, cpu] = [performance.now(), readCpuMs.now()];
  const isAnswered = await livez();
  result.asked += 1;
  if (!isAnswered) result.failed += 1;
  result.wallMs = Math.max(result.wallMs, performance.now() - wall);
  const ranMs = readCpuMs.now() - cpu;
  if (ranMs > result.cpuMs) result.cpuMs = ranMs;
}

function livez() {
  return new Promise((resolve) => {
    get({ host: '127.0.0.1', port, path: '/livez', agent, localAddress }, (response) => {
      response.resume().on('close', () => resolve(response.statusCode === 200));
    }).on('error', () => resolve(false));
  });
}

parentPort.on('message', async (message) => {
  if (message === 'begin') {
    slowest = nothing();
  } else if (message === 'end') {
    const result = slowest;
    await asking;
    if (result.asked === 0) await ask();
    parentPort.postMessage(result);
  } else {
    isStopped = true;
    parentPort.close();
  }
});

parentPort.postMessage('ready');
while (!isStopped) {
  asking = ask();
  await asking;
  await sleep(intervalMs);
}
agent.destroy();
readCpuMs.close();
