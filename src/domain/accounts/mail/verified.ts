import type { Database, Tx } from '../../../database/database.ts';
import { DomainError } from '../../../errors.ts';
import { type MailAddresses, mailMessenger } from '../../mail/index.ts';
import { createRecipients, encodeTypes } from '../../outbox/index.ts';
import type { Account } from '../../people/index.ts';

type Dependencies = { database: Database; mailAddresses: Pick<MailAddresses, 'save'> };

export type MarkVerified = ReturnType<typeof createMarkVerified>;

/**
 * Returns a function that notes that an account reads the mails to its address, in the transaction of what shows it. From now on
 * its mails go there, and nowhere else: of what is done to it, and of what it has chosen, which is nothing at first. That throws
 * `not_found` if the account has another address by now.
 */
export function createMarkVerified({ database, mailAddresses }: Dependencies) {
  const recipients = createRecipients(database);

  return async ({ id: accountId, email }: Pick<Account, 'id' | 'email'>, tx: Tx): Promise<void> => {
    const verified = await tx.execute(
      `UPDATE accounts SET email_verified_at = ${database.dialect.now}, signed_up = FALSE
       WHERE id = $accountId AND email = $email`,
      { accountId, email },
    );
    if (verified !== 1) throw new DomainError('not_found', 'linkUsed');
    const former = await tx.select<{ address: string; types: string | null }>(
      `SELECT address, types FROM recipients WHERE account_id = $accountId AND messenger = '${mailMessenger}'`,
      { accountId },
    );
    for (const { address } of former)
      await recipients.remove({ accountId, messenger: mailMessenger, address }, tx);
    const [{ types } = { types: encodeTypes([]) }] = former;
    await recipients.add({ accountId, ...(await mailAddresses.save(email, null, tx)) }, tx, types);
  };
}
