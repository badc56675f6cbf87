import type { Database, Tx } from '../../database/database.ts';
import type { NoticeAddress } from './address.ts';
import { createEndNotices } from './ends.ts';
import { isLinkEvent, isRequestEvent, type NoticeEvent, type OwnerEvent, type TestEvent } from './events.ts';
import { createOwnerNoticeWriter, type NotifiedPush } from './ownerNotices.ts';

export type Outbox = ReturnType<typeof createOutbox>;

const subjectColumn = (event: NoticeEvent) =>
  isLinkEvent(event) ? 'link_request_id' : isRequestEvent(event) ? 'request_id' : 'push_id';

/** Writes notices in the transaction of their event. */
export function createOutbox({ dialect }: Database) {
  const listeners = new Set<() => void>();
  const notifyListeners = () => {
    for (const listener of listeners) listener();
  };

  const notifyAfterCommit = (written: number, tx: Tx) => {
    if (written > 0) tx.afterCommit(notifyListeners);
  };
  const writeEnds = createEndNotices(dialect);
  const ownerNotices = createOwnerNoticeWriter(dialect);

  /**
   * Writes the notices of an event: for the owner of a push as they prefer, and for its recipients if it has ended. Call
   * it in the event's transaction, after the event's changes to the push. Costs nothing if nobody is notified.
   */
  async function write(event: OwnerEvent, push: NotifiedPush, viewsUsed: number, tx: Tx): Promise<void> {
    notifyAfterCommit(await writeEnds(event, [push], tx), tx);
    notifyAfterCommit(await ownerNotices.write(event, push, viewsUsed, tx), tx);
  }

  /** The same for many pushes at once, for events other than views. */
  async function writeAll(event: OwnerEvent, pushes: NotifiedPush[], tx: Tx): Promise<void> {
    notifyAfterCommit(await writeEnds(event, pushes, tx), tx);
    notifyAfterCommit(await ownerNotices.writeAll(event, pushes, tx), tx);
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
    notifyAfterCommit(recipients.length, tx);
  }

  /** Calls a listener after each commit of this process that wrote notices. Returns a function that removes it. */
  function onWritten(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }

  return { write, writeAll, send, onWritten };
}
