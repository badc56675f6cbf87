import type { Transaction } from 'sequelize';
import { type Database, listOf } from '../../database/database.ts';
import { bitsFor, type NoticeEvent, type OwnerEvent } from './preferences.ts';

export type Outbox = ReturnType<typeof createOutbox>;

/** Somebody to tell, as a messenger reaches them. */
export type Recipient = { messenger: string; address: string };

/** What an event needs to know of its push. */
type Told = { id: Buffer; accountId: Buffer | null; notify: number };

/** Where the transaction of an event leaves word of it for everybody who should hear. */
export function createOutbox({ rows, change, dialect }: Database) {
  let written = () => {};

  const insert = (ids: string, condition = 'TRUE') =>
    `INSERT INTO notices (id, push_id, event, messenger, address, is_open, times, views_used, happened_at, created_at, due_at)
     SELECT ${dialect.newId}, p.id, $event, r.messenger, r.address, TRUE, 1, p.views_used,
       ${dialect.now}, ${dialect.now}, ${dialect.now}
     FROM pushes p JOIN recipients r ON r.account_id = p.account_id
     WHERE p.id IN (${ids}) AND (p.notify & $bits) <> 0 AND ${condition}
     ${dialect.onConflict('push_id, event, messenger, address, is_open')}
       times = notices.times + 1, views_used = ${dialect.wanted('views_used')},
       happened_at = ${dialect.wanted('happened_at')}`;

  const insertMissing = insert(
    '$id',
    `NOT EXISTS (SELECT 1 FROM notices o WHERE o.push_id = p.id AND o.event = $event
       AND o.messenger = r.messenger AND o.address = r.address AND o.is_open = TRUE)`,
  );

  /**
   * Writes the notices of an event, one for each recipient of the push's account, or adds it to those that still wait; says
   * whether there are any. Belongs into the event's own transaction, after what it did to the push. Costs nothing for a
   * push that nobody wants to hear of.
   */
  async function write(
    event: OwnerEvent,
    { id, accountId, notify }: Told,
    viewsUsed: number,
    transaction: Transaction,
  ): Promise<boolean> {
    const bits = bitsFor(event, viewsUsed);
    if (accountId === null || (notify & bits) === 0) return false;
    const added = await addToOpen(id, event, viewsUsed, transaction);
    const inserted = await change(insertMissing, { id, event, bits }, { transaction });
    return added + inserted > 0;
  }

  /**
   * Adds an event to the notices that wait. By their ids: whoever takes notices locks a row and then its entry in the
   * unique index, and the conflict of an INSERT would lock them the other way round.
   */
  async function addToOpen(
    pushId: Buffer,
    event: OwnerEvent,
    viewsUsed: number,
    transaction: Transaction,
  ): Promise<number> {
    const open = await rows<{ id: Buffer }>(
      'SELECT id FROM notices WHERE push_id = $pushId AND event = $event AND is_open = TRUE',
      { pushId, event },
      { transaction },
    );
    if (open.length === 0) return 0;
    const { names, binds } = listOf(open.map(({ id }) => id));
    return change(
      `UPDATE notices SET times = times + 1, views_used = $viewsUsed, happened_at = ${dialect.now}
       WHERE id IN (${names}) AND is_open = TRUE`,
      { ...binds, viewsUsed },
      { transaction },
    );
  }

  /** The same for many pushes at once, of events that are no views. */
  async function writeAll(event: OwnerEvent, pushes: Told[], transaction: Transaction): Promise<boolean> {
    const bits = bitsFor(event);
    const told = pushes.filter(({ accountId, notify }) => accountId !== null && (notify & bits) !== 0);
    if (told.length === 0) return false;
    const { names, binds } = listOf(told.map(({ id }) => id));
    return (await change(insert(names), { ...binds, event, bits }, { transaction })) > 0;
  }

  /** Writes the notice of something to people that it concerns whatever anybody chose, in its own transaction. */
  async function send(
    event: Exclude<NoticeEvent, OwnerEvent>,
    about: Buffer,
    recipients: Recipient[],
    transaction: Transaction,
  ): Promise<void> {
    for (const { messenger, address } of recipients) {
      await change(
        `INSERT INTO notices (id, push_id, event, messenger, address, is_open, times, views_used, happened_at, created_at, due_at)
         VALUES (${dialect.newId}, $about, $event, $messenger, $address, TRUE, 1,
           COALESCE((SELECT views_used FROM pushes WHERE id = $about), 0), ${dialect.now}, ${dialect.now}, ${dialect.now})
         ${dialect.onConflict('push_id, event, messenger, address, is_open')} times = notices.times`,
        { about, event, messenger, address },
        { transaction },
      );
    }
  }

  return {
    write,
    writeAll,
    send,
    /** To be called after the commit of a transaction that wrote notices. */
    announce: () => written(),
    /** Has `act` called when notices were written by this process, to deliver them without waiting for the next round. */
    whenWritten: (act: () => void) => {
      written = act;
    },
  };
}
