import type { Keyring } from '../../crypto/keyring.ts';
import type { Database } from '../../database/database.ts';
import type { Account } from '../accounts/account.ts';
import { encodeTypes } from '../notices/events.ts';
import { createRecipients } from '../notices/recipients.ts';
import { parseInput } from '../validation.ts';
import { createWebhookFinder } from './find.ts';
import { createWebhookPresenter, type Webhook } from './present.ts';
import { recipientOf } from './row.ts';
import { webhooksTable } from './table.ts';
import { webhookTypesSchema } from './webhookSchema.ts';

/** Changes which events webhooks get. */
export function createTypesChange(database: Database, keyring: Keyring) {
  const requireWebhook = createWebhookFinder(database);
  const recipients = createRecipients(database);
  const present = createWebhookPresenter(keyring);

  /** Replaces the types of events of a webhook; null for all. What waits for it already is still sent. */
  async function changeTypes(account: Account, id: string, input: unknown): Promise<Webhook> {
    const { types } = parseInput(webhookTypesSchema, input);
    const encoded = encodeTypes(types);
    return database.transaction(async (tx) => {
      const row = await requireWebhook(account, id, tx);
      await tx.model(webhooksTable).update({ types: encoded }, { id: row.id });
      if (row.disabledAt === null) await recipients.add(recipientOf(row), tx, encoded);
      return { ...present(row), types };
    });
  }

  return { changeTypes };
}
