import { toId } from '../../crypto/ids.ts';
import { type Database, inList, type Tx } from '../../database/database.ts';
import { DomainError } from '../../errors.ts';
import { hourMs } from '../../time.ts';
import { serializeAccount } from '../accounts/index.ts';
import { mailMessenger } from '../mail/index.ts';
import type { Outbox } from '../outbox/index.ts';
import { type Account, type ChatUser, toRecipient } from '../people/index.ts';
import { isLive, pushNotFound } from './push.ts';
import { type ReminderTime, reminderAt, reminderTimesIn } from './reminderTimes.ts';

type Dependencies = { database: Database; outbox: Pick<Outbox, 'send'> };

type WaitingRecipient = ChatUser & { id: Buffer; isRecent: number };
type DueRecipient = ChatUser & { id: Buffer; pushId: Buffer; isWaiting: number };

/** The people who were reminded, and those who were not because the sender reminded them recently, of any push. */
export type Nudged = { reminded: ChatUser[]; tooSoon: ChatUser[] };

/** A sender may remind the same person once in this time, across all pushes. */
const nudgeIntervalMs = hourMs;
const batchSize = 200;

/** Reminders of recipients in chats who have not opened a push: when its sender asks for it, or they themselves. */
export function createRecipientReminders({ database, outbox }: Dependencies) {
  const { select, execute, transaction, dialect } = database;
  const isLivePush = isLive(dialect.now, 'p.');
  /** A reminder that `$accountId` sent to `r` lately, of this push or another. */
  const recentNudge = `SELECT 1 FROM push_recipients same JOIN pushes ON pushes.id = same.push_id
    WHERE same.platform = r.platform AND same.address = r.address AND pushes.account_id = $accountId
      AND same.nudged_at > ${dialect.now} - ${nudgeIntervalMs}`;

  /**
   * Reminds those who have not opened an account's push, but nobody whom the account has reminded within the hour. Throws
   * `not_found` once the push has ended, and `forbidden` if all have opened it.
   */
  async function nudge({ id: accountId }: Account, id: string): Promise<Nudged> {
    const pushId = toId(id);
    return transaction(async (tx) => {
      await serializeAccount(database, accountId, tx);
      const [push] = await tx.select(
        `SELECT p.id FROM pushes p WHERE p.id = $pushId AND p.account_id = $accountId AND ${isLivePush}`,
        { pushId, accountId },
      );
      if (push === undefined) throw pushNotFound();
      const waiting = await tx.select<WaitingRecipient>(
        `SELECT r.id, r.platform, r.address, EXISTS (${recentNudge}) AS isRecent FROM push_recipients r
         WHERE r.push_id = $pushId AND r.platform <> '${mailMessenger}' AND r.opened_at IS NULL ORDER BY r.created_at, r.id`,
        { pushId, accountId },
      );
      if (waiting.length === 0) throw new DomainError('forbidden', 'openedByAll');
      const reminded = waiting.filter(({ isRecent }) => Number(isRecent) === 0);
      const tooSoon = waiting.filter(({ isRecent }) => Number(isRecent) === 1);
      await remind(pushId, reminded, tx);
      return { reminded: reminded.map(toChatUser), tooSoon: tooSoon.map(toChatUser) };
    });
  }

  async function remind(pushId: Buffer, recipients: WaitingRecipient[], tx: Tx): Promise<void> {
    if (recipients.length === 0) return;
    const { names, binds } = inList(recipients.map(({ id }) => id));
    await tx.execute(`UPDATE push_recipients SET nudged_at = ${dialect.now} WHERE id IN (${names})`, binds);
    await outbox.send('reminded', pushId, recipients.map(toRecipient), tx);
  }

  /**
   * When a recipient can be reminded, before the push ends. Throws `not_found` once it has ended and for everybody but its
   * recipients, and `forbidden` for who has opened it, or where it ends before any reminder.
   */
  async function reminderChoices(id: string, chatUser: ChatUser, timeZone?: string): Promise<ReminderTime[]> {
    const { now, expiresAt } = await requireUnopened(id, chatUser);
    const times = reminderTimesIn(timeZone).filter((time) => reminderAt(time, now, timeZone) < expiresAt);
    if (times.length === 0) throw new DomainError('forbidden', 'reminderTooLate');
    return times;
  }

  /** Reminds a recipient once, at the time they chose last, and returns when. Throws like `reminderChoices`. */
  async function remindLater(
    id: string,
    chatUser: ChatUser,
    { time, timeZone }: { time: ReminderTime; timeZone?: string | undefined },
  ): Promise<number> {
    const { recipientId, now, expiresAt } = await requireUnopened(id, chatUser);
    const at = reminderAt(time, now, timeZone);
    if (at >= expiresAt) throw new DomainError('forbidden', 'reminderTooLate');
    await execute('UPDATE push_recipients SET remind_at = $at WHERE id = $recipientId', { at, recipientId });
    return at;
  }

  async function requireUnopened(id: string, { platform, address }: ChatUser) {
    const [row] = await select<{
      recipientId: Buffer;
      openedAt: number | null;
      expiresAt: number;
      now: number;
    }>(
      `SELECT r.id AS recipientId, r.opened_at AS openedAt, p.expires_at AS expiresAt, ${dialect.now} AS now
       FROM push_recipients r JOIN pushes p ON p.id = r.push_id
       WHERE r.push_id = $pushId AND r.platform = $platform AND r.address = $address AND ${isLivePush}`,
      { pushId: toId(id), platform, address },
    );
    if (row === undefined) throw pushNotFound();
    if (row.openedAt !== null) throw new DomainError('forbidden', 'openedAlready');
    return { ...row, now: Number(row.now), expiresAt: Number(row.expiresAt) };
  }

  /** Recurring job. Reminds those who asked for it. Waits for no lock: views lock a push before its recipients. */
  async function remindDue(isStopping = () => false): Promise<void> {
    const [any] = await select(`SELECT 1 FROM push_recipients WHERE remind_at <= ${dialect.now} LIMIT 1`, {});
    if (any === undefined) return; // the usual case, without a transaction
    for (let isMore = true; isMore && !isStopping(); )
      isMore = await transaction(async (tx) => {
        const due = await tx.select<DueRecipient>(
          `SELECT r.id, r.push_id AS pushId, r.platform, r.address, (r.opened_at IS NULL AND ${isLivePush}) AS isWaiting
           FROM push_recipients r JOIN pushes p ON p.id = r.push_id
           WHERE r.remind_at <= ${dialect.now} ORDER BY r.remind_at LIMIT ${batchSize} ${dialect.skipLocked}`,
          {},
        );
        if (due.length === 0) return false;
        const { names, binds } = inList(due.map(({ id }) => id));
        await tx.execute(`UPDATE push_recipients SET remind_at = NULL WHERE id IN (${names})`, binds);
        for (const { pushId, isWaiting, ...chatUser } of due)
          if (Number(isWaiting) === 1) await outbox.send('reminded', pushId, [toRecipient(chatUser)], tx);
        return due.length === batchSize;
      });
  }

  return { nudge, reminderChoices, remindLater, remindDue };
}

const toChatUser = ({ platform, address }: ChatUser): ChatUser => ({ platform, address });
