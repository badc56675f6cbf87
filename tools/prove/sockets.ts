import { once } from 'node:events';
import { readdir, readlink } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { freshDatabase } from '../../test/harness/database.ts';
import { startIdentityProvider } from '../../test/harness/identityProvider.ts';
import { newSharedSettings, type ServiceProcess, startProcess } from '../../test/harness/process.ts';
import type { Experiment } from './experiment.ts';
import { type Abuse, abuses } from './hostileSockets.ts';

const socketCount = 10_000;
const addresses = 50;
const freedWithinSeconds = 15;

/** Opens 10,000 hostile connections of each kind from fifty addresses, and counts what that costs everybody else. */
export const sockets: Experiment = {
  claim: 'hostile connections shut nobody out, and are freed within 15 s',
  async run({ seconds, only }) {
    const { url, drop } = await freshDatabase();
    const provider = await startIdentityProvider({ base: 'http://push.test', name: 'okta' });
    const service = await startProcess({
      ...newSharedSettings(url),
      ...provider.settings,
      LOG_LEVEL: 'info',
    });
    const figures: Record<string, string> = {};
    const failures: string[] = [];
    try {
      for (const [name, abuse] of Object.entries(abuses)) {
        if (only !== undefined && name !== only) continue;
        const { failed, served, slowest, freedAfter } = await attack(
          service,
          abuse,
          Math.max(5, seconds / 4),
        );
        figures[name] =
          `${served} requests of others served, ${failed} failed, the slowest in ${Math.round(slowest)} ms; ` +
          `all freed after ${freedAfter.toFixed(1)} s`;
        console.log(`${name}: ${figures[name]}`);
        if (failed > 0 || served === 0)
          failures.push(`${name}: ${failed} requests of others failed, ${served} were served`);
        if (freedAfter > freedWithinSeconds) failures.push(`${name}: freed after ${freedAfter.toFixed(1)} s`);
      }
      return { figures, failures };
    } finally {
      await service.kill9();
      await provider.stop();
      await drop();
    }
  },
};

async function attack(service: ServiceProcess, abuse: Abuse, seconds: number) {
  const before = await openSockets(service.pid);
  const peers = new Set<Socket>();
  const watcher = watch(service.url);
  const endsAt = performance.now() + seconds * 1_000;
  let lastSign = 0; // of any peer: when connections arrive faster than they are accepted, the kernel tries again later
  const sign = () => {
    lastSign = performance.now();
  };
  for (let i = 0; i < socketCount; i++) {
    peers.add(openPeer(service.port, `127.0.1.${1 + (i % addresses)}`, abuse).on('connect', sign));
    if (i % 100 === 99) await sleep(10);
  }
  while (performance.now() < endsAt) {
    for (const peer of peers)
      if (abuse.trickles && peer.writable && !peer.connecting) peer.write(abuse.trickles, sign);
    await sleep(1_000);
  }
  const result = await watcher.stop(); // no peer writes from now on
  const deadline = performance.now() + 60_000;
  while ((await openSockets(service.pid)) > before && performance.now() < deadline) await sleep(100);
  const freedAfter = (performance.now() - lastSign) / 1_000;
  for (const peer of peers) peer.destroy();
  return { ...result, freedAfter };
}

function openPeer(port: number, localAddress: string, { sends, reads = false }: Abuse): Socket {
  const socket = connect({ port, host: '127.0.0.1', localAddress, allowHalfOpen: true });
  socket.on('error', () => {});
  if (reads) socket.resume();
  if (sends !== '') socket.write(sends);
  return socket;
}

/** In a thread, so that the work of ten thousand peers does not slow it down. */
const bystander = `
  const { parentPort, workerData: url } = require('node:worker_threads');
  const result = { served: 0, failed: 0, slowest: 0 };
  parentPort.once('message', () => { parentPort.postMessage(result); process.exit(); });
  async function ask() {
    const startedAt = performance.now();
    const response = await fetch(url + '/livez', { headers: { connection: 'close' } }).catch(() => undefined);
    result[response?.ok ? 'served' : 'failed']++;
    result.slowest = Math.max(result.slowest, performance.now() - startedAt);
    setTimeout(ask, 20);
  }
  ask();`;

/** Another client, who opens a connection for each request. */
function watch(url: string) {
  const thread = new Worker(bystander, { eval: true, workerData: url, execArgv: [] });
  return {
    async stop(): Promise<{ served: number; failed: number; slowest: number }> {
      const result = once(thread, 'message');
      thread.postMessage('stop');
      return (await result)[0];
    },
  };
}

async function openSockets(pid: number): Promise<number> {
  const folder = `/proc/${pid}/fd`;
  const targets = await Promise.all(
    (await readdir(folder)).map((fd) => readlink(`${folder}/${fd}`).catch(() => '')),
  );
  return targets.filter((target) => target.startsWith('socket:')).length;
}
