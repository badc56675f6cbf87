import type { Keyring } from '../../crypto/keyring.ts';
import type { Database } from '../../database/database.ts';
import { columnsOf } from '../../database/table.ts';
import { dayMs } from '../../time.ts';
import { createRecipients } from '../notices/recipients.ts';
import { createSeals, maybeWebhookId, recipientOf } from './row.ts';
import { type WebhookRow, webhooksTable } from './table.ts';

/** A webhook as whoever sends to it needs to know it, at the moment `now` of the database's clock. */
export type WebhookEndpoint = {
  id: Buffer;
  accountId: Buffer;
  url: string;
  secret: string;
  failingSince: number | null;
  isDisabled: boolean;
  now: number;
};

/** How an attempt ended: `gone` says that the receiver wants no more of them, for good. */
export type EndpointResult = 'sent' | 'failed' | 'gone';

const disableAfterMs = 3 * dayMs;

/** The side of webhooks that messengers see: where to send, and what came of it. */
export function createEndpoints(database: Database, keyring: Keyring) {
  const { select, execute, withRetries, transaction, dialect } = database;
  const WebhookModel = database.model(webhooksTable);
  const { openUrl, openSecret } = createSeals(keyring);
  const recipients = createRecipients(database);

  /** The webhook of an address that notices are written for; null once it was removed. */
  async function maybeEndpoint(address: string): Promise<WebhookEndpoint | null> {
    const id = maybeWebhookId(address);
    if (id === null) return null;
    const [row] = await select<WebhookRow & { now: number }>(
      `SELECT ${columnsOf(webhooksTable)}, ${dialect.now} AS now FROM webhooks WHERE id = $id`,
      { id },
    );
    if (row === undefined) return null;
    const { accountId, url, secret, failingSince, disabledAt, now } = row;
    return {
      id,
      accountId,
      url: openUrl(id, url),
      secret: openSecret(id, secret),
      failingSince,
      isDisabled: disabledAt !== null,
      now,
    };
  }

  /**
   * Remembers how an attempt ended, and says whether that disables the webhook: one that is gone, or to which nothing came
   * through for three days, hears of nothing any more until it is enabled again. Writes nothing while all goes well.
   */
  async function recordResult(endpoint: WebhookEndpoint, result: EndpointResult): Promise<boolean> {
    const { id, failingSince, now } = endpoint;
    if (result === 'gone') return disable(endpoint, 'TRUE');
    if (result === 'sent') {
      if (failingSince !== null)
        await withRetries(() => WebhookModel.update({ failingSince: null }, { where: { id } }));
      return false;
    }
    if (failingSince === null) {
      const begun = `UPDATE webhooks SET failing_since = ${dialect.now} WHERE id = $id AND failing_since IS NULL`;
      await withRetries(() => execute(begun, { id }));
      return false;
    }
    // an attempt that came through meanwhile, or the owner, may have cleared it
    return (
      now - failingSince >= disableAfterMs &&
      disable(endpoint, 'failing_since = $failingSince', { failingSince })
    );
  }

  /** In one transaction: no notice is written for a webhook that would not be told. */
  async function disable(
    { id, accountId }: WebhookEndpoint,
    condition: string,
    values: { failingSince?: number } = {},
  ): Promise<boolean> {
    return transaction(async (tx) => {
      const disabled = await tx.execute(
        `UPDATE webhooks SET disabled_at = ${dialect.now}, failing_since = COALESCE(failing_since, ${dialect.now})
         WHERE id = $id AND disabled_at IS NULL AND ${condition}`,
        { id, ...values },
      );
      if (disabled === 1) await recipients.remove(recipientOf({ id, accountId }), tx);
      return disabled === 1;
    });
  }

  return { maybeEndpoint, recordResult };
}
