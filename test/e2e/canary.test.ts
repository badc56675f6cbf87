import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { createConnection } from 'mysql2/promise';
import { domainSettings, readConfig } from '../../src/config.ts';
import { createDomain } from '../../src/domain/index.ts';
import {
  type ApiResponse,
  asForm,
  asJson,
  asMultipart,
  bearer,
  type Client,
  createClient,
  multipart,
  type SendOptions,
  sendRaw,
  times,
} from '../harness/api.ts';
import { newChatUser } from '../harness/chat.ts';
import { freshDatabase, onMariadb } from '../harness/database.ts';
import { encodingsOf, percentEncoded } from '../harness/encodings.ts';
import { filesOf as attachedTo, downloadPath } from '../harness/files.ts';
import { createForms, sameOrigin } from '../harness/forms.ts';
import { startMariadb } from '../harness/mariadb.ts';
import {
  newSharedSettings,
  openServiceDatabase,
  type ServiceProcess,
  startProcess,
} from '../harness/process.ts';
import { createAccount } from '../harness/service.ts';

const run = promisify(execFile);

/** A unique word, so short that V8 quotes a body that consists of it completely in error messages. */
function newMarker(): string {
  return `~${randomBytes(5).toString('hex')}?`;
}

/** Repeats the marker until the text is longer than so many characters. */
function longerThan(characters: number): string {
  return marker.repeat(Math.floor(characters / marker.length) + 1);
}

type Secrets = Map<string, Map<string, Buffer>>;

/** The secrets in some bytes, each with its encoding. */
function secretsIn(bytes: Buffer, secrets: Secrets, where: string): string[] {
  return [...secrets].flatMap(([name, forms]) =>
    [...forms].filter(([, form]) => bytes.includes(form)).map(([form]) => `${name}, ${form}, in ${where}`),
  );
}

const blockBytes = 4_096;
const emptyBlock = Buffer.alloc(blockBytes);

/** Removes empty blocks, of which database files mostly consist. */
function withoutEmptyBlocks(bytes: Buffer): Buffer {
  const blocks: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += blockBytes) {
    const block = bytes.subarray(at, at + blockBytes);
    if (!block.equals(emptyBlock)) blocks.push(block);
  }
  return Buffer.concat(blocks);
}

/** Starts a service at the finest log level on a database that can be dumped, read from disk and killed. */
async function startCanaryService() {
  const setup = onMariadb ? await mariadbSetup() : await sqliteSetup();
  const settings = newSharedSettings(setup.url);
  const service = await startProcess({
    ...settings,
    LOG_LEVEL: 'debug',
    RATE_LIMITS: 'on',
    LIMIT_REQUESTS: '1000000/1h',
    LIMIT_ANONYMOUS_CREATE: '1000000/1h',
  });
  const store = openServiceDatabase(settings);
  const domain = createDomain({
    database: store.database,
    keyring: store.keyring,
    settings: domainSettings(readConfig({})),
  });
  return { ...setup, settings, service, store, domain, client: createClient(service.port) };
}

async function sqliteSetup() {
  const { url, drop } = await freshDatabase();
  return {
    url,
    folder: dirname(url.slice('sqlite:'.length)),
    dump: async () => Buffer.alloc(0),
    atRest: <T>(inspect: () => Promise<T>) => inspect(),
    interrupt: async (_work: () => Promise<unknown>) => {},
    end: drop,
  };
}

async function mariadbSetup() {
  const server = await startMariadb();
  const connection = await createConnection(server.url);
  await connection.query('CREATE DATABASE hushpush');
  await connection.end();
  const url = `${server.url}/hushpush`;
  return {
    url,
    folder: server.dir,
    /** Inspects the files while they contain everything, and not only the redo log does. */
    async atRest<T>(inspect: () => Promise<T>): Promise<T> {
      const connection = await createConnection(url);
      const [tables] = await connection.query({ sql: 'SHOW TABLES', rowsAsArray: true });
      await connection.query(`FLUSH TABLES ${(tables as string[][]).flat().join(', ')} FOR EXPORT`);
      try {
        return await inspect();
      } finally {
        await connection.end();
      }
    },
    async dump() {
      const args = ['--no-defaults', '-uroot', '-h127.0.0.1', `-P${server.port}`, '--hex-blob', 'hushpush'];
      const dumped = (program: string) =>
        run(program, args, { encoding: 'buffer', maxBuffer: 1024 ** 3 }).then(({ stdout }) => stdout);
      return dumped('mariadb-dump').catch(() => dumped('mysqldump'));
    },
    /** Kills the database during the work, while every view waits for a row lock, and restarts it. */
    async interrupt(work: () => Promise<unknown>) {
      const connection = await createConnection(url);
      connection.on('error', () => {});
      await connection.beginTransaction();
      await connection.query('SELECT id FROM pushes FOR UPDATE');
      const working = work();
      await sleep(200);
      await server.kill9();
      await working;
      await server.restart();
    },
    end: () => server.stop(),
  };
}

