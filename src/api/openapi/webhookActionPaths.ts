import type { Operation, Paths } from '../../http/openApi.ts';
import { schemaRef } from './components.ts';
import { exampleWebhookId } from './examples.ts';
import { authenticated, webhookIdParameter } from './parameters.ts';
import { responses } from './responses.ts';
import { codeSamples } from './samples.ts';

/** What can be done with a webhook. */
export function webhookActionPaths(baseUrl: string): Paths {
  const action = (
    name: string,
    operation: Pick<Operation, 'operationId' | 'summary' | 'description' | 'responses'>,
  ) => ({
    [`/api/v1/webhooks/${name}.json`]: {
      post: {
        ...operation,
        tags: ['Webhooks'],
        ...authenticated,
        parameters: [webhookIdParameter],
        'x-codeSamples': codeSamples({
          method: 'POST',
          url: `${baseUrl}/api/v1/webhooks/${name}.json?id=${exampleWebhookId}`,
          isAuthenticated: true,
        }),
      },
    },
  });
  return {
    ...action('secret', {
      operationId: 'rotateWebhookSecret',
      summary: 'Replace the secret of a webhook',
      description:
        'For a day, each request has a signature by both secrets, so that the receiver can change to the new one.',
      ...responses(
        { 200: { description: 'The new secret', schema: schemaRef('RotatedSecret') } },
        [400, 401, 404, 429, 503],
      ),
    }),
  };
}
