import { createConfig, lintFromString } from '@redocly/openapi-core';
import spectral, { type RulesetDefinition } from '@stoplight/spectral-core';
import rulesets from '@stoplight/spectral-rulesets';
import { expect } from 'chai';
import { buildOpenApi } from '../../src/api/openapi/document.ts';
import { domainSettings, readConfig } from '../../src/config.ts';
import { buildTrustRuleSchema } from '../../src/domain/accounts/trust/rules.ts';
import { secretRequestSchema } from '../../src/domain/chat/requestSecret.ts';
import { buildPushSchema } from '../../src/domain/pushes/create/schema.ts';
import { buildRequestLinkSchema } from '../../src/domain/requests/links/schema.ts';
import { buildWebhookSchema } from '../../src/domain/webhooks/webhookSchema.ts';

/** The document of a service with default settings. */
function build() {
  const { pushes, files, webhooks, trust } = domainSettings(readConfig({}));
  const schemas = {
    pushSchema: buildPushSchema(pushes),
    webhookSchema: buildWebhookSchema(webhooks),
    requestSchema: secretRequestSchema,
    requestLinkSchema: buildRequestLinkSchema(pushes, files),
    trustRuleSchema: buildTrustRuleSchema(trust),
  };
  return buildOpenApi(schemas, { baseUrl: 'https://push.test', version: '1.2.3', hasMail: true });
}

describe('The OpenAPI document', () => {
  it('follows the strict rules of Redocly', async () => {
    const problems = await lintFromString({
      source: JSON.stringify(build()),
      absoluteRef: 'openapi.json',
      config: await createConfig({ extends: ['recommended-strict'] }),
    });
    const described = problems.map(
      ({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`,
    );
    expect(described).to.deep.equal([]);
  });

  it('follows the rules of Spectral', async () => {
    const linter = new spectral.Spectral();
    linter.setRuleset({ extends: [rulesets.oas as RulesetDefinition] });
    const problems = await linter.run(JSON.parse(JSON.stringify(build())));
    expect(problems.map(({ code, message, path }) => `${code}: ${message} ${path.join('.')}`)).to.deep.equal(
      [],
    );
  });
});
