import { z } from 'zod';
import type { WebhookSchema } from '../domain/index.ts';
import type { JsonSchema, OpenApi, OpenApiBuilders } from './openapi.ts';

const text = z.string();
const time = z.iso.datetime().describe('ISO 8601, UTC, milliseconds');
const id = text.length(32);

const webhookResponse = z.object({
  id,
  url: z.url(),
  created_at: time,
  disabled: z.boolean().describe('true after 410, or three days of nothing but failures'),
  failing_since: time.nullable().describe('null while deliveries come through'),
});

const registeredResponse = webhookResponse.extend({
  secret: text.describe('Verifies signatures as Standard Webhooks says; shown this once'),
});

const deliveriesResponse = z.object({
  deliveries: z.array(
    z.object({
      id: text.describe('The header webhook-id of its requests'),
      event: z.enum([
        'viewed',
        'expired_by_views',
        'expired_by_time',
        'deleted',
        'failed_passphrase',
        'locked',
        'about_to_expire',
        'asked_again',
      ]),
      times: z.int().min(1).describe('How many such events it stands for'),
      happened_at: time,
      state: z.enum(['waiting', 'sent', 'failed']),
      attempts: z.int().min(0),
      last_problem: text.nullable(),
      next_attempt_at: time.nullable().describe('null once it has ended'),
    }),
  ),
});

export type WebhookResponse = z.output<typeof webhookResponse>;
export type DeliveryResponse = z.output<typeof deliveriesResponse>['deliveries'][number];

const unknown = { 404: 'The account has no such webhook' };

/** The part of the API's description that is about webhooks. */
export function webhookPaths(
  webhookSchema: WebhookSchema,
  { responses, authenticated, page }: OpenApiBuilders,
): OpenApi['paths'] {
  const { $schema, ...webhook } = z.toJSONSchema(webhookSchema, { io: 'input' });
  const schema = { type: 'object', properties: { webhook }, required: ['webhook'] } as JsonSchema;
  const idInQuery = {
    name: 'id',
    in: 'query',
    required: true,
    description: 'The id of the webhook',
    schema: { type: 'string' },
  };
  return {
    '/api/v1/webhooks.json': {
      get: {
        summary: 'Your webhooks, oldest first',
        ...authenticated,
        ...responses({ 200: ['Webhooks, without their secrets', z.array(webhookResponse)] }, [401, 429, 503]),
      },
      post: {
        summary: 'Register a webhook',
        description:
          'Events of your pushes are sent to it by POST, signed as Standard Webhooks says: push.viewed, push.expired, push.failed_passphrase, push.locked, push.about_to_expire, push.asked_again.',
        ...authenticated,
        requestBody: { required: true, content: { 'application/json': { schema } } },
        ...responses(
          { 201: ['The webhook and its secret', registeredResponse] },
          [400, 401, 413, 415, 422, 429, 503],
          {
            409: 'The account has a webhook for this address, or as many as it may have',
          },
        ),
      },
      delete: {
        summary: 'Remove a webhook',
        ...authenticated,
        parameters: [idInQuery],
        ...responses(
          { 200: ['It is removed', z.object({ id, deleted: z.literal(true) })] },
          [400, 401, 429, 503],
          unknown,
        ),
      },
    },
    '/api/v1/webhooks/deliveries.json': {
      get: {
        summary: 'What was sent to a webhook and what waits for it, newest first',
        ...authenticated,
        parameters: [idInQuery, page],
        ...responses({ 200: ['Deliveries', deliveriesResponse] }, [400, 401, 429, 503], unknown),
      },
    },
  };
}
