import { dayMs } from '../../time.ts';
import type { Holder, StepUp } from '../accounts/index.ts';
import type { DatabaseWithKeys } from '../base/index.ts';
import type { Account } from '../people/index.ts';
import { createSeals, createWebhookFinder, newWebhookSecret } from './webhook.ts';

/** How long a replaced secret still signs, so that receivers can change theirs in between. */
const overlapMs = dayMs;

/** A new secret, which cannot be read later. Until `previousSecretUntil`, the one before it signs too. */
export type RotatedSecret = { secret: string; previousSecretUntil: number };

/** Replaces the signing secrets of webhooks. */
export function createSecretRotation({ database, keyring, stepUp }: DatabaseWithKeys & { stepUp: StepUp }) {
  const { transaction, execute, dialect } = database;
  const { sealSecret, sealPreviousSecret, openSecret } = createSeals(keyring);
  const requireWebhook = createWebhookFinder(database);

  /** Gives a webhook a new secret. Of several rotations within a day, only the last previous secret stays valid. */
  async function rotateSecret(account: Account & Holder, webhookId: string): Promise<RotatedSecret> {
    await stepUp.requireFreshInBrowser(account);
    const secret = newWebhookSecret();
    const previousSecretUntil = await transaction(async (tx) => {
      const row = await requireWebhook(account, webhookId, tx);
      const { id } = row;
      const sealed = {
        secret: sealSecret(id, secret),
        previous: sealPreviousSecret(id, openSecret(id, row.secret)),
      };
      await tx.execute(
        `UPDATE webhooks SET secret = $secret, previous_secret = $previous,
           previous_secret_until = ${dialect.now} + ${overlapMs} WHERE id = $id`,
        { id, ...sealed },
      );
      const [found] = await tx.select<{ until: number }>(
        'SELECT previous_secret_until AS until FROM webhooks WHERE id = $id',
        { id },
      );
      return Number(found?.until);
    });
    return { secret, previousSecretUntil };
  }

  /** Erases replaced secrets whose time is over. */
  const erasePreviousSecrets = () =>
    execute(
      `UPDATE webhooks SET previous_secret = NULL, previous_secret_until = NULL
       WHERE previous_secret_until <= ${dialect.now}`,
      {},
    );

  return { rotateSecret, erasePreviousSecrets };
}
