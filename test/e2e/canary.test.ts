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
  type Answer,
  asForm,
  asJson,
  asMultipart,
  bearer,
  type Client,
  createClient,
  multipart,
  type Sending,
  sendRaw,
  times,
} from '../harness/api.ts';
import { freshDatabase, onMariadb } from '../harness/database.ts';
import { filesOf as attachedTo, pathOf } from '../harness/files.ts';
import { createForms, fromHere } from '../harness/forms.ts';
import { startMariadb } from '../harness/mariadb.ts';
import { openStore, type ServiceProcess, shareDatabase, startProcess } from '../harness/process.ts';
import { makeAccount } from '../harness/service.ts';

const run = promisify(execFile);

/** Forms in which a secret may lie about, each as the bytes to look for. */
function formsOf(secret: Buffer): Map<string, Buffer> {
  const text = secret.toString('latin1');
  const forms = new Map<string, Buffer>([
    ['raw', secret],
    ['hex', Buffer.from(secret.toString('hex'))],
    ['HEX', Buffer.from(secret.toString('hex').toUpperCase())],
    ['URL-encoded', Buffer.from(percentEncoded(secret))],
    ['url-encoded', Buffer.from(percentEncoded(secret).toLowerCase())],
    ['JSON escapes', Buffer.from([...secret].map((byte) => `\\u${hex(byte, 4)}`).join(''))],
    ['UTF-16LE', Buffer.from(text, 'utf16le').subarray(0, -1)],
    ['UTF-16BE', Buffer.from(text, 'utf16le').swap16().subarray(1)],
  ]);
  for (const skipped of [0, 1, 2]) {
    // The characters in which the secret's first and last bytes meet their neighbours are left out.
    const whole = Buffer.concat([Buffer.alloc(skipped), secret]).toString('base64');
    const own = whole.slice(skipped === 0 ? 0 : 4, Math.floor(((secret.length + skipped) * 8) / 6 / 4) * 4);
    forms.set(`base64, ${skipped} bytes in`, Buffer.from(own));
    forms.set(`base64url, ${skipped} bytes in`, Buffer.from(own.replaceAll('+', '-').replaceAll('/', '_')));
  }
  return forms;
}

function percentEncoded(bytes: Buffer): string {
  return [...bytes].map((byte) => `%${hex(byte, 2).toUpperCase()}`).join('');
}

function hex(byte: number, length: number): string {
  return byte.toString(16).padStart(length, '0');
}

/** A word that nothing else holds; so short that V8 quotes a body of it whole. */
function newWord(): string {
  return `~${randomBytes(5).toString('hex')}?`;
}

/** A text of the word alone that has more than so many characters. */
function longerThan(characters: number): string {
  return word.repeat(Math.floor(characters / word.length) + 1);
}

type Secrets = Map<string, Map<string, Buffer>>;

/** The secrets that a text or a file holds, with the form each has there. */
function secretsIn(bytes: Buffer, secrets: Secrets, where: string): string[] {
  return [...secrets].flatMap(([name, forms]) =>
    [...forms].filter(([, form]) => bytes.includes(form)).map(([form]) => `${name}, ${form}, in ${where}`),
  );
}

const blockBytes = 4_096;
const emptyBlock = Buffer.alloc(blockBytes);

/** Leaves the blocks out that a file holds for later, which are most of a database's. */
function withoutEmptyBlocks(bytes: Buffer): Buffer {
  const blocks: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += blockBytes) {
    const block = bytes.subarray(at, at + blockBytes);
    if (!block.equals(emptyBlock)) blocks.push(block);
  }
  return Buffer.concat(blocks);
}

