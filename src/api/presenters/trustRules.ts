import type { TrustRule } from '../../domain/index.ts';
import { isoTime, maybeIsoTime } from '../../time.ts';
import type { TrustRuleResponse } from '../schemas/trustRules.ts';

/** A trust rule in its owner's list. */
export function presentTrustRule({ createdAt, lastUsedAt, ...rule }: TrustRule): TrustRuleResponse {
  const { id, name, issuer, audience, claims, scope, minutes } = rule;
  return {
    ...{ id, name, issuer, audience, claims, scope, minutes },
    created_at: isoTime(createdAt),
    last_used_at: maybeIsoTime(lastUsedAt),
  };
}
