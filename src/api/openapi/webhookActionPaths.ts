import type { JsonSchema, Operation, Parameter, Paths } from '../../http/openApi.ts';
import { schemaRef } from './components.ts';
import { exampleDeliveryId, exampleWebhookId, webhookTypesExample } from './examples.ts';
import { authenticated, queryParameter, webhookIdParameter } from './parameters.ts';
import { rooted } from './requestBody.ts';
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
      description: 'Sends an event of type webhook.test at once, and does not retry it.',
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
    ...action(
      baseUrl,
      'types',
      {
        operationId: 'changeWebhookTypes',
        summary: 'Change which events a webhook gets',
        description: 'Its address and its secret stay. What waits for it already is still sent.',
        ...responses(
          { 200: { description: 'The webhook', schema: schemaRef('Webhook') } },
          [400, 401, 403, 404, 413, 415, 422, 429, 503],
        ),
      },
      { schema: rooted('webhook', schemaRef('WebhookTypesInput')), example: webhookTypesExample },
    ),
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

/** `body` is what it sends besides. */
function action(
  baseUrl: string,
  name: string,
  { parameters = [], ...operation }: Action,
  body?: { schema: JsonSchema; example: object },
): Paths {
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
        ...(body && { requestBody: { required: true, content: { 'application/json': body } } }),
        'x-codeSamples': codeSamples({
          method: 'POST',
          url: `${baseUrl}${path}?${query}`,
          isAuthenticated: true,
          ...(body && { json: body.example }),
        }),
      },
    },
  };
}
