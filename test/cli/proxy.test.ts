import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { type Folder, openFolder } from '../harness/cli.ts';
import { onMariadb } from '../harness/database.ts';
import { findProgram } from '../harness/debian.ts';
import { type HttpProxy, startHttpProxy } from '../harness/httpProxy.ts';
import { freePort } from '../harness/mariadb.ts';
import { createAccount, startService, type TestService } from '../harness/service.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

// It has nothing to do with the database.
const describeOnce = onMariadb ? () => {} : describe;

describeOnce('Behind a proxy, where nothing else leads out,', () => {
  let service: TestService;
  let tls: Server;
  let proxy: HttpProxy;
  let folder: Folder;
  let token: string;
  /** Nobody can resolve its name but the proxy. */
  let server: string;
  let environment: Record<string, string>;

  before(async function () {
    if (findProgram('openssl') === undefined) return this.skip();
    folder = await openFolder();
    const [key, cert] = ['key.pem', 'cert.pem'].map((name) => join(folder.path, name)) as [string, string];
    const ask =
      'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 1 -subj /CN=push.test';
    const options = ['-addext', 'subjectAltName=DNS:push.test', '-keyout', key, '-out', cert];
    execFileSync('openssl', [...ask.split(' '), ...options], { stdio: 'ignore' });
    const port = await freePort();
    server = `https://push.test:${port}`;
    service = await startService({ BASE_URL: server });
    tls = createServer({ key: readFileSync(key), cert: readFileSync(cert) }, (req, res) => {
      const { method, headers, url = '' } = req;
      const onward = request(`${service.url}${url}`, { method, headers }, (from) => {
        res.writeHead(from.statusCode ?? 502, from.headers);
        from.pipe(res);
      });
      req.pipe(onward);
    });
    await new Promise<void>((resolve) => tls.listen(port, '127.0.0.1', resolve));
    ({ token } = await createAccount(service.domain, undefined, { subscribed: true }));
    environment = {
      XDG_CONFIG_HOME: join(folder.path, 'settings'),
      NODE_EXTRA_CA_CERTS: cert,
      HUSHPUSH_SERVER: server,
      HUSHPUSH_TOKEN: token,
    };
  });

  beforeEach(async () => {
    proxy = await startHttpProxy();
  });

  afterEach(() => proxy.close());

  after(async () => {
    tls?.close();
    tls?.closeAllConnections();
    await service?.stop();
    await folder?.remove();
  });

  const run = (command: string, settings: Record<string, string>, input?: string) =>
    folder.run(command, { settings: { ...environment, ...settings }, ...(input && { input }) });
  const plainPort = () => (tls.address() as AddressInfo).port;

  it('the command creates, lists and opens pushes through its tunnel, with their files', async () => {
    const settings = { HTTPS_PROXY: `http://${proxy.host}` };
    await writeFile(join(folder.path, 'dump.bin'), Buffer.alloc(300_000, 'tulip'));
    const pushed = await run('push --quiet --attach dump.bin', settings);
    expect(pushed).to.include({ code: 0, stderr: '' });
    expect(await run('list', settings)).to.include({ code: 0 });
    expect(await run(`get ${pushed.stdout.trim()}`, settings)).to.include({ code: 0 });
    expect(await readFile(join(folder.path, 'dump (2).bin'))).to.deep.equal(Buffer.alloc(300_000, 'tulip'));
    expect(new Set(proxy.asked)).to.deep.equal(new Set([`CONNECT push.test:${plainPort()}`]));
  });

  it('sign-in stores a token that the server accepted through it', async () => {
    const { HUSHPUSH_SERVER: _, HUSHPUSH_TOKEN: __, ...alone } = environment;
    const settings = { ...alone, https_proxy: proxy.host, HTTPS_PROXY: 'http://127.0.0.1:1' };
    const input = `${token}\n`;
    expect(await folder.run(`sign-in ${server} --token-stdin`, { settings, input })).to.include({ code: 0 });
    expect(proxy.asked).to.have.length.above(0);
  });

  it('the command sends what is not encrypted by way of HTTP_PROXY, without a tunnel', async () => {
    const port = String(await freePort());
    const plain = `http://push.test:${port}`;
    const unencrypted = await startService({ PORT: port, BASE_URL: plain });
    const settings = { http_proxy: `http://${proxy.host}`, HUSHPUSH_SERVER: plain, HUSHPUSH_TOKEN: '' };
    const { code, stdout } = await run('push --quiet', settings, 'tulip');
    await unencrypted.stop();
    expect(code, stdout).to.equal(0);
    expect(new Set(proxy.asked)).to.deep.equal(new Set([`POST ${plain}/p.json`]));
  });

  it('the command asks it for nothing that NO_PROXY names', async () => {
    const settings = { HTTPS_PROXY: `http://${proxy.host}`, NO_PROXY: 'one.test,.push.test' };
    const { code, stderr } = await run('list', settings);
    expect({ code, stderr }).to.deep.equal({
      code: 3,
      stderr: `hushpush: push.test:${plainPort()} cannot be reached (ENOTFOUND).\n`,
    });
    expect(proxy.asked).to.deep.equal([]);
  });

  it('the command tells it who asks, and says if that is refused, but not the password', async () => {
    const strict = await startHttpProxy({ credentials: 'me:p@ss' });
    const good = await run('list', { HTTPS_PROXY: `http://me:p%40ss@${strict.host}` });
    const bad = await run('list', { HTTPS_PROXY: `http://me:tulip@${strict.host}` });
    await strict.close();
    expect(good).to.include({ code: 0 });
    expect(bad).to.include({
      code: 3,
      stderr: `hushpush: push.test:${plainPort()} cannot be reached (the proxy ${strict.host} answered 407).\n`,
    });
  });

  it('the command says that it is the proxy that is away', async () => {
    const away = `127.0.0.1:${await freePort()}`;
    expect(await run('list', { HTTPS_PROXY: `http://${away}` })).to.include({
      code: 3,
      stderr: `hushpush: push.test:${plainPort()} cannot be reached (ECONNREFUSED, through the proxy ${away}).\n`,
    });
  });

  it('the library goes where a fetch leads that it is given, as the documentation shows', async () => {
    const [, snippet = ''] =
      /```js\n([^`]*EnvHttpProxyAgent[^`]*)```/.exec(readFileSync(join(root, 'docs/client.md'), 'utf8')) ??
      [];
    expect(snippet).to.contain("from 'undici'");
    await mkdir(join(folder.path, 'node_modules'), { recursive: true });
    await symlink(root, join(folder.path, 'node_modules/hushpush'));
    await symlink(join(root, 'node_modules/undici'), join(folder.path, 'node_modules/undici'));
    const program = `${snippet.replace('https://push.example.com', server)}
      const owner = createClient({ server: '${server}', token: '${token}', fetch: throughProxy });
      const { html_url } = await owner.create({ payload: 'tulip' });
      console.log((await owner.retrieve(html_url)).payload);`;
    await writeFile(join(folder.path, 'program.mjs'), program);
    const settings = { ...environment, HTTPS_PROXY: `http://${proxy.host}` };
    const { ended } = folder.launch([process.execPath, 'program.mjs'], { settings });
    expect(await ended).to.include({ code: 0, stdout: 'tulip\n' });
    expect(proxy.asked).to.have.length.above(0);
  });
});
