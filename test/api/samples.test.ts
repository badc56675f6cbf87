import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { exampleToken, exampleWebhookId } from '../../src/api/openapi/examples.ts';
import { type Client, createClient } from '../harness/api.ts';
import { freePort } from '../harness/mariadb.ts';
import { readOpenApi } from '../harness/openApi.ts';
import { createAccount, startService, type TestService } from '../harness/service.ts';

const run = promisify(execFile);
const AsyncFunction = Object.getPrototypeOf(async () => {}).constructor;

describe('The samples of the API', () => {
  let service: TestService;
  let api: Client;
  let token: string;

  before(async () => {
    const port = await freePort();
    service = await startService({ PORT: String(port), BASE_URL: `http://127.0.0.1:${port}` });
    api = createClient(port);
    ({ token } = await createAccount(service.domain));
  });

  after(async () => {
    api.close();
    await service.stop();
  });

  /** Runs a sample as a script; its placeholders become what really exists. */
  async function outputOf(label: string, source: string): Promise<string> {
    const { push } = await api.create({}, { authorization: `Bearer ${token}` });
    const { account } = await service.domain.apiTokens.authenticate(token);
    const webhooks = await service.domain.webhooks.list(account);
    const isNeeded = source.includes(exampleWebhookId) && webhooks.length === 0;
    const { id } = isNeeded
      ? await service.domain.webhooks.create(account, { url: 'https://example.com/sample' })
      : { id: webhooks[0]?.id ?? '' };
    const script = source
      .replaceAll(exampleToken, String(push.url_token))
      .replaceAll(exampleWebhookId, id)
      .replaceAll('https://example.com/hushpush', `https://example.com/${label}`);
    const env = { ...process.env, HUSHPUSH_TOKEN: token };
    return label === 'curl'
      ? (await run('bash', ['-c', script], { env })).stdout
      : outputOfModule(script, env);
  }

  async function outputOfModule(script: string, env: NodeJS.ProcessEnv): Promise<string> {
    const lines: string[] = [];
    const output = { log: (value: unknown) => lines.push(JSON.stringify(value)) };
    await new AsyncFunction('console', 'process', script)(output, { env });
    return lines.join('\n');
  }

  for (const label of ['curl', 'JavaScript']) {
    it(`work as they are, in ${label}`, async () => {
      const { openApi } = await readOpenApi(api);
      const operations = Object.values(openApi.paths)
        .flatMap((methods) => Object.values(methods))
        .filter((operation) => operation['x-codeSamples'] !== undefined);
      expect(operations).to.have.length.above(8);
      for (const { operationId, 'x-codeSamples': samples = [] } of operations) {
        const source = samples.find((sample) => sample.label === label)?.source ?? '';
        const output = await outputOf(label, source);
        expect(output, operationId)
          .to.match(/^[[{]/)
          .and.not.match(/["']?error["']?:/);
      }
    });
  }

  it('come in four languages on the page for people, and begin with how to sign in', async () => {
    const { text } = await api.get('/docs');
    const headings = [...text.matchAll(/<h2[^>]*>(.*?)<\/h2>/g)].map(([, heading]) => heading);
    expect(headings[0]).to.equal('Sign in with an API token');
    expect(headings[1]).to.include('POST /p.json');
    for (const part of ['curl', 'Invoke-RestMethod', 'requests.post', 'await fetch', 'webhook-signature'])
      expect(text).to.include(part);
  });
});
