import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { get, type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { asJson, asMultipart, bearer, type Client, createClient, type Fields } from '../harness/api.ts';
import { type FreshDatabase, freshDatabase } from '../harness/database.ts';
import { downloadPath, filesOf, noStoredFiles, storedFiles } from '../harness/files.ts';
import { openFormBrowser } from '../harness/pages.ts';
import {
  newSharedSettings,
  openServiceDatabase,
  type ServiceDatabase,
  type ServiceProcess,
  startProcess,
} from '../harness/process.ts';

const mebibyte = 1024 * 1024;
const gigabyte = 1_000_000_000;
/** What a process may need more at once, whatever is sent to it. */
const memoryMax = 64 * mebibyte;

describe('A request link whose answers are large', () => {
  let fresh: FreshDatabase;
  let store: ServiceDatabase;
  let service: ServiceProcess;
  let client: Client;
  let folder: string;
  let owner: { authorization: string };

  before(async () => {
    fresh = await freshDatabase();
    const shared = newSharedSettings(fresh.url);
    store = openServiceDatabase(shared);
    folder = join(tmpdir(), `answers-${process.pid}`);
    const limits = { FILES: 'everyone', FILES_DIR: folder, MAX_FILE_MIB: '100', MAX_UPLOAD_MIB: '100' };
    service = await startProcess({ ...shared, ...limits });
    client = createClient(service.port);
    owner = await signUp();
  });

  after(async () => {
    client?.close();
    await service?.kill9();
    await store?.close();
    await fresh?.drop();
    await rm(folder, { recursive: true, force: true });
  });

  /** Creates an account in the database of the service, with an API token. */
  async function signUp(): Promise<{ authorization: string }> {
    const browser = await openFormBrowser(client);
    await browser.signUp('ann@example.com');
    const page = await browser.submit('/account/tokens', '/account/tokens', { name: 'test' });
    return bearer(/hp_\w{38}/.exec(page.text)?.[0] ?? expect.fail('no token'));
  }

  async function newLink(): Promise<{ id: string; path: string }> {
    const body = JSON.stringify({ request_link: { title: 'the dump', accepts: 'both' } });
    const headers = { ...asJson, ...owner };
    const created = await client.send('POST', '/api/v1/request-links.json', { headers, body });
    expect(created.status, created.text).to.equal(201);
    return { id: String(created.body.id), path: `/a/${created.body.url_token}` };
  }

  const answersTo = async (id: string) =>
    (await client.get(`/api/v1/request-links/answers.json?id=${id}`, owner)).json as Fields[];

  /** The most memory that the process has had since the last call, in bytes, more than it had then. */
  async function memoryPeak<Result>(work: () => Promise<Result>): Promise<{ result: Result; grown: number }> {
    const bytesOf = async (name: string) => {
      const status = await readFile(`/proc/${service.pid}/status`, 'utf8');
      return 1024 * Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1]);
    };
    await writeFile(`/proc/${service.pid}/clear_refs`, '5');
    const before = await bytesOf('VmRSS');
    const result = await work();
    return { result, grown: (await bytesOf('VmHWM')) - before };
  }

  type Pour = { head: string; bytes: number; headers: OutgoingHttpHeaders; chunk?: Buffer };
  type Poured = { status: number | undefined; sent: number };

  /** Sends a body of any size, as fast as it is taken, until there is a response. */
  async function pour(
    path: string,
    { head, bytes, headers, chunk = Buffer.alloc(mebibyte, 'a') }: Pour,
  ): Promise<Poured> {
    const sending = request({ host: '127.0.0.1', port: service.port, method: 'POST', path, headers });
    let response: IncomingMessage | undefined;
    const ended = new Promise<void>((resolve) => {
      sending.on('response', (found) => {
        response = found.resume();
        found.on('close', resolve);
      });
      sending.on('error', () => resolve());
    });
    let sent = 0;
    const isOver = ended.then(() => true);
    sending.write(head);
    while (sent < bytes && response === undefined) {
      sent += chunk.length;
      if (sending.write(chunk)) continue;
      if (await Promise.race([once(sending, 'drain').then(() => false), isOver])) break;
    }
    sending.destroy();
    await ended;
    return { status: response?.statusCode, sent };
  }

  const part = (name: string, more = '') =>
    `--B\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n`;

  for (const [name, { path = '.json', limits = 1, headers, head }] of Object.entries<{
    path?: string;
    /** How many times what files may have is read, to say what is wrong with every field. */
    limits?: number;
    headers: OutgoingHttpHeaders;
    head: string;
  }>({
    'a file': { headers: asMultipart, head: part('answer[files][]', '; filename="dump.sql"') },
    'a file, announced': {
      headers: { ...asMultipart, 'content-length': 10 * gigabyte },
      head: part('answer[files][]', '; filename="dump.sql"'),
    },
    'a file, on the page': {
      path: '',
      limits: 4,
      headers: asMultipart,
      head: part('files', '; filename="dump.sql"'),
    },
    'a text': { headers: asMultipart, head: part('answer[payload]') },
    'a name of a field': { headers: asMultipart, head: '--B\r\nContent-Disposition: form-data; name="' },
    JSON: { headers: asJson, head: '{"answer":{"payload":"' },
    'a form': {
      path: '',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      head: 'payload=',
    },
  }))
    it(`cuts off ten gigabytes early, without keeping them: as ${name}`, async () => {
      const { id, path: page } = await newLink();
      const { result, grown } = await memoryPeak(() =>
        pour(`${page}${path}`, { headers, head, bytes: 10 * gigabyte }),
      );
      expect(result.status, 'status').to.be.oneOf([400, 403, 413]);
      expect(result.sent, 'sent').to.be.below((limits + 1) * 100 * mebibyte + memoryMax); // until the response arrives
      expect(grown, 'memory').to.be.below(memoryMax);
      expect(await answersTo(id)).to.deep.equal([]);
      expect(await storedFiles({ database: store.database, filesFolder: folder })).to.deep.equal(
        noStoredFiles,
      );
      const body = JSON.stringify({ answer: { payload: 'tulip' } });
      expect((await client.send('POST', `${page}.json`, { headers: asJson, body })).status).to.equal(201);
    });

  it('takes a file of 100 MiB, and gives it back, without having it in memory', async () => {
    const { id, path } = await newLink();
    const chunk = randomBytes(mebibyte);
    const bytes = 100 * mebibyte;
    const digest = createHash('sha256');
    for (let sent = 0; sent < bytes; sent += chunk.length) digest.update(chunk);
    const sending = await memoryPeak(() => send(`${path}.json`, { chunk, bytes }));
    expect(sending.result).to.equal(201);
    expect(sending.grown, 'memory while it is received').to.be.below(memoryMax);
    const [answer] = await answersTo(id);
    const opened = await client.get(`/p/${answer?.url_token}.json`);
    const [file = {}] = filesOf(opened.body);
    const getting = await memoryPeak(() => download(downloadPath(file)));
    expect(getting.result).to.equal(digest.digest('hex'));
    expect(getting.grown, 'memory while it is returned').to.be.below(memoryMax);
  });

  /** Sends a file, and waits for the response. */
  async function send(path: string, { chunk, bytes }: { chunk: Buffer; bytes: number }) {
    const sending = request({
      host: '127.0.0.1',
      port: service.port,
      method: 'POST',
      path,
      headers: asMultipart,
    });
    const answered = once(sending, 'response') as Promise<[IncomingMessage]>;
    sending.write(part('answer[files][]', '; filename="dump.sql"'));
    for (let sent = 0; sent < bytes; sent += chunk.length)
      if (!sending.write(chunk)) await once(sending, 'drain');
    sending.end('\r\n--B--\r\n');
    const [response] = await answered;
    response.resume();
    return response.statusCode;
  }

  /** The SHA-256 of what is downloaded. */
  async function download(path: string): Promise<string> {
    const [response] = (await once(get({ host: '127.0.0.1', port: service.port, path }), 'response')) as [
      IncomingMessage,
    ];
    const digest = createHash('sha256');
    for await (const bytes of response) digest.update(bytes);
    return digest.digest('hex');
  }
});
