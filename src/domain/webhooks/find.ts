import { maybeId } from '../../crypto/ids.ts';
import type { Database, Tx } from '../../database/database.ts';
import { DomainError } from '../../errors.ts';
import type { Account } from '../accounts/account.ts';
import { type WebhookRow, webhooksTable } from './table.ts';

/** Finds the webhooks of an account. */
export function createWebhookFinder(database: Database) {
  const WebhookModel = database.model(webhooksTable);

  /** A webhook by its id, locked in a transaction. Throws `not_found` unless the account has it. */
  return async function requireWebhook(
    { id: accountId }: Account,
    text: string,
    tx?: Tx,
  ): Promise<WebhookRow> {
    const id = maybeId(text);
    const where = id && { id, accountId };
    const row =
      where && (await (tx ? tx.model(webhooksTable).findForUpdate(where) : WebhookModel.findOne({ where })));
    if (row === null) throw new DomainError('not_found', 'webhookNotFound');
    return row;
  };
}
