import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { DomainError, type FileStore } from '../../src/domain/index.ts';
import { createLocalStore } from '../../src/stores/local.ts';
import { createS3Store } from '../../src/stores/s3.ts';
import { nodeCommand } from '../harness/cli.ts';
import { refusalOf } from '../harness/refusal.ts';
import { type Disturbance, type S3Server, startS3 } from '../harness/s3.ts';

const mebibyte = 1024 * 1024;
const part = 8 * mebibyte;

async function* chunks(bytes: Buffer, size = 65_552) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function* failing(bytes: Buffer, error: Error) {
  yield* chunks(bytes);
  throw error;
}

async function content(store: FileStore, name: string, span?: { start: number; end: number }) {
  const size = (await store.sizeOf(name)) ?? 0;
  const found = await store.read(name, span ?? { start: 0, end: size });
  return found && buffer(found);
}

/** What a process that stores a file in a folder asks of the file system, in order, as Node traces it. */
async function tracedCalls(folder: string, bytes: string): Promise<string[]> {
  const trace = `${folder}.json`;
  const program = `
    const { createLocalStore } = await import(${JSON.stringify(import.meta.resolve('../../src/stores/local.ts'))});
    await createLocalStore(${JSON.stringify(folder)}).put('ab', ${bytes});`;
  const [node = '', ...options] = nodeCommand;
  const tracing = ['--trace-event-categories', 'node.fs.async', '--trace-event-file-pattern', trace];
  await promisify(execFile)(node, [...tracing, ...options, '--input-type=module', '--eval', program]);
  const { traceEvents }: { traceEvents: TraceEvent[] } = JSON.parse(await readFile(trace, 'utf8'));
  return traceEvents
    .filter(({ ph, name }) => ph === 'b' && ['write', 'fsync', 'rename'].includes(name))
    .sort((a, b) => a.ts - b.ts)
    .map(({ name }) => name);
}

type TraceEvent = { name: string; ph: string; ts: number };

async function names(store: FileStore, prefix = ''): Promise<string[]> {
  const found: string[] = [];
  for await (const { name } of store.list(prefix)) found.push(name);
  return found;
}

/** The tests that every store passes. Each starts with an empty store. */
function behavesLikeAStore(open: () => FileStore): void {
  let store: FileStore;

  beforeEach(async () => {
    store = open();
    for (const name of await names(store)) await store.remove(name);
  });

  for (const size of [1, 16, 65_552, 1_000_000, part - 1, part, part + 1, 2 * part, 3 * part + 5]) {
    it(`stores ${size} bytes, and returns them whole and in ranges`, async () => {
      const bytes = randomBytes(size);
      await store.put('ab', chunks(bytes));
      expect(await store.sizeOf('ab')).to.equal(size);
      expect((await content(store, 'ab'))?.equals(bytes)).to.equal(true);
      for (const [start, end] of [
        [0, 1],
        [size - 1, size],
        [Math.floor(size / 2), size],
      ] as const) {
        expect((await content(store, 'ab', { start, end }))?.equals(bytes.subarray(start, end))).to.equal(
          true,
        );
      }
      expect(await names(store)).to.deep.equal(['ab']);
    });
  }

  it('finds nothing under an unknown name, and removes it without an error', async () => {
    expect(await store.sizeOf('cd')).to.equal(null);
    expect(await store.read('cd', { start: 0, end: 1 })).to.equal(null);
    await store.remove('cd');
  });

  it('removes a file, and again without an error', async () => {
    await store.put('ab', chunks(randomBytes(100)));
    await store.remove('ab');
    await store.remove('ab');
    expect(await store.sizeOf('ab')).to.equal(null);
    expect(await names(store)).to.deep.equal([]);
  });

  it('lists names with a prefix, in order, with the time of their last change', async () => {
    const startedAt = Date.now();
    const written = ['a2', 'b1', 'a1', 'a10', 'a0'];
    for (const name of written) await store.put(name, chunks(Buffer.from(name)));
    expect(await names(store, 'a')).to.deep.equal(['a0', 'a1', 'a10', 'a2']);
    expect(await names(store)).to.deep.equal([...written].sort());
    for await (const { changedAt } of store.list(''))
      expect(changedAt).to.be.within(startedAt - 2_000, Date.now() + 2_000);
  });

  for (const size of [0, 100, part, 2 * part + 5]) {
    it(`stores nothing when the sender fails after ${size} bytes`, async () => {
      const error = new Error('the sender left');
      await store.put('ab', failing(randomBytes(size), error)).then(
        () => expect.fail('kept'),
        (thrown) => expect([thrown, thrown.cause]).to.include(error),
      );
      expect(await store.sizeOf('ab')).to.equal(null);
      expect(await names(store)).to.deep.equal([]);
    });
  }

  it('closes the file when a reader stops early', async () => {
    await store.put('ab', chunks(randomBytes(3 * mebibyte)));
    for (let i = 0; i < 100; i++) {
      for await (const bytes of (await store.read('ab', { start: 0, end: 3 * mebibyte })) ?? []) {
        expect(bytes.length).to.be.above(0);
        break;
      }
    }
    expect(await store.sizeOf('ab')).to.equal(3 * mebibyte);
  });
}

