import { z } from 'zod';
import {
  accountTypes,
  actKinds,
  type OwnerEvent,
  ownerEvents,
  publicTypes,
  pushKinds,
} from '../../domain/index.ts';
import { openerResponse, sha256Response, timeResponse } from './values.ts';

const webhookId = z.string().length(32);

/** A webhook that was removed. */
export const deletedWebhookResponse = z.object({ id: webhookId, deleted: z.literal(true) });

/** A webhook in its owner's list. */
export const webhookResponse = z.object({
  id: webhookId,
  url: z.url().nullable().describe('null if it cannot be decrypted, because its key is missing'),
  unreadable: z.literal(true).optional().describe('Present if the url is null'),
  types: z.array(z.enum(publicTypes)).nullable().describe('The types of events that it gets; null for all'),
  created_at: timeResponse,
  disabled: z.boolean().describe('true after a 410 response, or after three days of failures alone'),
  failing_since: timeResponse.nullable().describe('null while deliveries succeed'),
});

/** A new webhook, with its secret. */
export const registeredResponse = webhookResponse.omit({ unreadable: true }).extend({
  url: z.url(),
  secret: z.string().describe('Verifies signatures (Standard Webhooks); shown only once'),
});

/** A webhook whose secret was replaced. */
export const rotatedSecretResponse = z.object({
  id: webhookId,
  secret: z.string().describe('Verifies signatures from now on; shown only once'),
  previous_secret_until: timeResponse.describe(
    'Until then, each request is also signed with the previous secret',
  ),
});

/** Outside the domain, it does not matter who deleted a push: `burned` is presented as `deleted`. */
const deliveredEvents = [
  ...(Object.keys(ownerEvents) as OwnerEvent[]).filter((event) => event !== 'burned'),
  ...(Object.keys(accountTypes) as (keyof typeof accountTypes)[]),
  'test' as const,
];

/** A delivery of an event to a webhook. */
export const deliveryResponse = z.object({
  id: z.string().describe('The webhook-id header of its requests'),
  event: z.enum(deliveredEvents),
  times: z.int().min(1).describe('How many such events this delivery stands for'),
  happened_at: timeResponse,
  state: z.enum(['waiting', 'sent', 'failed']),
  attempts: z.int().min(0),
  last_problem: z.string().nullable(),
  next_attempt_at: timeResponse.nullable().describe('null once sent or failed'),
});

/** A page of deliveries. */
export const deliveriesResponse = z.object({ deliveries: z.array(deliveryResponse) });

/** What a webhook receives. */
export const webhookEvent = z.object({
  type: z.enum(publicTypes),
  timestamp: timeResponse.describe('When it happened'),
  data: z.object({
    url_token_sha256: sha256Response,
    name: z.string().nullable(),
    kind: z.enum(pushKinds),
    views_total: z.int().min(1),
    views_used: z.int().min(0),
    times: z.int().min(1).describe('How many such events this one stands for'),
    created_at: timeResponse,
    expires_at: timeResponse,
    opened_by: z
      .array(openerResponse)
      .optional()
      .describe('Who used these views, if all came through the links of recipients'),
    reason: z.string().optional(),
  }),
});

/** What a webhook receives when somebody else changes something about its account. */
export const accountEvent = z.object({
  type: z.literal(accountTypes.account_act),
  timestamp: timeResponse.describe('When it happened'),
  data: z.object({
    account: z.string(),
    change: z.enum(actKinds),
    by: z.string().nullable().describe('The admin who did it; null for whoever runs the server'),
    token: z.string().optional().describe('The name of the API token'),
  }),
});

/** What a webhook receives when somebody signs in to its account from a browser that is new to it. */
export const newBrowserEvent = z.object({
  type: z.literal(accountTypes.new_browser),
  timestamp: timeResponse.describe('When it happened'),
  data: z.object({
    account: z.string(),
    way: z.string().describe('How: `password`, `passkey`, `link`, or the name of the provider or chat'),
    ip: z.string(),
    user_agent: z.string(),
  }),
});

/** What a webhook receives to test it. */
export const testEvent = z.object({
  type: z.literal('webhook.test'),
  timestamp: timeResponse,
  data: z.object({}),
});

export type WebhookResponse = z.output<typeof webhookResponse>;
export type RotatedSecretResponse = z.output<typeof rotatedSecretResponse>;
export type DeliveryResponse = z.output<typeof deliveryResponse>;
