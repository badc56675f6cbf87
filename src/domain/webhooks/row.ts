import { maybeOpenLabel, openLabel, seal } from '../../crypto/cipher.ts';
import type { Keyring } from '../../crypto/keyring.ts';
import { randomBytes } from '../../crypto/random.ts';
import type { WebhookRow } from './table.ts';

/** The messenger of webhooks. The address of a webhook is its id in hexadecimal. */
const webhookMessenger = 'webhook';

/** The Standard Webhooks specification requires 24 to 64. */
const secretBytes = 32;

/** A new signing secret, as Standard Webhooks writes them. */
export function newWebhookSecret(): string {
  return `whsec_${randomBytes(secretBytes).toString('base64')}`;
}

/** The recipient that stands for a webhook. */
export function recipientOf({ id, accountId }: Pick<WebhookRow, 'id' | 'accountId'>) {
  return { accountId, messenger: webhookMessenger, address: id.toString('hex') };
}

/** Encrypts a webhook's URL and secrets. The URL may contain a credential of the receiver. */
export function createSeals(keyring: Keyring) {
  return {
    sealUrl: (id: Buffer, url: string) => seal(keyring, url, { id, field: 'webhook_url' }),
    sealSecret: (id: Buffer, secret: string) => seal(keyring, secret, { id, field: 'webhook_secret' }),
    sealPreviousSecret: (id: Buffer, secret: string) =>
      seal(keyring, secret, { id, field: 'previous_webhook_secret' }),
    openUrl: (id: Buffer, record: Buffer) => openLabel(keyring, record, { id, field: 'webhook_url' }),
    maybeUrl: (id: Buffer, record: Buffer) => maybeOpenLabel(keyring, record, { id, field: 'webhook_url' }),
    openSecret: (id: Buffer, record: Buffer) => openLabel(keyring, record, { id, field: 'webhook_secret' }),
    openPreviousSecret: (id: Buffer, record: Buffer) =>
      openLabel(keyring, record, { id, field: 'previous_webhook_secret' }),
  };
}
