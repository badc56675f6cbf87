import { randomBytes } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { expect } from 'chai';
import { encryptPush, type PushParams } from '../../src/client/client.ts';
import { sealFile, sealSecret } from '../../src/client/encryption.js';
import { createKey } from '../../src/client/linkKey.js';
import { type HostileServer, startHostileServer } from '../../tools/standins/hostileServer.ts';
import { type Folder, openFolder } from '../harness/cli.ts';
import { onMariadb } from '../harness/database.ts';

// It talks to no service of ours, so this runs once.
const describeOnce = onMariadb ? () => {} : describe;

describeOnce('A server in somebody else’s hands, for the commands', () => {
  let server: HostileServer;
  let elsewhere: HostileServer;
  let folder: Folder;

  before(async () => {
    server = await startHostileServer();
    elsewhere = await startHostileServer();
  });
  beforeEach(async () => {
    folder = await openFolder();
  });
  afterEach(() => folder.remove());
  after(async () => {
    await server.close();
    await elsewhere.close();
  });

  const settings = () => ({ XDG_CONFIG_HOME: join(folder.path, '.settings'), HUSHPUSH_SERVER: server.url });
  const run = (command: string, input?: string) =>
    folder.run(command, { settings: settings(), ...(input && { input }) });
  const saved = async () => (await readdir(folder.path)).filter((name) => name !== '.settings');

  const serve = (content: Buffer) => (_: IncomingMessage, response: ServerResponse) => response.end(content);

  type File = { filename: string; size: number; url?: string };

  /** Lets the server answer a retrieval, and downloads of files. */
  function answerWith(
    push: object,
    files: File[] = [],
    contents: Parameters<typeof server.answerWith>[0] = {},
  ) {
    const listed = files.map((file, index) => ({
      ...{ content_type: '', url: `${server.url}/download/${index + 1}` },
      ...file,
    }));
    server.answerWith({ '/p/token.json': server.push({ files: listed, ...push }), ...contents });
  }

  async function sealed(params: PushParams) {
    const { push, key } = await encryptPush(params);
    const contents = await Promise.all(
      (push.files ?? []).map(async ({ content }) => Buffer.from(await (content as Blob).arrayBuffer())),
    );
    return { payload: push.payload, contents, link: `${server.url}/p/token#${key}` };
  }

  /** That a command fails, prints nothing, and leaves no file. */
  async function expectNothing(command: string, message: RegExp, what = command): Promise<void> {
    const { code, stdout, stderr } = await run(command);
    expect({ stdout, saved: await saved() }, `${what}: ${stderr}`).to.deep.equal({ stdout: '', saved: [] });
    expect(code, `${what}: ${stderr}`).to.be.oneOf([1, 3, 5, 6]);
    expect(stderr, what).to.match(message);
  }

  it('get opens an authentic ciphertext for a link with a key, or nothing', async () => {
    const { payload, link } = await sealed({ payload: 'tulip' });
    answerWith({ payload, encrypted: true });
    expect(await run(`get --quiet ${link}`)).to.include({ code: 0, stdout: 'tulip' });
    const plainFile = [{ filename: 'a.txt', size: 6 }];
    const contents = { '/download/1': serve(Buffer.from('forged')) };
    const answers: [string, object, File[], RegExp][] = [
      ['a plain text', { payload: 'forged' }, [], /what the server sent is not encrypted/],
      ['with the mark false', { payload, encrypted: false }, [], /is not encrypted/],
      ['files in the clear', { payload: null }, plainFile, /is not encrypted/],
      [
        'files in the clear, with the mark',
        { payload: null, encrypted: true },
        plainFile,
        /is not encrypted/,
      ],
      ['plain text with the mark', { payload: 'forged', encrypted: true }, [], /does not open/],
      ['an expired push with a secret', { payload: 'forged', expired: true }, [], /is not encrypted/],
      ['an expired push', { payload: null, expired: true, name: 'forged' }, plainFile, /has expired/],
    ];
    for (const [what, push, files, message] of answers)
      for (const options of files.length === 0 && what !== 'a plain text'
        ? ['']
        : ['', ' --json', ' --output copy']) {
        answerWith(push, files, contents);
        await expectNothing(`get ${link}${options}`, message, `${what}${options}`);
        expect(server.requests.map(({ path }) => path)).to.not.include('/download/1');
      }
  });

  it('get opens what was encrypted in version 1 for a link of version 1, and in no other mixture', async () => {
    const second = createKey();
    const first = second.replace(/^2/, '1');
    const fileIn = async (key: string) => {
      const parts: Uint8Array[] = [];
      for await (const part of sealFile(key, 1, new Blob(['rose'.repeat(20)]).stream())) parts.push(part);
      return Buffer.concat(parts);
    };
    const secret = { kind: 'file' as const, text: 'tulip', files: [{ name: 'rose.txt', type: '' }] };
    for (const secretKey of [first, second])
      for (const fileKey of [first, second])
        for (const key of [first, second]) {
          const what = `key ${key[0]}, secret ${secretKey[0]}, file ${fileKey[0]}`;
          const content = await fileIn(fileKey);
          answerWith(
            { payload: await sealSecret(secretKey, secret), encrypted: true },
            [{ filename: 'encrypted-1', size: content.length }],
            { '/download/1': serve(content) },
          );
          const { code, stdout, stderr } = await run(`get --quiet ${server.url}/p/token#${key}`);
          const isText = secretKey === key;
          const isAll = isText && fileKey === key;
          expect({ code, stdout, saved: await saved() }, `${what}: ${stderr}`).to.deep.equal({
            code: isAll ? 0 : isText ? 1 : 6,
            stdout: isText ? 'tulip' : '',
            saved: isAll ? ['rose.txt'] : [],
          });
          if (isAll) await folder.launch(['rm', join(folder.path, 'rose.txt')]).ended;
        }
  });

  it('get saves no file that is not the one that was encrypted', async () => {
    const files = ['one', 'two'].map((name) => ({
      filename: `${name}.txt`,
      content: new Blob([name.repeat(50_000)]),
    }));
    const { payload, contents, link } = await sealed({ payload: '', files });
    const [one = Buffer.alloc(0), two = Buffer.alloc(0)] = contents;
    const listed = (...sizes: number[]) =>
      sizes.map((size, at) => ({ filename: `encrypted-${at + 1}`, size }));
    const plain = Buffer.from('forged'.repeat(30_000)).subarray(0, one.length);
    const changed = Buffer.from(one);
    changed[changed.length - 1] = Number(changed.at(-1)) ^ 1;
    for (const [what, first, second] of [
      ['swapped', two, one],
      ['in the clear', plain, two],
      ['changed', changed, two],
      ['cut, and announced so', one.subarray(0, 65_604), two],
    ] as const) {
      answerWith({ payload, encrypted: true }, listed(first.length, second.length), {
        '/download/1': serve(first),
        '/download/2': serve(second),
      });
      await expectNothing(`get ${link}`, /The key does not open/, what);
    }
    answerWith({ payload, encrypted: true }, listed(one.length, 6), {
      '/download/1': serve(one),
      '/download/2': serve(Buffer.from('forged')),
    });
    await expectNothing(`get ${link}`, /is not encrypted/, 'too short to be encrypted');
    answerWith({ payload, encrypted: true }, listed(one.length), { '/download/1': serve(one) });
    await expectNothing(`get ${link}`, /does not open/, 'one file is missing');
  });

  it('get saves no file with more or less than its bytes, and one that was sent again as a whole', async () => {
    const content = randomBytes(100_000);
    const file = [{ filename: 'dump.bin', size: content.length }];
    const unsized = (bytes: Buffer) => (_: IncomingMessage, response: ServerResponse) => {
      response.write(bytes.subarray(0, 10));
      response.end(bytes.subarray(10));
    };
    const more = Buffer.concat([content, Buffer.alloc(5)]);
    for (const [what, answer] of Object.entries({
      'more, as announced': serve(more),
      'more, unannounced': unsized(more),
      'less, as announced': serve(content.subarray(0, 500)),
      'a part of its own choice': (request: IncomingMessage, response: ServerResponse) => {
        if (request.headers.range === undefined) {
          response.writeHead(200, { 'content-length': content.length });
          return response.write(content.subarray(0, 50_000), () => response.destroy());
        }
        const range = 'bytes 60000-99999/100000';
        return response.writeHead(206, { 'content-range': range }).end(content.subarray(60_000));
      },
    })) {
      answerWith({ payload: null }, file, { '/download/1': answer });
      await expectNothing(
        `get ${server.url}/p/token`,
        /than its 100000 bytes|asked for the bytes from/,
        what,
      );
    }
    let count = 0;
    answerWith({ payload: null }, file, {
      '/download/1': (_, response) => {
        count++;
        response.writeHead(200, { 'content-length': content.length });
        if (count > 1) response.end(content);
        else response.write(randomBytes(70_000), () => response.destroy());
      },
    });
    expect(await run(`get --quiet ${server.url}/p/token`)).to.include({ code: 0, stderr: '' });
    expect(count).to.equal(2);
    expect((await readFile(join(folder.path, 'dump.bin'))).equals(content)).to.equal(true);
  });

  it('get saves files under harmless names, also encrypted ones', async () => {
    const names = ['x\u202ecod.exe', '../../up.txt', 'CON.txt', 'dots. .', 'a\u001b]0;x\u0007b', '.profile'];
    const harmless = ['x_cod.exe', 'up.txt', '_CON.txt', 'dots', 'a_]0;x_b', '_profile'];
    const files = names.map((filename) => ({ filename, content: new Blob(['x']) }));
    const { payload, contents, link } = await sealed({ files });
    const answers = (bytes: Buffer[]) =>
      Object.fromEntries(bytes.map((each, index) => [`/download/${index + 1}`, serve(each)]));
    answerWith(
      { payload, encrypted: true },
      contents.map(({ length }) => ({ filename: '../evil\u202e', size: length })),
      answers(contents),
    );
    expect(await run(`get --quiet ${link}`)).to.include({ code: 0 });
    expect((await saved()).sort()).to.deep.equal(harmless.toSorted());
    await writeFile(join(folder.path, 'marker'), '');
    answerWith(
      { payload: null },
      names.map((filename) => ({ filename, size: 1 })),
      answers(names.map(() => Buffer.from('x'))),
    );
    const { stderr } = await run(`get ${server.url}/p/token`);
    expect(stderr).to.match(/Saved x_cod \(2\)\.exe\./);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these must not reach the terminal
    expect(stderr).to.not.match(/[\u0000-\u0009\u000b-\u001f\u202e]/);
  });

  it('get sends no file address elsewhere, follows none, and prints none', async () => {
    const file = { filename: 'a.txt', size: 6 };
    elsewhere.answerWith({ '/secret': { forged: true } });
    answerWith({ payload: 'tulip' }, [{ ...file, url: `${elsewhere.url}/secret` }]);
    const foreign = await run(`get --quiet ${server.url}/p/token`);
    expect(foreign).to.include({ code: 3, stdout: 'tulip' });
    expect(foreign.stderr).to.include('no address of its own for a.txt').and.not.include(elsewhere.url);
    answerWith({ payload: 'tulip' }, [file], {
      '/download/1': (_, response) => response.writeHead(302, { location: `${elsewhere.url}/secret` }).end(),
    });
    expect(await run(`get --quiet ${server.url}/p/token`)).to.include({ code: 3, stdout: 'tulip' });
    expect(await saved()).to.deep.equal([]);
    expect(elsewhere.requests).to.deep.equal([]);
  });

  it('push prints no link to another server, and none that the server chose', async () => {
    const evil = 'https://evil.example/p/token';
    for (const command of ['push', 'push --encrypt', 'push --encrypt --json']) {
      server.answerWith({ 'POST /p.json': server.push({ html_url: evil, encrypted: true }) });
      const { code, stdout, stderr } = await run(command, 'tulip');
      expect({ code, stdout }, command).to.deep.equal({ code: 3, stdout: '' });
      expect(stderr).to.include('answers with links to https://evil.example instead of its own');
    }
    server.answerWith({
      'POST /p.json': server.push({ html_url: `${server.url}/log?to=`, encrypted: true }),
    });
    expect((await run('push --encrypt --quiet', 'tulip')).stdout).to.match(
      new RegExp(`^${server.url}/p/token#2[01][0-9a-v]{51}\n$`),
    );
    server.answerWith({ '/p/active.json?page=1': [server.push({ html_url: evil })] });
    expect(await run('list --json')).to.include({ code: 3, stdout: '' });
  });

  it('gets no token of a profile for another server, nor with a download', async () => {
    const [own, profiles] = [server, { XDG_CONFIG_HOME: join(folder.path, '.settings') }];
    const version = { application_version: '1', api_version: '1.0', edition: 'oss' };
    own.answerWith({ '/api/v1/version.json': version, '/p/active.json?page=1': [] });
    const signIn = await folder.run(`sign-in ${own.url} --token-stdin`, {
      settings: profiles,
      input: 'own-token',
    });
    expect(signIn.code).to.equal(0);
    expect(own.requests.at(-1)?.authorization).to.equal('Bearer own-token');
    const files = [{ filename: 'a.txt', content_type: '', size: 5, url: '/download/1' }];
    for (const [place, expected] of [
      [own, 'Bearer own-token'],
      [elsewhere, undefined],
    ] as const) {
      const contents = { '/download/1': serve(Buffer.from('tulip')), '/p.json': place.push() };
      place.answerWith({ '/p/token.json': place.push({ payload: 'x', files }), ...contents });
      const commands = [
        `get ${place.url}/p/token`,
        `expire ${place.url}/p/token`,
        `push --server ${place.url}`,
      ];
      for (const command of commands) {
        const { code, stderr } = await folder.run(command, { settings: profiles, input: 'x' });
        expect(code, `${command}: ${stderr}`).to.equal(0);
      }
      expect(place.requests.map(({ path, authorization }) => [path, authorization])).to.deep.equal([
        ['/p/token.json', expected],
        ['/download/1', undefined],
        ['/p/token.json', expected],
        ['/p.json', expected],
      ]);
    }
  });

  it('cannot control the terminal by what is no text', async () => {
    const forged = { views_remaining: '\u001b]0;x\u0007', views_total: '\u001b[2J' };
    server.answerWith({
      '/p/token.json': server.push({ payload: 'tulip', ...forged }),
      'POST /p.json': server.push(forged),
      '/api/v1/version.json': { application_version: '1\u001b[2J', api_version: '1.0', edition: 'oss' },
    });
    for (const command of [`get ${server.url}/p/token`, 'push', 'whoami']) {
      const { code, stdout, stderr } = await run(command, 'tulip');
      expect(code, command).to.equal(0);
      expect(stdout + stderr, command)
        .to.include('\\u001b')
        .and.not.include('\u001b');
    }
    const note = '\u009b2J\u202e';
    answerWith({ payload: 'tulip', note });
    const { stdout } = await run(`get --json ${server.url}/p/token`);
    expect(stdout).to.not.match(/[\u0080-\u009f\u202e]/);
    expect(JSON.parse(stdout)).to.have.property('note', note);
  });
});
