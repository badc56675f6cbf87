import type { Database, Tx } from '../../../database/database.ts';
import type { MailAddresses } from '../../mail/index.ts';
import { createRecipients, encodeTypes } from '../../outbox/index.ts';
import type { Account } from '../../people/index.ts';

type Dependencies = { database: Database; mailAddresses: Pick<MailAddresses, 'save'> };

export type MarkVerified = ReturnType<typeof createMarkVerified>;

/**
 * Returns a function that notes that an account reads the mails to its address, in the transaction of what shows it. It gets mails
 * from now on: of what is done to it, and of no event of its links until it chooses some.
 */
export function createMarkVerified({ database, mailAddresses }: Dependencies) {
  const recipients = createRecipients(database);

  return async ({ id, email }: Pick<Account, 'id' | 'email'>, tx: Tx): Promise<void> => {
    const sql = `UPDATE accounts SET email_verified_at = ${database.dialect.now}, signed_up = FALSE WHERE id = $id`;
    await tx.execute(sql, { id });
    const recipient = await mailAddresses.save(email, null, tx);
    await recipients.add({ accountId: id, ...recipient }, tx, encodeTypes([]));
  };
}
