import { z } from 'zod';
import { actKinds, securityKinds } from '../../domain/index.ts';
import { placeResponse, timeResponse } from './values.ts';

/** An entry in the security log of an account. */
export const securityEventResponse = z.object({
  id: z.string().length(32),
  kind: z.enum([...new Set([...securityKinds, ...actKinds])]),
  detail: z
    .string()
    .nullable()
    .describe('Which token, provider or chat, or by what somebody signed in; never a secret'),
  actor: z
    .string()
    .nullable()
    .describe('null if the account did it, or somebody who passed for it; else an admin, or “operator”'),
  ip: z.string().describe('Empty where it was no client, but a chat or an operator'),
  user_agent: z.string(),
  place: placeResponse.optional(),
  times: z.int().min(1).describe('How many wrong tries the entry stands for; 1 for everything else'),
  created_at: timeResponse,
  last_at: timeResponse.describe('When the last of several tries was; otherwise as created_at'),
});

/** A page of a security log. */
export const securityLogResponse = z.object({ events: z.array(securityEventResponse) });

/** Who an account is at an identity provider. */
export const identityResponse = z.object({
  id: z.string().length(32),
  provider: z.string().nullable().describe('What the provider is called; null if it is not set any more'),
  issuer: z.string(),
  subject: z.string(),
  email: z.string().nullable().describe('As the provider said it last; it identifies nobody'),
  created_at: timeResponse,
  last_used_at: timeResponse,
});

export const identitiesResponse = z.object({ identities: z.array(identityResponse) });