/** A service at the finest log level, the files of its database, and how to dump and to kill that. */
async function startCanaryService() {
  const place = onMariadb ? await mariadbPlace() : await sqlitePlace();
  const settings = shareDatabase(place.url);
  const service = await startProcess({
    ...settings,
    LOG_LEVEL: 'debug',
    RATE_LIMITS: 'on',
    LIMIT_REQUESTS: '1000000/1h',
    LIMIT_ANONYMOUS_CREATE: '1000000/1h',
  });
  const store = openStore(settings);
  const domain = createDomain(store.database, store.keyring, domainSettings(readConfig({})));
  return { ...place, settings, service, store, domain, client: createClient(service.port) };
}

async function sqlitePlace() {
  const { url, drop } = await freshDatabase();
  return {
    url,
    folder: dirname(url.slice('sqlite:'.length)),
    dump: async () => Buffer.alloc(0),
    atRest: <T>(look: () => Promise<T>) => look(),
    interrupt: async (_work: () => Promise<unknown>) => {},
    end: drop,
  };
}

async function mariadbPlace() {
  const server = await startMariadb();
  const connection = await createConnection(server.url);
  await connection.query('CREATE DATABASE hushpush');
  await connection.end();
  const url = `${server.url}/hushpush`;
  return {
    url,
    folder: server.dir,
    /** Looks at the files while all that was written stands in them, and not in the redo log alone. */
    async atRest<T>(look: () => Promise<T>): Promise<T> {
      const connection = await createConnection(url);
      const [tables] = await connection.query({ sql: 'SHOW TABLES', rowsAsArray: true });
      await connection.query(`FLUSH TABLES ${(tables as string[][]).flat().join(', ')} FOR EXPORT`);
      try {
        return await look();
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
    /** Kills the database while work is under way, of which every view waits for its row, and brings it back. */
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
const word = newWord();
const mailWord = randomBytes(9).toString('hex');
const made: { token: string; passphrase?: string }[] = [];
const refusals: { what: string; answer: Answer }[] = [];

describe('a service that is told secrets', () => {
  before(async function () {
    this.timeout(60_000);
    canary = await startCanaryService();
    ({ service, client } = canary);
    email = `${mailWord}@example.com`;
    ({ token } = await makeAccount(canary.domain, email));
    const { MASTER_KEYS, PEPPER } = canary.settings;
    secrets = new Map([
      ['the word', formsOf(Buffer.from(word))],
      ['the API token', formsOf(Buffer.from(token))],
      ['the master key', formsOf(Buffer.from(MASTER_KEYS.slice(2), 'base64'))],
      ['the pepper', formsOf(Buffer.from(PEPPER, 'base64'))],
    ]);
  });

  after(async () => {
    client?.close();
    await service?.stop();
    await canary?.store.close();
    await canary?.end();
  });

  /** Every secret that can be found in the log, in an answer to a refused request, or in the database. */
  async function leaks(): Promise<string[]> {
    const found = secretsIn(Buffer.from(service.output), secrets, 'the log');
    for (const { what, answer } of refusals) {
      const seen = `${JSON.stringify(answer.headers)}\n${answer.text}`;
      found.push(...secretsIn(Buffer.from(seen), secrets, `the ${answer.status} to ${what}`));
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

  /** Sends a request that must be refused with this status. */
  async function refused(status: number, what: string, method: string, path: string, sending: Sending = {}) {
    const answer = await client.send(method, path, sending);
    expect(answer.status, what).to.equal(status);
    refusals.push({ what, answer });
  }

  const json = (content: unknown): Sending => ({ headers: asJson, body: JSON.stringify(content) });
  const password = (fields: object): Sending => json({ password: fields });

  /** Makes a push, whose url token is a secret from then on. */
  async function create(fields: { passphrase?: string; [field: string]: unknown } = {}, headers = {}) {
    const push = await client.create({ payload: `payload ${word}`, ...fields }, headers);
    remember(push.token, fields.passphrase);
    return push;
  }

  function remember(urlToken: string, passphrase?: string): void {
    made.push(passphrase === undefined ? { token: urlToken } : { token: urlToken, passphrase });
    secrets.set(`url token ${made.length}`, formsOf(Buffer.from(urlToken)));
  }

  /** A file whose name and content are secret, and the grant that fetches it. */
  async function attachAndDownload(): Promise<void> {
    const subscriber = await makeAccount(canary.domain, `files.${email}`, { subscribed: true });
    secrets.set('the API token for files', formsOf(Buffer.from(subscriber.token)));
    const body = multipart({ [`password[files][]"; filename="${word}.txt`]: `${word} `.repeat(9_000) });
    const headers = { ...asMultipart, ...bearer(subscriber.token) };
    const answer = await client.send('POST', '/p.json', { headers, body });
    expect(answer.status).to.equal(201);
    remember(String(answer.body.url_token));
    const [file = {}] = attachedTo((await client.get(`/p/${answer.body.url_token}.json`)).body);
    expect(file.filename).to.equal(`${word}.txt`);
    const [, , grant = ''] = pathOf(file).split('/');
    secrets.set('the grant', formsOf(Buffer.from(grant)));
    expect((await client.get(pathOf(file))).text).to.contain(word);
    await refused(404, 'a file that is none', 'GET', `/download/${grant}/2`);
    await refused(416, 'a range that is none', 'GET', pathOf(file), {
      headers: { range: 'bytes=999999999-' },
    });
  }

  it('finds a secret in every form in which it may lie about', () => {
    const text = `before ${word} after`;
    const utf16 = Buffer.from(text, 'utf16le');
    const lying = new Map<string, Buffer>([
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
    const words: Secrets = new Map([['word', formsOf(Buffer.from(word))]]);
    for (const [form, bytes] of lying) {
      const found = secretsIn(bytes, words, 'a text');
      expect(found, form).to.satisfy((all: string[]) => all.some((one) => one.startsWith(`word, ${form}`)));
    }
    expect(secretsIn(Buffer.from('before after'), words, 'a text')).to.eql([]);
  });

  const forms = () => createForms(canary.domain, client);

  /** Tells the pages secrets: passwords, right and wrong, a push, what to look for. */
  async function onThePages(): Promise<void> {
    const { submit, formOn } = forms();
    const newcomer = { email: 'pages@example.com', password: `password ${word}` };
    const form = await formOn('/sign-up');
    const signedUp = await submit('/sign-up', form, newcomer);
    expect(signedUp.status).to.equal(303);
    const session = (signedUp.headers['set-cookie'] ?? []).map((line) => line.split(';')[0]).join('; ');
    secrets.set('the session', formsOf(Buffer.from(session.split('=')[1] ?? '')));
    expect((await submit('/sign-in', form, { ...newcomer, password: `wrong ${word}` })).status).to.equal(401);
    expect((await submit('/sign-in', form, { ...newcomer, email: word })).status).to.equal(401);
    const entered = { payload: `payload ${word}`, passphrase: word, lifetime: '1d', deletableByViewer: 'on' };
    expect((await submit('/', form, { ...entered, views: word })).status).to.equal(422);
    const headers = { cookie: session };
    const mine = await formOn('/', headers);
    const made = await submit('/', mine, { ...entered, views: '1', name: word, note: word });
    remember(/\/p\/(\w{26})/.exec(made.text)?.[1] ?? '', word);
    expect((await client.get(`/pushes?search=${encodeURIComponent(word)}`, headers)).status).to.equal(200);
    const change = { current: `wrong ${word}`, next: `new ${word} password` };
    expect((await submit('/account/password', mine, change)).status).to.equal(401);
  }

  it('leaves no secret in its log, its refusals or its database while pushes live, whatever it is asked', async function () {
    this.timeout(60_000);
    const owner = bearer(token);
    const wrongWord = { payload: 'x', expire_after_days: word };

    // What succeeds.
    const plain = await create({ expire_after_views: 3 });
    const locked = await create({
      passphrase: `passphrase ${word}`,
      expire_after_views: 3,
      name: `name ${word}`,
    });
    const owned = await create({ name: `name ${word}`, note: `note ${word}`, passphrase: word }, owner);
    await create({ payload: `https://example.com/${encodeURIComponent(word)}`, kind: 'url' });
    await create({ payload: longerThan(1_000_000) });
    for (const body of [
      multipart({ 'password[payload]': `payload ${word}`, 'password[passphrase]': word }),
      `password[payload]=${encodeURIComponent(word)}&password[passphrase]=${encodeURIComponent(word)}`,
    ]) {
      const headers = typeof body === 'string' ? asForm : asMultipart;
      const answer = await client.send('POST', '/p.json', { headers, body });
      expect(answer.status).to.equal(201);
      remember(String(answer.body.url_token), word);
    }
    const right = `${locked.json}?passphrase=${encodeURIComponent(`passphrase ${word}`)}`;
    expect((await client.get(plain.json)).body.payload).to.equal(`payload ${word}`);
    expect((await client.get(right)).body.payload).to.equal(`payload ${word}`);
    expect((await client.get(owned.page, owner)).status).to.equal(200);
    expect((await client.get('/p/active.json', owner)).text).to.contain(word);
    expect((await client.get(`/p/${owned.token}/audit.json`, owner)).status).to.equal(200);
    expect((await forms().reveal(plain)).text).to.contain(`payload ${word}`);
    await onThePages();

    await attachAndDownload();

    // What is refused for what it says.
    for (const [field, value] of Object.entries({
      expire_after_days: word,
      expire_after_views: word,
      expire_after_minutes: [word],
      kind: word,
      deletable_by_viewer: word,
      retrieval_step: { [word]: word },
      name: longerThan(255),
      note: longerThan(2_000),
      passphrase: longerThan(1_024),
      payload: { [word]: word },
      [word]: 0,
    })) {
      const fields = { payload: field === word ? '' : `payload ${word}`, [field]: value };
      await refused(422, `a wrong ${field}`, 'POST', '/p.json', password(fields));
    }
    await refused(
      422,
      'a payload that is too long',
      'POST',
      '/p.json',
      password({ payload: longerThan(1_048_576) }),
    );
    await refused(422, 'a URL that is none', 'POST', '/p.json', password({ payload: word, kind: 'url' }));
    await refused(
      422,
      'a QR code that is too long',
      'POST',
      '/p.json',
      password({ payload: longerThan(1_024), kind: 'qr' }),
    );
    await refused(422, 'a wrong field of a form', 'POST', '/p.json', {
      headers: asForm,
      body: `password[payload]=${word}&password[expire_after_days]=${word}`,
    });
    await refused(401, 'files of nobody', 'POST', '/p.json', password({ payload: word, files: [word] }));
    await refused(403, 'files of an account without them', 'POST', '/p.json', {
      headers: { ...asMultipart, ...owner },
      body: multipart({ 'password[payload]': word })
        .subarray(0, -5)
        .toString()
        .concat(
          `B\r\nContent-Disposition: form-data; name="password[files][]"; filename="${word}"\r\n\r\n${word}\r\n--B--\r\n`,
        ),
    });
    await refused(
      422,
      'two durations',
      'POST',
      '/p.json',
      password({ ...wrongWord, expire_after_hours: word }),
    );

    // What is refused for its form.
    for (const [what, body] of Object.entries({
      'broken JSON': `{"password":{"payload":"${word}"`,
      'JSON with a secret for a key': `{"${word}"`,
      'a word for JSON': word,
      'bare JSON': `"${word}"`,
      'JSON without a root': `{"payload":"${word}"}`,
      'a root that is text': `{"password":"${word}"}`,
      'JSON that nests too deeply': `${'['.repeat(100)}"${word}"`,
      'JSON that is not UTF-8': Buffer.concat([
        Buffer.from(`{"password":{"payload":"${word}`),
        Buffer.from([0xff]),
      ]),
    })) {
      await refused(400, what, 'POST', '/p.json', { headers: asJson, body });
    }
    for (const [what, body] of Object.entries({
      'a form that ends early': `--B\r\nContent-Disposition: form-data; name="password[payload]"\r\n\r\n${word}`,
      'a part without a name': `--B\r\nContent-Disposition: form-data; x="${word}"\r\n\r\n${word}\r\n--B--\r\n`,
      'a quote that is never closed': `--B\r\nContent-Disposition: form-data; name="${word}\r\n\r\n${word}\r\n--B--\r\n`,
    })) {
      await refused(400, what, 'POST', '/p.json', { headers: asMultipart, body });
    }
    await refused(400, 'a form that contradicts itself', 'POST', '/p.json', {
      headers: asForm,
      body: `password=${word}&password[payload]=${word}`,
    });
    await refused(415, 'an unknown type', 'POST', '/p.json', {
      headers: { 'content-type': `text/${word}` },
      body: word,
    });
    await refused(415, 'an unknown encoding', 'POST', '/p.json', {
      headers: { ...asJson, 'content-encoding': `x-${mailWord}` },
      body: word,
    });
    const huge = JSON.stringify({ password: { payload: longerThan(6 * 1_048_576) } });
    await refused(413, 'an oversized body', 'POST', '/p.json', { headers: asJson, body: huge });

    // What is refused for who asks.
    await refused(401, 'a wrong passphrase', 'GET', `${locked.json}?passphrase=${encodeURIComponent(word)}`);
    const form = await forms().formOn(locked.page);
    await refused(401, 'a wrong passphrase of a form', 'POST', locked.page, {
      headers: { ...asForm, ...form.headers, ...fromHere },
      body: String(new URLSearchParams({ ...form.fields, passphrase: word })),
    });
    await refused(401, 'no passphrase', 'GET', locked.json);
    for (const credential of [
      `Bearer ${word}`,
      `${word} ${token}`,
      `Bearer ${token}x`,
      `Basic ${btoa(word)}`,
    ]) {
      await refused(401, 'a wrong credential', 'GET', plain.json, { headers: { authorization: credential } });
    }
    await refused(401, 'a wrong pair of credentials', 'GET', plain.json, {
      headers: { 'x-user-email': `${word}@example.com`, 'x-user-token': token },
    });
    await refused(403, 'a log of somebody else', 'GET', `/p/${plain.token}/audit.json`, { headers: owner });
    await refused(403, 'a form of another site', 'POST', plain.page, {
      headers: { origin: `https://${mailWord}.example` },
    });
    for (let tries = 2; tries < 5; tries++) {
      await refused(
        401,
        'a wrong passphrase',
        'GET',
        `${locked.json}?passphrase=${encodeURIComponent(word)}${tries}`,
      );
    }
    await refused(429, 'one try too many', 'GET', `${locked.json}?passphrase=${encodeURIComponent(word)}`);

    // What is refused for where it goes.
    for (const path of [
      `/${word}`,
      `/p/${word}.json`,
      `/p/${word}`,
      `/p/${plain.token}/${word}`,
      `/${word}?${word}=${word}`,
    ]) {
      await refused(404, `the path ${path.replaceAll(word, 'WORD')}`, 'GET', path.replace('?', '%3F'));
    }
    await refused(405, 'a method that the path does not know', 'PUT', plain.json, { body: word });
    await refused(400, 'a page that is no number', 'GET', `/p/active.json?page=${word}`, { headers: owner });
    for (const [what, sent] of Object.entries({
      nonsense: `${word}\r\n\r\n`,
      'an unknown method': `${word.slice(1, -1)} / HTTP/1.1\r\nHost: ${word}\r\n\r\n`,
      'a header without a colon': `GET /p/${plain.token}.json HTTP/1.1\r\n${word}\r\n\r\n`,
      'headers that are too long': `GET /p/${plain.token}.json HTTP/1.1\r\nHost: x\r\nX: ${longerThan(16_384)}\r\n\r\n`,
      'a bad chunk': `POST /p.json HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nContent-Type: application/json\r\n\r\n${word}\r\n`,
    })) {
      const answer = await sendRaw(service.port, sent);
      expect(answer.status, what).to.be.within(400, 431);
      refusals.push({ what, answer });
    }
    await sendRaw(
      service.port,
      `POST /p.json HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9999\r\n\r\n{"password":{"payload":"${word}`,
      { leaves: true },
    );

    // What fails because the database does.
    await canary.interrupt(() =>
      times(24, async (index) => {
        const fields = { payload: word, passphrase: index % 4 === 0 ? word : '', name: word, note: word };
        const answer = await (index % 2 === 0
          ? client.post('/p.json', { password: fields }, owner)
          : client.get(index % 3 === 0 ? right : owned.json, owner));
        if (answer.status >= 400) refusals.push({ what: 'a request without a database', answer });
        else if (answer.status === 201) remember(String(answer.body.url_token));
      }),
    );
    if (onMariadb) expect(refusals.filter(({ answer }) => answer.status === 503)).not.to.eql([]);

    expect(await leaks()).to.eql([]);
  });

  it('leaves no secret there after they have expired', async function () {
    this.timeout(60_000);
    for (const [index, push] of made.entries()) {
      const { passphrase = '' } = push;
      if (index % 3 === 1) await client.send('DELETE', `/p/${push.token}.json`);
      else if (index % 3 === 0) {
        for (let view = 0; view < 5; view++) {
          await client.get(`/p/${push.token}.json?passphrase=${encodeURIComponent(passphrase)}`);
        }
      } else {
        const { database, digest } = canary.store;
        await database.change(
          `UPDATE pushes SET expires_at = ${database.dialect.now} WHERE token_digest = $digest`,
          { digest: digest(push.token) },
        );
      }
      const { body } = await client.get(`/p/${push.token}.json?passphrase=${encodeURIComponent(passphrase)}`);
      expect(body, `push ${index}`).to.include({ expired: true, payload: null });
    }
    expect(await leaks()).to.eql([]);
  });

  it('writes nothing but lines of JSON, whatever happens to its database', () => {
    const lines = service.output.split('\n').filter((line) => line !== '');
    expect(lines.filter((line) => !/^\{.*\}$/.test(line))).to.eql([]);
  });

  it('keeps e-mail addresses of accounts where they must be, in the database and nowhere else', async () => {
    const addresses: Secrets = new Map([['the address', formsOf(Buffer.from(mailWord))]]);
    const places = [...(await databaseFiles())].filter(
      ([name, bytes]) => secretsIn(bytes, addresses, name).length > 0,
    );
    expect(places.map(([name]) => name)).to.satisfy((names: string[]) =>
      names.some((name) => (onMariadb ? /accounts\.ibd$/ : /\.db(-wal)?$/).test(name)),
    );
    if (onMariadb) expect(places.map(([name]) => name)).to.include('the dump');
    const elsewhere = refusals.map(({ answer }) => answer.text).join('\n') + service.output;
    expect(secretsIn(Buffer.from(elsewhere), addresses, 'elsewhere')).to.eql([]);
  });

  it('does not keep the address of a push that a browser tells as the page it comes from', async () => {
    const push = await create({ expire_after_views: 2 });
    const page = await client.get(push.page);
    // Browsers obey the page's policy where it is about the form on the page; other sites have policies of their own.
    const ownPage = page.headers['referrer-policy'] === 'no-referrer' ? '' : service.url + push.page;
    const redirector = `https://redirector.example/?to=${encodeURIComponent(service.url + push.page)}`;
    for (const referer of [ownPage, redirector]) {
      const headers = { ...fromHere, ...(referer === '' ? {} : { referer }) };
      expect((await forms().reveal(push, {}, headers)).text).to.contain(`payload ${word}`);
    }
    expect(await leaks()).to.eql([]);
  });
});
