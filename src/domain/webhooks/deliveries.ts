import type { Database } from '../../database/database.ts';
import type { NoticeAddress } from '../notices/address.ts';
import type { OwnerEvent, TestEvent } from '../notices/events.ts';
import { noticeId } from '../notices/messenger.ts';
import { pageSize } from '../page.ts';

/** The delivery of a notice to a webhook. `id` is the `webhook-id` of its requests. Times are epoch milliseconds. */
export type WebhookDelivery = {
  id: string;
  event: OwnerEvent | TestEvent;
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
