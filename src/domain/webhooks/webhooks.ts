import { newId } from '../../crypto/ids.ts';
import type { Keyring } from '../../crypto/keyring.ts';
import type { Database } from '../../database/database.ts';
import { DomainError } from '../../errors.ts';
import { type Holder, type StepUp, serializeAccount } from '../accounts/index.ts';
import { parseInput, type WebhookSettings } from '../base/index.ts';
import { createRecipients, encodeTypes } from '../outbox/index.ts';
import type { Account } from '../people/index.ts';
import { createDeliveryLog, createRequestedDeliveries, type WebhookDelivery } from './deliveries.ts';
import { createEndpoints } from './endpoints.ts';
import { createSecretRotation } from './rotateSecret.ts';
import { type WebhookRow, webhooksTable } from './tables.ts';
import {
  createSeals,
  createWebhookFinder,
  createWebhookPresenter,
  newWebhookSecret,
  recipientOf,
  type Webhook,
} from './webhook.ts';
import { buildWebhookSchema, webhookTypesSchema } from './webhookSchema.ts';

type NewWebhook = Webhook & { url: string; secret: string };

type WebhooksDependencies = {
  database: Database;
  keyring: Keyring;
  stepUp: StepUp;
  settings: WebhookSettings;
};

const webhooksMax = 20;

/**
 * Webhooks: addresses that receive notices of an account's pushes. Each has its own signing secret. Adding, removing and changing
 * one throws `forbidden` for somebody in a browser who has not signed in just now.
 */
export function createWebhooks({ database, keyring, stepUp, settings }: WebhooksDependencies) {
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
  async function create(account: Account & Holder, input: unknown): Promise<NewWebhook> {
    const { url, types = null } = parseInput(schema, input);
    await stepUp.requireFreshInBrowser(account);
    const accountId = account.id;
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
  async function remove(account: Account & Holder, id: string): Promise<void> {
    await stepUp.requireFreshInBrowser(account);
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

  /** Replaces the types of events of a webhook; null for all. What waits for it already is still sent. */
  async function changeTypes(account: Account & Holder, id: string, input: unknown): Promise<Webhook> {
    const { types } = parseInput(webhookTypesSchema, input);
    await stepUp.requireFreshInBrowser(account);
    const encoded = encodeTypes(types);
    return transaction(async (tx) => {
      const row = await requireWebhook(account, id, tx);
      await tx.model(webhooksTable).update({ types: encoded }, { id: row.id });
      if (row.disabledAt === null) await recipients.add(recipientOf(row), tx, encoded);
      return { ...present(row), types };
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
    changeTypes,
    deliveries,
    ...createRequestedDeliveries(database),
    ...createSecretRotation({ database, keyring, stepUp }),
    ...createEndpoints({ database, keyring }),
    schema,
  };
}

const oldestFirst = (accountId: Buffer) => ({ where: { accountId }, order: ['createdAt', 'id'] });
