import type { Statements } from '../../../database/database.ts';
import { DomainError } from '../../../errors.ts';
import type { SignInSettings } from '../../base/index.ts';
import type { Account } from '../../people/index.ts';

/** Whether the account `a.id` has a second factor of its own, in SQL. */
export const hasFactorSql =
  '(EXISTS (SELECT 1 FROM authenticators f WHERE f.account_id = a.id) OR EXISTS (SELECT 1 FROM passkeys k WHERE k.account_id = a.id))';

/** Whether an account has a second factor, so that a password alone does not sign in to it. */
export async function hasFactor({ id }: Pick<Account, 'id'>, statements: Statements): Promise<boolean> {
  const sql = `SELECT 1 FROM accounts a WHERE a.id = $id AND ${hasFactorSql}`;
  return (await statements.select(sql, { id })).length > 0;
}

/** Rows of accounts with it say whether what is required of them is missing. */
export type MayLackFactor = { lacksFactor?: number | boolean };

/**
 * A column that says whether the account `a` lacks the second factor that is required of it; empty where none is required, so that nobody's
 * requests cost more. It is required of those whom a password signs in, or a provider that did not ask for several factors. Chats, and
 * accounts that nobody signs in to, are not asked: they have no page for it.
 */
export function lacksFactorColumn({ secondFactor, allowPasswords }: SignInSettings): string {
  if (secondFactor === 'optional') return '';
  const whom = secondFactor === 'admins' ? 'a.is_admin AND ' : '';
  const password = allowPasswords ? 'a.password_hash IS NOT NULL OR ' : '';
  const provider =
    'EXISTS (SELECT 1 FROM provider_identities p WHERE p.account_id = a.id AND NOT p.has_factor)';
  return `, (${whom}(${password}${provider}) AND NOT ${hasFactorSql}) AS lacksFactor`;
}

/** Throws `forbidden` (`secondFactorMissing`) for an account that must set up its second factor first. */
export function requireFactor({ lacksFactor = false }: MayLackFactor): void {
  if (lacksFactor) throw new DomainError('forbidden', 'secondFactorMissing');
}
