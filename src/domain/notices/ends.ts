import { type Database, inList, type Tx } from '../../database/database.ts';
import type { OwnerEvent, RecipientEvent } from './events.ts';

type EndedPush = { id: Buffer; accountId: Buffer | null };

/** Ends of pushes, and what their recipients in chats are notified of. */
const events: Partial<Record<OwnerEvent, RecipientEvent>> = {
  expired_by_views: 'ended',
  expired_by_time: 'ended',
  deleted: 'ended',
  burned: 'withdrawn',
};

/** Notifies the recipients of pushes in chats of their end, whatever the owner is notified of. */
export function createEndNotices(dialect: Database['dialect']) {
  const insert = (ids: string) =>
    `INSERT INTO notices (id, push_id, event, messenger, address, is_open, times, views_used, happened_at, created_at, due_at)
     SELECT ${dialect.newId}, p.id, $event, r.platform, r.address, TRUE, 1, p.views_used, ${dialect.now}, ${dialect.now}, ${dialect.now}
     FROM push_recipients r JOIN pushes p ON p.id = r.push_id WHERE r.push_id IN (${ids}) AND r.platform IS NOT NULL
     ${dialect.onConflict('push_id, event, messenger, address, is_open')} times = notices.times`;

  /** Returns how many notices it wrote: none for events that end no push. */
  return async function writeEnds(event: OwnerEvent, pushes: EndedPush[], tx: Tx): Promise<number> {
    const recipientEvent = events[event];
    const owned = pushes.filter(({ accountId }) => accountId !== null);
    if (recipientEvent === undefined || owned.length === 0) return 0;
    const { names, binds } = inList(owned.map(({ id }) => id));
    return tx.execute(insert(names), { ...binds, event: recipientEvent });
  };
}
