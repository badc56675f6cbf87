import { maybeOpenLabel, openLabel, seal } from '../../crypto/cipher.ts';
import { toId } from '../../crypto/ids.ts';
import type { Keyring } from '../../crypto/keyring.ts';
import { randomBytes } from '../../crypto/random.ts';
import type { Database, Tx } from '../../database/database.ts';
import { DomainError } from '../../errors.ts';
import { decodeTypes, type PublicType } from '../outbox/index.ts';
import type { Account } from '../people/index.ts';
import { type WebhookRow, webhooksTable } from './tables.ts';

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

/**
 * Where an account wants events sent to. `url` is null if it cannot be decrypted, because its key is missing.
 * `failingSince` is the time of the first failure since the last success.
 */
export type Webhook = {
  id: string;
  url: string | null;
  /** The types of events that it gets; null for all. */
  types: PublicType[] | null;
  createdAt: number;
  failingSince: number | null;
  disabledAt: number | null;
};

/** Creates the function that turns a row into what its owner sees. */
export function createWebhookPresenter(keyring: Keyring) {
  const { maybeUrl } = createSeals(keyring);
  return ({ id, url, types, createdAt, failingSince, disabledAt }: WebhookRow): Webhook => ({
    id: id.toString('hex'),
    url: maybeUrl(id, url) ?? null,
    types: decodeTypes(types),
    createdAt,
    failingSince,
    disabledAt,
  });
}

/** Finds the webhooks of an account. */
export function createWebhookFinder(database: Database) {
  const WebhookModel = database.model(webhooksTable);

  /** A webhook by its id, locked in a transaction. Throws `not_found` unless the account has it. */
  return async function requireWebhook(
    { id: accountId }: Account,
    text: string,
    tx?: Tx,
  ): Promise<WebhookRow> {
    const where = { id: toId(text), accountId };
    const row = await (tx ? tx.model(webhooksTable).findForUpdate(where) : WebhookModel.findOne({ where }));
    if (row === null) throw new DomainError('not_found', 'webhookNotFound');
    return row;
  };
}
