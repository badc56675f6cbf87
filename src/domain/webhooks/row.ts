import { openLabel, seal } from '../../crypto/cipher.ts';
import type { Keyring } from '../../crypto/keyring.ts';
import type { WebhookRow } from './table.ts';

/** The name that addresses of webhooks are registered under; such an address is the webhook's id in hexadecimal. */
const webhookMessenger = 'webhook';

/** Who hears of pushes through a webhook. */
export function recipientOf({ id, accountId }: Pick<WebhookRow, 'id' | 'accountId'>) {
  return { accountId, messenger: webhookMessenger, address: id.toString('hex') };
}

/** The id that a text stands for; null where it can be none. */
export function maybeWebhookId(text: string): Buffer | null {
  return /^[0-9a-f]{32}$/.test(text) ? Buffer.from(text, 'hex') : null;
}

/** What of a webhook only the keys can open: its URL may hold a credential of the receiver's. */
export function createSeals(keyring: Keyring) {
  return {
    sealUrl: (id: Buffer, url: string) => seal(keyring, url, { id, field: 'webhook_url' }),
    sealSecret: (id: Buffer, secret: string) => seal(keyring, secret, { id, field: 'webhook_secret' }),
    openUrl: (id: Buffer, record: Buffer) => openLabel(keyring, record, { id, field: 'webhook_url' }),
    openSecret: (id: Buffer, record: Buffer) => openLabel(keyring, record, { id, field: 'webhook_secret' }),
  };
}
