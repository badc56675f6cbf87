import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { expect } from 'chai';
import { createLocalStore } from '../../src/stores/local.ts';
import {
  type ApiResponse,
  asForm,
  asMultipart,
  bearer,
  type Client,
  createClient,
  type Fields,
  times,
} from '../harness/api.ts';
import {
  type FormPart,
  filePart,
  filesOf,
  multipartForm,
  noStoredFiles,
  storedFiles,
} from '../harness/files.ts';
import { createAccount, startService, type TestService } from '../harness/service.ts';
import { until } from '../harness/until.ts';

const mebibyte = 1024 * 1024;

describe('a push with files', () => {
  let service: TestService;
  let api: Client;
  let subscriber: { authorization: string };
  let unsubscribed: { authorization: string };

  before(async () => {
    service = await startService({ MAX_FILE_MIB: '1', MAX_UPLOAD_MIB: '3' });
    api = createClient(service.port);
    subscriber = bearer((await createAccount(service.domain, 'ann@example.com', { subscribed: true })).token);
    unsubscribed = bearer((await createAccount(service.domain, 'bob@example.com')).token);
  });

  beforeEach(async () => {
    for (const table of ['files', 'download_grants', 'audit_rows', 'pushes'])
      await service.database.execute(`DELETE FROM ${table}`, {});
    for await (const { name } of service.fileStore.list('')) await service.fileStore.remove(name);
  });

  after(async () => {
    api.close();
    await service.stop();
  });

  function send(
    parts: FormPart[],
    { path = '/p.json', headers = subscriber as Fields } = {},
  ): Promise<ApiResponse> {
    return api.send('POST', path, { headers: { ...asMultipart, ...headers }, body: multipartForm(parts) });
  }

  async function made(parts: FormPart[], options = {}): Promise<Fields> {
    const answer = await send(parts, options);
    expect(answer.status, answer.text).to.equal(201);
    return answer.body;
  }

  async function expectRefused(answer: ApiResponse, status: number, error: string): Promise<void> {
    expect({ status: answer.status, error: answer.body.error }).to.deep.equal({ status, error });
    expect(await storedFiles(service)).to.deep.equal(noStoredFiles);
    expect(await service.database.select('SELECT 1 FROM pushes', {})).to.deep.equal([]);
  }

  describe('is made', () => {
    it('of a form, and tells of its files in their order, without a way to them', async () => {
      const push = await made([
        filePart('a.pem', 1000),
        { name: 'password[expire_after_views]', content: '3' },
        { ...filePart('b', 0), type: 'Text/CSV; charset=utf-8' },
        { ...filePart('c.bin', 70_000), type: 'no type' },
      ]);
      expect(push).to.deep.include({ kind: 'file', expire_after_views: 3 });
      expect(push).to.not.have.property('payload');
      expect(push.files).to.deep.equal([
        { filename: 'a.pem', content_type: 'application/octet-stream', size: 1000, url: null },
        { filename: 'b', content_type: 'text/csv', size: 0, url: null },
        { filename: 'c.bin', content_type: 'application/octet-stream', size: 70_000, url: null },
      ]);
    });

    it('with a message, or with none', async () => {
      const message = { name: 'password[payload]', content: 'see the file\n' };
      const withMessage = await made([message, filePart('a')]);
      expect((await api.get(`/p/${withMessage.url_token}.json`)).body.payload).to.equal('see the file\n');
      const without = await made([filePart('a')]);
      expect((await api.get(`/p/${without.url_token}.json`)).body.payload).to.equal('');
    });

    it('of the kind that it says, by the rules of that kind', async () => {
      const kind = (content: string) => ({ name: 'password[kind]', content });
      const payload = (content: string) => ({ name: 'password[payload]', content });
      expect((await made([kind('file'), filePart('a')])).kind).to.equal('file');
      expect((await made([filePart('a'), kind('text'), payload('x')])).kind).to.equal('text');
      expect((await send([filePart('a'), kind('text')])).body.error).to.equal('payload must not be blank');
      expect((await send([filePart('a'), kind('url'), payload('x')])).status).to.equal(422);
    });

    for (const [path, name] of [
      ['/p.json', 'password[files][]'],
      ['/p.json', 'password[files]'],
      ['/p.json', 'password[files][0]'],
      ['/p.json', 'files[]'],
      ['/f.json', 'file_push[files][]'],
      ['/f.json', 'file[files][]'],
      ['/f.json', 'file[files][7]'],
    ] as const) {
      it(`of files named ${name} on ${path}`, async () => {
        const push = await made([{ ...filePart('a.txt', 'tulip'), name }], { path });
        expect(push.kind).to.equal('file');
        expect(filesOf(push)).to.have.length(1);
      });
    }

    it('of up to ten files, and not of an eleventh, which is refused before it is read', async () => {
      const ten = Array.from({ length: 10 }, (_, index) => filePart(`${index}.txt`, `file ${index}`));
      const push = await made(ten);
      expect(filesOf(push).map(({ filename }) => filename)).to.deep.equal(
        ten.map(({ filename }) => filename),
      );
      await api.send('DELETE', `/p/${push.url_token}.json`);
      await service.domain.files.shredDue();
      await service.database.execute('DELETE FROM pushes', {});
      const eleventh = await send([...ten, filePart('10.txt', 'file 10')]);
      await expectRefused(eleventh, 422, 'files must be at most 10');
      expect(eleventh.body.fields).to.deep.equal({ files: ['must be at most 10'] });
    });

    it('of a file of exactly as many bytes as are allowed, and not of one more', async () => {
      const { size } = filesOf(await made([filePart('big', mebibyte)]))[0] ?? {};
      expect(size).to.equal(mebibyte);
      const names = (await storedFiles(service)).names;
      const over = await send([filePart('small', 10), filePart('big', mebibyte + 1)]);
      expect(over.status).to.equal(413);
      expect(over.body.error).to.equal('A file may have at most 1 MB.');
      expect((await storedFiles(service)).names).to.deep.equal(names);
    });

    it('of files of exactly as many bytes as are allowed together, and not of one more', async () => {
      const parts = ['a', 'b', 'c'].map((name) => filePart(name, mebibyte));
      await made(parts);
      const names = (await storedFiles(service)).names;
      const over = await send([...parts, filePart('d', 1)]);
      expect(over.status).to.equal(413);
      expect(over.body.error).to.equal('All files together may have at most 3 MB.');
      expect((await storedFiles(service)).names).to.deep.equal(names);
    });

    it('not of a body that is longer than all of that, which is refused unread', async () => {
      const headers = { ...asMultipart, ...subscriber, 'content-length': 10 * mebibyte, connection: 'close' };
      const req = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
      const socket = connect(service.port, '127.0.0.1');
      socket.write(`POST /p.json HTTP/1.1\r\nHost: a\r\n${req.join('')}\r\n--B\r\n`);
      const [answer] = await once(socket, 'data');
      expect(String(answer)).to.match(/^HTTP\/1\.1 413 /);
      socket.destroy();
    });

    it('of each of twenty uploads that race, whole', async () => {
      const pushes = await times(20, async (index) => {
        const content = Buffer.alloc(100_000 + index, index);
        const push = await made([filePart(`${index}`, content), filePart('b', content)]);
        return { push, content };
      });
      for (const { push, content } of pushes) {
        const { body } = await api.get(`/p/${push.url_token}.json`);
        for (const { url } of filesOf(body)) {
          const { bytes } = await api.get(new URL(String(url)).pathname);
          expect(bytes.equals(content)).to.equal(true);
        }
      }
    });
  });

  describe('is refused, and leaves nothing,', () => {
    it('without an account, and with one that is not subscribed', async () => {
      const parts = [filePart('a.txt', 200_000)];
      await expectRefused(await send(parts, { headers: {} }), 401, 'File attachments require an account.');
      await expectRefused(
        await send(parts, { headers: unsubscribed }),
        403,
        'File attachments require a subscription.',
      );
      const formerly = await send([{ ...filePart('a'), name: 'file[files][]' }], {
        path: '/f.json',
        headers: {},
      });
      expect(formerly.status).to.equal(401);
    });

    it('when a file is elsewhere in the form', async () => {
      const misplaced = { ...filePart('a'), name: 'password[payload]' };
      await expectRefused(await send([misplaced]), 422, 'files must be sent as password[files][]');
      const ofAnother = [filePart('a', 100_000), { ...filePart('b'), name: 'file_push[files][]' }];
      await expectRefused(await send(ofAnother), 422, 'files must be sent as password[files][]');
    });

    it('when files are named in JSON, in a form without parts, or by a part that is no file', async () => {
      const problem = 'files must be sent as multipart/form-data, each with a filename';
      const form = 'password[payload]=x&password[files][]=a.txt';
      await expectRefused(
        await api.post('/p.json', { password: { payload: 'x', files: ['x'] } }, subscriber),
        422,
        problem,
      );
      await expectRefused(
        await api.send('POST', '/p.json', { headers: { ...asForm, ...subscriber }, body: form }),
        422,
        problem,
      );
      await expectRefused(
        await send([{ name: 'password[files][]', content: 'x' }, filePart('a')]),
        422,
        problem,
      );
    });

    it('when it is of kind file and there is none', async () => {
      const problem = 'files must be at least one, sent as multipart/form-data';
      const kindFile = { password: { kind: 'file', payload: 'x' } };
      await expectRefused(await api.post('/p.json', kindFile, subscriber), 422, problem);
      await expectRefused(await api.post('/f.json', { file: { payload: 'x' } }, subscriber), 422, problem);
      const nothingChosen = [
        { name: 'password[kind]', content: 'file' },
        { name: 'password[files][]', content: '' },
        { name: 'password[files][]', filename: '', type: 'application/octet-stream', content: '' },
      ];
      await expectRefused(await send(nothingChosen), 422, problem);
    });

    it('when anything else of it is refused, before or behind its files', async () => {
      const views = { name: 'password[expire_after_views]', content: '0' };
      const problem = 'expire_after_views must be between 1 and 100';
      await expectRefused(await send([views, filePart('a', 300_000)]), 422, problem);
      await expectRefused(await send([filePart('a', 300_000), filePart('b'), views]), 422, problem);
      const broken = Buffer.concat([
        multipartForm([filePart('a', 300_000)]).subarray(0, -10),
        Buffer.from('x'),
      ]);
      const answer = await api.send('POST', '/p.json', {
        headers: { ...asMultipart, ...subscriber },
        body: broken,
      });
      expect(answer.status).to.equal(400);
      expect(await storedFiles(service)).to.deep.equal(noStoredFiles);
    });

    it('when its sender leaves in the middle of a file, or between two', async () => {
      const whole = multipartForm([filePart('a', 200_000), filePart('b', 200_000)]);
      for (const sent of [100_000, 200_000 + 150, 399_000]) {
        const socket = connect(service.port, '127.0.0.1');
        socket.write(
          `POST /p.json HTTP/1.1\r\nHost: a\r\nContent-Length: ${whole.length}\r\nAuthorization: ${subscriber.authorization}\r\n` +
            'Content-Type: multipart/form-data; boundary=B\r\n\r\n',
        );
        socket.write(whole.subarray(0, sent));
        await until(async () => (await storedFiles(service)).names.length > 0);
        socket.destroy();
        await until(async () => (await storedFiles(service)).rows === 0);
        expect(await storedFiles(service)).to.deep.equal(noStoredFiles);
      }
    });

    it('when the store is away; text can be pushed all the same', async () => {
      const away = await startService({}, { store: createLocalStore('/dev/null/files') });
      const client = createClient(away.port);
      const { token } = await createAccount(away.domain, 'ann@example.com', { subscribed: true });
      const answer = await client.send('POST', '/p.json', {
        headers: { ...asMultipart, ...bearer(token) },
        body: multipartForm([filePart('a', 100_000)]),
      });
      expect(answer.status).to.equal(503);
      expect(Number(answer.headers['retry-after'])).to.be.above(0);
      expect((await client.create()).response.status).to.equal(201);
      client.close();
      await away.stop();
    });
  });

  describe('where the operator wants', () => {
    async function attaching(FILES: string, environment = {}) {
      const other = await startService({ FILES, ...environment });
      const client = createClient(other.port);
      const ann = await createAccount(other.domain, 'ann@example.com', { subscribed: true });
      const bob = await createAccount(other.domain, 'bob@example.com');
      const body = multipartForm([filePart('a.txt', 'tulip')]);
      const answers = [];
      for (const credential of [{}, bearer(bob.token), bearer(ann.token)]) {
        answers.push(
          await client.send('POST', '/p.json', { headers: { ...asMultipart, ...credential }, body }),
        );
      }
      client.close();
      await other.stop();
      return answers;
    }

    it('nobody attaches files', async () => {
      for (const { status, body } of await attaching('off')) {
        expect(status).to.equal(403);
        expect(body.error).to.equal('This server does not take file attachments.');
      }
    });

    it('everybody does who may make a push', async () => {
      expect((await attaching('everyone')).map(({ status }) => status)).to.deep.equal([201, 201, 201]);
      const known = await attaching('everyone', { ALLOW_ANONYMOUS: 'false' });
      expect(known.map(({ status }) => status)).to.deep.equal([401, 201, 201]);
    });

    it('other limits hold', async () => {
      const small = await startService({ MAX_FILES: '2', FILES: 'everyone' });
      const client = createClient(small.port);
      const post = (parts: FormPart[]) =>
        client.send('POST', '/p.json', { headers: asMultipart, body: multipartForm(parts) });
      expect((await post([filePart('a'), filePart('b')])).status).to.equal(201);
      expect((await post([filePart('a'), filePart('b'), filePart('c')])).body.error).to.equal(
        'files must be at most 2',
      );
      client.close();
      await small.stop();
    });
  });

  it('counts once against the limit on creating, and is refused before its bytes once that is reached', async () => {
    const limited = await startService({ RATE_LIMITS: 'on', LIMIT_ACCOUNT_CREATE: '2/1m' });
    const client = createClient(limited.port);
    const { token } = await createAccount(limited.domain, 'ann@example.com', { subscribed: true });
    const headers = { ...asMultipart, ...bearer(token) };
    const statuses = [];
    for (let i = 0; i < 3; i++) {
      const body = multipartForm([filePart('a', 50_000), filePart('b')]);
      statuses.push((await client.send('POST', '/p.json', { headers, body })).status);
    }
    expect(statuses).to.deep.equal([201, 201, 429]);
    expect((await storedFiles(limited)).names).to.have.length(4);
    client.close();
    await limited.stop();
  });

  it('keeps nothing of a file, its name or its type where it can be read without the keys and the link', async () => {
    const word = `canary-${randomBytes(6).toString('hex')}`;
    await made([{ ...filePart(`${word}.txt`, word.repeat(20)), type: `application/x-${word}` }]);
    const rows = await service.database.select<Fields>('SELECT * FROM files', {});
    const stored = JSON.stringify(rows, (_, value) =>
      value?.type === 'Buffer' ? Buffer.from(value.data).toString('latin1') : value,
    );
    expect(stored).to.not.include(word);
    for (const name of (await storedFiles(service)).names) {
      expect(name).to.match(/^[0-9a-f]{40}$/);
      const bytes = await service.fileStore.read(name, { start: 0, end: 10_000 });
      for await (const chunk of bytes ?? []) expect(chunk.includes(word)).to.equal(false);
    }
    expect(service.logged()).to.not.include(word);
  });
});
