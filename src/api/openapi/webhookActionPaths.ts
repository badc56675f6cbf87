import type { Operation, Parameter, Paths } from '../../http/openApi.ts';
import { schemaRef } from './components.ts';
import { exampleDeliveryId, exampleWebhookId } from './examples.ts';
import { authenticated, queryParameter, webhookIdParameter } from './parameters.ts';
import { responses } from './responses.ts';
import { codeSamples } from './samples.ts';

const deliveryIdParameter: Parameter = {
  ...queryParameter('delivery_id', 'The id of the delivery'),
  required: true,
};

const examples: Record<string, string> = { id: exampleWebhookId, delivery_id: exampleDeliveryId };

/** What can be done with a webhook. */
export function webhookActionPaths(baseUrl: string): Paths {
  const delivery = responses(
    {
      202: {
        description: 'The delivery; its state follows in the list of deliveries',
        schema: schemaRef('Delivery'),
      },
    },
    [400, 401, 403, 404, 409, 429, 503],
  );
  return {
    ...action(baseUrl, 'test', {
      operationId: 'testWebhook',
      summary: 'Send a test event to a webhook',
      description: 'An event of type webhook.test, at once, and not again if it fails.',
      ...delivery,
    }),
    ...action(baseUrl, 'redeliver', {
      operationId: 'redeliver',
      summary: 'Send a delivery again',
      description:
        'Whether it waits, was sent, or failed. The request has the same webhook-id. Deliveries are stored for a week.',
      parameters: [deliveryIdParameter],
      ...delivery,
    }),
    ...action(baseUrl, 'secret', {
      operationId: 'rotateWebhookSecret',
      summary: 'Replace the secret of a webhook',
      description:
        'For a day, each request has a signature by both secrets, so that the receiver can change to the new one.',
      ...responses(
        { 200: { description: 'The new secret', schema: schemaRef('RotatedSecret') } },
        [400, 401, 403, 404, 429, 503],
      ),
    }),
  };
}

type Action = Pick<Operation, 'operationId' | 'summary' | 'description' | 'responses' | 'parameters'>;

function action(baseUrl: string, name: string, { parameters = [], ...operation }: Action): Paths {
  const path = `/api/v1/webhooks/${name}.json`;
  const all = [webhookIdParameter, ...parameters];
  const query = all.map(({ name }) => `${name}=${examples[name]}`).join('&');
  return {
    [path]: {
      post: {
        ...operation,
        tags: ['Webhooks'],
        ...authenticated('full'),
        parameters: all,
        'x-codeSamples': codeSamples({
          method: 'POST',
          url: `${baseUrl}${path}?${query}`,
          isAuthenticated: true,
        }),
      },
    },
  };
}
