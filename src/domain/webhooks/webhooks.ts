import type { Transaction } from 'sequelize';
import { newId } from '../../crypto/ids.ts';
import type { Keyring } from '../../crypto/keyring.ts';
import { randomBytes } from '../../crypto/random.ts';
import type { Database } from '../../database/database.ts';
import { DomainError } from '../../errors.ts';
import type { Owner } from '../accounts/accounts.ts';
import { createRecipients } from '../notices/recipients.ts';
import type { WebhookSettings } from '../settings.ts';
import { parseInput } from '../validation.ts';
import { createDeliveryLog, type WebhookDelivery } from './deliveries.ts';
import { createEndpoints } from './endpoints.ts';
import { createSeals, maybeWebhookId, recipientOf, type WebhookRow, webhookColumns } from './row.ts';
import { buildNewWebhook } from './webhookSchema.ts';

/** Where an account wants events sent to. `failingSince` is when the first of all the latest attempts failed. */
export type Webhook = {
  id: string;
  url: string;
  createdAt: number;
  failingSince: number | null;
  disabledAt: number | null;
};

type Parts = { database: Database; keyring: Keyring; settings: WebhookSettings };

const webhooksMax = 20;
/** The Standard Webhooks specification asks for 24 to 64. */
const secretBytes = 32;

/** The addresses that accounts want notices of their pushes sent to, signed by a secret that each address has of its own. */
export function createWebhooks({ database, keyring, settings }: Parts) {
  const { rows, change, unitOfWork, dialect } = database;
  const { sealUrl, sealSecret, openUrl } = createSeals(keyring);
  const recipients = createRecipients(database);
  const deliveryLog = createDeliveryLog(database);
  const schema = buildNewWebhook(settings);

  const present = ({ id, accountId: _, url, ...times }: WebhookRow): Webhook => ({
    ...times,
    id: id.toString('hex'),
    url: openUrl(id, url),
  });

  const rowsOf = (accountId: Buffer, options: { transaction?: Transaction } = {}) =>
    rows<WebhookRow>(
      `SELECT ${webhookColumns} FROM webhooks WHERE account_id = $accountId ORDER BY created_at, id`,
      { accountId },
      options,
    );

  /**
   * Registers an address: from now on it hears of the account's pushes. Gives its secret, this once. Refuses an address
   * that the account has, and a twenty-first.
   */
  async function register({ id: accountId }: Owner, input: unknown): Promise<Webhook & { secret: string }> {
    const { url } = parseInput(schema, input);
    const id = newId();
    const secret = `whsec_${randomBytes(secretBytes).toString('base64')}`;
    const createdAt = await unitOfWork(async (transaction) => {
      const now = await lockAccount(accountId, transaction);
      requireRoom(await rowsOf(accountId, { transaction }), url);
      await change(
        `INSERT INTO webhooks (id, account_id, url, secret, created_at) VALUES ($id, $accountId, $url, $secret, $now)`,
        { id, accountId, url: sealUrl(id, url), secret: sealSecret(id, secret), now },
        { transaction },
      );
      await recipients.add(recipientOf({ id, accountId }), transaction);
      return now;
    });
    return { id: id.toString('hex'), url, secret, createdAt, failingSince: null, disabledAt: null };
  }

  /** Lets one registration of an account in at a time, and none once the account is erased. Gives the time. */
  async function lockAccount(accountId: Buffer, transaction: Transaction): Promise<number> {
    const [account] = await rows<{ now: number }>(
      `SELECT ${dialect.now} AS now FROM accounts WHERE id = $accountId ${dialect.forUpdate}`,
      { accountId },
      { transaction },
    );
    if (account === undefined) throw new DomainError('not_found', 'The account is gone.');
    return account.now;
  }

  function requireRoom(others: WebhookRow[], url: string): void {
    if (others.some((other) => openUrl(other.id, other.url) === url))
      throw new DomainError('conflict', 'The account has a webhook for this address already.');
    if (others.length >= webhooksMax)
      throw new DomainError('conflict', `The account has ${webhooksMax} webhooks already; remove one first.`);
  }

  /** An account's webhooks, the oldest first, without their secrets. */
  async function list({ id: accountId }: Owner): Promise<Webhook[]> {
    return (await rowsOf(accountId)).map(present);
  }

  /** Forgets a webhook. What waits for it is not sent any more. */
  async function remove(owner: Owner, id: string): Promise<void> {
    await unitOfWork(async (transaction) => {
      const row = await requireRow(owner, id, transaction);
      await change('DELETE FROM webhooks WHERE id = $id', { id: row.id }, { transaction });
      await recipients.remove(recipientOf(row), transaction);
    });
  }

  /** Lets a disabled webhook hear of pushes again. What failed before is not sent again. */
  async function enable(owner: Owner, id: string): Promise<void> {
    await unitOfWork(async (transaction) => {
      const row = await requireRow(owner, id, transaction);
      const enabled = 'UPDATE webhooks SET disabled_at = NULL, failing_since = NULL WHERE id = $id';
      await change(enabled, { id: row.id }, { transaction });
      await recipients.add(recipientOf(row), transaction);
    });
  }

  /** One page of 50 of what was sent to a webhook and what waits for it, the newest first; the first page is 1. */
  async function deliveries(owner: Owner, id: string, page: number): Promise<WebhookDelivery[]> {
    return deliveryLog(recipientOf(await requireRow(owner, id)), page);
  }

  /** Within a transaction it locks the webhook. */
  async function requireRow(
    { id: accountId }: Owner,
    text: string,
    transaction?: Transaction,
  ): Promise<WebhookRow> {
    const id = maybeWebhookId(text);
    const lock = transaction === undefined ? '' : dialect.forUpdate;
    const [row] =
      id === null
        ? []
        : await rows<WebhookRow>(
            `SELECT ${webhookColumns} FROM webhooks WHERE id = $id AND account_id = $accountId ${lock}`,
            { id, accountId },
            transaction && { transaction },
          );
    if (row === undefined) throw new DomainError('not_found', 'The account has no such webhook.');
    return row;
  }

  return { register, list, remove, enable, deliveries, ...createEndpoints(database, keyring), schema };
}
