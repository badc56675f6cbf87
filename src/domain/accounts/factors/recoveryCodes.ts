import { recoveryCodeDigest } from '../../../crypto/pepper.ts';
import { newRecoveryCode } from '../../../crypto/tokens.ts';
import type { Tx } from '../../../database/database.ts';
import type { DatabaseWithKeys } from '../../base/index.ts';
import { recoveryCodesTable } from './tables.ts';

const count = 10;

export type RecoveryCodes = ReturnType<typeof createRecoveryCodes>;

/** Codes for somebody whose other factors are lost: ten, each of which works once. The database holds keyed digests. */
export function createRecoveryCodes({ database, keyring }: DatabaseWithKeys) {
  /** Replaces all codes of an account, and returns the new ones, which cannot be read later. */
  async function renew(accountId: Buffer, createdAt: number, tx: Tx): Promise<string[]> {
    const codes = Array.from({ length: count }, newRecoveryCode);
    await tx.model(recoveryCodesTable).destroy({ accountId });
    for (const code of codes)
      await tx
        .model(recoveryCodesTable)
        .create({ digest: recoveryCodeDigest(keyring, accountId, readable(code)), accountId, createdAt });
    return codes;
  }

  /** Whether this is a code of the account. It is used up now: of two calls at once, one gets true. */
  async function use(accountId: Buffer, given: string): Promise<boolean> {
    const digest = recoveryCodeDigest(keyring, accountId, readable(given));
    const sql = 'DELETE FROM recovery_codes WHERE digest = $digest AND account_id = $accountId';
    return (await database.execute(sql, { digest, accountId })) === 1;
  }

  return { renew, use };
}

/** As it may be typed: letters that look like digits are those (Crockford's base32). */
function readable(given: string): string {
  return given
    .slice(0, 100)
    .toLowerCase()
    .replace(/[^0-9a-z]/g, '')
    .replaceAll('o', '0')
    .replace(/[il]/g, '1');
}
