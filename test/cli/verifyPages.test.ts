import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { packageVersion } from '../../src/runtime/package.ts';
import { createClient } from '../harness/api.ts';
import { type Folder, openFolder } from '../harness/cli.ts';
import { startService, type TestService } from '../harness/service.ts';

const root = join(import.meta.dirname, '..', '..');
const { pageHashes }: { pageHashes(folder: string): Record<string, string> } = await import(
  join(root, 'scripts/pageHashes.mjs')
);

/** What a server in the middle changes in the responses to some paths. */
type Forgery = { path: RegExp; headers?: (headers: Headers) => void; body?: (text: string) => string };

describe('hushpush verify-pages', () => {
  let service: TestService;
  let folder: Folder;
  let middle: Server;
  let url: string;
  let forgery: Forgery | undefined;
  const hashes = { version: packageVersion(), sha256: pageHashes(join(root, 'src/web/public')) };

  before(async () => {
    service = await startService();
    folder = await openFolder();
    await writeFile(join(folder.path, 'hashes.json'), JSON.stringify(hashes));
    middle = createServer(async (req, res) => {
      const isForged = forgery?.path.test(req.url ?? '') ?? false;
      const sent = await fetch(`${service.url}${req.url}`, {
        headers: { 'sec-purpose': String(req.headers['sec-purpose'] ?? ''), accept: '*/*' },
      });
      const headers = new Headers(sent.headers);
      for (const name of ['content-encoding', 'content-length', 'transfer-encoding', 'connection'])
        headers.delete(name);
      if (isForged) forgery?.headers?.(headers);
      const text = await sent.text();
      res.writeHead(sent.status, Object.fromEntries(headers));
      res.end(isForged ? (forgery?.body?.(text) ?? text) : text);
    });
    middle.listen(0, '127.0.0.1');
    await once(middle, 'listening');
    url = `http://127.0.0.1:${(middle.address() as AddressInfo).port}`;
  });

  after(async () => {
    middle.closeAllConnections();
    middle.close();
    await folder.remove();
    await service.stop();
  });

  beforeEach(() => {
    forgery = undefined;
  });

  const verify = (words: string) => folder.run(`verify-pages ${words} --hashes hashes.json`);

  it('says that all scripts and style sheets are those of the release, and uses no view', async () => {
    const api = createClient(service.port);
    const pushes = [
      await api.create({ expire_after_views: 1 }),
      await api.create({ expire_after_views: 1, retrieval_step: false }),
    ];
    const links = pushes.map(({ page }) => `${url}${page}`).join(' ');
    const { stdout, stderr, code } = await verify(links);
    expect({ stderr, code }).to.deep.equal({ stderr: '', code: 0 });
    expect(stdout).to.match(/^5 pages of http:\S+ load and contain \d+ files, all of \S+\.\n$/);
    for (const { json } of pushes) expect((await api.get(json)).body.payload).to.equal('tulip');
    api.close();
  });

  const forgeries: [string, Forgery, RegExp][] = [
    ['a changed script', { path: /newPush\.js/, body: (text) => `${text};steal()` }, /newPush\.js of \//],
    ['a changed style sheet', { path: /pages\.css/, body: (text) => `${text}p{}` }, /pages\.css of \//],
    [
      'a script in a page',
      { path: /^\/p\//, body: (text) => text.replace('</body>', '<script>steal()</script></body>') },
      /a script in the page of \/p\//,
    ],
    [
      'a script that is not closed',
      { path: /^\/$/, body: (text) => text.replace('</html>', '<script>steal()') },
      /a script that is not closed of \//,
    ],
    [
      'a policy that lets any script run',
      {
        path: /^\/$/,
        headers: (headers) => headers.set('content-security-policy', "script-src 'unsafe-inline'"),
      },
      /Content-Security-Policy, which lets other scripts run of \//,
    ],
    [
      'a frame',
      { path: /^\/$/, body: (text) => text.replace('</body>', '<iframe src="/x"></iframe></body>') },
      /an element that loads something else of \//,
    ],
    [
      'a script of another server',
      {
        path: /^\/$/,
        body: (text) => text.replace('</body>', '<script src="https://evil.example/x.js"></script></body>'),
      },
      /A page loads https:\/\/evil\.example\/x\.js, which is not on this server/,
    ],
  ];
  for (const [what, forged, expected] of forgeries)
    it(`finds ${what}`, async () => {
      forgery = forged;
      const { stderr, code } = await verify(url);
      expect(code).to.not.equal(0);
      expect(stderr).to.match(expected);
    });

  it('says what to do where it does not know the release of a server, or where the hashes are of another', async () => {
    const unknown = await folder.run(`verify-pages ${url}`);
    expect(unknown.stderr).to.match(
      /The server runs \S+, whose hashes this version of hushpush does not have/,
    );
    await writeFile(join(folder.path, 'other.json'), JSON.stringify({ ...hashes, version: '0.9.0' }));
    const other = await folder.run(`verify-pages ${url} --hashes other.json`);
    expect(other.stderr).to.contain('the hashes are those of 0.9.0');
    expect([unknown.code, other.code]).to.deep.equal([1, 1]);
  });
});
