import { createConfig, lintFromString } from '@redocly/openapi-core';
import { expect } from 'chai';
import { buildOpenApi } from '../../src/api/openapi/document.ts';
import { domainSettings, readConfig } from '../../src/config.ts';
import { secretRequestSchema } from '../../src/domain/chat/requestSecret.ts';
import { buildPushSchema } from '../../src/domain/pushes/pushSchema.ts';
import { buildWebhookSchema } from '../../src/domain/webhooks/webhookSchema.ts';

describe('The OpenAPI document', () => {
  it('follows the strict rules of a linter that many use', async () => {
    const { pushes, webhooks } = domainSettings(readConfig({}));
    const schemas = {
      pushSchema: buildPushSchema(pushes),
      webhookSchema: buildWebhookSchema(webhooks),
      requestSchema: secretRequestSchema,
    };
    const openApi = buildOpenApi(schemas, { baseUrl: 'https://push.test', version: '1.2.3' });
    const problems = await lintFromString({
      source: JSON.stringify(openApi),
      absoluteRef: 'openapi.json',
      config: await createConfig({ extends: ['recommended-strict'] }),
    });
    const described = problems.map(
      ({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`,
    );
    expect(described).to.deep.equal([]);
  });
});
