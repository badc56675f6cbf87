import { type Database, inList, type Tx } from '../../database/database.ts';
import { type ChatUser, shortName, toRecipient } from '../chat/chatUser.ts';
import type { Outbox } from '../notices/outbox.ts';

/** Somebody in a chat whom a push was sent to. The name is null where the chat did not tell it. */
export type PushRecipient = ChatUser & { name: string | null };

/** A recipient to send a push to. */
export type NewPushRecipient = ChatUser & { name?: string | null | undefined };

export type PushRecipients = ReturnType<typeof createPushRecipients>;

/** Whom a push was sent to in a chat. Owns the table push_recipients. */
export function createPushRecipients({ select, dialect }: Database, outbox: Pick<Outbox, 'send'>) {
  /** Sends the link of a push to people, who are notified of its end, too. */
  async function add(pushId: Buffer, recipients: NewPushRecipient[], tx: Tx): Promise<void> {
    for (const { platform, address, name = null } of recipients)
      await tx.execute(
        `INSERT INTO push_recipients (push_id, platform, address, name, created_at)
         VALUES ($pushId, $platform, $address, $name, ${dialect.now})
         ${dialect.onConflict('push_id, platform, address')} name = COALESCE(${dialect.excluded('name')}, push_recipients.name)`,
        { pushId, platform, address, name: name && shortName(name) },
      );
    await outbox.send('shared', pushId, recipients.map(toRecipient), tx);
  }

  /** The recipients of pushes, by the ids of the pushes, the first first. */
  async function ofPushes(pushIds: string[]): Promise<Map<string, PushRecipient[]>> {
    const found = new Map<string, PushRecipient[]>();
    if (pushIds.length === 0) return found;
    const { names, binds } = inList(pushIds.map((id) => Buffer.from(id, 'hex')));
    const rows = await select<PushRecipient & { pushId: Buffer }>(
      `SELECT push_id AS pushId, platform, address, name FROM push_recipients WHERE push_id IN (${names})
       ORDER BY created_at, platform, address`,
      binds,
    );
    for (const { pushId, ...recipient } of rows) {
      const id = pushId.toString('hex');
      found.set(id, [...(found.get(id) ?? []), recipient]);
    }
    return found;
  }

  return { add, ofPushes };
}
