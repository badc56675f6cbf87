import type { Database } from '../../database/database.ts';
import type { ChatUser } from './chatUser.ts';

/** The platform's ids of a message. */
export type ChatMessage = { channel: string; message: string };

/**
 * A person has one message per push or request (`subjectId`). It is edited and replied to instead of sending more.
 */
export function createChatMessages({ select, execute, dialect }: Database) {
  const bindsOf = (subjectId: string, { platform, address }: ChatUser) => ({
    subjectId: Buffer.from(subjectId, 'hex'),
    platform,
    address,
  });
  const matches = 'subject_id = $subjectId AND platform = $platform AND address = $address';

  async function maybeFind(subjectId: string, chatUser: ChatUser): Promise<ChatMessage | undefined> {
    const [found] = await select<ChatMessage>(
      `SELECT channel, message FROM chat_messages WHERE ${matches}`,
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
         ${dialect.onConflict('subject_id, platform, address')}
           channel = ${dialect.excluded('channel')}, message = ${dialect.excluded('message')}`,
      { ...bindsOf(subjectId, chatUser), channel, message },
    );
  }

  return { maybeFind, save };
}
