import { newId } from '../../crypto/ids.ts';
import type { Database } from '../../database/database.ts';
import { DomainError } from '../../errors.ts';
import { pageSize } from '../base/index.ts';
import { maybeNoticeId, noticeId } from '../delivery/index.ts';
import type { AccountEvent, OwnerEvent, TestEvent } from '../outbox/index.ts';
import type { Account, NoticeAddress } from '../people/index.ts';
import { createWebhookFinder, recipientOf } from './webhook.ts';

/** The delivery of a notice to a webhook. `id` is the `webhook-id` of its requests. Times are epoch milliseconds. */
export type WebhookDelivery = {
  id: string;
  event: OwnerEvent | AccountEvent | TestEvent;
  /** How many such events it stands for. */
  times: number;
  happenedAt: number;
  state: 'waiting' | 'sent' | 'failed';
  attempts: number;
  lastProblem: string | null;
  /** Null once the delivery has ended. */
  nextAttemptAt: number | null;
};

type DeliveryRow = Omit<WebhookDelivery, 'id' | 'state'> & { id: Buffer; sentAt: number | null };

/** Reads the log of deliveries, which are notices retained by the outbox. */
export function createDeliveryLog({ select }: Database) {
  const columns = `id, event, times, happened_at AS happenedAt, attempts, last_problem AS lastProblem,
    due_at AS nextAttemptAt, sent_at AS sentAt`;

  const present = ({ id, sentAt, ...row }: DeliveryRow): WebhookDelivery => ({
    ...row,
    id: noticeId(id),
    state: sentAt !== null ? 'sent' : row.nextAttemptAt !== null ? 'waiting' : 'failed',
  });

  async function list({ messenger, address }: NoticeAddress, page: number): Promise<WebhookDelivery[]> {
    const found = await select<DeliveryRow>(
      `SELECT ${columns} FROM notices WHERE messenger = $messenger AND address = $address
       ORDER BY created_at DESC, id DESC LIMIT ${pageSize} OFFSET ${(page - 1) * pageSize}`,
      { messenger, address },
    );
    return found.map(present);
  }

  async function maybeFind(id: Buffer, { messenger, address }: NoticeAddress) {
    const [found] = await select<DeliveryRow>(
      `SELECT ${columns} FROM notices WHERE id = $id AND messenger = $messenger AND address = $address`,
      { id, messenger, address },
    );
    return found && present(found);
  }

  return { list, maybeFind };
}

/** Deliveries that an account asks for: of a test event, and of what was sent before. Both refuse a disabled webhook. */
export function createRequestedDeliveries(database: Database) {
  const { execute, dialect } = database;
  const requireWebhook = createWebhookFinder(database);
  const deliveryLog = createDeliveryLog(database);

  /** Sends a test event, once. */
  async function test(account: Account, webhookId: string): Promise<WebhookDelivery> {
    const destination = await requireDestination(account, webhookId);
    const id = newId();
    await execute(
      `INSERT INTO notices (id, event, messenger, address, is_requested, times, views_used, happened_at,
         created_at, due_at)
       VALUES ($id, 'test', $messenger, $address, TRUE, 1, 0, ${dialect.now}, ${dialect.now}, ${dialect.now})`,
      { id, ...destination },
    );
    return requireDelivery(id, destination);
  }

  /**
   * Sends a delivery now, whether it waits or has ended, with the same id. Throws `not_found` if there is none: they are
   * stored for a week. One that is being sent stays as it is.
   */
  async function redeliver(
    account: Account,
    webhookId: string,
    deliveryId: string,
  ): Promise<WebhookDelivery> {
    const destination = await requireDestination(account, webhookId);
    const id = maybeNoticeId(deliveryId);
    if (id === null) throw new DomainError('not_found', 'deliveryNotFound');
    await execute(
      `UPDATE notices SET due_at = ${dialect.now}, is_requested = TRUE, attempts = 0, sent_at = NULL, ended_at = NULL,
         last_problem = NULL
       WHERE id = $id AND messenger = $messenger AND address = $address
         AND (lease IS NULL OR due_at <= ${dialect.now})`,
      { id, ...destination },
    );
    return requireDelivery(id, destination);
  }

  async function requireDestination(account: Account, webhookId: string) {
    const row = await requireWebhook(account, webhookId);
    if (row.disabledAt !== null) throw new DomainError('conflict', 'webhookDisabled');
    const { messenger, address } = recipientOf(row);
    return { messenger, address };
  }

  async function requireDelivery(id: Buffer, destination: NoticeAddress) {
    const found = await deliveryLog.maybeFind(id, destination);
    if (found === undefined) throw new DomainError('not_found', 'deliveryNotFound');
    return found;
  }

  return { test, redeliver };
}
