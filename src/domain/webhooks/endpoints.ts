import { toId } from '../../crypto/ids.ts';
import { columnsOf } from '../../database/table.ts';
import { dayMs } from '../../time.ts';
import type { DatabaseWithKeys } from '../base/index.ts';
import { createRecipients } from '../outbox/index.ts';
import { type WebhookRow, webhooksTable } from './tables.ts';
import { createSeals, recipientOf } from './webhook.ts';

/** A webhook as a sender needs it. `now` is the database's clock at the time of reading. */
export type WebhookEndpoint = {
  id: Buffer;
  accountId: Buffer;
  url: string;
  /** The current one, and for a while the one before it. */
  secrets: string[];
  failingSince: number | null;
  isDisabled: boolean;
  now: number;
};

/** The result of an attempt. `gone`: the receiver permanently refuses further requests. */
export type EndpointResult = 'sent' | 'failed' | 'gone';

const disableAfterMs = 3 * dayMs;

/** Webhooks for messengers: where to send, and the results. */
export function createEndpoints({ database, keyring }: DatabaseWithKeys) {
  const { select, execute, transaction, dialect } = database;
  const WebhookModel = database.model(webhooksTable);
  const { openUrl, openSecret, openPreviousSecret } = createSeals(keyring);
  const recipients = createRecipients(database);

  /** The webhook of an address that notices are written for. Null once it was removed. */
  async function maybeEndpoint(address: string): Promise<WebhookEndpoint | null> {
    const id = toId(address);
    const [row] = await select<WebhookRow & { now: number }>(
      `SELECT ${columnsOf(webhooksTable)}, ${dialect.now} AS now FROM webhooks WHERE id = $id`,
      { id },
    );
    if (row === undefined) return null;
    const { accountId, url, failingSince, disabledAt, now } = row;
    return {
      id,
      accountId,
      url: openUrl(id, url),
      secrets: secretsOf(row),
      failingSince,
      isDisabled: disabledAt !== null,
      now,
    };
  }

  function secretsOf({ id, secret, previousSecret, previousSecretUntil, now }: WebhookRow & { now: number }) {
    const isPreviousValid = previousSecret !== null && Number(previousSecretUntil) > now;
    return [openSecret(id, secret), ...(isPreviousValid ? [openPreviousSecret(id, previousSecret)] : [])];
  }

  /**
   * Records the result of an attempt and returns whether it disabled the webhook. A webhook is disabled if it is
   * gone, or if every attempt has failed for three days. It then gets no notices until it is enabled again. Writes
   * nothing while attempts succeed.
   */
  async function recordResult(endpoint: WebhookEndpoint, result: EndpointResult): Promise<boolean> {
    const { id, failingSince, now } = endpoint;
    if (result === 'gone') return disable(endpoint, 'TRUE');
    if (result === 'sent') {
      if (failingSince !== null) await WebhookModel.update({ failingSince: null }, { where: { id } });
      return false;
    }
    if (failingSince === null) {
      const sql = `UPDATE webhooks SET failing_since = ${dialect.now} WHERE id = $id AND failing_since IS NULL`;
      await execute(sql, { id });
      return false;
    }
    // A successful attempt, or the owner, may have cleared `failing_since` meanwhile.
    return (
      now - failingSince >= disableAfterMs &&
      disable(endpoint, 'failing_since = $failingSince', { failingSince })
    );
  }

  /** One transaction also removes the recipient, so no notice is written for a disabled webhook. */
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
