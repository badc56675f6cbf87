import type { Database } from '../../database/database.ts';
import type { PushEvent } from '../outbox/index.ts';
import type { ChatUser } from '../people/index.ts';

/** The platform's ids of a message. */
export type ChatMessage = { channel: string; message: string };

/** A line below a message: what it says, so that it can be edited when the same happens again. */
export type ChatLine = ChatMessage & {
  event: PushEvent;
  /** How many events it stands for, and when the last of them happened. */
  times: number;
  happenedAt: number;
};

type MessageRow = ChatMessage & {
  line: string | null;
  event: PushEvent;
  times: number;
  happenedAt: number;
};

/**
 * A person has one message per push or request (`subjectId`). It is edited and replied to instead of sending more. The
 * newest line below it is known too.
 */
export function createChatMessages({ select, execute, dialect }: Database) {
  const bindsOf = (subjectId: string, { platform, address }: ChatUser) => ({
    subjectId: Buffer.from(subjectId, 'hex'),
    platform,
    address,
  });
  const matches = 'subject_id = $subjectId AND platform = $platform AND address = $address';

  async function maybeFind(subjectId: string, chatUser: ChatUser): Promise<ChatMessage | undefined> {
    const row = await maybeRow(subjectId, chatUser);
    return row && { channel: row.channel, message: row.message };
  }

  async function maybeLine(subjectId: string, chatUser: ChatUser): Promise<ChatLine | undefined> {
    const row = await maybeRow(subjectId, chatUser);
    if (row === undefined || row.line === null) return undefined;
    const { channel, line: message, event, times, happenedAt } = row;
    return { channel, message, event, times: Number(times), happenedAt: Number(happenedAt) };
  }

  async function maybeRow(subjectId: string, chatUser: ChatUser): Promise<MessageRow | undefined> {
    const [found] = await select<MessageRow>(
      `SELECT channel, message, line, line_event AS event, line_times AS times, line_at AS happenedAt
       FROM chat_messages WHERE ${matches}`,
      bindsOf(subjectId, chatUser),
    );
    return found;
  }

  async function save(
    subjectId: string,
    chatUser: ChatUser,
    { channel, message }: ChatMessage,
  ): Promise<void> {
    await execute(
      `INSERT INTO chat_messages (subject_id, platform, address, channel, message, created_at)
         VALUES ($subjectId, $platform, $address, $channel, $message, ${dialect.now})
         ${dialect.onConflict('subject_id, platform, address', ['channel', 'message'], 'line = NULL')}`,
      { ...bindsOf(subjectId, chatUser), channel, message },
    );
  }

  /** Saves the newest line below a message. */
  async function saveLine(
    subjectId: string,
    chatUser: ChatUser,
    { message: line, event, times, happenedAt }: ChatLine,
  ): Promise<void> {
    await execute(
      `UPDATE chat_messages SET line = $line, line_event = $event, line_times = $times, line_at = $happenedAt
       WHERE ${matches}`,
      { ...bindsOf(subjectId, chatUser), line, event, times, happenedAt },
    );
  }

  return { maybeFind, maybeLine, save, saveLine };
}
