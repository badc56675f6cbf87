import { type Database, inList, type Tx } from '../../database/database.ts';
import { platformNames } from '../../platforms.ts';
import { secondMs } from '../../time.ts';
import { encodeTypes, type OwnerEvent, ownerEvents } from './events.ts';
import { bitsFor } from './preferences.ts';

/** What decides who gets notices of an event. */
const eventBinds = (event: OwnerEvent, viewsUsed?: number) => ({
  event,
  bits: bitsFor(event, viewsUsed),
  type: encodeTypes([ownerEvents[event].type]),
});

/** What an event needs to know about its push. */
export type NotifiedPush = { id: Buffer; accountId: Buffer | null; notify: number; viewsMax?: number };

/** After a notice, a chat or mailbox gets no other about the same event and push for this long: it gets one that counts them all. */
export const burstMs = 10 * secondMs;

/** Writes notices for the owners of pushes, at every address that wants them. */
export function createOwnerNoticeWriter(dialect: Database['dialect']) {
  /** The messengers that reach people, whom a notice for each of many events would flood. */
  const people = [...platformNames, 'mail'].map((messenger) => `'${messenger}'`).join();

  const insert = (ids: string, { condition = 'TRUE', heldDueAt = dialect.now as string } = {}) =>
    `INSERT INTO notices (id, push_id, event, messenger, address, is_open, times, views_used, happened_at, created_at, due_at)
     SELECT ${dialect.newId}, p.id, $event, r.messenger, r.address, TRUE, 1, p.views_used,
       ${dialect.now}, ${dialect.now}, CASE WHEN r.messenger IN (${people}) THEN ${heldDueAt} ELSE ${dialect.now} END
     FROM pushes p JOIN recipients r ON r.account_id = p.account_id
     WHERE p.id IN (${ids}) AND (p.notify & $bits) <> 0 AND (r.types IS NULL OR INSTR(r.types, $type) > 0) AND ${condition}
     ${dialect.onConflict(
       'push_id, event, messenger, address, is_open',
       ['views_used', 'happened_at'],
       'times = notices.times + 1',
     )}`;

  const insertMissing = insert('$id', {
    condition: `NOT EXISTS (SELECT 1 FROM notices o WHERE o.push_id = p.id AND o.event = $event
       AND o.messenger = r.messenger AND o.address = r.address AND o.is_open = TRUE)`,
    heldDueAt: `${dialect.now} + $holdMs`,
  });

  /**
   * Writes the notices of an event, one per recipient of the push's account, or adds the event to those still
   * waiting. Returns how many it wrote or added to.
   */
  async function write(event: OwnerEvent, push: NotifiedPush, viewsUsed: number, tx: Tx): Promise<number> {
    const { id, accountId, notify, viewsMax } = push;
    const binds = eventBinds(event, viewsUsed);
    if (accountId === null || (notify & binds.bits) === 0) return 0;
    const isLastView = event === 'viewed' && viewsUsed === viewsMax;
    const { open, holdMs } = await recent(id, event, tx);
    const added = await addToOpen(open, { viewsUsed, isLastView }, tx);
    const inserted = await tx.execute(insertMissing, { ...binds, id, holdMs: isLastView ? 0 : holdMs });
    return added + inserted;
  }

  /** The notices of an event that wait, and for how long a chat or mailbox gets no further one. */
  async function recent(
    pushId: Buffer,
    event: OwnerEvent,
    tx: Tx,
  ): Promise<{ open: Buffer[]; holdMs: number }> {
    const found = await tx.select<{ id: Buffer; isOpen: number | null; isHeld: number; holdMs: number }>(
      `SELECT id, is_open AS isOpen, messenger IN (${people}) AS isHeld,
         COALESCE(sent_at, created_at) + ${burstMs} - ${dialect.now} AS holdMs
       FROM notices WHERE push_id = $pushId AND event = $event
         AND (is_open = TRUE OR ((sent_at IS NOT NULL OR ended_at IS NULL)
           AND COALESCE(sent_at, created_at) > ${dialect.now} - ${burstMs}))`,
      { pushId, event },
    );
    return {
      open: found.filter(({ isOpen }) => isOpen).map(({ id }) => id),
      holdMs: Math.max(0, ...found.filter(({ isHeld }) => isHeld).map(({ holdMs }) => Number(holdMs))),
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
  async function writeAll(event: OwnerEvent, pushes: NotifiedPush[], tx: Tx): Promise<number> {
    const binds = eventBinds(event);
    const notified = pushes.filter(
      ({ accountId, notify }) => accountId !== null && (notify & binds.bits) !== 0,
    );
    if (notified.length === 0) return 0;
    const ids = inList(notified.map(({ id }) => id));
    return tx.execute(insert(ids.names), { ...ids.binds, ...binds });
  }

  return { write, writeAll };
}
