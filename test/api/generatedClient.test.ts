import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { createAccount, startService, type TestService } from '../harness/service.ts';

const run = promisify(execFile);
const generator = fileURLToPath(import.meta.resolve('openapi-generator-plus/bin/ogplus.js'));
const templates = fileURLToPath(
  import.meta.resolve('@openapi-generator-plus/typescript-fetch-client-generator2'),
);

/** What a developer writes with the generated client. Lines with an expected error are mistakes that its types notice. */
const program = `import { type Api, Configuration, withConfiguration } from './client/index';

type BodyOf<R, S> = Extract<R, { status: S; body: unknown }>['body'];

/** The body of a response that must have this status. */
function bodyOf<R extends { status: unknown }, S extends number>(response: R, status: S): BodyOf<R, S> {
  if (response.status !== status) throw new Error('status ' + response.status);
  return (response as { body: BodyOf<R, S> } & R).body;
}

export async function tryEverything(baseUri: string, authorization: string, idempotencyKey: string) {
  const { PushesApi: pushes, WebhooksApi: webhooks } = withConfiguration(
    new Configuration({ baseUri, authorization }),
  );
  const password = { payload: 'tulip', passphrase: 'p', expire_after_days: 3, retrieval_step: false };
  const { url_token: urlToken } = bodyOf(await pushes.createPush(idempotencyKey, { password }), 201);
  const repeated = bodyOf(await pushes.createPush(idempotencyKey, { password }), 201);
  const refused = await pushes.retrievePush({ urlToken });
  const retrieved = bodyOf(await pushes.retrievePush({ urlToken, xPassphrase: 'p' }), 200);
  const active = bodyOf(await pushes.listActivePushes({ search: urlToken, sort: 'newest' }), 200);
  const expired = bodyOf(await pushes.expirePush(urlToken), 200);
  const { views } = bodyOf(await pushes.getAuditLog({ urlToken }), 200);
  const webhook = { url: 'https://example.com/hook' };
  const { id, secret } = bodyOf(await webhooks.registerWebhook({ webhook }), 201);
  const { state } = bodyOf(await webhooks.testWebhook(id), 202);

  // @ts-expect-error: a payload is required
  const nothing: Api.PushInput = { name: 'x' };
  // @ts-expect-error: a number, not a text
  const text: Api.PushInput = { payload: 'x', expire_after_days: '3' };

  return {
    isSame: repeated.url_token === urlToken,
    refused: refused.status === 401 ? refused.body.error : refused.status,
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
    await writeFile(join(folder, 'openapi.json'), await document.text());
    await writeFile(
      join(folder, 'config.json'),
      JSON.stringify({
        inputPath: join(folder, 'openapi.json'),
        outputPath: join(folder, 'client'),
        generator: templates,
        includePolyfills: false,
      }),
    );
    await run(process.execPath, [generator, '-c', join(folder, 'config.json')]);
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
      refused: 'That passphrase is incorrect.',
      payload: 'tulip',
      listed: [true],
      deleted: true,
      kinds: ['creation', 'failed_passphrase', 'view', 'expire'],
      secret: 'whsec_',
      state: 'waiting',
    });
  });

  it('has types that TypeScript checks strictly', async () => {
    const options = ['--noEmit', '--strict', '--module', 'preserve', '--target', 'es2022', '--types', ''];
    const { stdout } = await run(resolve('node_modules/.bin/tsc'), [...options, join(folder, 'program.ts')], {
      cwd: folder,
    }).catch((error) => error);
    expect(stdout).to.equal('');
  });
});
