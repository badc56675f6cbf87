import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, open, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { domainSettings, readConfig } from '../../src/config.ts';
import { createDomain } from '../../src/domain/index.ts';
import { builtMain } from '../harness/build.ts';
import { type FreshDatabase, freshDatabase } from '../harness/database.ts';
import { encodingsOf } from '../harness/encodings.ts';
import {
  newSharedSettings,
  openServiceDatabase,
  type ServiceProcess,
  startProcess,
} from '../harness/process.ts';
import { createAccount } from '../harness/service.ts';

const mebibyte = 1024 * 1024;
/** What a process may need more for a large file than for a small one. */
const memoryMax = 64 * mebibyte;
const largeBytes = 100 * mebibyte;

describe('Sealed answers of the command line', () => {
  let fresh: FreshDatabase;
  let service: ServiceProcess;
  let folder: string;
  let token: string;

  before(async () => {
    fresh = await freshDatabase();
    folder = await mkdtemp(join(tmpdir(), 'sealed-'));
    const shared = newSharedSettings(fresh.url);
    const files = {
      FILES: 'everyone',
      FILES_DIR: join(folder, 'files'),
      MAX_FILE_MIB: '101',
      MAX_UPLOAD_MIB: '202',
    };
    service = await startProcess({ ...shared, ...files, LOG_LEVEL: 'debug' });
    const { database, keyring, close } = openServiceDatabase(shared);
    const domain = createDomain({ database, keyring, settings: domainSettings(readConfig({})) });
    ({ token } = await createAccount(domain, 'ann@example.com'));
    await close();
  });

  after(async () => {
    await service?.kill9();
    await fresh?.drop();
    await rm(folder, { recursive: true, force: true });
  });

  type Ran = { stdout: string; peak: number };

  /** Runs a command, and returns what it printed, and the most memory that it had. */
  async function run(args: string[], input?: string): Promise<Ran> {
    const program = builtMain();
    const env = { PATH: process.env.PATH, HOME: folder, HUSHPUSH_SERVER: service.url, HUSHPUSH_TOKEN: token };
    const child = spawn(process.execPath, [program, ...args], { cwd: folder, env, stdio: 'pipe' });
    child.stdin.end(input);
    const ended = once(child, 'exit');
    const [peak, stdout, stderr] = await Promise.all([peakOf(child), text(child.stdout), text(child.stderr)]);
    const [code] = await ended;
    expect({ code, stderr: code === 0 ? '' : stderr }, args[0]).to.deep.equal({ code: 0, stderr: '' });
    return { stdout: stdout.trim(), peak };
  }

  async function peakOf({ pid, exitCode }: ChildProcess): Promise<number> {
    let peak = 0;
    while (exitCode === null) {
      const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
      const found = /^VmHWM:\s+(\d+)/m.exec(status);
      if (found === null) break;
      peak = 1024 * Number(found[1]);
      await sleep(20);
    }
    return peak;
  }

  async function newLink(): Promise<{ link: string; own: string }> {
    const { stdout } = await run(['request', '--link', 'the dump', '--quiet']);
    const [link = '', own = ''] = stdout.split('\n');
    return { link, own };
  }

  const opened = async (own: string): Promise<string> =>
    JSON.parse((await run(['answers', own, '--json'])).stdout)[0].html_url;

  /** Whether a text is anywhere in the memory of the service, in any encoding. */
  async function isInMemory(secret: string): Promise<boolean> {
    const forms = [...encodingsOf(Buffer.from(secret)).values()];
    const maps = await readFile(`/proc/${service.pid}/maps`, 'utf8');
    const memory = await open(`/proc/${service.pid}/mem`);
    try {
      for (const [, from = '', to = ''] of maps.matchAll(/^([0-9a-f]+)-([0-9a-f]+) rw/gm)) {
        const [start, end] = [Number.parseInt(from, 16), Number.parseInt(to, 16)];
        for (let at = start; at < end; at += 8 * mebibyte) {
          const bytes = Buffer.alloc(Math.min(8 * mebibyte + 4_096, end - at));
          const { bytesRead } = await memory.read(bytes, 0, bytes.length, at).catch(() => ({ bytesRead: 0 }));
          if (forms.some((form) => bytes.subarray(0, bytesRead).includes(form))) return true;
        }
      }
      return false;
    } finally {
      await memory.close();
    }
  }

  it('leave nothing readable in the memory, the log or the files of the server', async () => {
    const [sealed, plain, name] = [1, 2, 3].map(() => `~${randomBytes(12).toString('hex')}~`) as [
      string,
      string,
      string,
    ];
    const { link } = await newLink();
    await writeFile(join(folder, `${name}.txt`), `${sealed} in a file`.repeat(5_000));
    await run(['answer', link, '-', '--attach', `${name}.txt`, '--quiet'], `${sealed} in a text`);
    const { stdout: open } = await run(['request', '--link', 'the rest', '--no-seal', '--quiet']);
    await run(['answer', open, '--quiet'], plain);
    expect(await isInMemory(plain), 'what is not sealed').to.equal(true);
    for (const secret of [sealed, name]) {
      expect(await isInMemory(secret)).to.equal(false);
      expect(service.output.includes(secret)).to.equal(false);
    }
    for (const entry of await readdir(join(folder, 'files'), { recursive: true, withFileTypes: true }))
      if (entry.isFile())
        expect((await readFile(join(entry.parentPath, entry.name))).includes(sealed)).to.equal(false);
  });

  /** How much more memory it takes to send two files of 100 MiB than one, and to get them. */
  async function memoryOfSecondFile(send: (names: string[]) => Promise<{ sent: Ran; link: string }>) {
    const content = randomBytes(largeBytes);
    for (const name of ['one.bin', 'two.bin']) await writeFile(join(folder, name), content);
    const peaks: [sent: number, got: number][] = [];
    for (const names of [['one.bin'], ['one.bin', 'two.bin']]) {
      const { sent, link } = await send(names);
      peaks.push([sent.peak, (await run(['get', link, '--quiet'])).peak]);
      const got = join(folder, 'one (2).bin');
      expect((await readFile(got)).equals(content)).to.equal(true);
      await rm(got);
      await rm(join(folder, 'two (2).bin'), { force: true });
    }
    const [[sent, got], [sentBoth, gotBoth]] = peaks as [[number, number], [number, number]];
    return { toSend: sentBoth - sent, toGet: gotBoth - got };
  }

  it('hold files of 100 MiB nowhere as a whole, on the way there and back', async () => {
    const { toSend, toGet } = await memoryOfSecondFile(async (names) => {
      const { link, own } = await newLink();
      const sent = await run(['answer', link, '--attach', ...names, '--quiet']);
      return { sent, link: await opened(own) };
    });
    expect(toSend, 'to send 100 MiB more').to.be.below(memoryMax);
    expect(toGet, 'to get 100 MiB more').to.be.below(memoryMax);
  });

  it('are not alone in that: encrypted pushes hold no file as a whole either', async () => {
    const { toSend, toGet } = await memoryOfSecondFile(async (names) => {
      const sent = await run(['push', '--encrypt', '--attach', ...names, '--quiet']);
      return { sent, link: sent.stdout };
    });
    expect(toSend, 'to send 100 MiB more').to.be.below(memoryMax);
    expect(toGet, 'to get 100 MiB more').to.be.below(memoryMax);
  });
});
