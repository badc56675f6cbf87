import { randomBytes } from 'node:crypto';
import { open, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { basename, join } from 'node:path';
import { expect } from 'chai';
import { urlTokenDigest } from '../../src/crypto/pepper.ts';
import type { Account } from '../../src/domain/index.ts';
import {
  type ApiResponse,
  asMultipart,
  bearer,
  type Client,
  createClient,
  expirePushIn,
  type Fields,
  sendRaw,
  times,
} from '../harness/api.ts';
import {
  downloadPath,
  type FormPart,
  filePart,
  filesOf,
  multipartForm,
  storedFiles,
} from '../harness/files.ts';
import { createAccount, refusal, someClient, startService, type TestService } from '../harness/service.ts';
import { until } from '../harness/until.ts';

const frame = 256 * 1024;
const sealedFrame = frame + 16;

describe('the files of a push', () => {
  let service: TestService;
  let api: Client;
  let ann: { authorization: string };
  let annOwner: Account;

  before(async () => {
    service = await startService();
    api = createClient(service.port);
    const { account, token } = await createAccount(service.domain, 'ann@example.com', { subscribed: true });
    ann = bearer(token);
    annOwner = account;
  });

  after(async () => {
    api.close();
    await service.stop();
  });

  /** Makes a push with files, and says where they are in the store, in their order. */
  async function make(parts: FormPart[], fields: Record<string, string> = {}) {
    const values = Object.entries(fields).map(([name, content]) => ({ name: `password[${name}]`, content }));
    const body = multipartForm([...values, ...parts]);
    const answer = await api.send('POST', '/p.json', { headers: { ...asMultipart, ...ann }, body });
    expect(answer.status, answer.text).to.equal(201);
    const token = String(answer.body.url_token);
    const rows = await service.database.select<{ object: string }>(
      'SELECT f.object FROM files f JOIN pushes p ON p.id = f.push_id WHERE p.token_digest = $digest ORDER BY f.id',
      { digest: digestOf(token) },
    );
    return {
      token,
      json: `/p/${token}.json`,
      stored: rows.map(({ object }) => join(service.filesFolder, object)),
    };
  }

  const digestOf = (token: string) => urlTokenDigest(service.keyring, token);

  /** Makes a push with one file, and claims a view of it. */
  async function makeAndReveal(content: number | string | Buffer, fields: Record<string, string> = {}) {
    const part = filePart('a.bin', content);
    const push = await make([part], fields);
    const { body } = await api.get(push.json);
    const path = downloadPath(filesOf(body)[0] ?? {});
    return { ...push, path, content: Buffer.from(part.content), stored: push.stored[0] ?? '' };
  }

  async function auditKinds(token: string): Promise<unknown[]> {
    const { body } = await api.get(`/p/${token}/audit.json`, ann);
    return (body.views as Fields[]).map(({ kind }) => kind);
  }

  function expectContent(answer: ApiResponse, status: number, content: Buffer): void {
    expect(answer.status, answer.text.slice(0, 200)).to.equal(status);
    expect(answer.headers['content-length']).to.equal(String(content.length));
    expect(answer.bytes.equals(content)).to.equal(true);
  }

  describe('are downloaded', () => {
    it('as they were, ten of them and empty ones too, by the addresses that a view gives', async () => {
      const parts = [0, 1, frame - 1, frame, frame + 1, 2 * frame, 300_000, 0, 5, 1_000_000].map(
        (size, index) => filePart(`${index}.bin`, size),
      );
      const { json } = await make(parts);
      const files = filesOf((await api.get(json)).body);
      expect(files.map(({ filename }) => filename)).to.deep.equal(parts.map(({ filename }) => filename));
      for (const [index, file] of files.entries()) {
        expect(file.url).to.match(/^http:\/\/push\.test\/download\/[\w-]{43}\/\d+$/);
        expectContent(await api.get(downloadPath(file)), 200, Buffer.from(parts[index]?.content ?? ''));
      }
    });

    it('by twenty readers at once', async () => {
      const { path, content } = await makeAndReveal(500_000);
      for (const answer of await times(20, () => api.get(path))) expectContent(answer, 200, content);
    });

    it('as bytes to be saved, that no browser shows, caches or runs', async () => {
      const { json } = await make([filePart('page.html', '<script>alert(1)</script>')]);
      const [file = {}] = filesOf((await api.get(json)).body);
      const { headers } = await api.get(downloadPath(file));
      expect(headers).to.deep.include({
        'content-type': 'application/octet-stream',
        'content-disposition': 'attachment; filename="page.html"',
        'x-content-type-options': 'nosniff',
        'cache-control': 'no-store',
        'accept-ranges': 'bytes',
        'x-robots-tag': 'noindex, nofollow, noarchive',
      });
      expect(headers['content-security-policy']).to.match(/^default-src 'none';.*; sandbox$/);
    });

    it('after the last view too, while its payload is gone', async () => {
      const { path, json, content } = await makeAndReveal(100_000, { expire_after_views: '1' });
      const again = await api.get(json);
      expect(again.body).to.deep.include({ expired: true, payload: null, files: [] });
      expectContent(await api.get(path), 200, content);
      await service.domain.files.shredDue();
      expectContent(await api.get(path), 200, content);
    });

    it('by each view with a grant of its own', async () => {
      const { json } = await make([filePart('a', 'tulip')]);
      const [one, other] = [
        downloadPath(filesOf((await api.get(json)).body)[0] ?? {}),
        downloadPath(filesOf((await api.get(json)).body)[0] ?? {}),
      ];
      expect(one).to.not.equal(other);
      expect((await api.get(one)).text).to.equal('tulip');
      expect((await api.get(other)).text).to.equal('tulip');
    });
  });

  describe('are named', () => {
    const hostile = [
      '../../etc/passwd',
      '..\\..\\boot.ini',
      '/etc/shadow',
      'C:\\Windows\\win.ini',
      '\\\\server\\share\\x',
      '~/.ssh/id_rsa',
      'a/../b',
      '....//....//x',
      '%2e%2e%2fx',
      '..%00.txt',
      'a\0b.txt',
      '\0',
      'a\r\nSet-Cookie: x=1',
      'a\nb',
      'a\rb',
      'a\tb',
      '\x1b[31mred\x1b[0m',
      '\x07bell',
      '\x7f',
      'a"b',
      "a'b",
      'a\\b',
      '"',
      '\\',
      '""',
      '\\"',
      ';',
      'a;b=c',
      'a; filename="evil.exe"',
      "UTF-8''evil",
      "a' OR 1=1 --",
      '"; DROP TABLE files; --',
      '$(reboot)',
      '`reboot`',
      '| cat',
      '&& ls',
      '-rf',
      '--help',
      '*',
      '?',
      '<script>alert(1)</script>.html',
      '<img src=x onerror=alert(1)>.svg',
      'javascript:alert(1)',
      'data:text/html,x',
      '{{7*7}}',
      ['$', '{7*7}'].join(''),
      '%s%n',
      'CON',
      'NUL.txt',
      'aux',
      'COM1',
      'LPT1.log',
      'file:stream',
      'x:$DATA',
      'desktop.ini',
      '.htaccess',
      '.bashrc',
      '...',
      '. .',
      ' ',
      ' leading',
      'trailing ',
      'dot.',
      'a  b',
      'é.txt',
      'e\u0301.txt',
      'ﬁle.pdf',
      '文件.txt',
      'файл.txt',
      'ملف.txt',
      '👨‍👩‍👧.png',
      '\u202egnp.exe',
      '\u2066x\u2069.txt',
      'a\u200bb.txt',
      '\ufeffbom',
      'ＡＢＣ',
      'ı.txt',
      'a'.repeat(255),
      '😀'.repeat(255),
      '%41%42.txt',
      'a%',
      '100%.txt',
      '%0d%0aX: y',
      '=cmd|calc',
      '__proto__',
      'constructor',
    ].filter((name) => /\S/.test(name));

    it(`as their creator named them, whatever that is, and saved under a name without a path: ${hostile.length} names`, async () => {
      for (let at = 0; at < hostile.length; at += 10) {
        const names = hostile.slice(at, at + 10);
        const token = await makeNamed(names);
        const files = filesOf((await api.get(`/p/${token}.json`)).body);
        expect(files.map(({ filename }) => filename)).to.deep.equal(names);
        const listed = (await api.get('/p/active.json', ann)).json as Fields[];
        const mine = listed.find(({ url_token }) => url_token === token) ?? {};
        expect(filesOf(mine).map(({ filename }) => filename)).to.deep.equal(names);
        for (const file of files) expect(await savedName(file)).to.equal(safe(String(file.filename)));
      }
      for (const name of (await storedFiles(service)).names) expect(name).to.match(/^[0-9a-f]{40}$/);
    });

    /** By the domain's own door, which takes any text: a form cannot hold all of these. */
    async function makeNamed(names: string[]): Promise<string> {
      const { pushes } = service.domain;
      const caller = { account: annOwner, client: someClient };
      await using creation = await pushes.begin(caller);
      for (const filename of names)
        await creation.addFile({ filename, contentType: 'text/plain', stream: oneChunk('x') });
      const push = await creation.create({});
      return push.urlToken;
    }

    async function savedName(file: Fields): Promise<string> {
      const { status, headers } = await api.send('HEAD', downloadPath(file));
      expect(status).to.equal(200);
      const disposition = String(headers['content-disposition']);
      const [, plain, extended] =
        /^attachment; filename=(?:"((?:[ !#-[\]-~]|\\["\\])*)"|[\w!#$&+.^`|~-]+)(?:; filename\*=UTF-8''([\w!#$&+.^`|~%-]+))?$/.exec(
          disposition,
        ) ?? expect.fail(disposition);
      if (extended !== undefined) return decodeURIComponent(extended);
      return plain === undefined
        ? (/filename=(.*)$/.exec(disposition)?.[1] ?? '')
        : plain.replace(/\\(.)/g, '$1');
    }

    /** What may be a name of a file in a folder, on a screen. */
    function safe(name: string): string {
      const unsafe = (character: string) => {
        const code = character.codePointAt(0) ?? 0;
        const isControl = code < 0x20 || (code >= 0x7f && code < 0xa0);
        const turns = (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
        const isMark = [0x061c, 0x200e, 0x200f, 0x2028, 0x2029].includes(code);
        return isControl || turns || isMark || character === '/' || character === '\\';
      };
      const plain = [...name].map((character) => (unsafe(character) ? '_' : character));
      while (['.', ' '].includes(plain.at(-1) ?? '')) plain.pop();
      const [stem = ''] = plain.join('').split('.');
      const isDevice = ['con', 'nul', 'aux', 'com1', 'lpt1'].includes(stem.toLowerCase());
      return (isDevice ? '_' : '') + plain.join('') || '_';
    }

    it('by the last part of a path, as some programs send them', async () => {
      const names = ['/home/ann/id_rsa', 'C:\\Users\\ann\\key.pem', 'é "quoted".txt'];
      const { json } = await make(names.map((name) => filePart(name, 'x')));
      const { body } = await api.get(json);
      expect(filesOf(body).map(({ filename }) => filename)).to.deep.equal([
        'id_rsa',
        'key.pem',
        'é "quoted".txt',
      ]);
    });

    it('by a text of 1 to 255 characters; any other is refused, and leaves nothing', async () => {
      const before = await storedFiles(service);
      for (const [name, problem] of [
        ['a'.repeat(256), 'must have names of at most 255 characters'],
        ['😀'.repeat(256), 'must have names of at most 255 characters'],
        [' \t', 'must have names'],
        ['\ud800', 'must have names of well-formed Unicode'],
      ] as const) {
        expect(await refusal(makeNamed(['fine.txt', name]))).to.equal(`invalid: files ${problem}`);
      }
      const answer = await api.send('POST', '/p.json', {
        headers: { ...asMultipart, ...ann },
        body: multipartForm([filePart('a'.repeat(256))]),
      });
      expect(answer.status).to.equal(422);
      expect(answer.body.fields).to.deep.equal({ files: ['must have names of at most 255 characters'] });
      expect(await storedFiles(service)).to.deep.equal(before);
    });
  });

  describe('are downloaded in parts:', () => {
    let path: string;
    let content: Buffer;
    let etag: string;
    const size = 2 * frame + 777;

    before(async () => {
      ({ path, content } = await makeAndReveal(size));
      etag = String((await api.send('HEAD', path)).headers.etag);
    });

    for (const [range, start, end] of [
      ['bytes=0-0', 0, 1],
      ['bytes=0-', 0, size],
      [`bytes=${frame - 1}-${frame}`, frame - 1, frame + 1],
      [`bytes=${frame}-${2 * frame - 1}`, frame, 2 * frame],
      ['bytes=100000-', 100_000, size],
      ['bytes=-1', size - 1, size],
      ['bytes=-999999', 0, size],
      [`bytes=5-${size * 10}`, 5, size],
      ['Bytes=7-9', 7, 10],
    ] as const) {
      it(range, async () => {
        const answer = await api.get(path, { range });
        expectContent(answer, 206, content.subarray(start, end));
        expect(answer.headers['content-range']).to.equal(`bytes ${start}-${end - 1}/${size}`);
      });
    }

    for (const range of [`bytes=${size}-`, `bytes=${size + 5}-${size + 9}`, 'bytes=-0']) {
      it(`not ${range}, which it does not have`, async () => {
        const answer = await api.get(path, { range });
        expect(answer.status).to.equal(416);
        expect(answer.headers['content-range']).to.equal(`bytes */${size}`);
        expect(answer.body.error).to.equal('The file does not have this range.');
        expect(answer.headers['content-disposition']).to.equal(undefined);
      });
    }

    for (const range of [
      'bytes=0-1,5-6',
      'bytes=9-5',
      'bytes=a-b',
      'items=0-1',
      'bytes=-',
      '0-5',
      `bytes=${'9'.repeat(400)}x-`,
    ]) {
      it(`whole for ${range.slice(0, 20)}, which is no range, or several`, async () => {
        expectContent(await api.get(path, { range }), 200, content);
      });
    }

    it('only while the file is the one that If-Range names', async () => {
      const range = 'bytes=10-19';
      expectContent(await api.get(path, { range, 'if-range': etag }), 206, content.subarray(10, 20));
      for (const other of ['"other"', `W/${etag}`, 'Sat, 21 Nov 2026 18:00:00 GMT'])
        expectContent(await api.get(path, { range, 'if-range': other }), 200, content);
    });

    it('so that one that broke off goes on where it did', async () => {
      const big = await makeAndReveal(5_000_000);
      const begun = await readSome(big.path, 1_000_000);
      expect(begun.length).to.be.within(1_000_000, 4_900_000);
      const { headers } = await api.send('HEAD', big.path);
      const rest = await api.get(big.path, {
        range: `bytes=${begun.length}-`,
        'if-range': String(headers.etag),
      });
      expect(rest.status).to.equal(206);
      expect(Buffer.concat([begun, rest.bytes]).equals(big.content)).to.equal(true);
    });

    it('none of an empty file', async () => {
      const empty = await makeAndReveal(0);
      expect((await api.get(empty.path, { range: 'bytes=0-' })).status).to.equal(416);
      expectContent(await api.get(empty.path), 200, Buffer.alloc(0));
    });

    it('and measured by HEAD, which gives no byte, whatever the range', async () => {
      const { status, headers, bytes } = await api.send('HEAD', path, { headers: { range: 'bytes=0-5' } });
      expect({ status, length: headers['content-length'], bytes: bytes.length }).to.deep.equal({
        status: 200,
        length: String(size),
        bytes: 0,
      });
    });

    /** Leaves a download in the middle. */
    function readSome(of: string, least: number): Promise<Buffer> {
      return new Promise((resolve, reject) => {
        const chunks: Buffer[] = [];
        const socket = connect(service.port, '127.0.0.1', () =>
          socket.write(`GET ${of} HTTP/1.1\r\nHost: a\r\n\r\n`),
        );
        socket.on('error', reject).on('data', (chunk) => {
          chunks.push(chunk);
          const all = Buffer.concat(chunks);
          const body = all.subarray(all.indexOf('\r\n\r\n') + 4);
          if (body.length < least) return;
          socket.destroy();
          resolve(body);
        });
      });
    }
  });

  describe('are told of', () => {
    it('to their owner and to viewers, and to nobody who spends no view', async () => {
      const { json, token } = await make([filePart('secret-name.txt')]);
      const preview = await api.get(json, { 'user-agent': 'Slackbot' });
      expect(preview.body).to.deep.include({ files: [], payload: null });
      const listed = ((await api.get('/p/active.json', ann)).json as Fields[]).find(
        (push) => push.url_token === token,
      );
      expect(filesOf(listed ?? {})).to.deep.equal([
        { filename: 'secret-name.txt', content_type: 'application/octet-stream', size: 100, url: null },
      ]);
      const gone = await api.send('DELETE', json);
      expect(gone.body.files).to.deep.equal([]);
      const expired = ((await api.get('/p/expired.json', ann)).json as Fields[]).find(
        (push) => push.url_token === token,
      );
      expect(filesOf(expired ?? {})).to.deep.equal([]);
    });

    it('once the passphrase is right', async () => {
      const { json } = await make([filePart('a', 'tulip')], { passphrase: 'open' });
      const locked = await api.get(json);
      expect(locked.status).to.equal(401);
      expect(locked.text).to.not.include('download');
      const { body } = await api.get(`${json}?passphrase=open`);
      expect((await api.get(downloadPath(filesOf(body)[0] ?? {}))).text).to.equal('tulip');
    });

    it('in the log of their push: once for each file and view, however often and in whatever parts it is fetched', async () => {
      const { json, token } = await make([filePart('a', 200_000), filePart('b', 'tulip')], {
        expire_after_views: '9',
      });
      const files = filesOf((await api.get(json)).body);
      const [a = '', b = ''] = files.map(downloadPath);
      await api.send('HEAD', a);
      await api.get(a, { range: 'bytes=999999-' });
      expect(await auditKinds(token)).to.deep.equal(['creation', 'view']);
      await times(10, (index) =>
        api.get(a, { range: `bytes=${index}-${index + 70_000}`, 'user-agent': 'fetcher' }),
      );
      await api.get(a);
      expect(await auditKinds(token)).to.deep.equal(['creation', 'view', 'download']);
      await api.get(b);
      const again = filesOf((await api.get(json)).body).map(downloadPath);
      await api.get(again[0] ?? '');
      expect(await auditKinds(token)).to.deep.equal([
        'creation',
        'view',
        'download',
        'download',
        'view',
        'download',
      ]);
      const { body } = await api.get(`/p/${token}/audit.json`, ann);
      expect((body.views as Fields[])[2]).to.deep.include({ user_agent: 'fetcher', ip: '127.0.0.1' });
    });
  });

  describe('are gone', () => {
    async function expectGone(path: string): Promise<void> {
      const answer = await api.get(path);
      expect({ status: answer.status, body: answer.body }).to.deep.equal({
        status: 404,
        body: { error: 'not-found' },
      });
      expect((await api.send('HEAD', path)).status).to.equal(404);
    }

    it('for whoever has no grant, or guesses', async () => {
      const { path } = await makeAndReveal('tulip');
      await expectGone(path.replace(/\/1$/, '/2'));
      await expectGone(path.replace(/\/1$/, '/99'));
      await expectGone(path.replace(/[\w-]{43}/, randomBytes(32).toString('base64url')));
      for (const wrong of [
        `${path}0000`,
        path.replace(/\/1$/, '/0'),
        path.replace(/\/1$/, '/-1'),
        path.slice(0, -2),
        '/download',
      ])
        expect((await api.get(wrong)).status).to.equal(404);
    });

    it('ten minutes after the view, while its push goes on', async () => {
      const { path, json, content } = await makeAndReveal(1000);
      await age(9 * 60_000 + 55_000);
      expectContent(await api.get(path), 200, content);
      await age(5_001);
      await expectGone(path);
      const { body } = await api.get(json);
      expectContent(await api.get(downloadPath(filesOf(body)[0] ?? {})), 200, content);
    });

    it('when their push ends by its time, and shredded then', async () => {
      const { token, json, stored } = await make([filePart('a', 'tulip')]);
      await endFilesIn(token, 60_000);
      const path = downloadPath(filesOf((await api.get(json)).body)[0] ?? {});
      expect((await api.get(path)).text).to.equal('tulip');
      await age(60_001);
      await expectGone(path);
      await endFilesIn(token, -1);
      await service.domain.files.shredDue();
      expect((await storedFiles(service)).names).to.not.include(basename(stored[0] ?? ''));
    });

    it('when their push is deleted, also while grants of the last view hold', async () => {
      for (const views of ['1', '5']) {
        const { path, json, stored } = await makeAndReveal(1000, { expire_after_views: views });
        expect((await api.get(path)).status).to.equal(200);
        expect((await api.send('DELETE', json)).status).to.equal(200);
        await expectGone(path);
        await service.domain.files.shredDue();
        expect((await storedFiles(service)).names).to.not.include(basename(stored));
      }
    });

    it('from the store ten minutes after the last view', async () => {
      const { path, stored, content } = await makeAndReveal(1000, { expire_after_views: '1' });
      const name = basename(stored);
      await service.database.execute('UPDATE files SET shred_at = shred_at - $ms', {
        ms: 9 * 60_000 + 50_000,
      });
      await service.domain.files.shredDue();
      expectContent(await api.get(path), 200, content);
      await service.database.execute('UPDATE files SET shred_at = shred_at - $ms', { ms: 10_001 });
      await service.domain.files.shredDue();
      expect((await storedFiles(service)).names).to.not.include(name);
    });

    it('for a client that tries too many addresses that are none', async () => {
      const limited = await startService({
        RATE_LIMITS: 'on',
        LIMIT_UNKNOWN_TOKENS: '3/1m',
        LIMIT_REQUESTS: '1000/1s',
      });
      const client = createClient(limited.port);
      const statuses = [];
      for (let i = 0; i < 5; i++)
        statuses.push((await client.get(`/download/${randomBytes(32).toString('base64url')}/1`)).status);
      expect(statuses).to.deep.equal([404, 404, 404, 429, 429]);
      client.close();
      await limited.stop();
    });

    const age = (ms: number) =>
      service.database.execute('UPDATE download_grants SET expires_at = expires_at - $ms', { ms });

    async function endFilesIn(token: string, ms: number): Promise<void> {
      await expirePushIn(service, token, ms);
      await service.database.execute(
        `UPDATE files SET shred_at = ${service.database.dialect.now} + $ms
         WHERE push_id = (SELECT id FROM pushes WHERE token_digest = $digest)`,
        { ms, digest: digestOf(token) },
      );
    }
  });

  describe('give no plaintext but what was authenticated', () => {
    async function flip(path: string, at: number): Promise<void> {
      const file = await open(path, 'r+');
      const { buffer } = await file.read(Buffer.alloc(1), 0, 1, at);
      await file.write(Buffer.from([buffer.readUInt8() ^ 1]), 0, 1, at);
      await file.close();
    }

    async function expectDamaged(answer: ApiResponse): Promise<void> {
      expect(answer.status).to.equal(503);
      expect(answer.body.error).to.equal(
        'This file is damaged in the file store. Tell whoever runs this server.',
      );
      expect(answer.headers['content-disposition']).to.equal(undefined);
    }

    it('when the first byte that is asked for is changed: the request is refused', async () => {
      const { path, stored, token } = await makeAndReveal(3 * frame);
      await flip(stored, 100);
      await expectDamaged(await api.get(path));
      await flip(stored, 100);
      await flip(stored, sealedFrame + frame + 15);
      await expectDamaged(await api.get(path, { range: `bytes=${frame}-` }));
      expect(await auditKinds(token)).to.deep.equal(['creation', 'view']);
    });

    it('when a later byte is changed: what is before it comes, then the connection breaks', async () => {
      const { path, stored, content } = await makeAndReveal(20 * frame);
      await flip(stored, 17 * sealedFrame + 5);
      const before = service.logged().length;
      const { status, headers, bytes } = await sendRaw(
        service.port,
        `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`,
      );
      expect(status).to.equal(200);
      expect(headers['content-length']).to.equal(String(content.length));
      expect(bytes.length).to.be.at.most(17 * frame);
      expect(bytes.equals(content.subarray(0, bytes.length))).to.equal(true);
      await until(() => service.logged().slice(before).includes('a stored file is damaged'));
    });

    it('when the file is cut, or longer: the request is refused, and no further view is spent', async () => {
      for (const length of [0, 50, sealedFrame, 2 * sealedFrame - 1, 2 * sealedFrame + 30]) {
        const { path, json, stored, token } = await makeAndReveal(2 * frame);
        await truncate(stored, length);
        const answers = [
          await api.get(path),
          await api.get(path, { range: 'bytes=0-5' }),
          await api.get(json),
        ];
        for (const { status, body } of answers) {
          expect(status).to.equal(503);
          expect(body.error).to.equal(
            'A file of this secret is not in the file store. Tell whoever runs this server.',
          );
        }
        expect(await auditKinds(token)).to.deep.equal(['creation', 'view']);
      }
    });

    it('when files are swapped, within a push and between pushes', async () => {
      const { json, stored } = await make([filePart('a', 1000), filePart('b', 1000)]);
      const other = await makeAndReveal(1000);
      const [a = '', b = ''] = stored;
      await rename(a, `${a}.x`);
      await rename(b, a);
      await rename(other.stored, b);
      await rename(`${a}.x`, other.stored);
      for (const file of filesOf((await api.get(json)).body))
        await expectDamaged(await api.get(downloadPath(file)));
      await expectDamaged(await api.get(other.path));
    });
  });

  describe('spend no view while they cannot be had', () => {
    it('because the store is away: the view is there when it is back, and text goes on meanwhile', async () => {
      const { json, stored, path, token, content } = await makeAndReveal(1000, { expire_after_views: '2' });
      const folder = service.filesFolder;
      await rename(folder, `${folder}.away`);
      await writeFile(folder, 'no folder');
      try {
        for (const answer of [await api.get(json), await api.get(path)]) {
          expect(answer.status).to.equal(503);
          expect(answer.body.error).to.equal('The file store is out of reach. Try again shortly.');
          expect(Number(answer.headers['retry-after'])).to.be.above(0);
        }
        const text = await api.create();
        expect((await api.get(text.json)).body.payload).to.equal('tulip');
        expect(await auditKinds(token)).to.deep.equal(['creation', 'view']);
      } finally {
        await rm(folder);
        await rename(`${folder}.away`, folder);
      }
      expect((await api.get(json)).body).to.deep.include({ views_remaining: 0, payload: '' });
      expectContent(await api.get(path), 200, content);
      expect(stored).to.include(folder);
    });

    it('because one of them is lost', async () => {
      const { json, stored, token } = await make([filePart('a'), filePart('b')]);
      await rm(stored[1] ?? '');
      expect((await api.get(json)).status).to.equal(503);
      expect(await auditKinds(token)).to.deep.equal(['creation']);
    });
  });
});

async function* oneChunk(text: string) {
  yield Buffer.from(text);
}
