import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from 'chai';
import {
  exampleDeliveryId,
  exampleRequestId,
  exampleRequestLinkId,
  exampleToken,
  exampleTrustRuleId,
  exampleWebhookId,
  requestExample,
  trustRuleExample,
} from '../../src/api/openapi/examples.ts';
import { bearer, type Client, createClient } from '../harness/api.ts';
import { connectChat } from '../harness/chat.ts';
import { freePort } from '../harness/mariadb.ts';
import { readOpenApi } from '../harness/openApi.ts';
import { createAccount, someClient, startService, type TestService } from '../harness/service.ts';

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
    const { account, ...created } = await createAccount(service.domain);
    ({ token } = created);
    await connectChat(service.domain, { platform: 'slack', address: 'T0123ABCD:UME' }, { account });
  });

  after(async () => {
    api.close();
    await service.stop();
  });

  /** The samples in one language by operation. Their placeholders become a push and a webhook that exist. */
  async function samplesIn(label: string): Promise<[operationId: string, source: string][]> {
    const { apiTokens, webhooks, chat, requestLinks, trustRules } = service.domain;
    const { account } = await apiTokens.authenticate(token);
    const { openApi } = await readOpenApi(api);
    const operations = Object.values(openApi.paths).flatMap((methods) => Object.values(methods));
    const samples = operations.flatMap(({ operationId, 'x-codeSamples': all = [] }) =>
      all.filter((sample) => sample.label === label).map(({ source }) => ({ operationId, source })),
    );
    expect(samples).to.have.length.above(8);
    return Promise.all(
      samples.map(async ({ operationId, source }) => {
        const { push } = await api.create({}, bearer(token));
        const url = `https://example.com/${label}/${operationId}`;
        const { id } = source.includes(exampleWebhookId)
          ? await webhooks.create(account, { url })
          : { id: '' };
        const delivery = source.includes(exampleDeliveryId) ? await webhooks.test(account, id) : { id: '' };
        const [request] = source.includes(exampleRequestId)
          ? await chat.requestSecret(account, requestExample.request)
          : [{ id: '' }];
        const link = source.includes(exampleRequestLinkId)
          ? await requestLinks.create({ account, client: someClient }, { title: 'The VPN' })
          : { id: '' };
        const rule = source.includes(exampleTrustRuleId)
          ? await trustRules.create(account, { ...trustRuleExample.trust_rule, name: url })
          : { id: '' };
        const script = source
          .replaceAll(exampleToken, String(push.url_token))
          .replaceAll(exampleWebhookId, id)
          .replaceAll(exampleRequestId, request.id)
          .replaceAll(exampleRequestLinkId, link.id)
          .replaceAll(exampleDeliveryId, delivery.id)
          .replaceAll(exampleTrustRuleId, rule.id)
          .replaceAll('acme/app', `acme/${label}`)
          .replaceAll('https://example.com/hushpush', `https://example.com/${label}`);
        return [operationId, script];
      }),
    );
  }

  function expectResults(samples: [operationId: string, source: string][], outputs: string[]): void {
    expect(outputs).to.have.length(samples.length);
    for (const [index, [operationId]] of samples.entries())
      expect(outputs[index]?.trim(), operationId)
        .to.match(/^[[{]/)
        .and.not.match(/["']?error["']?:/);
  }

  it('work as they are, in curl', async () => {
    const samples = await samplesIn('curl');
    const script = samples.map(([, source]) => source).join("\nprintf '\\0'\n");
    const { stdout } = await run('bash', ['-c', script], { env: { ...process.env, HUSHPUSH_TOKEN: token } });
    expectResults(samples, stdout.split('\0'));
  });

  it('work as they are, in JavaScript', async () => {
    const samples = await samplesIn('JavaScript');
    const process = { env: { HUSHPUSH_TOKEN: token } };
    const outputs = samples.map(async ([, source]) => {
      const lines: string[] = [];
      const output = { log: (value: unknown) => lines.push(JSON.stringify(value)) };
      await new AsyncFunction('console', 'process', source)(output, process);
      return lines.join('\n');
    });
    expectResults(samples, await Promise.all(outputs));
  });

  it('come in four languages on the page for people, and begin with how to sign in', async () => {
    const { text } = await api.get('/docs');
    const headings = [...text.matchAll(/<h2[^>]*>(.*?)<\/h2>/g)].map(([, heading]) => heading);
    expect(headings.slice(0, 2)).to.deep.equal(['Contents', 'Sign in with an API token']);
    expect(headings[2]).to.include('POST /p.json');
    for (const part of ['curl', 'Invoke-RestMethod', 'requests.post', 'await fetch', 'webhook-signature'])
      expect(text).to.include(part);
  });
});
