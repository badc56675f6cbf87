import { type Database, inList, type Tx } from '../../database/database.ts';
import { secondMs } from '../../time.ts';
import { platforms } from '../chat/chatUser.ts';
import type { NoticeAddress } from './address.ts';
import { createEndNotices } from './ends.ts';
import {
  encodeTypes,
  isLinkEvent,
  isRequestEvent,
  type NoticeEvent,
  type OwnerEvent,
  ownerEvents,
  type TestEvent,
} from './events.ts';
import { bitsFor } from './preferences.ts';

export type Outbox = ReturnType<typeof createOutbox>;

const subjectColumn = (event: NoticeEvent) =>
  isLinkEvent(event) ? 'link_request_id' : isRequestEvent(event) ? 'request_id' : 'push_id';

/** What decides who gets notices of an event. */
const eventBinds = (event: OwnerEvent, viewsUsed?: number) => ({
  event,
  bits: bitsFor(event, viewsUsed),
  type: encodeTypes([ownerEvents[event].type]),
});

/** What an event needs to know about its push. */
type NotifiedPush = { id: Buffer; accountId: Buffer | null; notify: number; viewsMax?: number };

/** After a notice, a chat gets no other about the same event and push for this long: it gets one that counts them all. */
export const burstMs = 10 * secondMs;

/** Writes notices in the transaction of their event. */
export function createOutbox({ dialect }: Database) {
  const listeners = new Set<() => void>();
  const notifyListeners = () => {
    for (const listener of listeners) listener();
  };

  const writeEnds = createEndNotices(dialect);

  async function notifyRecipients(event: OwnerEvent, pushes: NotifiedPush[], tx: Tx): Promise<void> {
    if ((await writeEnds(event, pushes, tx)) > 0) tx.afterCommit(notifyListeners);
  }

  const chats = platforms.map((platform) => `'${platform}'`).join();

  const insert = (ids: string, { condition = 'TRUE', chatDueAt = dialect.now as string } = {}) =>
    `INSERT INTO notices (id, push_id, event, messenger, address, is_open, times, views_used, happened_at, created_at, due_at)
     SELECT ${dialect.newId}, p.id, $event, r.messenger, r.address, TRUE, 1, p.views_used,
       ${dialect.now}, ${dialect.now}, CASE WHEN r.messenger IN (${chats}) THEN ${chatDueAt} ELSE ${dialect.now} END
     FROM pushes p JOIN recipients r ON r.account_id = p.account_id
     WHERE p.id IN (${ids}) AND (p.notify & $bits) <> 0 AND (r.types IS NULL OR INSTR(r.types, $type) > 0) AND ${condition}
     ${dialect.onConflict('push_id, event, messenger, address, is_open')}
       times = notices.times + 1, views_used = ${dialect.excluded('views_used')},
       happened_at = ${dialect.excluded('happened_at')}`;

  const insertMissing = insert('$id', {
    condition: `NOT EXISTS (SELECT 1 FROM notices o WHERE o.push_id = p.id AND o.event = $event
       AND o.messenger = r.messenger AND o.address = r.address AND o.is_open = TRUE)`,
    chatDueAt: `${dialect.now} + $holdMs`,
  });

  /**
   * Writes the notices of an event, one per recipient of the push's account, or adds the event to those still
   * waiting. Call it in the event's transaction, after the event's changes to the push. Costs nothing if nobody is
   * notified.
   */
  async function write(event: OwnerEvent, push: NotifiedPush, viewsUsed: number, tx: Tx): Promise<void> {
    const { id, accountId, notify, viewsMax } = push;
    if (accountId === null) return;
    await notifyRecipients(event, [push], tx);
    const binds = eventBinds(event, viewsUsed);
    if ((notify & binds.bits) === 0) return;
    const isLastView = event === 'viewed' && viewsUsed === viewsMax;
    const { open, holdMs } = await recent(id, event, tx);
    const added = await addToOpen(open, { viewsUsed, isLastView }, tx);
    const inserted = await tx.execute(insertMissing, { ...binds, id, holdMs: isLastView ? 0 : holdMs });
    if (added + inserted > 0) tx.afterCommit(notifyListeners);
  }

  /** The notices of an event that wait, and for how long a chat gets no further one. */
  async function recent(
    pushId: Buffer,
    event: OwnerEvent,
    tx: Tx,
  ): Promise<{ open: Buffer[]; holdMs: number }> {
    const found = await tx.select<{ id: Buffer; isOpen: number | null; isChat: number; holdMs: number }>(
      `SELECT id, is_open AS isOpen, messenger IN (${chats}) AS isChat,
         COALESCE(sent_at, created_at) + ${burstMs} - ${dialect.now} AS holdMs
       FROM notices WHERE push_id = $pushId AND event = $event
         AND (is_open = TRUE OR ((sent_at IS NOT NULL OR ended_at IS NULL)
           AND COALESCE(sent_at, created_at) > ${dialect.now} - ${burstMs}))`,
      { pushId, event },
    );
    return {
      open: found.filter(({ isOpen }) => isOpen).map(({ id }) => id),
      holdMs: Math.max(0, ...found.filter(({ isChat }) => isChat).map(({ holdMs }) => Number(holdMs))),
    };
  }

  /**
   * Adds an event to waiting notices. Updates by id: a lease locks the row and then its entry in the unique index,
   * and the conflict of an INSERT would lock them in the opposite order. Nothing follows a last view, so its notices
   * wait no longer.
   */
  async function addToOpen(
    open: Buffer[],
    { viewsUsed, isLastView }: { viewsUsed: number; isLastView: boolean },
    tx: Tx,
  ): Promise<number> {
    if (open.length === 0) return 0;
    const { names, binds } = inList(open);
    return tx.execute(
      `UPDATE notices SET times = times + 1, views_used = $viewsUsed, happened_at = ${dialect.now}
         ${isLastView ? `, due_at = ${dialect.now}` : ''}
       WHERE id IN (${names}) AND is_open = TRUE`,
      { ...binds, viewsUsed },
    );
  }

  /** The same for many pushes at once, for events other than views. */
  async function writeAll(event: OwnerEvent, pushes: NotifiedPush[], tx: Tx): Promise<void> {
    await notifyRecipients(event, pushes, tx);
    const binds = eventBinds(event);
    const notified = pushes.filter(
      ({ accountId, notify }) => accountId !== null && (notify & binds.bits) !== 0,
    );
    if (notified.length === 0) return;
    const ids = inList(notified.map(({ id }) => id));
    const inserted = await tx.execute(insert(ids.names), { ...ids.binds, ...binds });
    if (inserted > 0) tx.afterCommit(notifyListeners);
  }

  /**
   * Writes a notice about a push, a request or a link request to certain people, whatever their preferences. Call it
   * in the event's transaction.
   */
  async function send(
    event: Exclude<NoticeEvent, OwnerEvent | TestEvent>,
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
