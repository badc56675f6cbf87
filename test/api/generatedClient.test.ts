import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { generate } from 'openapi-typescript-codegen';
import { createAccount, startService, type TestService } from '../harness/service.ts';

const run = promisify(execFile);

/** What a developer writes with the generated client. Lines with an expected error are mistakes that its types notice. */
const program = `import { ApiError, Hushpush } from './index';

export async function tryEverything(BASE: string, TOKEN: string, idempotencyKey: string) {
  const { pushes, webhooks } = new Hushpush({ BASE, TOKEN });
  const password = { payload: 'tulip', passphrase: 'p', expire_after_days: 3, retrieval_step: false };
  const { url_token: urlToken } = await pushes.createPush({ requestBody: { password }, idempotencyKey });
  const repeated = await pushes.createPush({ requestBody: { password }, idempotencyKey });
  const error = await pushes.retrievePush({ urlToken }).catch((reason) => reason);
  const retrieved = await pushes.retrievePush({ urlToken, xPassphrase: 'p' });
  const active = await pushes.listActivePushes({ search: urlToken });
  const expired = await pushes.expirePush({ urlToken });
  const { views } = await pushes.getAuditLog({ urlToken });
  const webhook = { url: 'https://example.com/hook' };
  const { id, secret } = await webhooks.registerWebhook({ requestBody: { webhook } });
  const { state } = await webhooks.testWebhook({ id });

  // @ts-expect-error: a payload is required
  () => pushes.createPush({ requestBody: { password: { name: 'x' } } });
  // @ts-expect-error: a number, not a text
  () => pushes.createPush({ requestBody: { password: { payload: 'x', expire_after_days: '3' } } });

  return {
    isSame: repeated.url_token === urlToken,
    refused: error instanceof ApiError ? [error.status, error.body.error] : [],
    payload: retrieved.payload,
    listed: active.map((push) => push.url_token === urlToken),
    deleted: expired.deleted,
    kinds: views.map(({ kind }) => kind),
    secret: secret.slice(0, 6),
    state,
  };
}
`;

describe('A client that is generated from the OpenAPI document', () => {
  let service: TestService;
  let folder: string;

  before(async () => {
    service = await startService();
    folder = await mkdtemp(join(tmpdir(), 'client-'));
    const document = await fetch(`${service.url}/api/v1/openapi.json`);
    await generate({
      input: (await document.json()) as Record<string, unknown>,
      output: folder,
      httpClient: 'fetch',
      clientName: 'Hushpush',
      useOptions: true,
    });
    await writeFile(join(folder, 'package.json'), '{"type":"module"}');
    await writeFile(join(folder, 'program.ts'), program);
  });

  after(async () => {
    await service.stop();
    await rm(folder, { recursive: true });
  });

  it('creates, retrieves, lists and expires pushes, and registers webhooks', async () => {
    const { token } = await createAccount(service.domain);
    const { tryEverything } = await import(join(folder, 'program.ts'));
    expect(await tryEverything(service.url, token, randomUUID())).to.deep.equal({
      isSame: true,
      refused: [401, 'That passphrase is incorrect.'],
      payload: 'tulip',
      listed: [true],
      deleted: true,
      kinds: ['creation', 'failed_passphrase', 'view', 'expire'],
      secret: 'whsec_',
      state: 'waiting',
    });
  });

  it('has types that TypeScript checks strictly', async () => {
    const tsc = resolve('node_modules/.bin/tsc');
    const options = ['--noEmit', '--strict', '--module', 'preserve', '--target', 'es2022', '--types', ''];
    const { stdout } = await run(tsc, [...options, join(folder, 'program.ts')], { cwd: folder }).catch(
      (error) => error,
    );
    expect(stdout).to.equal('');
  });
});
