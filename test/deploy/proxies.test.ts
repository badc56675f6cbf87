import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { connect, type IncomingHttpHeaders } from 'node:http2';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { bearer } from '../harness/api.ts';
import { createLifeline } from '../harness/lifeline.ts';
import { freePort } from '../harness/mariadb.ts';
import { requireProgram } from '../harness/programs.ts';
import { createAccount, newEmail, startService, type TestService } from '../harness/service.ts';
import { programMs, until } from '../harness/until.ts';

const examples = join(import.meta.dirname, '..', '..', 'deploy', 'proxy');

/** The example as it is, but for addresses, ports, and the places of certificates and logs. */
type Setup = {
  program: string;
  /** Where it serves a site of its own, and where below a path of another one, if it has an example for that. */
  names: { own: string; other: string | undefined };
  files: (at: Place) => Promise<Record<string, string>>;
  args: string[];
};

type Place = { folder: string; port: number; services: { own: number; other: number } };

const read = (name: string) => readFile(join(examples, name), 'utf8');

/** A proxy with an example. Each has its way of saying the same. */
const setups: Record<string, Setup> = {
  nginx: {
    program: 'nginx',
    names: { own: 'push.example.com', other: 'example.com' },
    args: ['-c', 'main.conf', '-p', '.', '-e', 'error.log', '-g', 'daemon off;'],
    async files({ folder, port, services }) {
      const [conf, subpath] = await Promise.all([read('nginx.conf'), read('nginx-subpath.conf')]);
      const own = conf
        .replace(/server \{\n\s+listen 80;[^}]*\}/, '')
        .replace(/listen 443/g, `listen 127.0.0.1:${port}`)
        .replace(/.*listen \[::\].*\n/g, '')
        .replace(/(ssl_certificate\w*) .*;/g, `$1 ${folder}/both.pem;`)
        .replaceAll('/var/log/nginx', folder)
        .replace('127.0.0.1:5100', `127.0.0.1:${services.own}`);
      const other = `upstream other { server 127.0.0.1:${services.other}; }
        server { listen 127.0.0.1:${port} ssl http2; server_name example.com; ssl_certificate ${folder}/both.pem;
        ssl_certificate_key ${folder}/both.pem; location = / { return 200; }
        ${subpath.replaceAll('/var/log/nginx', folder).replace('http://hushpush', 'http://other')} }`;
      const temp = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
        (kind) => `${kind}_temp_path ${folder}/${kind};`,
      );
      return {
        'main.conf': `pid nginx.pid; events {} http { ${temp.join(' ')} include own.conf; include other.conf; }`,
        'own.conf': own,
        'other.conf': other,
      };
    },
  },
  Caddy: {
    program: 'caddy',
    names: { own: 'push.example.com', other: 'example.com' },
    args: ['run', '--config', 'Caddyfile', '--adapter', 'caddyfile'],
    async files({ folder, port, services }) {
      const text = await read('Caddyfile');
      const site = (name: string) => `${name}:${port} {\n\ttls ${folder}/both.pem ${folder}/both.pem`;
      let count = 0;
      return {
        Caddyfile: `{\n\tadmin off\n\tauto_https disable_redirects\n\tdefault_bind 127.0.0.1\n}\n${text
          .replace('push.example.com {', site('push.example.com'))
          .replace('\nexample.com {', `\n${site('example.com')}`)
          .replace(
            /127\.0\.0\.1:5100/g,
            () => `127.0.0.1:${count++ === 0 ? services.own : services.other}`,
          )}`,
      };
    },
  },
  HAProxy: {
    program: 'haproxy',
    names: { own: 'push.example.com', other: undefined },
    args: ['-f', 'haproxy.cfg'],
    async files({ folder, port, services }) {
      const conf = await read('haproxy.cfg');
      return {
        'haproxy.cfg': conf
          .replace('log /dev/log', 'log stdout format raw')
          .replace(/bind :80,.*/, `bind unix@${folder}/plain`)
          .replace('bind :443,:::443', `bind 127.0.0.1:${port}`)
          .replace('/etc/haproxy/push.example.com.pem', `${folder}/both.pem`)
          .replace('127.0.0.1:5100', `127.0.0.1:${services.own}`),
      };
    },
  },
};

/** `npm run prove -- proxies` sends as much as the examples allow. */
const uploadBytes = Number(process.env.UPLOAD_MEGABYTES ?? 20) * 1e6;
const filesPerUpload = 4;

type Request = { name: string; path: string; headers?: Record<string, string>; body?: string };

/** Sends a request over HTTP/2 and TLS, as browsers do. */
async function send(port: number, { name, path, headers = {}, body }: Request) {
  const session = connect(`https://${name}`, {
    host: '127.0.0.1',
    port,
    servername: name,
    rejectUnauthorized: false,
  });
  try {
    const stream = session.request({
      ':method': body === undefined ? 'GET' : 'POST',
      ':path': path,
      ':authority': name,
      ...headers,
    });
    stream.setTimeout(300_000, () => stream.destroy(new Error(`no response to ${path}`)));
    stream.end(body);
    const [received] = (await Promise.race([
      once(stream, 'response'),
      once(session, 'error').then(([error]) => Promise.reject(error)),
    ])) as [IncomingHttpHeaders & { ':status': number }];
    return { status: received[':status'], headers: received, text: await text(stream) };
  } finally {
    session.close();
  }
}

