import type { Database, Tx } from '../../database/database.ts';
import { DomainError } from '../../errors.ts';

/**
 * Lets one transaction at a time create what an account may have only so many of: webhooks, API tokens, reminders. Throws
 * `not_found` once the account is erased. Returns the database's time. An update, because a Galera cluster does not know of
 * locks that are held on other nodes.
 */
export async function serializeAccount(
  { dialect }: Pick<Database, 'dialect'>,
  accountId: Buffer,
  tx: Tx,
): Promise<number> {
  await tx.execute(`UPDATE accounts SET holdings_changed_at = ${dialect.now} WHERE id = $accountId`, {
    accountId,
  });
  const [account] = await tx.select<{ changedAt: number }>(
    'SELECT holdings_changed_at AS changedAt FROM accounts WHERE id = $accountId',
    { accountId },
  );
  if (account === undefined) throw new DomainError('not_found', 'accountErased');
  return account.changedAt;
}
