import { z } from 'zod';
import { tokenScopes } from '../../domain/index.ts';
import { timeResponse } from './values.ts';

const ruleId = z.string().length(32);

/** A trust rule in its owner's list. */
export const trustRuleResponse = z.object({
  id: ruleId,
  name: z.string(),
  issuer: z.string().describe('Who signs the tokens (iss)'),
  audience: z.string().describe('For whom the tokens are (aud)'),
  claims: z
    .record(z.string(), z.string())
    .describe('What the tokens must say; a value that ends in * is a prefix'),
  scope: z.enum(tokenScopes).describe('What the API tokens may do'),
  minutes: z.int().min(1).max(15).describe('How long an API token lasts'),
  created_at: timeResponse,
  last_used_at: timeResponse.nullable(),
});

/** A trust rule that was removed. */
export const removedTrustRuleResponse = z.object({ id: ruleId, deleted: z.literal(true) });

export type TrustRuleResponse = z.output<typeof trustRuleResponse>;
