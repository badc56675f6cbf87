import { newId } from '../../crypto/ids.ts';
import type { Keyring } from '../../crypto/keyring.ts';
import type { Database } from '../../database/database.ts';
import { DomainError } from '../../errors.ts';
import type { Account } from '../accounts/account.ts';
import { serializeAccount } from '../accounts/serialize.ts';
import { encodeTypes } from '../notices/events.ts';
import { createRecipients } from '../notices/recipients.ts';
import type { WebhookSettings } from '../settings.ts';
import { parseInput } from '../validation.ts';
import { createTypesChange } from './changeTypes.ts';
import { createDeliveryLog, type WebhookDelivery } from './deliveries.ts';
import { createEndpoints } from './endpoints.ts';
import { createWebhookFinder } from './find.ts';
import { createWebhookPresenter, type Webhook } from './present.ts';
import { createRequestedDeliveries } from './requestedDeliveries.ts';
import { createSecretRotation } from './rotateSecret.ts';
import { createSeals, newWebhookSecret, recipientOf } from './row.ts';
import { type WebhookRow, webhooksTable } from './table.ts';
import { buildWebhookSchema } from './webhookSchema.ts';

type NewWebhook = Webhook & { url: string; secret: string };

type WebhooksDependencies = { database: Database; keyring: Keyring; settings: WebhookSettings };

const webhooksMax = 20;

/** Webhooks: addresses that receive notices of an account's pushes. Each has its own signing secret. */
export function createWebhooks({ database, keyring, settings }: WebhooksDependencies) {
  const { transaction } = database;
  const WebhookModel = database.model(webhooksTable);
  const { sealUrl, sealSecret, maybeUrl } = createSeals(keyring);
  const present = createWebhookPresenter(keyring);
  const recipients = createRecipients(database);
  const requireWebhook = createWebhookFinder(database);
  const deliveryLog = createDeliveryLog(database);
  const schema = buildWebhookSchema(settings);

  /**
   * Registers an address for the account's notices. Returns its secret, which cannot be read later. Refuses an
   * address that the account already has, and a twenty-first.
   */
  async function create({ id: accountId }: Account, input: unknown): Promise<NewWebhook> {
    const { url, types = null } = parseInput(schema, input);
    const id = newId();
    const secret = newWebhookSecret();
    const createdAt = await transaction(async (tx) => {
      const now = await serializeAccount(database, accountId, tx);
      const bound = tx.model(webhooksTable);
      requireCapacity(await bound.findAll(oldestFirst(accountId)), url);
      await bound.create({
        id,
        accountId,
        url: sealUrl(id, url),
        secret: sealSecret(id, secret),
        types: encodeTypes(types),
        createdAt: now,
      });
      await recipients.add(recipientOf({ id, accountId }), tx, encodeTypes(types));
      return now;
    });
    return { id: id.toString('hex'), url, types, secret, createdAt, failingSince: null, disabledAt: null };
  }

  function requireCapacity(others: WebhookRow[], url: string): void {
    if (others.some((other) => maybeUrl(other.id, other.url) === url))
      throw new DomainError('conflict', 'webhookExists');
    if (others.length >= webhooksMax)
      throw new DomainError('conflict', 'tooManyWebhooks', { values: { max: webhooksMax } });
  }

  /** An account's webhooks, oldest first, without their secrets. */
  async function list({ id: accountId }: Account): Promise<Webhook[]> {
    return (await WebhookModel.findAll(oldestFirst(accountId))).map(present);
  }

  /** Throws `not_found` unless the account has it. */
  const find = async (account: Account, id: string): Promise<Webhook> =>
    present(await requireWebhook(account, id));

  /** Deletes a webhook. Notices that wait for it are not sent. */
  async function remove(account: Account, id: string): Promise<void> {
    await transaction(async (tx) => {
      const bound = tx.model(webhooksTable);
      const row = await requireWebhook(account, id, tx);
      await bound.destroy({ id: row.id });
      await recipients.remove(recipientOf(row), tx);
    });
  }

  /** Enables a disabled webhook. Notices that failed before are not sent again. */
  async function enable(account: Account, id: string): Promise<void> {
    await transaction(async (tx) => {
      const bound = tx.model(webhooksTable);
      const row = await requireWebhook(account, id, tx);
      await bound.update({ disabledAt: null, failingSince: null }, { id: row.id });
      await recipients.add(recipientOf(row), tx, row.types);
    });
  }

  /** One page of deliveries, sent and waiting, newest first. The first page is 1. */
  async function deliveries(account: Account, id: string, page: number): Promise<WebhookDelivery[]> {
    return deliveryLog.list(recipientOf(await requireWebhook(account, id)), page);
  }

  return {
    create,
    list,
    find,
    remove,
    enable,
    deliveries,
    ...createRequestedDeliveries(database),
    ...createSecretRotation(database, keyring),
    ...createTypesChange(database, keyring),
    ...createEndpoints(database, keyring),
    schema,
  };
}

const oldestFirst = (accountId: Buffer) => ({ where: { accountId }, order: ['createdAt', 'id'] });
