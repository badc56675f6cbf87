import type { Tx } from '../../../database/database.ts';
import type { SignInSettings } from '../../base/index.ts';
import type { IdentityProvider } from './provider.ts';

export type SignInWays = ReturnType<typeof createSignInWays>;

/**
 * Ways to sign in, as they are set now: a password, a provider, and the chat that an account was created for, whose name stands in place
 * of its address. Whoever shares the account of somebody else from a chat cannot sign in to it. Passkeys do not count, as a device may
 * be gone.
 */
export function createSignInWays(
  providers: IdentityProvider[],
  { allowPasswords }: Pick<SignInSettings, 'allowPasswords'>,
) {
  /** Settings and documents differ in the slash at the end. */
  const issuers = providers.flatMap(({ issuer }) => [
    issuer.replace(/\/$/, ''),
    `${issuer.replace(/\/$/, '')}/`,
  ]);
  const binds = Object.fromEntries(issuers.map((issuer, index) => [`issuer${index}`, issuer]));
  const names = Object.keys(binds).map((name) => `$${name}`);
  const sql = `(${allowPasswords ? 'a.password_hash IS NOT NULL' : 'FALSE'} OR a.email NOT LIKE '%@%'
    OR EXISTS (SELECT 1 FROM provider_identities p WHERE p.account_id = a.id AND p.id <> $identityId
                 AND ${names.length === 0 ? 'FALSE' : `p.issuer IN (${names.join()})`}))`;

  /** Whether one of the accounts `a` that meet a condition has a way to sign in other than an identity. */
  return async function canSignIn(
    condition: string,
    { identityId = Buffer.alloc(0), ...given }: Record<string, Buffer>,
    tx: Tx,
  ): Promise<boolean> {
    const found = await tx.select(`SELECT 1 FROM accounts a WHERE ${condition} AND ${sql} LIMIT 1`, {
      ...binds,
      ...given,
      identityId,
    });
    return found.length > 0;
  };
}
