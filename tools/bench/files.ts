import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Fields } from '../../test/harness/api.ts';
import { downloadPath, filesOf } from '../../test/harness/files.ts';
import { newSharedSettings, startProcess } from '../../test/harness/process.ts';
import { startS3 } from '../../test/harness/s3.ts';
import { markdownTable, median } from './report.ts';
import { cpuMicros } from './servers/processes.ts';
import { startBareFiles } from './servers/server.ts';
import { block, createFilePush, download, mebibyte, sendBody } from './transfers.ts';

const usage = `npm run bench:files -- [--mib 256] [--rounds 5] [--files-url s3://BUCKET]
Uploads a file to a service and downloads it again, for each file store. The upper bounds are a copy with a sync, by dd, and
a bare server that does nothing else with the same bytes, with and without encryption. Prints medians: the speed, the CPU time
of the server, and the memory that it used in addition to its idle state. The default bucket belongs to a local S3 server
(fauxqs) in this process; for another bucket, endpoint and credentials come from the environment.`;

const { values: options } = parseArgs({
  options: {
    mib: { type: 'string', default: '256' },
    rounds: { type: 'string', default: '5' },
    'files-url': { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});

const mib = Number(options.mib);
/** Sent first, so that V8 has compiled what handles files. */
const warmUpMib = Math.min(mib, 128);

type Sample = { mibPerSecond: number; cpuMs?: number; peakMib?: number };
type Transfer = { pid: number; up: (mebibytes: number) => Promise<string>; stop: () => Promise<unknown> };

const samples = new Map<string, Sample[]>();

function record(what: string, sample: Sample): void {
  samples.set(what, [...(samples.get(what) ?? []), sample]);
}

async function main(): Promise<void> {
  if (options.help) return console.log(usage);
  const folder = await mkdtemp(join(tmpdir(), 'bench-files-'));
  const s3 = await startS3();
  const localS3 = {
    FILES_URL: `s3://${s3.bucket}/bench`,
    AWS_ENDPOINT_URL: s3.endpoint,
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'id',
    AWS_SECRET_ACCESS_KEY: 'secret',
  };
  const url = options['files-url'];
  const s3Settings = url === undefined ? localS3 : { ...awsSettings(), FILES_URL: url };
  await writeFile(join(folder, 'original'), Array(mib).fill(block));
  for (let round = 0; round < Number(options.rounds); round++) {
    record('AES-256-GCM, by openssl', { mibPerSecond: aesSpeed() });
    record('copy with a sync, by dd', { mibPerSecond: await copySpeed(folder) });
    await measure('bare', () => startBare(folder, 'plain'));
    await measure('bare, encrypting', () => startBare(folder, 'sealed'));
    await measure('folder', () => startService(folder, { FILES_DIR: join(folder, 'files') }));
    await measure('s3', () => startService(folder, s3Settings));
    // Many files would fill memory that the others find used already.
    await rm(join(folder, 'files'), { recursive: true });
  }
  await s3.stop();
  await rm(folder, { recursive: true });
  console.log(summary());
}

function awsSettings(): Record<string, string> {
  const variables = Object.entries(process.env).filter(([name]) => name.startsWith('AWS_'));
  return Object.fromEntries(variables.map(([name, value]) => [name, value ?? '']));
}

function aesSpeed(): number {
  const args = ['speed', '-mr', '-seconds', '1', '-bytes', '65536', '-evp', 'aes-256-gcm'];
  const output = execFileSync('openssl', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  return Number(/\+F:\d+:AES-256-GCM:([\d.]+)/i.exec(output)?.[1]) / mebibyte;
}

async function copySpeed(folder: string): Promise<number> {
  const copy = join(folder, 'copy');
  const args = [`if=${join(folder, 'original')}`, `of=${copy}`, 'bs=1M', 'conv=fsync'];
  const ms = await timed(async () => {
    execFileSync('dd', args, { stdio: 'ignore' });
  });
  await rm(copy);
  return (mib / ms) * 1000;
}

async function startBare(folder: string, mode: 'plain' | 'sealed'): Promise<Transfer> {
  const path = join(folder, 'bare');
  const { url, pid, stop } = await startBareFiles(path);
  return {
    pid,
    async up(mebibytes) {
      await sendBody(`${url}/${mode}`, mebibytes);
      return `${url}/${mode}`;
    },
    async stop() {
      await stop();
      await rm(path);
    },
  };
}

async function startService(folder: string, settings: Record<string, string>): Promise<Transfer> {
  const { url, pid, stop } = await startProcess({
    ...newSharedSettings(`sqlite:${join(folder, `${randomBytes(4).toString('hex')}.db`)}`),
    ...settings,
    FILES: 'everyone',
    MAX_FILE_MIB: String(mib),
    MAX_UPLOAD_MIB: String(mib),
    MAX_UPLOAD_SECONDS: '600',
  });
  return {
    pid,
    async up(mebibytes) {
      const push = await createFilePush(url, mebibytes);
      const revealed = (await (await fetch(`${url}/p/${push.url_token}.json`)).json()) as Fields;
      return url + downloadPath(filesOf(revealed)[0] ?? {}); // its host and port are the configured ones
    },
    stop,
  };
}

async function measure(what: string, start: () => Promise<Transfer>): Promise<void> {
  const { pid, up, stop } = await start();
  await download(await up(warmUpMib));
  let url = '';
  const upload = await measureServer(pid, async () => {
    url = await up(mib);
  });
  record(`${what}: up`, upload);
  const downloaded = await measureServer(pid, async () => {
    if ((await download(url)) !== mib * mebibyte) throw new Error(`${what} returned another size`);
  });
  record(`${what}: down`, downloaded);
  await stop();
}

async function measureServer(pid: number, action: () => Promise<unknown>): Promise<Sample> {
  const idle = residentMib(pid);
  const cpuBefore = cpuMicros([pid]);
  let peak = idle;
  const timer = setInterval(() => {
    peak = Math.max(peak, residentMib(pid));
  }, 50);
  const ms = await timed(action);
  clearInterval(timer);
  const cpuMs = (cpuMicros([pid]) - cpuBefore) / 1000 / mib;
  return { mibPerSecond: (mib / ms) * 1000, cpuMs, peakMib: peak - idle };
}

function residentMib(pid: number): number {
  return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}

async function timed(action: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await action();
  return performance.now() - startedAt;
}

function summary(): string {
  const rows = [...samples].map(([what, taken]) => {
    const medianOf = (key: keyof Sample, digits: number) => {
      const values = taken.flatMap((sample) => sample[key] ?? []);
      return values.length === 0 ? '' : median(values).toFixed(digits);
    };
    return {
      what,
      'MiB per second': medianOf('mibPerSecond', 0),
      'CPU ms per MiB': medianOf('cpuMs', 2),
      'more MiB of memory': medianOf('peakMib', 0),
    };
  });
  return markdownTable(rows);
}

await main();
