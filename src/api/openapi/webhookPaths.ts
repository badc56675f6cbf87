import { publicTypes } from '../../domain/index.ts';
import type { Operation, Paths } from '../../http/openApi.ts';
import { schemaRef } from './components.ts';
import { exampleWebhookId, webhookExample } from './examples.ts';
import { authenticated, pageParameter, webhookIdParameter } from './parameters.ts';
import { rooted } from './requestBody.ts';
import { nextPage, responses } from './responses.ts';
import { codeSamples } from './samples.ts';

const tags = ['Webhooks'];

/** The endpoints of webhooks. */
export function webhookPaths(baseUrl: string): Paths {
  const url = `${baseUrl}/api/v1/webhooks.json`;
  return {
    '/api/v1/webhooks.json': { get: listing(url), post: registration(url), delete: removal(url) },
    '/api/v1/webhooks/deliveries.json': { get: deliveryLog(baseUrl) },
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
