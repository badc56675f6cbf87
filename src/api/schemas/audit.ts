import { z } from 'zod';
import { auditKinds, waysToOpen } from '../../domain/index.ts';
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
