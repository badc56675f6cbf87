import { z } from 'zod';
import { actKinds, auditKinds, securityKinds, waysToOpen } from '../../domain/index.ts';
import { openerResponse, placeResponse, sha256Response, timeResponse } from './values.ts';

/** An entry in the audit log of a push. */
export const auditRowResponse = z.object({
  ip: z.string(),
  user_agent: z.string(),
  referrer: z.string(),
  created_at: timeResponse,
  updated_at: timeResponse,
  kind: z.enum(auditKinds),
  successful: z.boolean().describe('false for kinds that begin with “failed_”'),
  opened_by: z
    .union([z.enum(waysToOpen).exclude(['code']), z.templateLiteral(['mail:', z.string()])])
    .optional()
    .describe(
      'How a view was opened: by holding the button of the page, by typing its word, with a passphrase, by the link alone, through the API, or with a code that went to the address after `mail:`',
    ),
  times: z
    .int()
    .min(2)
    .optional()
    .describe(
      'Present if the row stands for several events, from created_at to updated_at: it counts those beyond 300 of its kind, or 20 previews',
    ),
  recipient: openerResponse.optional().describe('Present if a view came through the link of a recipient'),
  place: placeResponse.optional(),
});

/** A page of an audit log. */
export const auditLogResponse = z.object({
  views: z.array(auditRowResponse),
  url_token_sha256: sha256Response,
});

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
