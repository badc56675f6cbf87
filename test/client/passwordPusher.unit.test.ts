import type { ServerResponse } from 'node:http';
import { expect } from 'chai';
import { ConnectionError, createClient, parsePushLink, type RefusedError } from '../../src/client/client.ts';
import {
  type PasswordPusher,
  pusherToken,
  startPasswordPusher,
} from '../../tools/standins/passwordPusher.ts';
import { collect } from '../harness/collect.ts';

describe('The client of a Password Pusher server', () => {
  let server: PasswordPusher;
  const open = (token?: string) => createClient({ server: server.url, token });

  beforeEach(async () => {
    server = await startPasswordPusher();
  });

  afterEach(() => server.close());

  it('creates pushes with the parameters of the API, and the token in a header', async () => {
    const push = await open(pusherToken).create({ payload: 'Pä$$ w0rd', expire_after_views: 1, name: 'VPN' });
    expect(push).to.include({ url_token: 'token-1', html_url: `${server.url}/p/token-1` });
    const [{ method, path, headers, body } = {}] = server.requests;
    expect({ method, path }).to.deep.equal({ method: 'POST', path: '/p.json' });
    expect(headers).to.include({
      authorization: `Bearer ${pusherToken}`,
      'content-type': 'application/json',
    });
    expect(JSON.parse(body ?? '')).to.deep.equal({
      password: { payload: 'Pä$$ w0rd', expire_after_views: 1, name: 'VPN' },
    });
  });

  /** Lets the server say what it has beyond the API. */
  const announce = (...features: string[]) =>
    server.override('GET /api/v1/version.json', (res) =>
      res.end(JSON.stringify({ application_version: '1', api_version: '1.1', edition: 'oss', features })),
    );

  /** Loses responses to creations in these ways, one after the other, and answers the next. */
  function lose(...ways: ((res: ServerResponse) => void)[]): void {
    const push = JSON.stringify({ url_token: 'token-1', html_url: `${server.url}/p/token-1` });
    server.override('POST /p.json', (res) => (ways.shift() ?? (() => res.writeHead(201).end(push)))(res));
  }

  const breakOff = (res: ServerResponse) => {
    res.writeHead(201, { 'content-length': 1_000 });
    res.write('{"url_token":', () => res.destroy());
  };
  const inProgress = (seconds: number) => (res: ServerResponse) =>
    res.writeHead(409, { 'retry-after': String(seconds) }).end('{}');
  const keysOfCreations = () =>
    server.requests
      .filter(({ method }) => method === 'POST')
      .map(({ headers }) => String(headers['idempotency-key']));
  const impatient = () => createClient({ server: server.url, retryDelaysMs: [1, 1] });

  it('sends a creation whose response is lost again under its key, where one key creates one push', async () => {
    announce('idempotency-key');
    const unavailable = (res: ServerResponse) => res.writeHead(503, { 'retry-after': '5' }).end('{}');
    for (const ways of [[breakOff, inProgress(1)], [(res: ServerResponse) => res.destroy()], [unavailable]]) {
      const sent = ways.length + 1;
      lose(...ways);
      expect(await impatient().create({ payload: 'tulip' })).to.include({ url_token: 'token-1' });
      const keys = keysOfCreations().slice(-sent);
      expect(new Set(keys).size).to.equal(1);
      expect(keys[0]).to.match(/^[0-9a-f]{32}$/);
    }
    expect(new Set(keysOfCreations()).size).to.equal(3);
    lose(breakOff);
    const files = [{ filename: 'a.txt', content: new Blob(['tulip']) }];
    await impatient().create({ files }, { idempotencyKey: 'of-my-own-program' });
    expect(keysOfCreations().slice(-2)).to.deep.equal(['of-my-own-program', 'of-my-own-program']);
    expect(server.requests.at(-1)?.body).to.contain('tulip');
  });

  it('gives up after two repetitions, and repeats nothing that was refused or cannot be sent again', async () => {
    announce('idempotency-key');
    const problemOf = (creation: Promise<unknown>) => creation.catch((error: { code: string }) => error.code);
    lose(breakOff, breakOff, breakOff);
    expect(await problemOf(impatient().create({ payload: 'tulip' }))).to.equal('unreachable');
    expect(keysOfCreations()).to.have.length(3);
    lose((res) => res.writeHead(422).end('{}'));
    expect(await problemOf(impatient().create({ payload: 'tulip' }))).to.equal('invalid');
    lose(breakOff);
    const files = [{ filename: 'a.txt', content: new Blob(['tulip']).stream() }];
    expect(await problemOf(impatient().create({ files }))).to.equal('unreachable');
    expect(keysOfCreations()).to.have.length(5);
  });

  it('waits for an earlier creation as long as the server says, tells so, and sends the same key', async () => {
    announce('idempotency-key');
    lose(breakOff, inProgress(60), inProgress(2));
    const waited: number[] = [];
    const begun = performance.now();
    const push = await impatient().create(
      { payload: 'tulip' },
      { onWait: (seconds) => void waited.push(seconds) },
    );
    expect(push).to.include({ url_token: 'token-1' });
    expect(waited).to.deep.equal([2]);
    expect(performance.now() - begun).to.be.at.least(1_900);
    expect(new Set(keysOfCreations()).size).to.equal(1);
    expect(keysOfCreations()).to.have.length(4);
  });

  it('waits for an earlier creation no longer than a minute and a half, and not if it repeats nothing', async () => {
    announce('idempotency-key');
    const problemOf = (creation: Promise<unknown>) => creation.catch((error: RefusedError) => error);
    lose(breakOff, inProgress(91), inProgress(91));
    expect(await problemOf(impatient().create({ payload: 'tulip' }))).to.include({
      status: 409,
      retryAfterSeconds: 91,
    });
    lose(inProgress(1));
    const once = createClient({ server: server.url, retryDelaysMs: [] });
    expect(await problemOf(once.create({ payload: 'tulip' }))).to.include({ status: 409 });
    expect(keysOfCreations()).to.have.length(4);
  });

  it('never sends a creation twice to a server that would create two pushes', async () => {
    lose(breakOff);
    const problem = await impatient()
      .create({ payload: 'tulip' })
      .catch((error: unknown) => error);
    expect(problem).to.be.instanceOf(ConnectionError).with.property('code', 'unreachable');
    expect(keysOfCreations()).to.have.length(1);
  });

  it('stops waiting to send a creation again when it is aborted', async () => {
    const controller = new AbortController();
    lose((res) => {
      controller.abort(new Error('enough'));
      res.writeHead(503).end('{}');
    });
    const client = createClient({ server: server.url, retryDelaysMs: [3_600_000] });
    const creation = client.create({ payload: 'tulip' }, { signal: controller.signal });
    expect(String(await creation.catch((error: unknown) => error))).to.contain('enough');
  });

  it('sends a passphrase where no log keeps it, if the server reads it there and a header can carry it', async () => {
    announce('x-passphrase');
    const client = open();
    const sent = async (passphrase: string) => {
      await client.retrieve('token-1', { passphrase });
      const { path = '', headers = {} } = server.requests.at(-1) ?? {};
      const header = headers['x-passphrase'];
      const inHeader = header && Buffer.from(String(header), 'latin1').toString('utf8');
      return [inHeader, new URL(path, server.url).searchParams.get('passphrase')];
    };
    expect(await sent('Grüße 🌷 & more')).to.deep.equal(['Grüße 🌷 & more', null]);
    for (const passphrase of [' padded ', 'two\nlines', 'tab\tbed'])
      expect(await sent(passphrase)).to.deep.equal([undefined, passphrase]);
    expect(server.requests.filter(({ path }) => path.includes('version'))).to.have.length(1);
  });

  it('goes through all pages of a list, and of an activity', async () => {
    const client = open(pusherToken);
    for (let created = 0; created < 5; created++) await client.create({ payload: 'tulip' });
    const tokens = (await collect(client.list())).map(({ url_token }) => url_token);
    expect(tokens).to.deep.equal(['token-5', 'token-4', 'token-3', 'token-2', 'token-1']);
    const kinds = (await collect(client.activity('token-1'))).map(({ kind }) => kind);
    expect(kinds).to.deep.equal(['view']);
  });

  it('fetches no page that nobody asks for', async () => {
    const client = open(pusherToken);
    for (let created = 0; created < 5; created++) await client.create({ payload: 'tulip' });
    for await (const _ of client.list()) break;
    const pages = server.requests.filter(({ method }) => method === 'GET').map(({ path }) => path);
    expect(pages).to.deep.equal(['/p/active.json?page=1']);
  });

  it('asks no server for part of a list that would send all of it', async () => {
    const client = open(pusherToken);
    await client.create({ payload: 'tulip' });
    const error = await collect(client.list('active', { search: 'VPN' })).catch((reason) => reason);
    expect(error).to.be.instanceOf(ConnectionError).and.include({ code: 'unsupported' });
    expect(server.requests.filter(({ path }) => path.includes('active'))).to.deep.equal([]);
    expect(await collect(client.list())).to.have.length(1);
  });

  it('ends at a server that sends the same page again and again', async () => {
    const client = open(pusherToken);
    const same = JSON.stringify([await client.create({ payload: 'tulip' })]);
    for (const page of [1, 2, 3]) server.override(`GET /p/active.json?page=${page}`, (res) => res.end(same));
    expect(await collect(client.list())).to.have.length(1);
  });

  it('tells why a server refused', async () => {
    const refusal = async (action: Promise<unknown>) => {
      const { status, code, message, fields, retryAfterSeconds } = await action.then(
        () => expect.fail('nothing was refused'),
        (error: RefusedError) => error,
      );
      return { status, code, message, fields, retryAfterSeconds };
    };
    const none = { fields: {}, retryAfterSeconds: undefined };
    expect(await refusal(open().create({ payload: '' }))).to.deep.equal({
      ...{ ...none, status: 422, code: 'invalid', message: "payload can't be blank" },
      fields: { payload: ["can't be blank"] },
    });
    expect(await refusal(open('wrong').create({ payload: 'tulip' }))).to.deep.equal({
      ...{ ...none, status: 401, code: 'unauthenticated', message: 'Invalid API token' },
    });
    expect(await refusal(open().retrieve('guarded'))).to.deep.equal({
      ...{ ...none, status: 401, code: 'passphrase', message: 'That passphrase is incorrect.' },
    });
    expect(await refusal(open().expire('unknown'))).to.deep.equal({
      ...{ ...none, status: 404, code: 'not_found', message: 'There is no such push.' },
    });
    server.override('GET /p/busy.json', (res) =>
      res.writeHead(429, { 'retry-after': '52' }).end('<html>slow down</html>'),
    );
    expect(await refusal(open().retrieve('busy'))).to.deep.equal({
      ...{ ...none, status: 429, code: 'too_many', message: 'Too many requests.', retryAfterSeconds: 52 },
    });
  });

  it('carries no secret and no token to where a server redirects', async () => {
    const other = await startPasswordPusher();
    server.override('POST /p.json', (res) => res.writeHead(307, { location: `${other.url}/p.json` }).end());
    const problem = await open(pusherToken)
      .create({ payload: 'tulip' })
      .catch((error: unknown) => error);
    await other.close();
    expect(problem).to.be.instanceOf(ConnectionError).with.property('code', 'redirected');
    expect(String(problem)).to.contain(`use ${other.url} instead`);
    expect(other.requests).to.deep.equal([]);
  });

  it('carries no file that it streams to where a server redirects', async () => {
    const other = await startPasswordPusher();
    server.override('POST /p.json', (res) => res.writeHead(307, { location: `${other.url}/p.json` }).end());
    const problem = await open(pusherToken)
      .create({ files: [{ filename: 'tulip.txt', content: new Blob(['tulip']).stream() }] })
      .catch((error: unknown) => error);
    await other.close();
    expect(problem).to.be.instanceOf(ConnectionError).with.property('code', 'redirected');
    expect(other.requests).to.deep.equal([]);
  });

  it('tells a server of another kind, and none, from a refusal', async () => {
    server.override('POST /p.json', (res) => res.writeHead(200).end('<html>Welcome</html>'));
    const codeOf = (action: Promise<unknown>) => action.catch((error: ConnectionError) => error.code);
    expect(await codeOf(open().create({ payload: 'tulip' }))).to.equal('foreign');
    await server.close();
    expect(await codeOf(open().expire('token-1'))).to.equal('unreachable');
    server = await startPasswordPusher();
  });

  it('never lets a token become another request', async () => {
    for (const token of ['guarded.json?passphrase=', '../p/guarded', 'a/b', 'a#', ''])
      expect(await open().preview(token).catch(String), token).to.match(/neither a link/);
    expect(server.requests).to.deep.equal([]);
  });

  it('sends a passphrase as it is', async () => {
    const { payload } = await open().retrieve(`${server.url}/p/guarded/r`, { passphrase: 'open sesame' });
    expect(payload).to.equal('tulip');
    await open()
      .retrieve('guarded', { passphrase: 'a&b=c+%#ü' })
      .catch(() => undefined);
    const { searchParams } = new URL(server.requests.at(-1)?.path ?? '', server.url);
    expect(searchParams.get('passphrase')).to.equal('a&b=c+%#ü');
  });

  it('reads the links of all versions', () => {
    const server = 'https://push.example.com/hush';
    for (const path of [
      '/p/abc',
      '/p/abc.json',
      '/p/abc/r',
      '/en/p/abc',
      '/pt-BR/f/abc',
      '/r/abc?locale=de#x',
    ])
      expect(parsePushLink(server + path), path).to.deep.equal({ server, urlToken: 'abc' });
    for (const link of ['abc', `${server}/`, `${server}/docs`, 'ftp://push.example.com/p/abc'])
      expect(parsePushLink(link), link).to.equal(undefined);
  });
});
