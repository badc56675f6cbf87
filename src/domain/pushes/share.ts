import type { Keyring } from '../../crypto/keyring.ts';
import { urlTokenDigest } from '../../crypto/pepper.ts';
import type { Database } from '../../database/database.ts';
import type { Account } from '../accounts/account.ts';
import type { NoticeAddress, Outbox } from '../notices/outbox.ts';
import { type PushFinder, pushNotFound } from './find.ts';
import { isExpired, type PushRow } from './push.ts';
import { pushColumns } from './tables.ts';

type Dependencies = { database: Database; keyring: Keyring; outbox: Outbox; finder: PushFinder };

/** Shares live pushes with more people. */
export function createSharing({ database, keyring, outbox, finder }: Dependencies) {
  const { transaction, dialect } = database;
  const selectPush = `SELECT ${pushColumns(dialect.now)} FROM pushes WHERE token_digest = $digest ${dialect.forUpdate}`;

  /** Sends the link of an account's push to recipients. Throws `not_found` once the push has ended. */
  return async function share(account: Account, id: string, recipients: NoticeAddress[]): Promise<void> {
    const urlToken = await finder.requireUrlToken(account, id);
    await transaction(async (tx) => {
      const [row] = await tx.select<PushRow>(selectPush, { digest: urlTokenDigest(keyring, urlToken) });
      if (row === undefined || isExpired(row)) throw pushNotFound();
      await outbox.send('shared', row.id, recipients, tx);
    });
  };
}
