import { type Database, inList, type Tx } from '../../database/database.ts';
import { platformNames } from '../../platforms.ts';
import type { NoticeAddress } from '../people/index.ts';
import {
  type AccountEvent,
  isLinkEvent,
  isRequestEvent,
  type MailEvent,
  type NoticeEvent,
  type OwnerEvent,
  type RecipientEvent,
  type TestEvent,
} from './events.ts';
import { createOwnerNoticeWriter, type NotifiedPush } from './ownerNotices.ts';

export type Outbox = ReturnType<typeof createOutbox>;

/** `actId` is that of the act, or of the entry in the security log. */
type ToAccount = { event: AccountEvent; actId: Buffer; accountId: Buffer; isErased?: boolean };

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
    event: Exclude<NoticeEvent, OwnerEvent | MailEvent | AccountEvent | TestEvent>,
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
         ${dialect.onConflict(`${subject}, event, messenger, address, is_open`, [], 'times = notices.times')}`,
        { subjectId, event, messenger, address },
      );
    }
    notifyAfterCommit(recipients.length, tx);
  }

  /**
   * Writes a notice of what was done to an account, to each of its addresses, in the transaction of the act. Those of an
   * erased account are its chats: its webhooks are gone.
   */
  async function sendToAccount(
    { event, actId, accountId, isErased = false }: ToAccount,
    tx: Tx,
  ): Promise<void> {
    const chats = platformNames.map((platform) => `'${platform}'`).join();
    const written = await tx.execute(
      `INSERT INTO notices (id, act_id, event, messenger, address, times, views_used, happened_at, created_at, due_at)
       SELECT ${dialect.newId}, $actId, $event, r.messenger, r.address, 1, 0, ${dialect.now}, ${dialect.now}, ${dialect.now}
       FROM recipients r WHERE r.account_id = $accountId ${isErased ? `AND r.messenger IN (${chats})` : ''}`,
      { actId, accountId, event },
    );
    notifyAfterCommit(written, tx);
  }

  /** Writes a notice to an e-mail address, in the transaction of what causes it. `subjectId` is the account's or the request link's, if it is for one. */
  async function sendMail(
    event: Exclude<MailEvent, 'security'>,
    address: string,
    subjectId: Buffer | null,
    tx: Tx,
  ): Promise<void> {
    const written = await tx.execute(
      `INSERT INTO notices (id, subject_id, event, messenger, address, times, views_used, happened_at, created_at, due_at)
       VALUES (${dialect.newId}, $subjectId, $event, 'mail', $address, 1, 0, ${dialect.now}, ${dialect.now}, ${dialect.now})`,
      { subjectId, event, address },
    );
    notifyAfterCommit(written, tx);
  }

  /** Tells an account by mail what happened to its sign-in, in the transaction that notes it. */
  async function sendSecurity({ id, accountId }: { id: Buffer; accountId: Buffer }, tx: Tx): Promise<void> {
    const event: MailEvent = 'security';
    const written = await tx.execute(
      `INSERT INTO notices (id, subject_id, event, messenger, address, times, views_used, happened_at, created_at, due_at)
       SELECT ${dialect.newId}, $id, $event, r.messenger, r.address, 1, 0, ${dialect.now}, ${dialect.now}, ${dialect.now}
       FROM recipients r WHERE r.account_id = $accountId AND r.messenger = 'mail'`,
      { id, accountId, event },
    );
    notifyAfterCommit(written, tx);
  }

  /** Calls a listener after each commit of this process that wrote notices. Returns a function that removes it. */
  function onWritten(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }

  return { write, writeAll, send, sendToAccount, sendMail, sendSecurity, onWritten };
}

type EndedPush = { id: Buffer; accountId: Buffer | null };

/** Ends of pushes, and what their recipients in chats are notified of. */
const events: Partial<Record<OwnerEvent, RecipientEvent>> = {
  expired_by_views: 'ended',
  expired_by_time: 'ended',
  deleted: 'ended',
  burned: 'withdrawn',
};

/** Notifies the recipients of pushes in chats of their end, whatever the owner is notified of. */
function createEndNotices(dialect: Database['dialect']) {
  const chats = platformNames.map((platform) => `'${platform}'`).join();
  const insert = (ids: string) =>
    `INSERT INTO notices (id, push_id, event, messenger, address, is_open, times, views_used, happened_at, created_at, due_at)
     SELECT ${dialect.newId}, p.id, $event, r.platform, r.address, TRUE, 1, p.views_used, ${dialect.now}, ${dialect.now}, ${dialect.now}
     FROM push_recipients r JOIN pushes p ON p.id = r.push_id WHERE r.push_id IN (${ids}) AND r.platform IN (${chats})
     ${dialect.onConflict('push_id, event, messenger, address, is_open', [], 'times = notices.times')}`;

  /** Returns how many notices it wrote: none for events that end no push. */
  return async function writeEnds(event: OwnerEvent, pushes: EndedPush[], tx: Tx): Promise<number> {
    const recipientEvent = events[event];
    const owned = pushes.filter(({ accountId }) => accountId !== null);
    if (recipientEvent === undefined || owned.length === 0) return 0;
    const { names, binds } = inList(owned.map(({ id }) => id));
    return tx.execute(insert(names), { ...binds, event: recipientEvent });
  };
}

/** An address that notices of an account's pushes go to. */
type NoticeRecipient = { accountId: Buffer; messenger: string; address: string };

/** The recipients of an account's notices. Each function may be repeated. */
export function createRecipients({ dialect }: Database) {
  /**
   * After the commit, notices are written for the address: of all events, or of those of encoded types. Of what was done to the
   * account, they always are.
   */
  async function add(recipient: NoticeRecipient, tx: Tx, types: string | null = null): Promise<void> {
    await tx.execute(
      `INSERT INTO recipients (account_id, messenger, address, types) VALUES ($accountId, $messenger, $address, $types)
       ${dialect.onConflict('account_id, messenger, address', ['types'])}`,
      { ...recipient, types },
    );
  }

  /** After the commit, no more notices are written for the address, and waiting ones are not delivered. */
  async function remove(recipient: NoticeRecipient, tx: Tx): Promise<void> {
    await tx.execute(
      'DELETE FROM recipients WHERE account_id = $accountId AND messenger = $messenger AND address = $address',
      recipient,
    );
  }

  return { add, remove };
}