let canary: Awaited<ReturnType<typeof startCanaryService>>;
let service: ServiceProcess;
let client: Client;
let secrets: Secrets;
let email: string;
let token: string;
const marker = newMarker();
const emailMarker = randomBytes(9).toString('hex');
const createdPushes: { token: string; passphrase?: string }[] = [];
const refusals: { what: string; response: ApiResponse }[] = [];

describe('A service that receives secrets', () => {
  before(async () => {
    canary = await startCanaryService();
    ({ service, client } = canary);
    email = `${emailMarker}@example.com`;
    ({ token } = await createAccount(canary.domain, email));
    const { MASTER_KEYS, PEPPER } = canary.settings;
    secrets = new Map([
      ['the word', encodingsOf(Buffer.from(marker))],
      ['the API token', encodingsOf(Buffer.from(token))],
      ['the master key', encodingsOf(Buffer.from(MASTER_KEYS.slice(2), 'base64'))],
      ['the pepper', encodingsOf(Buffer.from(PEPPER, 'base64'))],
    ]);
  });

  after(async () => {
    client?.close();
    await service?.stop();
    await canary?.store.close();
    await canary?.end();
  });

  /** All secrets that are found in the log, the metrics, error responses, the job store, or the database. */
  async function leaks(): Promise<string[]> {
    const found = secretsIn(Buffer.from(service.output), secrets, 'the log');
    const metrics = await client.get('/metrics');
    expect(metrics.status).to.equal(200);
    found.push(...secretsIn(metrics.bytes, secrets, 'the metrics'));
    for (const { what, response } of refusals) {
      const seen = `${JSON.stringify(response.headers)}\n${response.text}`;
      found.push(...secretsIn(Buffer.from(seen), secrets, `the ${response.status} to ${what}`));
    }
    for (const [name, bytes] of await databaseFiles()) found.push(...secretsIn(bytes, secrets, name));
    return found;
  }

  async function databaseFiles(): Promise<Map<string, Buffer>> {
    const dump = await canary.dump();
    return canary.atRest(() => filesOf(new Map([['the dump', dump]])));
  }

  async function filesOf(files: Map<string, Buffer>): Promise<Map<string, Buffer>> {
    for (const folder of [canary.folder, service.folder]) {
      for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
        if (!entry.isFile()) continue;
        const path = join(entry.parentPath, entry.name);
        files.set(relative(folder, path), withoutEmptyBlocks(await readFile(path)));
      }
    }
    return files;
  }

  /** Sends a request that must fail with this status. */
  async function expectRefusal(
    status: number,
    what: string,
    method: string,
    path: string,
    sending: SendOptions = {},
  ) {
    const response = await client.send(method, path, sending);
    expect(response.status, what).to.equal(status);
    refusals.push({ what, response });
  }

  const json = (content: unknown): SendOptions => ({ headers: asJson, body: JSON.stringify(content) });
  const password = (fields: object): SendOptions => json({ password: fields });

  /** Creates a push. Its url token counts as a secret. */
  async function create(fields: { passphrase?: string; [field: string]: unknown } = {}, headers = {}) {
    const push = await client.create({ payload: `payload ${marker}`, ...fields }, headers);
    trackSecret(push.token, fields.passphrase);
    return push;
  }

  function trackSecret(urlToken: string, passphrase?: string): void {
    createdPushes.push(passphrase === undefined ? { token: urlToken } : { token: urlToken, passphrase });
    secrets.set(`url token ${createdPushes.length}`, encodingsOf(Buffer.from(urlToken)));
  }

  /** Uploads and downloads a file with a secret name and content. */
  async function attachAndDownload(): Promise<void> {
    const subscriber = await createAccount(canary.domain, `files.${email}`, { subscribed: true });
    secrets.set('the API token for files', encodingsOf(Buffer.from(subscriber.token)));
    const body = multipart({ [`password[files][]"; filename="${marker}.txt`]: `${marker} `.repeat(9_000) });
    const headers = { ...asMultipart, ...bearer(subscriber.token) };
    const response = await client.send('POST', '/p.json', { headers, body });
    expect(response.status).to.equal(201);
    trackSecret(String(response.body.url_token));
    const [file = {}] = attachedTo((await client.get(`/p/${response.body.url_token}.json`)).body);
    expect(file.filename).to.equal(`${marker}.txt`);
    const [, , grant = ''] = downloadPath(file).split('/');
    secrets.set('the grant', encodingsOf(Buffer.from(grant)));
    expect((await client.get(downloadPath(file))).text).to.contain(marker);
    await expectRefusal(404, 'a file that is none', 'GET', `/download/${grant}/2`);
    await expectRefusal(416, 'a range that is none', 'GET', downloadPath(file), {
      headers: { range: 'bytes=999999999-' },
    });
  }

  it('is searched for secrets in every encoding', () => {
    const text = `before ${marker} after`;
    const utf16 = Buffer.from(text, 'utf16le');
    const samples = new Map<string, Buffer>([
      ['raw', Buffer.from(text)],
      ['hex', Buffer.from(Buffer.from(text).toString('hex'))],
      ['HEX', Buffer.from(Buffer.from(text).toString('hex').toUpperCase())],
      ['URL-encoded', Buffer.from(percentEncoded(Buffer.from(text)))],
      ['UTF-16LE', utf16],
      ['UTF-16BE', Buffer.from(utf16).swap16()],
      ...[0, 1, 2].flatMap((shift): [string, Buffer][] => {
        const shifted = Buffer.from('x'.repeat(shift) + text);
        return [
          ['base64', Buffer.from(shifted.toString('base64'))],
          ['base64', Buffer.from(shifted.toString('base64url'))],
        ];
      }),
    ]);
    const words: Secrets = new Map([['word', encodingsOf(Buffer.from(marker))]]);
    for (const [form, bytes] of samples) {
      const found = secretsIn(bytes, words, 'a text');
      expect(found, form).to.satisfy((all: string[]) => all.some((one) => one.startsWith(`word, ${form}`)));
    }
    expect(secretsIn(Buffer.from('before after'), words, 'a text')).to.eql([]);
  });

  const forms = () => createForms(canary.domain, client);

  /** Enters secrets on the pages: correct and wrong passwords, a push, a search. */
  async function useThePages(): Promise<void> {
    const { submit, submitAndFollow, loadForm } = forms();
    const newcomer = { email: 'pages@example.com', password: `password ${marker}` };
    const form = await loadForm('/sign-up');
    const signedUp = await submit('/sign-up', form, newcomer);
    expect(signedUp.status).to.equal(303);
    const session = (signedUp.headers['set-cookie'] ?? []).map((line) => line.split(';')[0]).join('; ');
    secrets.set('the session', encodingsOf(Buffer.from(session.split('=')[1] ?? '')));
    expect((await submit('/sign-in', form, { ...newcomer, password: `wrong ${marker}` })).status).to.equal(
      401,
    );
    expect((await submit('/sign-in', form, { ...newcomer, email: marker })).status).to.equal(401);
    const entered = {
      payload: `payload ${marker}`,
      passphrase: marker,
      lifetime: '1d',
      deletableByViewer: 'on',
    };
    expect((await submit('/', form, { ...entered, views: marker })).status).to.equal(422);
    const headers = { cookie: session };
    const mine = await loadForm('/', headers);
    const made = await submitAndFollow('/', mine, { ...entered, views: '1', name: marker, note: marker });
    trackSecret(/\/p\/(\w{26})/.exec(made.text)?.[1] ?? expect.fail('the page has no link'), marker);
    expect((await client.get(`/pushes?search=${encodeURIComponent(marker)}`, headers)).status).to.equal(200);
    const change = { current: `wrong ${marker}`, next: `new ${marker} password` };
    expect((await submit('/account/password', mine, change)).status).to.equal(401);
  }

  /** Creates what else is encrypted: a webhook, a request, an installation and a one-time link. */
  async function createOtherRecords(): Promise<void> {
    const { accounts, webhooks, chat } = canary.domain;
    const { secret } = await webhooks.create(await accounts.find(email), {
      url: `https://example.com/${marker}`,
    });
    secrets.set('the secret of a webhook', encodingsOf(Buffer.from(secret.replace('whsec_', ''), 'base64')));
    await chat.requests.create(newChatUser(), [newChatUser()], { reason: marker });
    await chat.installations.store('slack', { workspace: 'T1', userId: 'U1' }, { bot: { token: marker } });
    const link = await chat.links.create('draft', { text: marker });
    secrets.set('the one-time link', encodingsOf(Buffer.from(link)));
  }

  it('leaks no secret into its log, its metrics, its error responses or its database while pushes are live, whatever it receives', async () => {
    const account = bearer(token);
    const wrongWord = { payload: 'x', expire_after_days: marker };

    // Successful requests
    await createOtherRecords();
    const plain = await create({ expire_after_views: 3 });
    const locked = await create({
      passphrase: `passphrase ${marker}`,
      expire_after_views: 3,
      name: `name ${marker}`,
    });
    const owned = await create(
      { name: `name ${marker}`, note: `note ${marker}`, passphrase: marker },
      account,
    );
    await create({ payload: `https://example.com/${encodeURIComponent(marker)}`, kind: 'url' });
    await create({ payload: longerThan(1_000_000) });
    for (const body of [
      multipart({ 'password[payload]': `payload ${marker}`, 'password[passphrase]': marker }),
      `password[payload]=${encodeURIComponent(marker)}&password[passphrase]=${encodeURIComponent(marker)}`,
    ]) {
      const headers = typeof body === 'string' ? asForm : asMultipart;
      const response = await client.send('POST', '/p.json', { headers, body });
      expect(response.status).to.equal(201);
      trackSecret(String(response.body.url_token), marker);
    }
    const right = `${locked.json}?passphrase=${encodeURIComponent(`passphrase ${marker}`)}`;
    expect((await client.get(plain.json)).body.payload).to.equal(`payload ${marker}`);
    expect((await client.get(right)).body.payload).to.equal(`payload ${marker}`);
    expect((await client.get(owned.page, account)).status).to.equal(200);
    expect((await client.get('/p/active.json', account)).text).to.contain(marker);
    expect((await client.get(`/p/${owned.token}/audit.json`, account)).status).to.equal(200);
    expect((await forms().reveal(plain)).text).to.contain(`payload ${marker}`);
    await useThePages();

    await attachAndDownload();

    // Invalid values
    for (const [field, value] of Object.entries({
      expire_after_days: marker,
      expire_after_views: marker,
      expire_after_minutes: [marker],
      kind: marker,
      deletable_by_viewer: marker,
      retrieval_step: { [marker]: marker },
      name: longerThan(255),
      note: longerThan(2_000),
      passphrase: longerThan(1_024),
      payload: { [marker]: marker },
      [marker]: 0,
    })) {
      const fields = { payload: field === marker ? '' : `payload ${marker}`, [field]: value };
      await expectRefusal(422, `a wrong ${field}`, 'POST', '/p.json', password(fields));
    }
    await expectRefusal(
      422,
      'a payload that is too long',
      'POST',
      '/p.json',
      password({ payload: longerThan(1_048_576) }),
    );
    await expectRefusal(
      422,
      'a URL that is none',
      'POST',
      '/p.json',
      password({ payload: marker, kind: 'url' }),
    );
    await expectRefusal(
      422,
      'a QR code that is too long',
      'POST',
      '/p.json',
      password({ payload: longerThan(1_024), kind: 'qr' }),
    );
    await expectRefusal(422, 'a wrong field of a form', 'POST', '/p.json', {
      headers: asForm,
      body: `password[payload]=${marker}&password[expire_after_days]=${marker}`,
    });
    await expectRefusal(
      401,
      'files of nobody',
      'POST',
      '/p.json',
      password({ payload: marker, files: [marker] }),
    );
    await expectRefusal(403, 'files of an account without them', 'POST', '/p.json', {
      headers: { ...asMultipart, ...account },
      body: multipart({ 'password[payload]': marker })
        .subarray(0, -5)
        .toString()
        .concat(
          `B\r\nContent-Disposition: form-data; name="password[files][]"; filename="${marker}"\r\n\r\n${marker}\r\n--B--\r\n`,
        ),
    });
    await expectRefusal(
      422,
      'two durations',
      'POST',
      '/p.json',
      password({ ...wrongWord, expire_after_hours: marker }),
    );

    // Invalid bodies
    for (const [what, body] of Object.entries({
      'broken JSON': `{"password":{"payload":"${marker}"`,
      'JSON with a secret for a key': `{"${marker}"`,
      'a word for JSON': marker,
      'bare JSON': `"${marker}"`,
      'JSON without a root': `{"payload":"${marker}"}`,
      'a root that is text': `{"password":"${marker}"}`,
      'JSON that nests too deeply': `${'['.repeat(100)}"${marker}"`,
      'JSON that is not UTF-8': Buffer.concat([
        Buffer.from(`{"password":{"payload":"${marker}`),
        Buffer.from([0xff]),
      ]),
    })) {
      await expectRefusal(400, what, 'POST', '/p.json', { headers: asJson, body });
    }
    for (const [what, body] of Object.entries({
      'a form that ends early': `--B\r\nContent-Disposition: form-data; name="password[payload]"\r\n\r\n${marker}`,
      'a part without a name': `--B\r\nContent-Disposition: form-data; x="${marker}"\r\n\r\n${marker}\r\n--B--\r\n`,
      'a quote that is never closed': `--B\r\nContent-Disposition: form-data; name="${marker}\r\n\r\n${marker}\r\n--B--\r\n`,
    })) {
      await expectRefusal(400, what, 'POST', '/p.json', { headers: asMultipart, body });
    }
    await expectRefusal(400, 'a form that contradicts itself', 'POST', '/p.json', {
      headers: asForm,
      body: `password=${marker}&password[payload]=${marker}`,
    });
    await expectRefusal(415, 'an unknown type', 'POST', '/p.json', {
      headers: { 'content-type': `text/${marker}` },
      body: marker,
    });
    await expectRefusal(415, 'an unknown encoding', 'POST', '/p.json', {
      headers: { ...asJson, 'content-encoding': `x-${emailMarker}` },
      body: marker,
    });
    const huge = JSON.stringify({ password: { payload: longerThan(6 * 1_048_576) } });
    await expectRefusal(413, 'an oversized body', 'POST', '/p.json', { headers: asJson, body: huge });

    // Missing permissions
    await expectRefusal(
      401,
      'a wrong passphrase',
      'GET',
      `${locked.json}?passphrase=${encodeURIComponent(marker)}`,
    );
    const form = await forms().loadForm(locked.page);
    await expectRefusal(401, 'a wrong passphrase of a form', 'POST', locked.page, {
      headers: { ...asForm, ...form.headers, ...sameOrigin },
      body: String(new URLSearchParams({ ...form.fields, held: 'yes', passphrase: marker })),
    });
    await expectRefusal(401, 'no passphrase', 'GET', locked.json);
    for (const credential of [
      `Bearer ${marker}`,
      `${marker} ${token}`,
      `Bearer ${token}x`,
      `Basic ${btoa(marker)}`,
    ]) {
      await expectRefusal(401, 'a wrong credential', 'GET', plain.json, {
        headers: { authorization: credential },
      });
    }
    await expectRefusal(401, 'a wrong pair of credentials', 'GET', plain.json, {
      headers: { 'x-user-email': `${marker}@example.com`, 'x-user-token': `${token}x` },
    });
    await expectRefusal(403, 'a log of somebody else', 'GET', `/p/${plain.token}/audit.json`, {
      headers: account,
    });
    await expectRefusal(403, 'a form of another site', 'POST', plain.page, {
      headers: { origin: `https://${emailMarker}.example` },
    });
    for (let tries = 2; tries < 5; tries++) {
      await expectRefusal(
        401,
        'a wrong passphrase',
        'GET',
        `${locked.json}?passphrase=${encodeURIComponent(marker)}${tries}`,
      );
    }
    await expectRefusal(
      429,
      'one try too many',
      'GET',
      `${locked.json}?passphrase=${encodeURIComponent(marker)}`,
    );

    // Unknown paths and malformed requests
    for (const path of [
      `/${marker}`,
      `/p/${marker}.json`,
      `/p/${marker}`,
      `/p/${plain.token}/${marker}`,
      `/${marker}?${marker}=${marker}`,
    ]) {
      await expectRefusal(
        404,
        `the path ${path.replaceAll(marker, 'WORD')}`,
        'GET',
        path.replace('?', '%3F'),
      );
    }
    await expectRefusal(405, 'a method that the path does not know', 'PUT', plain.json, { body: marker });
    await expectRefusal(400, 'a page that is no number', 'GET', `/p/active.json?page=${marker}`, {
      headers: account,
    });
    for (const [what, sent] of Object.entries({
      nonsense: `${marker}\r\n\r\n`,
      'an unknown method': `${marker.slice(1, -1)} / HTTP/1.1\r\nHost: ${marker}\r\n\r\n`,
      'a header without a colon': `GET /p/${plain.token}.json HTTP/1.1\r\n${marker}\r\n\r\n`,
      'headers that are too long': `GET /p/${plain.token}.json HTTP/1.1\r\nHost: x\r\nX: ${longerThan(16_384)}\r\n\r\n`,
      'a bad chunk': `POST /p.json HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nContent-Type: application/json\r\n\r\n${marker}\r\n`,
    })) {
      const response = await sendRaw(service.port, sent);
      expect(response.status, what).to.be.within(400, 431);
      refusals.push({ what, response });
    }
    await sendRaw(
      service.port,
      `POST /p.json HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9999\r\n\r\n{"password":{"payload":"${marker}`,
      { closesAfterSending: true },
    );

    // Failures of the database
    await canary.interrupt(() =>
      times(24, async (index) => {
        const fields = {
          payload: marker,
          passphrase: index % 4 === 0 ? marker : '',
          name: marker,
          note: marker,
        };
        const response = await (index % 2 === 0
          ? client.post('/p.json', { password: fields }, account)
          : client.get(index % 3 === 0 ? right : owned.json, account));
        if (response.status >= 400) refusals.push({ what: 'a request without a database', response });
        else if (response.status === 201) trackSecret(String(response.body.url_token));
      }),
    );
    if (onMariadb) expect(refusals.filter(({ response }) => response.status === 503)).not.to.eql([]);

    expect(await leaks()).to.eql([]);
  });

  it('leaks no secret there after the pushes have expired', async () => {
    for (const [index, push] of createdPushes.entries()) {
      const { passphrase = '' } = push;
      if (index % 3 === 1) await client.send('DELETE', `/p/${push.token}.json`);
      else if (index % 3 === 0) {
        for (let view = 0; view < 5; view++) {
          await client.get(`/p/${push.token}.json?passphrase=${encodeURIComponent(passphrase)}`);
        }
      } else {
        const { database, digest } = canary.store;
        await database.execute(
          `UPDATE pushes SET expires_at = ${database.dialect.now} WHERE token_digest = $digest`,
          { digest: digest(push.token) },
        );
      }
      const { body } = await client.get(`/p/${push.token}.json?passphrase=${encodeURIComponent(passphrase)}`);
      expect(body, `push ${index}`).to.include({ expired: true, payload: null });
    }
    expect(await leaks()).to.eql([]);
  });

  it('writes only lines of JSON to its log, whatever happens to its database', () => {
    const lines = service.output.split('\n').filter((line) => line !== '');
    expect(lines.filter((line) => !/^\{.*\}$/.test(line))).to.eql([]);
  });

  it('stores the email addresses of accounts in the database and nowhere else', async () => {
    const addresses: Secrets = new Map([['the address', encodingsOf(Buffer.from(emailMarker))]]);
    const places = [...(await databaseFiles())].filter(
      ([name, bytes]) => secretsIn(bytes, addresses, name).length > 0,
    );
    expect(places.map(([name]) => name)).to.satisfy((names: string[]) =>
      names.some((name) => (onMariadb ? /accounts\.ibd$/ : /\.db(-wal)?$/).test(name)),
    );
    if (onMariadb) expect(places.map(([name]) => name)).to.include('the dump');
    const elsewhere = refusals.map(({ response }) => response.text).join('\n') + service.output;
    expect(secretsIn(Buffer.from(elsewhere), addresses, 'elsewhere')).to.eql([]);
  });

  it('does not store the URL of a push that a browser sends as the referrer', async () => {
    const push = await create({ expire_after_views: 2 });
    const page = await client.get(push.page);
    // Browsers follow the page's referrer policy for its form. Other sites have policies of their own.
    const ownPage = page.headers['referrer-policy'] === 'no-referrer' ? '' : service.url + push.page;
    const redirector = `https://redirector.example/?to=${encodeURIComponent(service.url + push.page)}`;
    for (const referer of [ownPage, redirector]) {
      const headers = { ...sameOrigin, ...(referer === '' ? {} : { referer }) };
      expect((await forms().reveal(push, {}, headers)).text).to.contain(`payload ${marker}`);
    }
    expect(await leaks()).to.eql([]);
  });
});
