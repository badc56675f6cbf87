import { z } from 'zod';
import { type OwnerEvent, ownerEvents, publicTypes } from '../domain/index.ts';
import { fileResponse } from './fileSchema.ts';
import { recipientResponse } from './recipientSchema.ts';

/** The schemas that the OpenAPI document names. */
export const apiSchemas = z.registry<{ id: string }>();

const time = z.iso.datetime().describe('ISO 8601, UTC, milliseconds');
const text = z.string();

apiSchemas.add(fileResponse, { id: 'File' });

/** What every endpoint about one push responds with. */
const pushResponse = z.object({
  url_token: text.length(26).describe('Lower-case Crockford base32, 130 random bits'),
  html_url: z.url(),
  json_url: z.url(),
  created_at: time,
  expires_at: time,
  views_remaining: z.int().min(0),
  views_total: z.int().min(1),
  files: z.array(fileResponse),
  passphrase: z.literal('********').nullable().describe('null if none is required; never the passphrase'),
  name: text.nullable().describe('null for everyone but the creator'),
  note: text.nullable().describe('null for everyone but the creator'),
  expire_after_days: z.int().min(1),
  expire_after_views: z.int().min(1),
  days_remaining: z.int().min(0),
  expired: z.boolean(),
  expired_on: time.nullable(),
  deleted: z.boolean().describe('true only after a manual expiry'),
  deletable_by_viewer: z.boolean(),
  retrieval_step: z.boolean(),
  kind: z.enum(['text', 'url', 'qr', 'file']),
  updated_at: time,
  recipients: z
    .array(recipientResponse)
    .optional()
    .describe('For its owner: who has a link of their own to the push; absent if nobody has'),
  unreadable: z
    .literal(true)
    .optional()
    .describe('Present if a field cannot be decrypted because its key is missing; the field is then null'),
});

apiSchemas.add(pushResponse, { id: 'Push' });

/** A push in its owner's list. */
const listedPushResponse = z.union([
  pushResponse,
  pushResponse.extend({
    url_token: z.null().describe('It cannot be decrypted, because its key is missing'),
    html_url: z.null(),
    json_url: z.null(),
    unreadable: z.literal(true),
  }),
]);

apiSchemas.add(listedPushResponse, { id: 'ListedPush' });

const revealedResponse = pushResponse.extend({
  payload: text.nullable().describe('null once expired'),
});

apiSchemas.add(revealedResponse, { id: 'RevealedPush' });

const auditRow = z.object({
  ip: text,
  user_agent: text,
  referrer: text,
  created_at: time,
  updated_at: time,
  kind: z.enum([
    'creation',
    'view',
    'failed_view',
    'failed_passphrase',
    'expire',
    'preview',
    'download',
    'edit',
    'asked_again',
  ]),
  successful: z.boolean().describe('false for kinds that begin with “failed_”'),
  opened_by: z
    .enum(['hold', 'word', 'passphrase', 'link', 'api'])
    .optional()
    .describe(
      'How a view was opened: by holding the button of the page, by typing its word, with a passphrase, by the link alone, or by a program',
    ),
  times: z
    .int()
    .min(2)
    .optional()
    .describe(
      'Present if the row stands for several events, from created_at to updated_at: it counts those beyond 300 of its kind, or 20 previews',
    ),
  recipient: z
    .object({ id: text.length(32), name: text.nullable() })
    .optional()
    .describe('Present if a view came through the link of a recipient'),
});
apiSchemas.add(auditRow, { id: 'AuditRow' });
apiSchemas.add(z.object({ views: z.array(auditRow) }), { id: 'AuditLog' });

apiSchemas.add(z.object({ application_version: text, api_version: text, edition: text }), { id: 'Versions' });
apiSchemas.add(z.object({ url: z.url() }), { id: 'Preview' });

const webhookId = text.length(32);
apiSchemas.add(z.object({ id: webhookId, deleted: z.literal(true) }), { id: 'DeletedWebhook' });

const webhookResponse = z.object({
  id: webhookId,
  url: z.url().nullable().describe('null if it cannot be decrypted, because its key is missing'),
  unreadable: z.literal(true).optional().describe('Present if the url is null'),
  types: z.array(z.enum(publicTypes)).nullable().describe('The types of events that it gets; null for all'),
  created_at: time,
  disabled: z.boolean().describe('true after a 410 response, or after three days of failures alone'),
  failing_since: time.nullable().describe('null while deliveries succeed'),
});

apiSchemas.add(webhookResponse, { id: 'Webhook' });

const registeredResponse = webhookResponse.omit({ unreadable: true }).extend({
  url: z.url(),
  secret: text.describe('Verifies signatures (Standard Webhooks); shown only once'),
});

apiSchemas.add(registeredResponse, { id: 'RegisteredWebhook' });

const rotatedSecretResponse = z.object({
  id: webhookId,
  secret: text.describe('Verifies signatures from now on; shown only once'),
  previous_secret_until: time.describe('Until then, each request is also signed with the secret before'),
});

apiSchemas.add(rotatedSecretResponse, { id: 'RotatedSecret' });

/** Outside the domain, it does not matter who deleted a push: `burned` is presented as `deleted`. */
const deliveredEvents = [
  ...(Object.keys(ownerEvents) as OwnerEvent[]).filter((event) => event !== 'burned'),
  'test' as const,
];

const deliveryResponse = z.object({
  id: text.describe('The webhook-id header of its requests'),
  event: z.enum(deliveredEvents),
  times: z.int().min(1).describe('How many such events this delivery stands for'),
  happened_at: time,
  state: z.enum(['waiting', 'sent', 'failed']),
  attempts: z.int().min(0),
  last_problem: text.nullable(),
  next_attempt_at: time.nullable().describe('null once sent or failed'),
});
apiSchemas.add(deliveryResponse, { id: 'Delivery' });
apiSchemas.add(z.object({ deliveries: z.array(deliveryResponse) }), { id: 'Deliveries' });

const errorResponse = z.object({
  error: text,
  errors: z.array(text).optional().describe('Every problem with the input, as a sentence'),
  fields: z.record(text, z.array(text)).optional().describe('The same problems by field'),
  message: text.optional().describe('What to do about it'),
  status: text.optional(),
});

apiSchemas.add(errorResponse, { id: 'Error' });

/** What a webhook receives. */
const event = z.object({
  type: z.enum(publicTypes),
  timestamp: time.describe('When it happened'),
  data: z.object({
    url_token_sha256: text.length(64).describe('The SHA-256 of the url token, in hexadecimal'),
    name: text.nullable(),
    kind: z.enum(['text', 'url', 'qr', 'file']),
    views_total: z.int().min(1),
    views_used: z.int().min(0),
    times: z.int().min(1).describe('How many such events this one stands for'),
    created_at: time,
    expires_at: time,
    reason: text.optional(),
  }),
});
apiSchemas.add(event, { id: 'Event' });
apiSchemas.add(z.object({ type: z.literal('webhook.test'), timestamp: time, data: z.object({}) }), {
  id: 'TestEvent',
});

export type PushResponse = z.output<typeof pushResponse>;
export type PushSettingsResponse = Omit<PushResponse, 'url_token' | 'html_url' | 'json_url'>;
export type ListedPushResponse = z.output<typeof listedPushResponse>;
export type RevealedResponse = z.output<typeof revealedResponse>;
export type WebhookResponse = z.output<typeof webhookResponse>;
export type RotatedSecretResponse = z.output<typeof rotatedSecretResponse>;
export type DeliveryResponse = z.output<typeof deliveryResponse>;
