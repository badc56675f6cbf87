import { z } from 'zod';
import { addressForms, platformNames } from '../../platforms.ts';
import { timeResponse } from './values.ts';

const chatUser = z.string().regex(new RegExp(`^(${platformNames.join('|')}):`));

/** A request for a secret by one chat user to another. */
export const requestResponse = z.object({
  id: z.string().length(32),
  group_id: z.string().length(32).describe('The same for all that were sent together'),
  requester: chatUser.describe(`Who asks, as ${addressForms('or')}`),
  provider: chatUser.describe('Who is asked, in the same form'),
  reason: z.string().nullable(),
  unreadable: z
    .literal(true)
    .optional()
    .describe('Present if the reason cannot be decrypted, because its key is missing; it is then null'),
  state: z.enum(['open', 'provided', 'declined', 'cancelled', 'undelivered', 'expired']),
  created_at: timeResponse,
  expires_at: timeResponse.describe('Until when it can be answered'),
});

/** The first of the requests that were just sent, and all of them. */
export const sentRequestsResponse = requestResponse.extend({
  requests: z.array(requestResponse).describe('One for each who is asked, this one included'),
});

/** A request in a list. */
export const listedRequestResponse = requestResponse.extend({
  other_name: z.string().nullable().describe('The name of the other of the two; null if it is unknown'),
});

/** The requests of an account. */
export const requestsResponse = z.object({
  received: z.array(listedRequestResponse),
  sent: z.array(listedRequestResponse),
});

export type SentRequestsResponse = z.output<typeof sentRequestsResponse>;
export type RequestResponse = z.output<typeof requestResponse>;
export type ListedRequestResponse = z.output<typeof listedRequestResponse>;
