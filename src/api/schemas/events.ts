import { z } from 'zod';
import { accountType, actKinds, publicTypes, pushKinds } from '../../domain/index.ts';
import { openerResponse } from './recipient.ts';
import { sha256Response } from './sha256.ts';
import { timeResponse } from './time.ts';

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
  type: z.literal(accountType),
  timestamp: timeResponse.describe('When it happened'),
  data: z.object({
    account: z.string(),
    change: z.enum(actKinds),
    by: z.string().nullable().describe('The admin who did it; null for whoever runs the server'),
    token: z.string().optional().describe('The name of the API token'),
  }),
});

/** What a webhook receives to test it. */
export const testEvent = z.object({
  type: z.literal('webhook.test'),
  timestamp: timeResponse,
  data: z.object({}),
});
