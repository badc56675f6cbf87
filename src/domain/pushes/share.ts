import type { Keyring } from '../../crypto/keyring.ts';
import { urlTokenDigest } from '../../crypto/pepper.ts';
import type { Database } from '../../database/database.ts';
import { DomainError } from '../../errors.ts';
import type { Account } from '../accounts/account.ts';
import { type PushFinder, pushNotFound } from './find.ts';
import { isExpired, type PushRow } from './push.ts';
import type { NewPushRecipient, PushRecipients } from './recipients.ts';
import { pushColumns } from './tables.ts';

type Dependencies = {
  database: Database;
  keyring: Keyring;
  pushRecipients: PushRecipients;
  finder: PushFinder;
};

/** Shares live pushes with more people. */
export function createSharing({ database, keyring, pushRecipients, finder }: Dependencies) {
  const { transaction, dialect } = database;
  const selectPush = `SELECT ${pushColumns(dialect.now)} FROM pushes WHERE token_digest = $digest ${dialect.forUpdate}`;

  /**
   * Sends the link of an account's push to recipients. Throws `not_found` once the push has ended, and `invalid` if it
   * has fewer views left than that.
   */
  return async function share(account: Account, id: string, recipients: NewPushRecipient[]): Promise<void> {
    const urlToken = await finder.requireUrlToken(account, id);
    await transaction(async (tx) => {
      const [row] = await tx.select<PushRow>(selectPush, { digest: urlTokenDigest(keyring, urlToken) });
      if (row === undefined || isExpired(row)) throw pushNotFound();
      const views = row.viewsMax - row.viewsUsed;
      if (recipients.length > views)
        throw new DomainError('invalid', { problems: { recipients: [{ code: 'moreThanViews', views }] } });
      await pushRecipients.add(row.id, recipients, tx);
    });
  };
}
