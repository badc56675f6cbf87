import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { json } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import type { Fields } from '../harness/api.ts';
import { downloadPath, filesOf } from '../harness/files.ts';
import { newSharedSettings, type ServiceProcess, startProcess } from '../harness/process.ts';
import { startS3 } from '../harness/s3.ts';
import { cpuMicros } from './servers/processes.ts';

const usage = `npm run bench:files -- [--mib 1024] [--rounds 3] [--files-url s3://BUCKET]
Uploads a file to a service and downloads it again, for each file store. Prints the speed, the CPU time of the
service, and the memory that it used in addition to its idle state, along with the speed of the disk and of AES. The default bucket belongs to a local S3
server (fauxqs); for another bucket, endpoint and credentials come from the environment.`;

const { values: options } = parseArgs({
  options: {
    mib: { type: 'string', default: '1024' },
    rounds: { type: 'string', default: '3' },
    'files-url': { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});

const mebibyte = 1024 * 1024;
const mib = Number(options.mib);
const block = randomBytes(mebibyte);

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
  const stores = {
    folder: { FILES_DIR: join(folder, 'files') },
    s3: url === undefined ? localS3 : { ...awsSettings(), FILES_URL: url },
  };
  for (let round = 0; round < Number(options.rounds); round++) {
    printSpeed('AES-256-GCM, by openssl', aesSpeed());
    printSpeed('copy to the disk, by dd', await copySpeed(folder));
    for (const [store, settings] of Object.entries(stores)) await measure(store, folder, settings);
  }
  await s3.stop();
  await rm(folder, { recursive: true });
}

function awsSettings(): Record<string, string> {
  const variables = Object.entries(process.env).filter(([name]) => name.startsWith('AWS_'));
  return Object.fromEntries(variables.map(([name, value]) => [name, value ?? '']));
}

function printSpeed(what: string, mibPerSecond: number, service = ''): void {
  console.log(`${what.padEnd(28)} ${mibPerSecond.toFixed(0).padStart(6)} MiB/s ${service}`);
}

function aesSpeed(): number {
  const args = ['speed', '-mr', '-seconds', '1', '-bytes', '65536', '-evp', 'aes-256-gcm'];
  const output = execFileSync('openssl', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  return Number(/\+F:\d+:AES-256-GCM:([\d.]+)/i.exec(output)?.[1]) / mebibyte;
}

async function copySpeed(folder: string): Promise<number> {
  const path = join(folder, 'copy');
  const ms = await timed(async () => {
    execFileSync('dd', ['if=/dev/zero', `of=${path}`, 'bs=1M', `count=${mib}`, 'conv=fsync'], {
      stdio: 'ignore',
    });
  });
  await rm(path);
  return (mib / ms) * 1000;
}

async function measure(store: string, folder: string, settings: Record<string, string>): Promise<void> {
  const service = await startProcess({
    ...newSharedSettings(`sqlite:${join(folder, `${randomBytes(4).toString('hex')}.db`)}`),
    ...settings,
    FILES: 'everyone',
    MAX_FILE_MIB: String(mib),
    MAX_UPLOAD_MIB: String(mib),
    MAX_UPLOAD_SECONDS: '600',
  });
  await upload(service, 1); // loads lazily loaded modules
  let push: Fields = {};
  const up = await measureService(service, async () => {
    push = await upload(service, mib);
  });
  printSpeed(`${store}: up`, (mib / up.ms) * 1000, up.service);
  const revealed = (await (await fetch(`${service.url}/p/${push.url_token}.json`)).json()) as Fields;
  const path = downloadPath(filesOf(revealed)[0] ?? {}); // the URL has the configured port, which is not the actual one
  const down = await measureService(service, () => download(service.url + path));
  printSpeed(`${store}: down`, (mib / down.ms) * 1000, down.service);
  await service.stop();
}

async function upload({ port }: ServiceProcess, mebibytes: number): Promise<Fields> {
  const head = '--B\r\nContent-Disposition: form-data; name="password[files][]"; filename="big"\r\n\r\n';
  async function* body() {
    yield Buffer.from(head);
    for (let sent = 0; sent < mebibytes; sent++) yield block;
    yield Buffer.from('\r\n--B--\r\n');
  }
  const req = request({
    port,
    host: '127.0.0.1',
    method: 'POST',
    path: '/p.json',
    headers: { 'content-type': 'multipart/form-data; boundary=B' },
  });
  const response = new Promise<Fields>((resolve, reject) => {
    req.on('error', reject).on('response', (res) => resolve(json(res) as Promise<Fields>));
  });
  await pipeline(Readable.from(body(), { objectMode: false, highWaterMark: mebibyte }), req);
  const push = await response;
  if (push.url_token === undefined) throw new Error(`not created: ${push.error}`);
  return push;
}

async function download(url: string): Promise<void> {
  let received = 0;
  await new Promise<void>((resolve, reject) => {
    request(url, (res) => {
      res.on('data', (bytes: Buffer) => {
        received += bytes.length;
      });
      res.on('end', resolve).on('error', reject);
    })
      .on('error', reject)
      .end();
  });
  if (received !== mib * mebibyte) throw new Error(`received ${received} bytes`);
}

/** Measures an action: its duration, CPU time and peak of additional memory of the service. */
async function measureService({ pid }: ServiceProcess, action: () => Promise<unknown>) {
  const idle = residentMib(pid);
  const cpuBefore = cpuMicros([pid]);
  let peak = idle;
  const timer = setInterval(() => {
    peak = Math.max(peak, residentMib(pid));
  }, 50);
  const ms = await timed(action);
  clearInterval(timer);
  const cpuMs = (cpuMicros([pid]) - cpuBefore) / 1000 / mib;
  return { ms, service: `${cpuMs.toFixed(1)} ms of CPU per MiB, +${Math.round(peak - idle)} MiB` };
}

function residentMib(pid: number): number {
  return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}

async function timed(action: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await action();
  return performance.now() - startedAt;
}

await main();
