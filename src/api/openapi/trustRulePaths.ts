import type { Paths } from '../../http/openApi.ts';
import { schemaRef } from './components.ts';
import { exampleTrustRuleId, trustRuleExample } from './examples.ts';
import { pathOf } from './operation.ts';
import { queryParameter, rooted } from './parameters.ts';

/** The endpoints of trust rules. */
export const trustRulePaths = (baseUrl: string): Paths =>
  pathOf({ baseUrl, tag: 'Trust rules', examples: { id: exampleTrustRuleId } }, '/api/v1/trust-rules.json', {
    get: {
      operationId: 'listTrustRules',
      summary: 'List your trust rules',
      description: 'By name.',
      account: 'full',
      success: [200, 'The rules', { type: 'array', items: schemaRef('TrustRule') }],
    },
    post: {
      operationId: 'createTrustRule',
      summary: 'Trust tokens of an issuer',
      description:
        'A program with such a token exchanges it for an API token of yours at POST /oauth/token (RFC 8693). A rule that tokens of strangers would match is refused.',
      account: 'full',
      json: { schema: rooted('trust_rule', schemaRef('TrustRuleInput')), example: trustRuleExample },
      success: [201, 'The rule', 'TrustRule'],
      errors: [409],
    },
    delete: {
      operationId: 'removeTrustRule',
      summary: 'Remove a trust rule',
      description: 'The API tokens that it gave end with it.',
      account: 'full',
      parameters: [{ ...queryParameter('id', 'The id of the rule'), required: true }],
      success: [200, 'The rule was removed', 'RemovedTrustRule'],
      errors: [404],
    },
  });
