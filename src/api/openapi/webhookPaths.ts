import { publicTypes } from '../../domain/index.ts';
import type { JsonSchema, Operation, Parameter, Paths } from '../../http/openApi.ts';
import { schemaRef } from './components.ts';
import {
  codeSamples,
  exampleDeliveryId,
  exampleWebhookId,
  webhookExample,
  webhookTypesExample,
} from './examples.ts';
import { authenticated, pageParameter, queryParameter, rooted, webhookIdParameter } from './parameters.ts';
import { nextPage, responses } from './responses.ts';

const tags = ['Webhooks'];

/** The endpoints of webhooks. */
export function webhookPaths(baseUrl: string): Paths {
  const url = `${baseUrl}/api/v1/webhooks.json`;
  return {
    '/api/v1/webhooks.json': { get: listing(url), post: registration(url), delete: removal(url) },
    '/api/v1/webhooks/deliveries.json': { get: deliveryLog(baseUrl) },
    ...actionPaths(baseUrl),
  };
}

function listing(url: string): Operation {
  const schema = { type: 'array', items: schemaRef('Webhook') };
  return {
    operationId: 'listWebhooks',
    tags,
    summary: 'List your webhooks',
    description: 'Oldest first, without their secrets.',
    ...authenticated('full'),
    ...responses({ 200: { description: 'The webhooks', schema } }, [401, 403, 429, 503]),
    'x-codeSamples': codeSamples({ method: 'GET', url, isAuthenticated: true }),
  };
}

function registration(url: string): Operation {
  const schema = rooted('webhook', schemaRef('WebhookInput'));
  return {
    operationId: 'registerWebhook',
    tags,
    summary: 'Register a webhook',
    description: `Receives events of your pushes as POST requests signed according to Standard Webhooks: ${publicTypes.join(', ')}.`,
    ...authenticated('full'),
    requestBody: {
      required: true,
      content: { 'application/json': { schema, example: webhookExample } },
    },
    ...responses(
      { 201: { description: 'The webhook and its secret', schema: schemaRef('RegisteredWebhook') } },
      [400, 401, 403, 409, 413, 415, 422, 429, 503],
    ),
    'x-codeSamples': codeSamples({ method: 'POST', url, isAuthenticated: true, json: webhookExample }),
  };
}

function removal(url: string): Operation {
  return {
    operationId: 'removeWebhook',
    tags,
    summary: 'Remove a webhook',
    description: 'Waiting deliveries are dropped.',
    ...authenticated('full'),
    parameters: [webhookIdParameter],
    ...responses(
      { 200: { description: 'The webhook was removed', schema: schemaRef('DeletedWebhook') } },
      [400, 401, 403, 404, 429, 503],
    ),
    'x-codeSamples': codeSamples({
      method: 'DELETE',
      url: `${url}?id=${exampleWebhookId}`,
      isAuthenticated: true,
    }),
  };
}

function deliveryLog(baseUrl: string): Operation {
  return {
    operationId: 'listDeliveries',
    tags,
    summary: 'List the deliveries of a webhook',
    description: 'Sent and waiting, newest first.',
    ...authenticated('full'),
    parameters: [webhookIdParameter, pageParameter],
    ...responses(
      {
        200: { description: 'A page of deliveries', schema: schemaRef('Deliveries'), headers: nextPage },
      },
      [400, 401, 403, 404, 429, 503],
    ),
    'x-codeSamples': codeSamples({
      method: 'GET',
      url: `${baseUrl}/api/v1/webhooks/deliveries.json?id=${exampleWebhookId}`,
      isAuthenticated: true,
    }),
  };
}

const deliveryIdParameter: Parameter = {
  ...queryParameter('delivery_id', 'The id of the delivery'),
  required: true,
};

const examples: Record<string, string> = { id: exampleWebhookId, delivery_id: exampleDeliveryId };

/** What can be done with a webhook. */
function actionPaths(baseUrl: string): Paths {
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
        tags,
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
