import { z } from 'zod';
import { pushKinds } from '../../domain/index.ts';
import { flagFields } from '../flags.ts';
import { sha256Response, timeResponse } from './values.ts';

/** A file of a push. */
export const fileResponse = z.object({
  filename: z.string(),
  content_type: z.string().describe('As the client that uploaded the file stated it'),
  size: z.int().min(0).describe('In bytes'),
  url: z
    .url()
    .nullable()
    .describe('Where to download the file, for ten minutes; null unless a view was counted'),
});

/** Somebody who has views of a push of their own, for its owner. */
const recipientResponse = z.object({
  id: z.string().length(32),
  name: z.string().nullable().describe('null if it cannot be decrypted, because its key is missing'),
  mail: z
    .object({
      state: z
        .enum(['waiting', 'handed_over', 'refused'])
        .nullable()
        .describe(
          'Whether the mail server of the service has taken the mail with the link; what became of it then is not known. null a week later',
        ),
      reason: z.string().nullable().describe('Why it was refused, or waits longer'),
      code: z.boolean().describe('Whether the link opens only with a code that goes to their address'),
    })
    .optional()
    .describe('Present for recipients who are known by an e-mail address, which is their name'),
  html_url: z.url().nullable().describe('Their own link; null if it cannot be decrypted'),
  json_url: z.url().nullable(),
  views_remaining: z.int().min(0).describe('Views that nobody else can use'),
  views_total: z.int().min(1),
  opened_at: z.iso.datetime().nullable().describe('When they first opened the push'),
  last_opened_at: z.iso.datetime().nullable(),
});

/** What every endpoint about one push responds with. */
export const pushResponse = z.object({
  url_token: z.string().length(26).describe('Lower-case Crockford base32, 130 random bits'),
  html_url: z.url(),
  json_url: z.url(),
  url_token_sha256: sha256Response,
  created_at: timeResponse,
  expires_at: timeResponse,
  views_remaining: z.int().min(0),
  views_total: z.int().min(1),
  files: z.array(fileResponse),
  passphrase: z.literal('********').nullable().describe('null if none is required; never the passphrase'),
  name: z.string().nullable().describe('null for everyone but the creator'),
  note: z.string().nullable().describe('null for everyone but the creator'),
  expire_after_days: z.int().min(1),
  expire_after_views: z.int().min(1),
  days_remaining: z.int().min(0),
  expired: z.boolean(),
  expired_on: timeResponse.nullable(),
  deleted: z.boolean().describe('true only after a manual expiry'),
  ...flagFields(() => z.boolean()),
  kind: z.enum(pushKinds),
  encrypted: z
    .literal(true)
    .optional()
    .describe(
      'Present if payload and files are encrypted as docs/encryption.md describes. The link opens only with `#` and the key after it',
    ),
  updated_at: timeResponse,
  recipients: z
    .array(recipientResponse)
    .optional()
    .describe('For its owner: who has a link of their own to the push; absent if nobody has'),
  unreadable: z
    .literal(true)
    .optional()
    .describe('Present if a field cannot be decrypted because its key is missing; the field is then null'),
});

/** A push that is named, in a list or because of an act, and not handed over. */
export const namedPushResponse = pushResponse.extend({
  url_token: pushResponse.shape.url_token
    .nullable()
    .describe('null for API tokens that may not open it, and if it cannot be decrypted'),
  html_url: z.url().nullable().describe('The same'),
  json_url: z.url().nullable().describe('The same'),
  url_token_sha256: sha256Response.nullable(),
});

/** A push with its payload. */
export const revealedResponse = pushResponse.extend({
  sender: z.string().optional().describe('What the sender says of themselves; absent if they do not'),
  payload: z.string().nullable().describe('null once expired'),
});

/** The link of a push. */
export const previewResponse = z.object({
  url: z.url().nullable().describe('null for API tokens that may not open it'),
});

export type PushResponse = z.output<typeof pushResponse>;
export type PushSettingsResponse = Omit<
  PushResponse,
  'url_token' | 'html_url' | 'json_url' | 'url_token_sha256'
>;
export type NamedPushResponse = z.output<typeof namedPushResponse>;
export type RevealedResponse = z.output<typeof revealedResponse>;
