import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { parse } from 'yaml';
import type { Account, TrustRule } from '../../src/domain/index.ts';
import { ensureBuilt, mainFile } from '../harness/build.ts';
import { type Folder, openFolder } from '../harness/cli.ts';
import { onMariadb } from '../harness/database.ts';
import { freePort } from '../harness/mariadb.ts';
import { createAccount, startService, type TestService } from '../harness/service.ts';
import { startTokenIssuer, type TokenIssuer } from '../harness/tokenIssuer.ts';

// What it says does not depend on the database.
const describeOnce = onMariadb ? () => {} : describe;

type Variables = Record<string, string>;

describeOnce('The page about CI', () => {
  let service: TestService;
  let issuer: TokenIssuer;
  let folder: Folder;
  let account: Account;
  let rule: TrustRule;
  const examples = [...readFileSync('docs/ci.md', 'utf8').matchAll(/```yaml\n(.*?)```/gs)].map(
    ([, text]) => text,
  );

  before(async () => {
    ensureBuilt();
    issuer = await startTokenIssuer();
    const port = String(await freePort());
    const settings = { PORT: port, BASE_URL: `http://127.0.0.1:${port}`, PRIVATE_ISSUERS: issuer.issuer };
    service = await startService(settings);
    folder = await openFolder();
    await writeFile(join(folder.path, 'secret.txt'), 'tulip');
    ({ account } = await createAccount(service.domain));
  });
  after(async () => {
    await service.stop();
    await issuer.stop();
    await folder.remove();
  });

  /** An example, with the rule of these claims in it. */
  async function exampleOf(index: number, name: string, claims: Variables) {
    const input = { name, issuer: issuer.issuer, claims };
    rule = await service.domain.trustRules.create(account, input);
    const text = examples[index]
      ?.replaceAll(/\bRULE\b/g, rule.id)
      .replaceAll('https://push.example.com', service.url);
    return parse(text ?? '');
  }

  /** Runs a command of an example, which must push the secret to the account. */
  async function expectPush(command: string, variables: Variables) {
    const script = command.replaceAll('hushpush', `'${process.execPath}' '${mainFile}'`);
    const settings = { XDG_CONFIG_HOME: join(folder.path, 'settings'), ...variables };
    const { stdout, stderr, code } = await folder.launch(['/bin/sh', '-euc', script], { settings }).ended;
    expect(code, stderr).to.equal(0);
    const [, token] = /\/p\/(\w{26})/.exec(stdout) ?? [];
    const pushes = await service.database.select<{ id: Buffer }>(
      'SELECT id FROM pushes WHERE account_id = $id ORDER BY created_at DESC',
      account,
    );
    expect([typeof token, pushes.length > 0]).to.deep.equal(['string', true]);
    return { pushes: pushes.length };
  }

  it('has a job for GitHub Actions that pushes without a stored secret', async () => {
    const { steps, permissions } = await exampleOf(0, 'github', {
      repository: 'acme/app',
      ref: 'refs/heads/main',
    });
    expect(permissions).to.deep.equal({ 'id-token': 'write' });
    const { aud, authorization } = await answerAsGithub(
      { repository: 'acme/app', ref: 'refs/heads/main' },
      () =>
        expectPush(steps[0].run, {
          ...steps[0].env,
          ACTIONS_ID_TOKEN_REQUEST_URL: `${issuer.issuer}/id-token?api-version=2.0`,
          ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'of the job',
        }),
    );
    expect([aud, authorization]).to.deep.equal([rule.audience, 'Bearer of the job']);
  });

  /** What GitHub does for a job. */
  async function answerAsGithub(claims: Variables, run: () => Promise<unknown>) {
    const seen: { aud?: string | null; authorization?: string | undefined } = {};
    issuer.answer((path, res) => {
      if (!path.startsWith('/id-token?')) return false;
      seen.aud = new URL(path, issuer.issuer).searchParams.get('audience');
      seen.authorization = res.req.headers.authorization;
      issuer.sign({ aud: seen.aud, ...claims }).then((value) => res.end(JSON.stringify({ count: 1, value })));
      return true;
    });
    await run();
    issuer.answer(undefined);
    return seen;
  }

  it('has a job for GitLab CI that pushes without a stored secret', async () => {
    const claims = { project_path: 'acme/app', ref: 'main' };
    const { push } = await exampleOf(1, 'gitlab', claims);
    const tokens = Object.entries<{ aud: string }>(push.id_tokens).map(async ([name, { aud }]) => [
      name,
      await issuer.sign({ aud, ...claims }),
    ]);
    await expectPush(push.script.join('\n'), {
      ...push.variables,
      ...Object.fromEntries(await Promise.all(tokens)),
    });
  });

  it('has a pod for Kubernetes that pushes without a stored secret', async () => {
    const claims = { sub: 'system:serviceaccount:apps:deploy' };
    const { spec } = await exampleOf(2, 'kubernetes', claims);
    const [{ command, env, volumeMounts }] = spec.containers;
    const [{ serviceAccountToken }] = spec.volumes[0].projected.sources;
    const variables = Object.fromEntries(env.map(({ name, value }: Variables) => [name, value]));
    const mounted = `${volumeMounts[0].mountPath}/${serviceAccountToken.path}`;
    expect(variables.HUSHPUSH_IDENTITY_TOKEN_FILE).to.equal(mounted);
    expect(serviceAccountToken.expirationSeconds).to.be.at.least(600); // the least that clusters take
    const file = join(folder.path, 'token');
    await writeFile(file, await issuer.sign({ aud: [serviceAccountToken.audience], ...claims }));
    await expectPush(command[2], { ...variables, HUSHPUSH_IDENTITY_TOKEN_FILE: file });
  });

  it('says how to push several times with one token, and what a second use gets', async () => {
    await exampleOf(1, 'several', { sub: 'job' });
    const token = await issuer.sign({ aud: rule.audience, sub: 'job' });
    const settings = { HUSHPUSH_SERVER: service.url, HUSHPUSH_IDENTITY_TOKEN: token };
    await expectPush(
      'export HUSHPUSH_TOKEN="$(hushpush exchange)"; hushpush push < secret.txt; hushpush push < secret.txt',
      settings,
    );
    const { code, stderr } = await folder.run('exchange', { settings });
    expect([code, stderr]).to.deep.equal([
      8,
      'hushpush: The token was used already. Each works once: get another one from the issuer.\n',
    ]);
  });

  it('is helped by a command that says what is missing', async () => {
    const settings = { HUSHPUSH_SERVER: service.url };
    expect((await folder.run('exchange', { settings })).stderr).to.include(
      'There is no identity to exchange.',
    );
    const withRule = { ...settings, HUSHPUSH_TRUST_RULE: rule.id };
    expect((await folder.run('exchange', { settings: withRule })).stderr).to.include('id-token: write');
  });
});
