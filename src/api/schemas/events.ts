import { z } from 'zod';
import { publicTypes, pushKinds } from '../../domain/index.ts';
import { openerResponse } from './recipient.ts';
import { timeResponse } from './time.ts';

/** What a webhook receives. */
export const webhookEvent = z.object({
  type: z.enum(publicTypes),
  timestamp: timeResponse.describe('When it happened'),
  data: z.object({
    url_token_sha256: z.string().length(64).describe('The SHA-256 of the url token, in hexadecimal'),
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

/** What a webhook receives to test it. */
export const testEvent = z.object({
  type: z.literal('webhook.test'),
  timestamp: timeResponse,
  data: z.object({}),
});
