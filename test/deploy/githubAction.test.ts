import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import {
  type PasswordPusher,
  pusherToken,
  startPasswordPusher,
} from '../../tools/standins/passwordPusher.ts';
import { ensureBuilt } from '../harness/build.ts';
import { onMariadb } from '../harness/database.ts';
import { freePort } from '../harness/mariadb.ts';
import { createAccount, startService } from '../harness/service.ts';
import { startTokenIssuer } from '../harness/tokenIssuer.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '..', '..');
/** As runners start bash. */
const bashOptions = ['--noprofile', '--norc', '-eo', 'pipefail'];
const action = join(root, 'deploy', 'github-action');

// What it sends is the same whatever the database.
const describeOnce = onMariadb ? () => {} : describe;

describeOnce('The action for workflows', () => {
  let server: PasswordPusher;
  let folder: string;

  before(async () => {
    ensureBuilt();
    server = await startPasswordPusher();
    folder = await mkdtemp(join(tmpdir(), 'action-'));
    const inPackage = ['--transform', 's,^,package/,', 'package.json', 'dist/src/client'];
    await run('tar', ['-czf', join(folder, 'hushpush.tgz'), ...inPackage], { cwd: root });
  });

  after(async () => {
    await server.close();
    await rm(folder, { recursive: true });
  });

  /** Runs the steps as a runner does: each in bash, with the inputs in its environment. */
  async function push(inputs: Record<string, string>, job: Record<string, string> = {}) {
    const temp = await mkdtemp(join(folder, 'run-'));
    await writeFile(join(temp, 'output'), '');
    const settings = { RUNNER_TEMP: temp, GITHUB_ACTION_PATH: action, GITHUB_OUTPUT: join(temp, 'output') };
    const given: Record<string, string> = { package: 'hushpush.tgz', server: server.url, ...inputs };
    const text = await readFile(join(action, 'action.yml'), 'utf8');
    let log = '';
    for (const [, command = '', env = ''] of text.matchAll(/ run: (.*)\n {6}env:\n((?: {8}.*\n)+)/g)) {
      const fromInputs = [...env.matchAll(/(\w+): \$\{\{ inputs\.(\w+) \}\}/g)];
      const values = Object.fromEntries(
        fromInputs.map(([, name, input]) => [name, given[String(input)] ?? '']),
      );
      const options = { cwd: folder, env: { PATH: process.env.PATH, ...job, ...settings, ...values } };
      const { stdout, stderr } = await run('bash', [...bashOptions, '-c', command], options).catch(
        (error) => error,
      );
      log += stdout + stderr;
    }
    return { log, outputs: await readFile(settings.GITHUB_OUTPUT, 'utf8') };
  }

  it('pushes a secret with its settings, and masks the link that it returns', async () => {
    const secret = `it's $(touch x) "quoted"\n::error::and more`;
    const settings = { passphrase: 'open sesame', name: 'deploy key', views: '1', hours: '2' };
    const { log, outputs } = await push({ secret, token: pusherToken, ...settings });
    expect(outputs).to.equal(`link=${server.url}/p/token-1\nexpires_at=2026-01-08T01:00:00.000Z\n`);
    expect(log).to.equal(`::add-mask::${server.url}/p/token-1\n`);
    const { body = '', headers } = server.requests.at(-1) ?? {};
    expect(headers).to.include({ authorization: `Bearer ${pusherToken}` });
    const [passphrase, name] = [settings.passphrase, settings.name];
    expect(JSON.parse(body)).to.deep.equal({
      password: { payload: secret, passphrase, name, expire_after_views: '1', expire_after_hours: '2' },
    });
  });

  it('exchanges the identity of the job for a token, with a rule instead of a token', async () => {
    const issuer = await startTokenIssuer();
    const port = String(await freePort());
    const address = { PORT: port, BASE_URL: `http://127.0.0.1:${port}` };
    const service = await startService({ ...address, PRIVATE_ISSUERS: issuer.issuer });
    const { account } = await createAccount(service.domain);
    const rule = { name: 'x', issuer: issuer.issuer, claims: { repository: 'acme/app' } };
    const { id } = await service.domain.trustRules.create(account, rule);
    issuer.answer((path, res) => {
      if (!path.startsWith('/id-token')) return false;
      const aud = new URL(path, issuer.issuer).searchParams.get('audience');
      issuer.sign({ aud, repository: 'acme/app' }).then((value) => res.end(JSON.stringify({ value })));
      return true;
    });
    const job = {
      ACTIONS_ID_TOKEN_REQUEST_URL: `${issuer.issuer}/id-token?x=1`,
      ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'of the job',
    };
    const inputs = { server: service.url, secret: 'tulip', rule: id };
    const without = await push(inputs);
    expect(without.log).to.include('The job needs `permissions: id-token: write` to use a rule.');
    const { log } = await push(inputs, job);
    expect(log).to.match(/^::add-mask::.*\/p\/\w{26}\n$/);
    const pushed = 'SELECT id FROM pushes WHERE account_id = $id';
    expect(await service.database.select(pushed, account)).to.have.length(1);
    await Promise.all([service.stop(), issuer.stop()]);
  });

  it('attaches files, and says what went wrong', async () => {
    await mkdir(join(folder, 'a b'));
    await writeFile(join(folder, 'a b/dump.txt'), 'tulip');
    server.override('POST /p.json', (res) => res.writeHead(403).end('{"error":"100% no\\nfiles"}'));
    const { log, outputs } = await push({ files: '\n  a b/dump.txt\n' });
    expect([log, outputs]).to.deep.equal(['::error title=Nothing was pushed::100%25 no files\n', '']);
    expect(server.requests.at(-1)?.body).to.match(/filename="dump\.txt"[\s\S]*tulip/);
    expect((await push({ package: 'missing.tgz', secret: 'x' })).log).to.contain('missing.tgz');
  });
});