for (const [label, { program, names, files, args }] of Object.entries(setups)) {
  describe(`The example for ${label}`, () => {
    const forged = { 'x-forwarded-for': '203.0.113.66' };
    let own: TestService;
    let other: TestService;
    let port: number;
    let folder: string;
    let output = '';
    let cut: () => Promise<void>;

    before(async function () {
      const path = requireProgram(this, program);
      const behind = { TRUSTED_PROXIES: '127.0.0.1' };
      own = await startService({ ...behind, BASE_URL: 'https://push.example.com' });
      other = await startService({ ...behind, BASE_URL: 'https://example.com/push' });
      folder = await mkdtemp(join(tmpdir(), `${program}-`));
      port = await freePort();
      const subject = ['-nodes', '-days', '2', '-subj', '/CN=push.example.com'];
      const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1'];
      const out = ['-keyout', 'key.pem', '-out', 'certificate.pem'];
      execFileSync('openssl', ['req', '-x509', ...key, ...subject, ...out], { cwd: folder, stdio: 'ignore' });
      const pem = ['certificate.pem', 'key.pem'].map((name) => readFile(join(folder, name), 'utf8'));
      await writeFile(join(folder, 'both.pem'), (await Promise.all(pem)).join(''));
      const services = { own: own.port, other: other.port };
      for (const [name, content] of Object.entries(await files({ folder, port, services })))
        await writeFile(join(folder, name), content);
      const lifeline = createLifeline(folder);
      const env = { PATH: process.env.PATH, HOME: folder, TMPDIR: folder };
      const child = spawn(path, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
      lifeline.hold(Number(child.pid));
      for (const stream of [child.stdout, child.stderr])
        stream.setEncoding('utf8').on('data', (data: string) => {
          output += data;
        });
      const ended = once(child, 'exit');
      cut = async () => {
        child.kill();
        await ended;
        lifeline.release();
        await lifeline.cut();
      };
      await until(async () => {
        if (child.exitCode !== null) throw new Error(`${program} ended:\n${output}`);
        return (await send(port, { name: names.own, path: '/livez' }).catch(() => undefined))?.status === 200;
      }, programMs);
    });

    after(async () => {
      await cut?.();
      await own?.stop();
      await other?.stop();
    });

    const asForm = { 'content-type': 'application/x-www-form-urlencoded' };

    it('serves pushes over TLS, and passes on who asks instead of who they say they are', async () => {
      const { token } = await createAccount(own.domain);
      const headers = { ...forged, ...bearer(token), ...asForm };
      const at = { name: names.own, headers };
      const created = await send(port, { ...at, path: '/p.json', body: 'password[payload]=tulip' });
      const push = JSON.parse(created.text);
      expect([created.status, push.html_url]).to.deep.equal([
        201,
        `https://push.example.com/p/${push.url_token}`,
      ]);
      const opened = await send(port, {
        name: names.own,
        path: `/p/${push.url_token}.json`,
        headers: forged,
      });
      expect(JSON.parse(opened.text).payload).to.equal('tulip');
      const audit = await send(port, { ...at, path: `/p/${push.url_token}/audit.json` });
      const addresses = [...audit.text.matchAll(/"ip":"([^"]+)"/g)].map(([, ip]) => ip);
      expect(addresses).to.deep.equal(['127.0.0.1', '127.0.0.1']);
      const logs = await readFile(join(folder, 'hushpush.log'), 'utf8').catch(() => '');
      expect(logs + output).to.not.contain(push.url_token);
    });

    it('forwards uploads as large as the service takes', async () => {
      const { token } = await createAccount(own.domain, newEmail(), { subscribed: true });
      const boundary = 'tulip';
      const headers = { ...bearer(token), 'content-type': `multipart/form-data; boundary=${boundary}` };
      const file = 'x'.repeat(uploadBytes / filesPerUpload);
      const part = `--${boundary}\r\ncontent-disposition: form-data; name="password[files][]"; filename="a.bin"\r\n\r\n${file}\r\n`;
      const body = `${part.repeat(filesPerUpload)}--${boundary}--\r\n`;
      const { status, text } = await send(port, { name: names.own, path: '/p.json', headers, body });
      expect([status, text]).to.deep.equal([201, text]);
    });

    it('keeps the metrics inside', async () => {
      /** Whether hushpush responded, and not the proxy: it gives each response an id. */
      const isForwarded = async (name: string, path: string) =>
        (await send(port, { name, path })).headers['x-request-id'] !== undefined;
      expect(await isForwarded(names.own, '/livez')).to.equal(true);
      expect(await isForwarded(names.own, '/metrics')).to.equal(false);
      if (names.other === undefined) return;
      expect(await isForwarded(names.other, '/push/livez')).to.equal(true);
      expect(await isForwarded(names.other, '/push/metrics')).to.equal(false);
    });

    it('serves below a path of another site, if it has an example for that', async function () {
      const { other: name } = names;
      if (name === undefined) return this.skip();
      const { status, headers } = await send(port, { name, path: '/push' });
      expect([Math.floor(status / 100), headers.location]).to.satisfy(
        ([kind, location]: [number, string]) => kind === 3 && /\/push\/$/.test(location),
      );
      const body = 'password[payload]=tulip';
      const created = await send(port, { name, path: '/push/p.json', headers: asForm, body });
      const { html_url, url_token } = JSON.parse(created.text);
      expect(html_url).to.equal(`https://example.com/push/p/${url_token}`);
      const page = await send(port, { name, path: `/push/p/${url_token}` });
      expect(page.status).to.equal(200);
      const links = [...page.text.matchAll(/(?:href|src|action)="(\/[^"]*)"/g)].map(([, link]) => link);
      expect(links).to.not.have.length(0);
      expect(links.filter((link) => !link?.startsWith('/push'))).to.deep.equal([]);
    });
  });
}