describe('A file store in a folder', () => {
  let folder: string;
  const open = () => createLocalStore(join(folder, 'files'));

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'store-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  behavesLikeAStore(open);

  it('creates the folder with its first file, and makes both accessible to their owner only', async () => {
    const store = createLocalStore(join(folder, 'deep', 'er'));
    expect(await names(store)).to.deep.equal([]);
    await store.put('ab', chunks(randomBytes(10)));
    const modes = await Promise.all(
      ['', 'ab'].map(async (name) => (await stat(join(folder, 'deep', 'er', name))).mode & 0o777),
    );
    expect(modes).to.deep.equal([0o700, 0o600]);
  });

  it('gives a file its name only once it is complete', async () => {
    const store = open();
    let go = () => {};
    const held = new Promise<void>((resolve) => {
      go = resolve;
    });
    async function* slow() {
      yield randomBytes(100_000);
      await held;
      yield randomBytes(5);
    }
    const putting = store.put('ab', slow());
    while ((await readdir(join(folder, 'files'))).length === 0) await new Promise(setImmediate);
    expect(await readdir(join(folder, 'files'))).to.deep.equal(['ab.part']);
    expect(await store.sizeOf('ab')).to.equal(null);
    expect(await names(store)).to.deep.equal(['ab']);
    go();
    await putting;
    expect(await readdir(join(folder, 'files'))).to.deep.equal(['ab']);
    await store.remove('ab');
  });

  it('writes large pieces to the disk, however small those are that arrive', async () => {
    const calls = await tracedCalls(join(folder, 'small'), 'Array(512).fill(Buffer.alloc(4096))');
    expect(calls.filter((name) => name === 'write').length).to.be.within(1, 100); // 8, and those of the loader
    expect(await createLocalStore(join(folder, 'small')).sizeOf('ab')).to.equal(2 * mebibyte);
  });

  it('has a file on the disk before it has its name, and the name before it is confirmed', async () => {
    const calls = await tracedCalls(join(folder, 'safe'), "[Buffer.from('tulip')]");
    expect(calls.filter((name) => name !== 'write')).to.deep.equal(['fsync', 'rename', 'fsync']);
  });

  it('removes a file that a crash left incomplete', async () => {
    await writeFile(join(folder, 'files', 'ab.part'), 'x');
    await utimes(join(folder, 'files', 'ab.part'), 1, 1);
    const store = open();
    for await (const { name, changedAt } of store.list(''))
      expect({ name, changedAt }).to.deep.equal({ name: 'ab', changedAt: 1000 });
    await store.remove('ab');
    expect(await readdir(join(folder, 'files'))).to.deep.equal([]);
  });

  it('refuses with “unavailable” when the folder is a file', async () => {
    const store = createLocalStore('/dev/null/files');
    for (const act of [
      () => store.put('ab', chunks(randomBytes(10))),
      () => store.sizeOf('ab'),
      () => store.read('ab', { start: 0, end: 1 }),
      () => store.remove('ab'),
      () => names(store),
    ]) {
      const { code, messageCode } = await refusalOf(act());
      expect({ code, messageCode }).to.deep.equal({
        code: 'unavailable',
        messageCode: 'fileStoreUnreachable',
      });
    }
  });
});

