import { z } from 'zod';
import { ownerEvents, type WebhookSchema } from '../../domain/index.ts';
import type { JsonSchema, Paths } from '../../http/openApi.ts';
import { deliveriesResponse, registeredResponse, webhookId, webhookResponse } from '../schemas.ts';
import { authenticated, pageParameter, queryParameter } from './parameters.ts';
import { responses } from './responses.ts';

const idParameter = { ...queryParameter('id', 'The id of the webhook'), required: true };
const eventTypes = [...new Set(Object.values(ownerEvents).map(({ type }) => type))].join(', ');
const unknownId = { 404: 'The account has no such webhook' };

export function webhookPaths(webhookSchema: WebhookSchema): Paths {
  const { $schema, ...webhook } = z.toJSONSchema(webhookSchema, { io: 'input' });
  const schema = { type: 'object', properties: { webhook }, required: ['webhook'] } as JsonSchema;
  return {
    '/api/v1/webhooks.json': {
      get: {
        summary: 'List your webhooks, oldest first',
        ...authenticated,
        ...responses(
          { 200: ['The webhooks, without their secrets', z.array(webhookResponse)] },
          [401, 429, 503],
        ),
      },
      post: {
        summary: 'Register a webhook',
        description: `Receives events of your pushes as POST requests signed according to Standard Webhooks: ${eventTypes}.`,
        ...authenticated,
        requestBody: { required: true, content: { 'application/json': { schema } } },
        ...responses(
          { 201: ['The webhook and its secret', registeredResponse] },
          [400, 401, 413, 415, 422, 429, 503],
          { 409: 'The account already has a webhook for this URL, or the maximum number of webhooks' },
        ),
      },
      delete: {
        summary: 'Remove a webhook',
        ...authenticated,
        parameters: [idParameter],
        ...responses(
          { 200: ['The webhook was removed', z.object({ id: webhookId, deleted: z.literal(true) })] },
          [400, 401, 429, 503],
          unknownId,
        ),
      },
    },
    '/api/v1/webhooks/deliveries.json': {
      get: {
        summary: 'List the deliveries of a webhook, sent and waiting, newest first',
        ...authenticated,
        parameters: [idParameter, pageParameter],
        ...responses({ 200: ['The deliveries', deliveriesResponse] }, [400, 401, 429, 503], unknownId),
      },
    },
  };
}
