import { createHash, randomBytes } from 'node:crypto';
import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { createClient } from '../../src/client/client.ts';
import { createOpeningKey, fragmentOf } from '../../src/client/sealing.js';
import { wrapKeyByPasskey } from '../../src/client/wrappedKey.js';
import {
  type PasswordPusher,
  pusherToken,
  startPasswordPusher,
} from '../../tools/standins/passwordPusher.ts';
import { builtMain } from '../harness/build.ts';
import { connectChat, newChatUser } from '../harness/chat.ts';
import { type Folder, openFolder } from '../harness/cli.ts';
import { onMariadb } from '../harness/database.ts';
import { findProgram } from '../harness/debian.ts';
import { cityRecord, geoDatabase } from '../harness/geoDatabase.ts';
import { freePort } from '../harness/mariadb.ts';
import { cutLinks, mistypedLinks } from '../harness/mistypedLinks.ts';
import { byPassword, createAccount, someClient, startService, type TestService } from '../harness/service.ts';
import { until } from '../harness/until.ts';

// What it sends is the same whatever the database.
const describeOnce = onMariadb ? () => {} : describe;

const secret = `Pä$$ w0rd+&=%41"'\\<b>#?;ü✓ 東京`;

describeOnce('The commands of the client', () => {
  let service: TestService;
  let pusher: PasswordPusher;
  let folder: Folder;
  let places: Folder;
  let server: string;
  let token: string;

  before(async () => {
    const port = await freePort();
    server = `http://127.0.0.1:${port}`;
    places = await openFolder();
    const geoFile = join(places.path, 'places.mmdb');
    const here = cityRecord('WW', { en: 'Wonderland' }, { en: 'Where the rabbit has its hole' });
    await writeFile(geoFile, geoDatabase({ networks: { '127.0.0.0/8': here } }));
    service = await startService({ PORT: String(port), BASE_URL: server, GEOIP_DATABASE: geoFile });
    ({ token } = await createAccount(service.domain, undefined, { subscribed: true }));
    pusher = await startPasswordPusher();
  });

  beforeEach(async () => {
    folder = await openFolder();
  });

  afterEach(() => folder.remove());

  after(async () => {
    await pusher.close();
    await places.remove();
    await service.stop();
  });

  const inFolder = () => ({ XDG_CONFIG_HOME: join(folder.path, 'settings') });
  const environment = () => ({ ...inFolder(), HUSHPUSH_SERVER: server, HUSHPUSH_TOKEN: token });

  /** Runs a command that must succeed, and returns what it printed. */
  async function succeed(
    command: string,
    input?: string,
    settings: Record<string, string> = environment(),
  ): Promise<string> {
    const { code, stdout, stderr } = await folder.run(command, { settings, ...(input && { input }) });
    expect({ code, stderr }, command).to.include({ code: 0 });
    return stdout;
  }

  async function fail(command: string, settings: Record<string, string> = environment()): Promise<string> {
    const { code, stdout, stderr } = await folder.run(command, { settings });
    expect({ isFailure: code !== null && code > 0, stdout }, command).to.deep.equal({
      isFailure: true,
      stdout: '',
    });
    return stderr.trim();
  }

  it('push and get carry a secret from standard input to standard output, byte for byte', async () => {
    for (const [input, output] of [
      [secret, secret],
      [`${secret}\n`, secret],
      ['first line\nsecond line\r\n', 'first line\nsecond line\r\n'],
    ] as const) {
      const link = await succeed('push --quiet', input);
      expect(link).to.match(/^http:\S+\/p\/\w{26}\n$/);
      expect(await succeed(`get --quiet ${link.trim()}`)).to.equal(output);
    }
  });

  it('push reads a file, and get writes one that only its owner can read', async () => {
    await writeFile(join(folder.path, 'id_ed25519'), 'BEGIN\nkey\nEND\n');
    const [link = ''] = (await succeed('push id_ed25519 --views 2 --hours 3 --name key')).split('\n');
    await succeed(`get ${link} --output copy`);
    expect(await readFile(join(folder.path, 'copy'), 'utf8')).to.equal('BEGIN\nkey\nEND\n');
    expect((await stat(join(folder.path, 'copy'))).mode & 0o777).to.equal(0o600);
    expect(await fail(`get ${link} --output copy`)).to.match(/copy exists already. Nothing was retrieved.$/);
    expect(JSON.parse(await succeed(`get ${link} --json`))).to.include({ views_remaining: 0 });
  });

  it('push refuses bytes that are no text, and an empty secret', async () => {
    await writeFile(join(folder.path, 'binary'), Buffer.from([0xff, 0xfe]));
    expect(await fail('push binary')).to.equal(
      'hushpush: binary is not text. To send a file as it is, use --attach.',
    );
    expect(await fail('push')).to.equal('hushpush: Standard input is empty.');
    expect(await fail('push --attach missing')).to.equal('hushpush: There is no missing.');
    expect(await fail('push --attach .')).to.contain('. is not a file.');
    expect(await fail('push hunter2'))
      .to.match(/There is no such file\..*arguments/)
      .and.not.contain('hunter2');
  });

  it('files are attached and saved beside what is there, under harmless names', async () => {
    await writeFile(join(folder.path, 'dump.bin'), Buffer.from([0, 255, 13, 10]));
    const link = (await succeed('push --attach dump.bin --quiet')).trim();
    await succeed(`get ${link}`);
    expect(await readdir(folder.path)).to.include.members(['dump.bin', 'dump (2).bin']);
    expect(await readFile(join(folder.path, 'dump (2).bin'))).to.deep.equal(Buffer.from([0, 255, 13, 10]));

    const client = createClient({ server, token });
    const hostile = await client.create({ files: [{ filename: '.bashrc', content: new Blob(['x']) }] });
    await succeed(`get ${hostile.html_url}`);
    expect(await readdir(folder.path))
      .to.include('_bashrc')
      .and.not.include('.bashrc');
  });

  it('get opens a link that was copied badly, and says of one that was cut off that it is', async () => {
    const client = createClient({ server, token });
    const { html_url } = await client.create({ payload: 'tulip', expire_after_views: 100 });
    const all = Object.values(mistypedLinks).map((mistype) =>
      mistype(html_url).replace(/^HTTP:[^P]*\/P/, (start) => start.toLowerCase()),
    );
    const links = [...new Set(all)]; // not every token has an o or an i
    const commands = links.map((link) => ['get', '--quiet', link]);
    const printed = await folder.runAll(commands, { settings: environment() });
    expect([...printed.values()]).to.deep.equal(Array(links.length).fill('tulip'));
    for (const cut of Object.values(cutLinks))
      expect(await fail(`get ${cut(html_url)}`)).to.match(/cut off|neither a link/);
  });

  it('push --encrypt prints a link with a key, and get decrypts what it opens', async () => {
    const client = createClient({ server, token });
    const link = (await succeed('push --encrypt --quiet --views 3', secret)).trim();
    expect(link).to.match(/\/p\/\w{26}#[0-9a-v]{53}$/);
    const stored = await client.retrieve(link);
    expect(stored).to.include({ encrypted: true, views_remaining: 2 });
    expect(stored.payload).to.not.include(secret);
    expect(await succeed(`get --quiet ${link}`)).to.equal(secret);
    expect(await fail(`get ${link.slice(0, -1)}`)).to.match(/cut off.*Nothing was retrieved\.$/);
    const { code, stdout, stderr } = await folder.run(`get ${link.split('#')[0]}`, {
      settings: environment(),
    });
    expect({ code, stdout }).to.deep.equal({ code: 6, stdout: stored.payload });
    expect(stderr).to.include('the link has no key that opens it');
    expect(await fail(`get ${link}`)).to.equal('hushpush: That push has expired.');
  });

  it('push --encrypt encrypts files, and get leaves nothing but what it decrypted', async () => {
    const content = randomBytes(150_000);
    await writeFile(join(folder.path, 'dump.bin'), content);
    const link = (await succeed('push --encrypt --attach dump.bin --quiet --views 2')).trim();
    expect((await createClient({ server, token }).retrieve(link)).files).to.have.nested.property(
      '[0].filename',
      'encrypted-1',
    );
    await succeed(`get ${link}`);
    expect((await readdir(folder.path)).sort()).to.deep.equal(['dump (2).bin', 'dump.bin']);
    expect((await readFile(join(folder.path, 'dump (2).bin'))).equals(content)).to.equal(true);
  });

  it('get continues a download that breaks off, and says where the rest is when it cannot', async () => {
    const content = randomBytes(200_000);
    const files = ['whole', 'anew', 'lost'].map((name) => ({
      ...{ filename: `${name}.bin`, content_type: 'application/octet-stream', size: content.length },
      url: `${pusher.url}/files/${name}`,
    }));
    const push = { url_token: 'files', payload: null, views_remaining: 0, files };
    pusher.override('GET /p/files.json', (res) => res.end(JSON.stringify(push)));
    pusher.override('GET /files/whole', (res) => {
      const [, from] = /^bytes=(\d+)-$/.exec(pusher.requests.at(-1)?.headers.range ?? '') ?? [];
      if (from !== undefined) return res.writeHead(206).end(content.subarray(Number(from)));
      res.writeHead(200, { 'content-length': content.length });
      return res.write(content.subarray(0, 100_000), () => res.destroy());
    });
    let attempts = 0;
    pusher.override('GET /files/anew', (res) => {
      res.writeHead(200, { 'content-length': content.length }); // also where a part is asked for
      return ++attempts > 1 ? res.end(content) : res.write(content.subarray(0, 100_000), () => res.destroy());
    });
    pusher.override('GET /files/lost', (res) => res.writeHead(404).end('{}'));
    const settings = inFolder();
    const { code, stderr } = await folder.run(`get ${pusher.url}/p/files`, { settings });
    expect(code).to.equal(5);
    expect(stderr).to.contain('Saved whole.bin.').and.contain(`  lost.bin  ${pusher.url}/files/lost\n`);
    for (const name of ['whole.bin', 'anew.bin'])
      expect((await readFile(join(folder.path, name))).equals(content), name).to.equal(true);
    expect(pusher.requests.at(-1)?.headers['user-agent']).to.match(/^hushpush\//);
  });

  it('get copies nothing, and uses no view, where there is no clipboard', async () => {
    const link = (await succeed('push --quiet --views 1', secret)).trim();
    expect(await fail(`get ${link} --copy`)).to.match(/no clipboard here.*Nothing was retrieved\.$/);
    expect(await succeed(`get ${link} --quiet`)).to.equal(secret);
  });

  it('a passphrase is read from a file, and its absence is explained', async () => {
    await writeFile(join(folder.path, 'phrase'), 'open sesame\n');
    const link = (await succeed('push --passphrase-file phrase --quiet', secret)).trim();
    expect(await fail(`get ${link} --output secret`)).to.match(/no terminal.*--passphrase-file/);
    await writeFile(join(folder.path, 'wrong'), 'open\n');
    expect(await fail(`get ${link} --passphrase-file wrong`)).to.equal(
      'hushpush: That passphrase is incorrect.',
    );
    expect(await readdir(folder.path)).not.to.include('secret');
    expect(await succeed(`get ${link} --passphrase-file phrase --quiet`)).to.equal(secret);
  });

  it('lists and activities fit 80 columns, and cut no url token', async () => {
    const name = 'a name that is far too long for what is left of a line of eighty columns';
    const client = createClient({ server, token });
    const { url_token } = await client.create({ payload: 'tulip', name });
    const table = await succeed('list');
    expect(table).to.contain(url_token).and.contain('…');
    expect(Math.max(...table.split('\n').map(({ length }) => length))).to.equal(80);
    await client.retrieve(url_token);
    const activity = await succeed(`activity ${url_token}`);
    expect(activity).to.match(
      /PLACE AND PROGRAM\n.*creation.*\n.*view .*127\.0\.0\.1 +Where the rabbit.*…$/m,
    );
    expect(Math.max(...activity.split('\n').map(({ length }) => length))).to.be.at.most(80);
    expect(JSON.parse(await succeed(`activity ${url_token} --json`))).to.have.length(2);
  });

  it('list finds pushes by a text, a kind and a recipient, and sorts them', async () => {
    const client = createClient({ server, token });
    const [first, second] = await Promise.all(
      ['found 1', 'found 2'].map((name, index) =>
        client.create({ payload: 'https://example.com', kind: 'url', name, expire_after_days: 5 - index }),
      ),
    );
    const listed = await succeed('list --search found --kind url --sort ends_soonest --json');
    expect(JSON.parse(listed).map(({ url_token }: { url_token: string }) => url_token)).to.deep.equal([
      second?.url_token,
      first?.url_token,
    ]);
    expect(await succeed('list --search found --recipient Carol')).to.equal('No active push matches.\n');
    expect(await fail(`list --kind url --server ${pusher.url}`)).to.match(/cannot filter or sort lists\.$/);
    const { code, stderr } = await folder.run('list --sort name', { settings: environment() });
    expect({ code, stderr }).to.have.property('code', 2);
    expect(stderr).to.contain('newest, oldest, ends_soonest, ends_latest');
  });

  it('extend lets a push live longer, where the server can', async () => {
    const link = (await succeed('push --quiet --days 1', secret)).trim();
    expect(await succeed(`extend ${link} --days 2 --hours 12`)).to.equal('Expires in 2 days.\n');
    expect(await fail(`extend ${link} --hours 1`)).to.match(/That link ends later/);
    expect(await fail(`extend ${link}`)).to.match(/--days, --hours or --minutes/);
    expect(await fail(`extend ${pusher.url}/p/token-1 --days 1`)).to.match(/server cannot extend pushes/);
  });

  it('account security lists what happened to the sign-in of the account, newest first', async () => {
    const { account } = await service.domain.apiTokens.authenticate(token);
    await service.domain.sessions.create(account, someClient, byPassword);
    const [newest] = JSON.parse(await succeed('account security --json --limit 1'));
    expect(newest).to.include({ kind: 'signed_in', detail: 'password', ip: someClient.ip, times: 1 });
    const [head, first] = (await succeed('account security')).split('\n');
    expect(head).to.match(/^TIME +EVENT +FROM +PROGRAM/);
    expect(first).to.match(/signed_in \(password\) +192\.0\.2\.7 +test/);
  });

  it('request asks somebody in a chat, and requests lists what was asked, in 80 columns', async () => {
    const [me, other] = [newChatUser('T1'), newChatUser('T1')];
    expect(await fail(`request slack:${other.address}`)).to.match(/account is not connected to that chat/);
    const { account } = await service.domain.apiTokens.authenticate(token);
    await connectChat(service.domain, me, { account });
    expect(await succeed(`request slack:${other.address} --reason VPN`)).to.equal(
      `Asked slack:${other.address}. The answer gets to you in the chat; the request expires in 14 days.\n`,
    );
    await service.domain.chat.requests.create(other, [me], { reason: 'x'.repeat(200) });
    const table = await succeed('requests');
    expect(table)
      .to.contain(`to slack:${other.address}`)
      .and.match(/from slack:.* open .* in 14 days .*x…/);
    expect(Math.max(...table.split('\n').map(({ length }) => length))).to.equal(80);
    expect(JSON.parse(await succeed('requests --json'))).to.have.all.keys('received', 'sent', 'links');
    const elsewhere = `--server ${pusher.url}`;
    expect(await fail(`requests ${elsewhere}`)).to.match(/the server has no requests for secrets/);
  });

  it('request asks several people at once, and cancel takes a request back by its id in the list', async () => {
    const client = createClient({ server, token });
    const { account } = await service.domain.apiTokens.authenticate(token);
    await connectChat(service.domain, newChatUser('T2'), { account });
    const people = [newChatUser('T2'), newChatUser('T2')].map(({ address }) => `slack:${address}`);
    const [first = '', second = ''] = people;
    expect(await succeed(`request ${first} ${second} --days 2 --hours 1`)).to.equal(
      `Asked ${first}, ${second}. Answers get to you in the chat; the requests expire in 2 days.\n`,
    );
    const line = (await succeed('requests')).split('\n').find((each) => each.includes(second)) ?? '';
    const id = /^\w{8}(?= )/.exec(line)?.[0];
    const states = async () => {
      const { sent } = await client.requests.list();
      return people.map((person) => sent.find(({ provider }) => provider === person)?.state);
    };
    expect(await fail(`cancel ${id} 00000000`)).to.match(/no open request 00000000\./);
    expect(await states()).to.deep.equal(['open', 'open']);
    expect(await succeed(`cancel ${id}`)).to.equal(`Cancelled the request to ${second}.\n`);
    expect(await states()).to.deep.equal(['open', 'cancelled']);
    for (const ended of [id, id?.slice(1)]) expect(await fail(`cancel ${ended}`)).to.match(/no open request/);
  });

  it('request --link prints a link, answer sends to it without a token, and answers lists both', async () => {
    await writeFile(join(folder.path, 'phrase'), 'hush\n');
    await writeFile(join(folder.path, 'id.pdf'), randomBytes(3_000_000));
    const link = (
      await succeed('request --link Shop --no-seal --answers 2 --allow-name --passphrase-file phrase --quiet')
    ).trim();
    expect(link).to.match(new RegExp(`^${server}/a/\\w{26}$`));
    const stranger = { ...inFolder() };
    const guarded = '--passphrase-file phrase --quiet';
    const receipt = (await succeed(`answer ${link} --name Bea ${guarded}`, secret, stranger)).trim();
    const other = await succeed(`answer ${link} --attach id.pdf ${guarded}`, undefined, stranger);
    expect(await fail(`answer ${link} --attach id.pdf ${guarded}`, stranger)).to.match(
      /takes no more answers/,
    );
    const line = (await succeed('requests')).split('\n').find((each) => each.includes('Shop')) ?? '';
    expect(line).to.match(/^\w{8} +by link, 2 of 2 +answered/);
    const id = line.slice(0, 8);
    const table = await succeed(`answers ${id}`);
    expect(table).to.include(receipt).and.include(other.trim()).and.include('Bea');
    const [first, second] = JSON.parse(await succeed(`answers ${id} --json`));
    expect(await succeed(`get --quiet ${first.html_url}`)).to.equal(secret);
    await succeed(`get --quiet ${second.html_url} --output got`);
    const [sent, got] = await Promise.all(
      ['id.pdf', 'got/id.pdf'].map((name) => readFile(join(folder.path, name)).catch(() => undefined)),
    );
    expect(got === undefined || got.equals(sent ?? Buffer.alloc(0))).to.equal(true);
    const closable = (await succeed('request --link Door --no-seal --quiet')).trim();
    const open = (await succeed('requests')).split('\n').find((each) => each.includes('Door')) ?? '';
    expect(await succeed(`cancel ${open.slice(0, 8)}`)).to.equal(
      'Closed the link “Door”. What was sent stays.\n',
    );
    expect(await fail(`answer ${closable} phrase`, stranger)).to.match(/takes no more answers/);
    expect(await fail('request')).to.match(/Say whom to ask/);
    expect(await fail('answer nonsense')).to.match(/That is no request link/);
  });

  it('request --link seals: answer sends what the server cannot read, and answers opens it with the link that request printed', async () => {
    const content = randomBytes(300_000);
    await writeFile(join(folder.path, 'id.pdf'), content);
    const [link = '', own = ''] = (await succeed('request --link Safe --answers 3 --quiet')).split('\n');
    expect(link).to.match(new RegExp(`^${server}/a/\\w{26}#sealed-1[01][0-9a-v]{51}$`));
    expect(own).to.match(new RegExp(`^${server}/requests/links/[0-9a-f]{32}#2[01][0-9a-v]{51}$`));
    const stranger = { ...inFolder() };
    const receipt = (await succeed(`answer ${link} --quiet`, secret, stranger)).trim();
    expect(receipt).to.match(/^\w{5}-\w{5}-\w{5}$/);
    await succeed(`answer ${link} --attach id.pdf --quiet`, undefined, stranger);
    const [bare = ''] = link.split('#');
    expect(await fail(`answer ${bare}`, stranger)).to.match(
      /cut off: what follows # is missing.*Nothing was sent/,
    );
    expect(await fail(`answer ${link.slice(0, -1)} id.pdf`, stranger)).to.match(/cut off|not text/);
    const id = own.replace(/^.*\/|#.*$/g, '');
    expect(await succeed(`answers ${id}`))
      .to.include(receipt)
      .and.include('with your own link')
      .and.not.include('/p/');
    const [first, second] = JSON.parse(await succeed(`answers ${own} --json`));
    expect(first).to.include({ receipt });
    expect(await succeed(`answers ${own}`)).to.include(first.html_url);
    const stored = await createClient({ server, token }).requests.listAnswers(id);
    expect(stored.map(({ html_url }) => html_url?.includes('#'))).to.deep.equal([false, false]);
    expect(await succeed(`get --quiet ${first.html_url}`)).to.equal(secret);
    await succeed(`get --quiet ${second.html_url}`);
    expect((await readFile(join(folder.path, 'id (2).pdf'))).equals(content)).to.equal(true);
    const swapped = `${bare}#sealed-1${'0'.repeat(52)}`;
    await writeFile(join(folder.path, 'secret.txt'), secret);
    const { code, stderr } = await folder.run(`answer ${swapped} secret.txt`, { settings: stranger });
    expect(code).to.equal(3);
    expect(stderr).to.match(/shows other keys.*nothing was sent/);
    expect(await fail(`answers ${own.replace(/#.*/, `#2${'0'.repeat(52)}`)}`)).to.match(/shows other keys/);
  });

  it('request --link seals answers under a passphrase, if it is asked to', async () => {
    await writeFile(join(folder.path, 'opening'), 'correct horse battery\n');
    await writeFile(join(folder.path, 'wrong'), 'horse\n');
    const printed = await succeed('request --link Vault --opening-passphrase-file opening --quiet');
    const link = printed.trim();
    expect(link).to.match(/^\S+#sealed-1\w+$/);
    await succeed(`answer ${link} --quiet`, secret, inFolder());
    const line = (await succeed('requests')).split('\n').find((each) => each.includes('Vault')) ?? '';
    const id = line.slice(0, 8);
    const [answer] = JSON.parse(await succeed(`answers ${id} --passphrase-file opening --json`));
    expect(await succeed(`get --quiet ${answer.html_url}`)).to.equal(secret);
    expect(await fail(`answers ${id} --passphrase-file wrong`)).to.match(
      /passphrase does not open the answers/,
    );
  });

  it('answers says that a browser opens what a passkey opens', async () => {
    const { publicKeys, openingKey } = await createOpeningKey();
    const passkey = { credentialId: 'x', salt: new Uint8Array(32), secret: new Uint8Array(32) };
    const wrapped_key = await wrapKeyByPasskey({ openingKey, publicKeys }, passkey);
    const params = { title: 'Den', public_keys: publicKeys, wrapped_key };
    const { id, html_url } = await createClient({ server, token }).requests.createLink(params);
    await succeed(`answer ${html_url}#${await fragmentOf(publicKeys)} --quiet`, secret, inFolder());
    const table = await succeed(`answers ${id}`);
    expect(table).to.include('in a browser, with your passkey').and.not.include('/p/');
    expect(await fail(`answers ${id} --passphrase-file nothing`)).to.match(
      /do not open with a passphrase\. Use your passkey, in a browser/,
    );
    const [answer] = JSON.parse(await succeed(`answers ${server}/requests/links/${id}#${openingKey} --json`));
    expect(await succeed(`get --quiet ${answer.html_url}`)).to.equal(secret);
  });

  it('webhook adds, tests, resends to and removes a webhook, and replaces its secret', async () => {
    const hook = 'https://example.com/hook';
    expect(await succeed('webhook list')).to.equal('There are no webhooks.\n');
    const secret = await succeed(`webhook add ${hook} --types push.viewed push.locked --quiet`);
    expect(secret).to.match(/^whsec_\S{44}\n$/);
    const [{ id, types }] = JSON.parse(await succeed('webhook list --json'));
    expect(types).to.deep.equal(['push.viewed', 'push.locked']);
    expect(await succeed(`webhook types ${id} push.expired push.viewed`)).to.equal(
      'It gets push.expired, push.viewed.\n',
    );
    expect(await succeed(`webhook types ${id} all`)).to.equal('It gets all events.\n');
    expect(await fail(`webhook types ${id} push.opened`)).to.match(/must be one of push\.viewed, /);
    const delivery = (await succeed(`webhook test ${id}`)).trim();
    expect((await succeed(`webhook redeliver ${id} ${delivery}`)).trim()).to.equal(delivery);
    const table = await succeed(`webhook deliveries ${id}`);
    expect(table).to.contain(`${delivery}  test `);
    expect(Math.max(...table.split('\n').map(({ length }) => length))).to.be.at.most(80);
    expect(await succeed(`webhook rotate-secret ${id}`))
      .to.match(/^whsec_/)
      .and.not.equal(secret);
    expect(await succeed(`webhook remove ${id}`)).to.equal('Removed.\n');
    expect(await fail(`webhook test ${id}`)).to.match(/^hushpush: There is no such webhook/);
    expect(await fail('webhook add nonsense')).to.match(/url must be an absolute http or https address/);
  });

  it('expire ends a push, and get says so', async () => {
    const link = (await succeed('push --quiet', secret)).trim();
    expect(await succeed(`expire ${link}`)).to.equal('Expired, and erased.\n');
    expect(await fail(`get ${link}`)).to.equal('hushpush: That push has expired.');
    expect(JSON.parse(await succeed('list --expired --limit 1 --json'))).to.have.length(1);
  });

  it('sign-in stores a token that the server accepts, for its owner alone, and no other', async () => {
    const file = join(folder.path, 'settings/hushpush/profiles.json');
    const signIn = (input: string) =>
      folder.run(`sign-in ${server} --token-stdin`, { settings: inFolder(), input });
    const { code, stderr } = await signIn('wrong');
    expect({ code, isStored: await stat(file).catch(() => false) }).to.deep.equal({
      code: 4,
      isStored: false,
    });
    expect(stderr).to.match(/does not accept the token.*Nothing was stored\.\n$/);
    expect((await signIn(`${token}\n`)).code).to.equal(0);
    expect((await stat(file)).mode & 0o777).to.equal(0o600);
    expect(await succeed('whoami', undefined, inFolder())).to.match(/^Signed in to .* by the profile/);
    await succeed('sign-out', undefined, inFolder());
    expect(await readFile(file, 'utf8')).not.to.contain(token);
  });

  /** The program that shows a code, once there is one. */
  async function waitingProgram(): Promise<{ code: string; name: string }> {
    const found: { code: string; name: string }[] = [];
    const sql = "SELECT user_code AS code, name FROM device_codes WHERE state = 'waiting'";
    await until(async () => found.push(...(await service.database.select<(typeof found)[0]>(sql, {}))) > 0);
    return found[0] ?? { code: '', name: '' };
  }

  it('sign-in shows a code, and stores the token that its owner allows in a browser', async () => {
    const { account } = await service.domain.apiTokens.authenticate(token);
    const signingIn = folder.run(`sign-in ${server}`, { settings: inFolder() });
    const asked = await waitingProgram();
    expect(asked.name).to.match(/^hushpush on ./);
    const session = await service.domain.sessions.create(account, someClient, byPassword);
    const owner = await service.domain.sessions.authenticate(session);
    if (owner === null) throw new Error('nobody is signed in');
    await service.domain.deviceSignIn.allow(owner, asked.code, { name: 'by browser' }, someClient);
    const { code, stdout, stderr } = await signingIn;
    expect(code, stderr).to.equal(0);
    expect(stderr).to.include(
      `Open ${server}/device in a browser, and type the code ${asked.code.slice(0, 4)}-`,
    );
    expect(stdout).to.include(`Signed in to ${server}`);
    expect(await succeed('whoami', undefined, inFolder())).to.include('Signed in');
    await service.domain.apiTokens.revoke(account, 'by browser');
  });

  it('sign-in by a browser says so when it is denied, and stores nothing', async () => {
    const { account } = await service.domain.apiTokens.authenticate(token);
    const signingIn = folder.run(`sign-in ${server}`, { settings: inFolder() });
    const asked = await waitingProgram();
    await service.domain.deviceSignIn.deny(account, asked.code, someClient);
    const { code, stderr } = await signingIn;
    expect([code, stderr.trim().split('\n').at(-1)]).to.deep.equal([
      8,
      'hushpush: The owner of the account denied it.',
    ]);
    expect(await fail('whoami', inFolder())).to.include('There is no server yet.');
  });

  it('sign-in takes a token that may only create pushes, and list says what it may not do', async () => {
    const { account } = await service.domain.apiTokens.authenticate(token);
    const input = await service.domain.apiTokens.issue(account, { name: 'build', scope: 'create' });
    const { code } = await folder.run(`sign-in ${server} --token-stdin`, { settings: inFolder(), input });
    expect(code).to.equal(0);
    expect(await succeed('whoami', undefined, inFolder())).to.match(/^Signed in /);
    expect(await succeed('push --quiet', secret, inFolder())).to.match(/\/p\/\w{26}\n$/);
    expect(await fail('list', inFolder())).to.equal(
      'hushpush: This API token may only create pushes, and expire those that it created.',
    );
  });

  it('list shows ids to a token of the scope read, and activity and expire take them', async () => {
    const { account } = await service.domain.apiTokens.authenticate(token);
    const reading = await service.domain.apiTokens.issue(account, { name: 'dashboard', scope: 'read' });
    const settings = { ...environment(), HUSHPUSH_TOKEN: reading };
    const link = (await succeed('push --quiet --name listed', secret)).trim();
    const id = createHash('sha256').update(link.slice(-26)).digest('hex');
    const listed = await succeed('list --search listed', undefined, settings);
    expect(listed)
      .to.match(/^ID +KIND/)
      .and.include(`${id.slice(0, 12)}  text`)
      .and.not.include(link.slice(-26));
    expect(await succeed(`activity ${id.slice(0, 12)}`, undefined, settings)).to.include('creation');
    expect(await succeed(`activity ${id}`, undefined, settings)).to.include('creation');
    expect(await fail(`expire ${id}`, settings)).to.include('may only read lists and audit logs');
    expect(await succeed('whoami', undefined, settings)).to.match(/The token has the scope read\.\n$/);
    expect(JSON.parse(await succeed('whoami --json'))).to.include({ scope: 'full' });
    expect(await succeed(`extend ${id.slice(0, 12)} --days 9`)).to.include('in 9 days');
    expect(await succeed(`expire ${id.slice(0, 12)}`)).to.include('erased');
    expect(await succeed(`activity ${id.slice(0, 12)}`, undefined, settings)).to.include('expire');
    expect(await fail('expire 000000000000')).to.include('There is no such push');
  });

  it('a token can come from a command', async () => {
    await mkdir(join(folder.path, 'bin'));
    await writeFile(join(folder.path, 'bin/token'), `#!/bin/sh\necho ${token}\n`);
    await chmod(join(folder.path, 'bin/token'), 0o755);
    await succeed(`sign-in ${server} --token-command ./bin/token`, undefined, inFolder());
    expect(await readFile(join(folder.path, 'settings/hushpush/profiles.json'), 'utf8')).not.to.contain(
      token,
    );
    expect(await succeed('whoami', undefined, inFolder())).to.match(/^Signed in/);
  });

  it('a token is sent to its own server alone, whatever a link or an option names', async () => {
    for (const command of [
      `get ${pusher.url}/p/foreign`,
      `get ${server}/p/foreign --server ${pusher.url}`,
      `whoami --server ${pusher.url}`,
    ]) {
      const before = pusher.requests.length;
      await succeed(command);
      const sent = pusher.requests.slice(before).map(({ headers }) => headers.authorization);
      expect(sent, command).to.deep.equal([undefined]);
    }
  });

  it('work with Password Pusher', async () => {
    const settings = { ...inFolder(), HUSHPUSH_SERVER: pusher.url, HUSHPUSH_TOKEN: pusherToken };
    const link = (await succeed('push --quiet --views 3 --no-retrieval-step', secret, settings)).trim();
    expect(link).to.equal(`${pusher.url}/p/token-1`);
    expect(JSON.parse(pusher.requests.at(-1)?.body ?? '')).to.deep.equal({
      password: { payload: secret, expire_after_views: 3, retrieval_step: false },
    });
    expect(await succeed(`get ${link}/r --quiet`, undefined, settings)).to.equal('tulip');
    expect(await succeed('list', undefined, settings)).to.contain('token-1');
    expect(await succeed('activity token-1', undefined, settings)).to.contain('192.0.2.1');
    expect(await succeed(`expire ${link}`, undefined, settings)).to.contain('erased');
    expect(await succeed('whoami', undefined, settings)).to.match(/version 2\.11\.4/);
  });

  it('push waits for an earlier attempt that the server has not given up, and says so', async () => {
    const held = await startPasswordPusher();
    held.override('GET /api/v1/version.json', (res) =>
      res.end(
        JSON.stringify({ application_version: '1', api_version: '1.1', features: ['idempotency-key'] }),
      ),
    );
    const push = {
      url_token: 'token-1',
      html_url: `${held.url}/p/token-1`,
      views_total: 1,
      passphrase: null,
    };
    let sent = 0;
    held.override('POST /p.json', (res) => {
      sent += 1;
      if (sent < 4) res.writeHead(409, { 'retry-after': '2' }).end('{"error":"in progress"}');
      else res.writeHead(201).end(JSON.stringify({ ...push, expires_at: new Date().toISOString() }));
    });
    const settings = { ...inFolder(), HUSHPUSH_SERVER: held.url, HUSHPUSH_TOKEN: pusherToken };
    const { code, stdout, stderr } = await folder.run('push', { settings, input: secret });
    await held.close();
    expect({ code, stdout, sent }).to.deep.equal({ code: 0, stdout: `${push.html_url}\n`, sent: 4 });
    expect(stderr).to.contain('still has an earlier attempt in progress. Trying again in 2 s.\n');
  });

  it('push --encrypt says so where a server does not know what it got', async () => {
    const settings = { ...inFolder(), HUSHPUSH_SERVER: pusher.url, HUSHPUSH_TOKEN: pusherToken };
    const { code, stdout, stderr } = await folder.run('push --encrypt', { settings, input: secret });
    expect({ code, stdout }).to.deep.equal({ code: 1, stdout: '' });
    expect(stderr).to.include('does not know encrypted pushes');
    expect(pusher.requests.at(-1)?.body).to.not.include(secret);
  });

  it('serve tools to an assistant on standard input and output', async () => {
    const lines = [
      '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18"}}',
      '{"jsonrpc":"2.0","method":"notifications/initialized"}',
      `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"create_push","arguments":{"payload":"tulip"}}}`,
    ];
    const settings = environment();
    const { stdout, stderr } = await folder.run('mcp', { settings, input: `${lines.join('\n')}\n` });
    expect(stderr).to.match(/^Warning: The API token has the scope full, .* create or read\.\n$/);
    const { account } = await service.domain.apiTokens.authenticate(token);
    const creating = await service.domain.apiTokens.issue(account, { name: 'assistant', scope: 'create' });
    const limited = { settings: { ...settings, HUSHPUSH_TOKEN: creating }, input: `${lines[0]}\n` };
    expect(await folder.run('mcp', limited)).to.include({ stderr: '', code: 0 });
    const away = {
      ...inFolder(),
      HUSHPUSH_SERVER: `http://127.0.0.1:${await freePort()}`,
      HUSHPUSH_TOKEN: 'x',
    };
    expect((await folder.run('mcp', { settings: away, input: `${lines[0]}\n` })).stdout).to.include(
      '"result"',
    );
    const answers = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(answers.map(({ id }) => id)).to.deep.equal([1, 2]);
    expect(answers[0].result.instructions).to.include('has the scope full');
    expect(answers[1].result.structuredContent.html_url).to.match(/\/p\/\w{26}$/);
  });

  it('end with an exit code for each kind of failure, which standard error names too', async () => {
    await writeFile(join(folder.path, 'phrase'), 'open sesame\n');
    await writeFile(join(folder.path, 'wrong'), 'open\n');
    const locked = (await succeed('push --passphrase-file phrase --quiet', secret)).trim();
    const ended = (await succeed('push --quiet', secret)).trim();
    await succeed(`expire ${ended}`);
    pusher.override('GET /p/limited.json', (res) => res.writeHead(429, { 'retry-after': '9' }).end('{}'));
    const anonymous = { ...inFolder(), HUSHPUSH_SERVER: server };
    const away = { ...inFolder(), HUSHPUSH_SERVER: `http://127.0.0.1:${await freePort()}` };
    for (const [command, settings, exitCode, code] of [
      ['list', away, 3, 'unreachable'],
      ['list', anonymous, 4, 'unauthenticated'],
      [`expire ${server}/p/nowhere`, environment(), 5, 'not_found'],
      [`get ${ended}`, environment(), 5, 'expired'],
      [`get ${locked}`, environment(), 6, 'passphrase'],
      [`get ${locked} --passphrase-file wrong`, environment(), 6, 'passphrase'],
      [`get ${pusher.url}/p/limited`, inFolder(), 7, 'too_many'],
      ['push --kind url', environment(), 8, 'invalid'],
      ['push --to bob@acme.example', environment(), 8, 'unsupported'],
      ['push --attach missing', environment(), 1, undefined],
      ['push --views none', environment(), 2, undefined],
    ] as const) {
      const result = await folder.run(`${command} --json`, { settings, input: 'tulip' });
      expect(result, command).to.include({ code: exitCode, stdout: '' });
      expect(JSON.parse(result.stderr).code, command).to.equal(code);
    }
  });

  it('get asks at a terminal before it uses a view, unless told not to', async function () {
    if (findProgram('script') === undefined) return this.skip();
    const link = (await succeed('push --quiet --views 1', secret)).trim();
    const atTerminal = (options: string, input: string) => {
      const command = [process.execPath, builtMain(), 'get', link, options].join(' ');
      return folder.launch(['script', '-qec', command, '/dev/null'], { settings: environment(), input })
        .ended;
    };
    const declined = await atTerminal('', 'n\n');
    expect(declined).to.include({ code: 1 });
    expect(declined.stdout)
      .to.contain('That uses a view. Go on? [y/N]')
      .and.contain('Nothing was retrieved.');
    const { code, stdout } = await atTerminal('--yes', '');
    expect({ code, isShown: stdout.includes('東京') }).to.deep.equal({ code: 0, isShown: true });
  });

  it('say what to do when there is no server, or it cannot be reached, or wants a token', async () => {
    expect(await fail('list', inFolder())).to.match(/There is no server yet\. Run hushpush sign-in https/);
    const away = { ...inFolder(), HUSHPUSH_SERVER: `http://127.0.0.1:${await freePort()}` };
    expect(await fail('list', away)).to.match(
      /^hushpush: 127\.0\.0\.1:\d+ cannot be reached \(ECONNREFUSED\)\.$/,
    );
    for (const [protocol, warns] of [
      ['http', true],
      ['https', false],
    ] as const) {
      const stderr = await fail('list', { ...inFolder(), HUSHPUSH_SERVER: `${protocol}://push.invalid` });
      expect(stderr).to.match(/cannot be reached \(\w+\)\.$/);
      expect(stderr.includes('is not encrypted. Others on the way can read what you send.')).to.equal(warns);
    }
    const anonymous = { ...inFolder(), HUSHPUSH_SERVER: server };
    expect(await fail('list', anonymous)).to.match(/Run hushpush sign-in, or set HUSHPUSH_TOKEN\.$/);
    expect(JSON.parse(await fail('list --json', anonymous))).to.include({
      code: 'unauthenticated',
      status: 401,
    });
  });
});