describe('A file store in a bucket', () => {
  let s3: S3Server;
  const open = () => createS3Store({ bucket: s3.bucket, prefix: 'some/where/', endpoint: s3.endpoint });
  const credentials = { AWS_REGION: 'us-east-1', AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret' };
  const inherited = Object.fromEntries(Object.keys(credentials).map((name) => [name, process.env[name]]));

  before(async () => {
    Object.assign(process.env, credentials);
    s3 = await startS3();
  });
  beforeEach(() => {
    s3.disturb = () => undefined;
    s3.requests.length = 0;
    s3.unfinished.clear();
  });
  after(async () => {
    await s3.stop();
    for (const [name, value] of Object.entries(inherited)) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  });

  behavesLikeAStore(open);

  /** Makes the first requests of a kind fail. */
  function disturb(kind: string, times: number, disturbance: Disturbance): void {
    let left = times;
    s3.disturb = (what) => (what === kind && left-- > 0 ? disturbance : undefined);
  }

  const slowDown = { status: 503, code: 'SlowDown' };
  const bytes = randomBytes(2 * part + 100);

  it('uploads a small file in one request, and a larger one in parts', async () => {
    s3.requests.length = 0;
    await open().put('ab', chunks(bytes.subarray(0, part)));
    expect(s3.requests).to.deep.equal(['PUT object']);
    s3.requests.length = 0;
    await open().put('ab', chunks(bytes));
    expect(s3.requests).to.deep.equal(['POST uploads', 'PUT part', 'PUT part', 'PUT part', 'POST upload']);
    expect(s3.unfinished.size).to.equal(0);
  });

  const internal = { status: 500, code: 'InternalError' };
  for (const [what, disturbance, size] of [
    ['PUT object', slowDown, 1000],
    ['PUT object', 'cut', 1000],
    ['POST uploads', internal, bytes.length],
    ['PUT part', slowDown, bytes.length],
    ['PUT part', 'cut', bytes.length],
    ['POST upload', internal, bytes.length],
  ] as const) {
    it(`retries a ${what} that fails twice with ${JSON.stringify(disturbance)}`, async () => {
      disturb(what, 2, disturbance);
      const store = open();
      await store.put('ab', chunks(bytes.subarray(0, size)));
      expect((await content(store, 'ab'))?.equals(bytes.subarray(0, size))).to.equal(true);
      expect(s3.unfinished.size).to.equal(0);
    });
  }

  for (const what of ['PUT object', 'POST uploads', 'PUT part', 'POST upload']) {
    it(`gives up, and leaves nothing behind, when the store refuses a ${what}`, async () => {
      disturb(what, 99, slowDown);
      const { code, messageCode, cause } = await refusalOf(
        open().put('cd', chunks(what === 'PUT object' ? bytes.subarray(0, 9) : bytes)),
      );
      expect({ code, messageCode }).to.deep.equal({
        code: 'unavailable',
        messageCode: 'fileStoreUnreachable',
      });
      expect((cause as Error).name).to.equal('SlowDown');
      s3.disturb = () => undefined;
      expect(await open().sizeOf('cd')).to.equal(null);
      expect(s3.unfinished.size).to.equal(0);
    });
  }

  for (const [what, size] of [
    ['PUT object', 1000],
    ['POST upload', bytes.length],
  ] as const) {
    it(`leaves nothing behind when the response to a ${what} is lost`, async () => {
      s3.disturb = (seen) => (seen === what ? 'unanswered' : undefined);
      expect((await refusalOf(open().put('cd', chunks(bytes.subarray(0, size))))).code).to.equal(
        'unavailable',
      );
      expect(await open().sizeOf('cd')).to.equal(null);
      expect(s3.unfinished.size).to.equal(0);
    });
  }

  it('aborts the upload when the sender disconnects between parts', async () => {
    const error = new Error('left');
    await open()
      .put('cd', failing(bytes, error))
      .catch((thrown) => expect([thrown, thrown.cause]).to.include(error));
    expect(s3.requests).to.include('DELETE upload');
    expect(s3.unfinished.size).to.equal(0);
  });

  it('lists and removes uploads that a crash left unfinished, among complete files', async () => {
    disturb('POST upload', 99, slowDown);
    const store = open();
    s3.disturb = (what) => (/^(POST|DELETE) upload$/.test(what) ? slowDown : undefined);
    await store.put('b', chunks(bytes)).catch(() => {});
    expect(s3.unfinished.size).to.equal(1);
    s3.disturb = () => undefined;
    await store.put('a', chunks(bytes.subarray(0, 9)));
    await store.put('c', chunks(bytes.subarray(0, 9)));
    expect(await names(store)).to.include.members(['a', 'b', 'c']);
    expect(await names(store)).to.deep.equal((await names(store)).sort());
    await store.remove('b');
    expect(s3.unfinished.size).to.equal(0);
  });

  it('works with stores that cannot list unfinished uploads', async () => {
    disturb('GET uploads', 99, { status: 501, code: 'NotImplemented' });
    const store = open();
    await store.put('ab', chunks(bytes.subarray(0, 9)));
    expect(await names(store)).to.include('ab');
    await store.remove('ab');
    expect(await store.sizeOf('ab')).to.equal(null);
  });

  it('reports that the store is full', async () => {
    disturb('PUT object', 99, { status: 507, code: 'XMinioStorageFull' });
    const refused = await refusalOf(open().put('ab', chunks(bytes.subarray(0, 9))));
    expect(refused).to.be.an.instanceOf(DomainError);
    expect(refused.messageCode).to.equal('fileStoreFull');
    expect(refused.retryAfterSeconds).to.equal(60);
  });

  it('refuses with “unavailable” when the store, the bucket or valid credentials are missing', async () => {
    const nobody = createS3Store({ bucket: 'files', prefix: '', endpoint: 'http://127.0.0.1:9' });
    const noBucket = createS3Store({ bucket: 'others', prefix: '', endpoint: s3.endpoint });
    for (const store of [nobody, noBucket]) {
      expect((await refusalOf(store.put('ab', chunks(randomBytes(5))))).code).to.equal('unavailable');
      expect((await refusalOf(store.read('ab', { start: 0, end: 5 }))).code).to.equal('unavailable');
      expect((await refusalOf(names(store))).code).to.equal('unavailable');
    }
    s3.disturb = () => ({ status: 403, code: 'AccessDenied' });
    expect((await refusalOf(open().sizeOf('ab'))).code).to.equal('unavailable');
  });

  it('ends with a refusal when the store disconnects in the middle of a file', async () => {
    const store = open();
    await store.put('ab', chunks(bytes));
    s3.disturb = (what) => (what === 'GET object' ? 'half' : undefined);
    const reading = await store.read('ab', { start: 0, end: bytes.length });
    expect((await refusalOf(buffer(reading ?? expect.fail('not found')))).code).to.equal('unavailable');
  });
});
