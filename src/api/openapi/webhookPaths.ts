import { accountTypes, publicTypes } from '../../domain/index.ts';
import type { OpenApi, Parameter, Paths } from '../../http/openApi.ts';
import { schemaRef } from './components.ts';
import { exampleDeliveryId, exampleWebhookId, webhookExample, webhookTypesExample } from './examples.ts';
import { pathOf } from './operation.ts';
import { headerParameter, pageParameter, queryParameter, rooted } from './parameters.ts';

const webhookId: Parameter = { ...queryParameter('id', 'The id of the webhook'), required: true };
const deliveryId: Parameter = { ...queryParameter('delivery_id', 'The id of the delivery'), required: true };

/** The endpoints of webhooks. */
export function webhookPaths(baseUrl: string): Paths {
  const examples = { id: exampleWebhookId, delivery_id: exampleDeliveryId };
  const about = { baseUrl, tag: 'Webhooks', examples };
  const delivery = [202, 'The delivery; its state follows in the list of deliveries', 'Delivery'] as const;
  return {
    ...pathOf(about, '/api/v1/webhooks.json', {
      get: {
        operationId: 'listWebhooks',
        summary: 'List your webhooks',
        description: 'Oldest first, without their secrets.',
        account: 'full',
        success: [200, 'The webhooks', { type: 'array', items: schemaRef('Webhook') }],
      },
      post: {
        operationId: 'registerWebhook',
        summary: 'Register a webhook',
        description: `Receives events of your pushes as POST requests signed according to Standard Webhooks: ${publicTypes.join(', ')}.`,
        account: 'full',
        json: { schema: rooted('webhook', schemaRef('WebhookInput')), example: webhookExample },
        success: [201, 'The webhook and its secret', 'RegisteredWebhook'],
        errors: [409],
      },
      delete: {
        operationId: 'removeWebhook',
        summary: 'Remove a webhook',
        description: 'Waiting deliveries are dropped.',
        account: 'full',
        parameters: [webhookId],
        success: [200, 'The webhook was removed', 'DeletedWebhook'],
        errors: [404],
      },
    }),
    ...pathOf(about, '/api/v1/webhooks/deliveries.json', {
      get: {
        operationId: 'listDeliveries',
        summary: 'List the deliveries of a webhook',
        description: 'Sent and waiting, newest first.',
        account: 'full',
        parameters: [webhookId, pageParameter],
        success: [200, 'A page of deliveries', 'Deliveries'],
        errors: [404],
      },
    }),
    ...pathOf(about, '/api/v1/webhooks/test.json', {
      post: {
        operationId: 'testWebhook',
        summary: 'Send a test event to a webhook',
        description: 'Sends an event of type webhook.test at once, and does not retry it.',
        account: 'full',
        parameters: [webhookId],
        success: [...delivery],
        errors: [404, 409],
      },
    }),
    ...pathOf(about, '/api/v1/webhooks/redeliver.json', {
      post: {
        operationId: 'redeliver',
        summary: 'Send a delivery again',
        description:
          'Whether it waits, was sent, or failed. The request has the same webhook-id. Deliveries are stored for a week.',
        account: 'full',
        parameters: [webhookId, deliveryId],
        success: [...delivery],
        errors: [404, 409],
      },
    }),
    ...pathOf(about, '/api/v1/webhooks/types.json', {
      post: {
        operationId: 'changeWebhookTypes',
        summary: 'Change which events a webhook gets',
        description: 'Its address and its secret stay. What waits for it already is still sent.',
        account: 'full',
        parameters: [webhookId],
        json: { schema: rooted('webhook', schemaRef('WebhookTypesInput')), example: webhookTypesExample },
        success: [200, 'The webhook', 'Webhook'],
        errors: [404],
      },
    }),
    ...pathOf(about, '/api/v1/webhooks/secret.json', {
      post: {
        operationId: 'rotateWebhookSecret',
        summary: 'Replace the secret of a webhook',
        description:
          'For a day, each request has a signature by both secrets, so that the receiver can change to the new one.',
        account: 'full',
        parameters: [webhookId],
        success: [200, 'The new secret', 'RotatedSecret'],
        errors: [404],
      },
    }),
  };
}

const eventHeaders = [
  headerParameter('webhook-id', 'The same for each attempt to deliver this event'),
  headerParameter('webhook-timestamp', 'When this attempt was signed, in seconds since 1970'),
  headerParameter(
    'webhook-signature',
    'v1,BASE64 of the HMAC-SHA256 of id.timestamp.body; two with a space between them for a day after the secret was replaced',
  ),
].map((header) => ({ ...header, required: true }));

/** The requests that webhooks receive, by the type of their event. */
export const eventRequests: OpenApi['webhooks'] = {
  ...Object.fromEntries(
    publicTypes.map((type) => [type, request(type, 'Event', `The event ${type} of one of your pushes`)]),
  ),
  [accountTypes.account_act]: request(
    accountTypes.account_act,
    'AccountEvent',
    'Somebody else changed something about your account. All webhooks get it, whatever types they choose',
  ),
  [accountTypes.new_browser]: request(
    accountTypes.new_browser,
    'NewBrowserEvent',
    'Somebody signed in to your account from a browser that is new to it. All webhooks get it, whatever types they choose',
  ),
  'webhook.test': request('webhook.test', 'TestEvent', 'A test that you asked for'),
};

function request(type: string, schema: string, summary: string) {
  return {
    post: {
      operationId: `on${type.split(/[._]/).map(capitalized).join('')}`,
      tags: ['Webhooks'],
      summary,
      description:
        'Signed according to Standard Webhooks. Respond within ten seconds; 410 disables the webhook.',
      security: [{}],
      parameters: eventHeaders,
      requestBody: { required: true, content: { 'application/json': { schema: schemaRef(schema) } } },
      responses: {
        '2XX': { description: 'Received; everything else is sent again, for three days' },
        410: { description: 'Disables the webhook' },
      },
    },
  };
}

function capitalized(word: string): string {
  return `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
}
