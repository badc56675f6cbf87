import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { domainSettings, readConfig } from '../../src/config.ts';
import { createMigrations } from '../../src/database/migrations.ts';
import { createDomain, type Domain, type FileStore } from '../../src/domain/index.ts';
import { requireMatchingKeys } from '../../src/domain/keys/keyChecks.ts';
import { createLocalStore } from '../../src/stores/local.ts';
import { createS3Store } from '../../src/stores/s3.ts';
import { type ApiResponse, asMultipart, bearer, createClient, type Fields } from '../harness/api.ts';
import { type FreshDatabase, freshDatabase } from '../harness/database.ts';
import {
  downloadPath,
  filePart,
  filesOf,
  multipartForm,
  noStoredFiles,
  storedFiles,
} from '../harness/files.ts';
import {
  newSharedSettings,
  openServiceDatabase,
  type ServiceDatabase,
  type ServiceProcess,
  type SharedSettings,
  startProcess,
} from '../harness/process.ts';
import { startS3 } from '../harness/s3.ts';
import { createAccount, migrationsFolder } from '../harness/service.ts';
import { programMs, until } from '../harness/until.ts';

const mebibyte = 1024 * 1024;
const credentials = { AWS_REGION: 'us-east-1', AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret' };

describe('Files:', () => {
  let fresh: FreshDatabase;
  let shared: SharedSettings;
  let store: ServiceDatabase;
  let folder: string;
  let token: string;
  let running: ServiceProcess | undefined;

  beforeEach(async () => {
    fresh = await freshDatabase();
    shared = newSharedSettings(fresh.url);
    store = openServiceDatabase(shared);
    folder = await mkdtemp(join(tmpdir(), 'files-'));
    await createMigrations(store.database, migrationsFolder).up();
    await requireMatchingKeys(store.database, store.keyring);
    ({ token } = await createAccount(domainOver(createLocalStore(folder)), 'ann@example.com', {
      subscribed: true,
    }));
  });

  afterEach(async () => {
    await running?.kill9();
    await store.close();
    await fresh.drop();
    await rm(folder, { recursive: true, force: true });
  });

  function domainOver(files: FileStore): Domain {
    return createDomain({
      database: store.database,
      keyring: store.keyring,
      settings: domainSettings(readConfig({})),
      store: files,
    });
  }

  const leftovers = () => storedFiles({ database: store.database, filesFolder: folder });

  async function start(
    environment: Record<string, string> = {},
    options: Parameters<typeof startProcess>[1] = {},
  ) {
    running = await startProcess({ ...shared, FILES_DIR: folder, JOBS: 'off', ...environment }, options);
    return running;
  }

  function upload(port: number, parts: Parameters<typeof multipartForm>[0]): Promise<ApiResponse> {
    const client = createClient(port);
    const sending = { headers: { ...asMultipart, ...bearer(token) }, body: multipartForm(parts) };
    return client.send('POST', '/p.json', sending).finally(client.close);
  }

  /** Sends the first bytes of a form, and no more. */
  function startUpload(port: number, form: Buffer, bytes: number) {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => {});
    socket.write(
      `POST /p.json HTTP/1.1\r\nHost: a\r\nContent-Length: ${form.length}\r\nAuthorization: Bearer ${token}\r\n` +
        'Content-Type: multipart/form-data; boundary=B\r\n\r\n',
    );
    socket.write(form.subarray(0, bytes));
    return socket;
  }

  /** Shreds unfinished uploads as the jobs do once they are overdue. */
  async function shredLeftovers(files: FileStore): Promise<void> {
    await store.database.execute('UPDATE files SET shred_at = 1 WHERE label IS NULL', {});
    await domainOver(files).files.shredDue();
  }

  describe('a process that is killed', () => {
    /** Kills the process when it calls a file system function on a stored file. */
    const killAt = (name: string, when: 'before' | 'after', pattern: string) => `
      import promises from 'node:fs/promises';
      import { syncBuiltinESMExports } from 'node:module';
      const original = promises.${name};
      promises.${name} = async (...args) => {
        const isMeant = args.some((arg) => ${pattern}.test(String(arg)));
        if (isMeant && ${when === 'before'}) process.kill(process.pid, 'SIGKILL');
        const result = await original(...args);
        if (isMeant) process.kill(process.pid, 'SIGKILL');
        return result;
      };
      syncBuiltinESMExports();`;
    const preload = (code: string) => ({ imports: [`data:text/javascript,${encodeURIComponent(code)}`] });

    for (const [step, code, names] of [
      ['before a file is there', killAt('open', 'before', '/[.]part$/'), 0],
      ['when a file is there and empty', killAt('open', 'after', '/[.]part$/'), 1],
      ['before a file gets its name', killAt('rename', 'before', '/[.]part$/'), 1],
      ['when a file has got its name', killAt('rename', 'after', '/[.]part$/'), 1],
    ] as const) {
      it(`${step} leaves no push, and no file after the next shredding`, async () => {
        const service = await start({}, preload(code));
        const answer = await upload(service.port, [filePart('a', 100_000), filePart('b')]).catch(
          () => 'none',
        );
        expect(answer).to.equal('none');
        expect(await leftovers()).to.deep.include({ rows: 1 });
        expect((await leftovers()).names).to.have.length(names);
        expect(await store.database.select('SELECT 1 FROM pushes', {})).to.deep.equal([]);
        await shredLeftovers(createLocalStore(folder));
        expect(await leftovers()).to.deep.equal(noStoredFiles);
      });
    }

    it('in the middle of a file, or after all files and before the end of the form, leaves no push, and no file after the next shredding', async () => {
      const form = multipartForm([filePart('a', 300_000), filePart('b', 300_000)]);
      for (const [bytes, expectedFiles] of [
        [200_000, 1],
        [500_000, 2],
        [form.length - 3, 2],
      ] as const) {
        const service = await start();
        const socket = startUpload(service.port, form, bytes);
        await until(async () => (await leftovers()).names.length === expectedFiles, programMs);
        if (bytes > 500_000)
          await until(
            async () => !(await leftovers()).names.some((name) => name.endsWith('.part')),
            programMs,
          );
        await service.kill9();
        socket.destroy();
        expect((await leftovers()).rows).to.equal(expectedFiles);
        await shredLeftovers(createLocalStore(folder));
        expect(await leftovers()).to.deep.equal(noStoredFiles);
      }
    });

    for (const when of ['before', 'after'] as const) {
      it(`${when} a file is unlinked leaves the rest to the next shredding`, async () => {
        const service = await start();
        expect((await upload(service.port, [filePart('a'), filePart('b')])).status).to.equal(201);
        await service.stop();
        await store.database.execute('UPDATE files SET shred_at = 1', {});
        const started = start({ JOBS: 'on' }, preload(killAt('rm', when, '/[0-9a-f]{40}$/')));
        await started.then(
          ({ ended }) => ended,
          ({ message }) => expect(message).to.match(/did not start/),
        );
        expect((await leftovers()).rows).to.equal(2);
        await domainOver(createLocalStore(folder)).files.shredDue();
        expect(await leftovers()).to.deep.equal(noStoredFiles);
      });
    }

    it('at any moment loses no confirmed push, and leaves no push that lacks a file', async () => {
      const answered = new Set<string>();
      for (let round = 0; round < 4; round++) {
        const service = await start();
        const uploads = Array.from({ length: 4 }, (_, index) =>
          uploadUntilKilled(service.port, `${round}-${index}`, answered),
        );
        await until(() => answered.size >= 4 * (round + 1), programMs);
        await sleep(Math.random() * 100);
        await service.kill9();
        await Promise.all(uploads);
      }
      expect(answered.size).to.be.above(10);
      await shredLeftovers(createLocalStore(folder));

      const service = await start();
      const client = createClient(service.port);
      const listed: Fields[] = [];
      for (let page = 1; ; page++) {
        const found = (await client.get(`/p/active.json?page=${page}`, bearer(token))).json as Fields[];
        listed.push(...found);
        if (found.length < 50) break;
      }
      expect(listed.map(({ url_token }) => url_token)).to.include.members([...answered]);
      for (const { url_token } of listed) {
        const files = filesOf((await client.get(`/p/${url_token}.json`)).body);
        expect(files).to.have.length(3);
        for (const file of files) {
          const { bytes } = await client.get(downloadPath(file));
          expect(bytes.equals(contentOf(String(file.filename)))).to.equal(true);
        }
      }
      const { rows, names } = await leftovers();
      expect([rows, names.length]).to.deep.equal([3 * listed.length, 3 * listed.length]);
      client.close();
    });

    async function uploadUntilKilled(port: number, name: string, answered: Set<string>): Promise<void> {
      for (let n = 0; ; n++) {
        const parts = ['a', 'b', 'c'].map((letter) => `${name}-${n}-${letter}`);
        try {
          const { body } = await upload(
            port,
            parts.map((part) => filePart(part, contentOf(part))),
          );
          answered.add(String(body.url_token));
        } catch {
          return;
        }
      }
    }

    /** The content of the file with that name, up to 160 KiB. */
    function contentOf(name: string): Buffer {
      const digest = createHash('sha256').update(name).digest();
      return Buffer.alloc(digest.readUInt16BE() * 2.5, digest);
    }
  });

  describe('a disk that is full', () => {
    /** A disk of 4 MiB in a mount namespace of the process. */
    const within = (path: string) => [
      'unshare',
      '-rm',
      'sh',
      '-c',
      'mount -t tmpfs -o size=4m tmpfs "$0" && exec "$@"',
      path,
    ];

    it('refuses an upload and stores nothing of it, still serves text and stored files, and accepts files once there is space', async function () {
      if (spawnSync('unshare', ['-rm', 'mount', '-t', 'tmpfs', 'tmpfs', folder]).status !== 0)
        return this.skip();
      const service = await start({}, { wrapper: within(folder) });
      const mountedFolder = join(`/proc/${service.pid}/root`, folder);
      const client = createClient(service.port);
      const stored = await upload(service.port, [filePart('kept', 2 * mebibyte)]);
      expect(stored.status).to.equal(201);
      const before = await readdir(mountedFolder);
      expect(before).to.have.length(1);

      const refused = await upload(service.port, [filePart('small', 1000), filePart('big', 3 * mebibyte)]);
      expect(refused.status).to.equal(503);
      expect(refused.body).to.deep.equal({ error: 'There is no space left for files.' });
      expect(refused.headers['retry-after']).to.equal('60');
      expect(await readdir(mountedFolder)).to.deep.equal(before);
      expect((await leftovers()).rows).to.equal(1);
      await until(() => service.output.includes('ENOSPC'), programMs);

      expect((await client.create()).response.status).to.equal(201);
      const { body } = await client.get(`/p/${stored.body.url_token}.json`);
      expect((await client.get(downloadPath(filesOf(body)[0] ?? {}))).bytes).to.have.length(2 * mebibyte);
      await client.send('DELETE', `/p/${stored.body.url_token}.json`);
      await domainOver(createLocalStore(mountedFolder)).files.shredDue();
      expect((await upload(service.port, [filePart('big', 3 * mebibyte)])).status).to.equal(201);
      client.close();
    });
  });

  describe('a bucket', () => {
    let s3: Awaited<ReturnType<typeof startS3>>;

    beforeEach(async () => {
      s3 = await startS3();
    });
    afterEach(() => s3.stop());

    const settings = () => ({
      ...credentials,
      FILES_URL: `s3://${s3.bucket}/kept`,
      AWS_ENDPOINT_URL: s3.endpoint,
      MAX_FILE_MIB: '50',
    });

    it('stores and returns files despite throttling, causes 503 while unreachable, and keeps nothing that a killed process began', async () => {
      const service = await start(settings());
      const client = createClient(service.port);
      let slowed = 0;
      s3.disturb = (what) =>
        what === 'PUT part' && slowed++ < 2 ? { status: 503, code: 'SlowDown' } : undefined;
      const big = filePart('big', 20 * mebibyte);
      const made = await upload(service.port, [filePart('small', 5), big, filePart('empty', 0)]);
      expect(made.status, made.text).to.equal(201);
      expect(slowed).to.be.above(2);
      const files = filesOf((await client.get(`/p/${made.body.url_token}.json`)).body);
      const whole = await client.get(downloadPath(files[1] ?? {}));
      expect(whole.bytes.equals(Buffer.from(big.content))).to.equal(true);
      const part = await client.get(downloadPath(files[1] ?? {}), { range: 'bytes=9000000-9100000' });
      expect(part.bytes.equals(Buffer.from(big.content).subarray(9_000_000, 9_100_001))).to.equal(true);
      expect((await client.get(downloadPath(files[2] ?? {}))).bytes).to.have.length(0);

      s3.disturb = () => 'cut';
      expect((await upload(service.port, [filePart('a')])).body.error).to.match(
        /^The file store is out of reach/,
      );
      expect((await client.get(`/p/${made.body.url_token}.json`)).status).to.equal(503);
      expect((await client.create()).response.status).to.equal(201);
      s3.disturb = () => undefined;

      const socket = startUpload(service.port, multipartForm([filePart('b', 30 * mebibyte)]), 25 * mebibyte);
      await until(() => s3.unfinished.size > 0, programMs);
      await service.kill9();
      socket.destroy();
      client.close();
      expect(s3.unfinished.size).to.equal(1);
      Object.assign(process.env, credentials);
      const bucket = createS3Store({ bucket: s3.bucket, prefix: 'kept/', endpoint: s3.endpoint });
      await store.database.execute('UPDATE files SET shred_at = 1', {});
      await domainOver(bucket).files.shredDue();
      expect(s3.unfinished.size).to.equal(0);
      for await (const { name } of bucket.list('')) expect.fail(`${name} is left`);
      for (const name of Object.keys(credentials)) delete process.env[name];
    });
  });
});
