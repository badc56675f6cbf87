import { z } from 'zod';
import { DomainError } from '../../errors.ts';
import { optionalInteger } from '../pushes/fields.ts';
import { asMessage } from '../validation.ts';

/** What a token may do: everything, only create pushes, or only read lists and audit logs, which hold no secret. */
export const tokenScopes = ['full', 'create', 'read'] as const;
export type TokenScope = (typeof tokenScopes)[number];

/** The input of a new token. Without a number of days it works until it is revoked. */
export const apiTokenSchema = z.object({
  name: z
    .string()
    .trim()
    .min(1, asMessage({ code: 'required' }))
    .max(100, asMessage({ code: 'maxLength', max: 100, unit: 'characters' })),
  scope: z.enum(tokenScopes, asMessage({ code: 'oneOf', values: tokenScopes })).default('full'),
  days: optionalInteger({ min: 1, max: 3_650 }),
});

const refusals = { create: 'tokenOnlyCreates', read: 'tokenOnlyReads' } as const;

/** Throws `forbidden` unless a token's scope includes an operation. */
export function requireScope(scope: TokenScope, needed: TokenScope): void {
  if (scope !== 'full' && scope !== needed) throw new DomainError('forbidden', refusals[scope]);
}
