import { type Database, inList, type Tx } from '../../database/database.ts';
import { bitsFor, isLinkEvent, isRequestEvent, type NoticeEvent, type OwnerEvent } from './preferences.ts';

export type Outbox = ReturnType<typeof createOutbox>;

const subjectColumn = (event: NoticeEvent) =>
  isLinkEvent(event) ? 'link_request_id' : isRequestEvent(event) ? 'request_id' : 'push_id';

/** Where a messenger delivers a notice. */
export type NoticeAddress = { messenger: string; address: string };

/** What an event needs to know about its push. */
type NotifiedPush = { id: Buffer; accountId: Buffer | null; notify: number };

/** Writes notices in the transaction of their event. */
export function createOutbox({ dialect }: Database) {
  const listeners = new Set<() => void>();
  const notifyListeners = () => {
    for (const listener of listeners) listener();
  };

  const insert = (ids: string, condition = 'TRUE') =>
    `INSERT INTO notices (id, push_id, event, messenger, address, is_open, times, views_used, happened_at, created_at, due_at)
     SELECT ${dialect.newId}, p.id, $event, r.messenger, r.address, TRUE, 1, p.views_used,
       ${dialect.now}, ${dialect.now}, ${dialect.now}
     FROM pushes p JOIN recipients r ON r.account_id = p.account_id
     WHERE p.id IN (${ids}) AND (p.notify & $bits) <> 0 AND ${condition}
     ${dialect.onConflict('push_id, event, messenger, address, is_open')}
       times = notices.times + 1, views_used = ${dialect.excluded('views_used')},
       happened_at = ${dialect.excluded('happened_at')}`;

  const insertMissing = insert(
    '$id',
    `NOT EXISTS (SELECT 1 FROM notices o WHERE o.push_id = p.id AND o.event = $event
       AND o.messenger = r.messenger AND o.address = r.address AND o.is_open = TRUE)`,
  );

  /**
   * Writes the notices of an event, one per recipient of the push's account, or adds the event to those still
   * waiting. Call it in the event's transaction, after the event's changes to the push. Costs nothing if nobody is
   * notified.
   */
  async function write(
    event: OwnerEvent,
    { id, accountId, notify }: NotifiedPush,
    viewsUsed: number,
    tx: Tx,
  ): Promise<void> {
    const bits = bitsFor(event, viewsUsed);
    if (accountId === null || (notify & bits) === 0) return;
    const added = await addToOpen(id, event, viewsUsed, tx);
    const inserted = await tx.execute(insertMissing, { id, event, bits });
    if (added + inserted > 0) tx.afterCommit(notifyListeners);
  }

  /**
   * Adds an event to waiting notices. Updates by id: a lease locks the row and then its entry in the unique index,
   * and the conflict of an INSERT would lock them in the opposite order.
   */
  async function addToOpen(pushId: Buffer, event: OwnerEvent, viewsUsed: number, tx: Tx): Promise<number> {
    const open = await tx.select<{ id: Buffer }>(
      'SELECT id FROM notices WHERE push_id = $pushId AND event = $event AND is_open = TRUE',
      { pushId, event },
    );
    if (open.length === 0) return 0;
    const { names, binds } = inList(open.map(({ id }) => id));
    return tx.execute(
      `UPDATE notices SET times = times + 1, views_used = $viewsUsed, happened_at = ${dialect.now}
       WHERE id IN (${names}) AND is_open = TRUE`,
      { ...binds, viewsUsed },
    );
  }

  /** The same for many pushes at once, for events other than views. */
  async function writeAll(event: OwnerEvent, pushes: NotifiedPush[], tx: Tx): Promise<void> {
    const bits = bitsFor(event);
    const notified = pushes.filter(({ accountId, notify }) => accountId !== null && (notify & bits) !== 0);
    if (notified.length === 0) return;
    const { names, binds } = inList(notified.map(({ id }) => id));
    const inserted = await tx.execute(insert(names), { ...binds, event, bits });
    if (inserted > 0) tx.afterCommit(notifyListeners);
  }

  /**
   * Writes a notice about a push, a request or a link request to certain people, whatever their preferences. Call it in the event's
   * transaction.
   */
  async function send(
    event: Exclude<NoticeEvent, OwnerEvent>,
    subjectId: Buffer,
    recipients: NoticeAddress[],
    tx: Tx,
  ): Promise<void> {
    const subject = subjectColumn(event);
    for (const { messenger, address } of recipients) {
      await tx.execute(
        `INSERT INTO notices (id, ${subject}, event, messenger, address, is_open, times, views_used, happened_at, created_at, due_at)
         VALUES (${dialect.newId}, $subjectId, $event, $messenger, $address, TRUE, 1,
           COALESCE((SELECT views_used FROM pushes WHERE id = $subjectId), 0), ${dialect.now}, ${dialect.now}, ${dialect.now})
         ${dialect.onConflict(`${subject}, event, messenger, address, is_open`)} times = notices.times`,
        { subjectId, event, messenger, address },
      );
    }
    if (recipients.length > 0) tx.afterCommit(notifyListeners);
  }

  /** Calls a listener after each commit of this process that wrote notices. Returns a function that removes it. */
  function onWritten(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }

  return { write, writeAll, send, onWritten };
}
