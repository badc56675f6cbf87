import type { Database } from '../../database/database.ts';
import type { ChatUser } from './chatUser.ts';

/** A message in a chat, as its platform finds it again. */
export type ChatMessage = { channel: string; message: string };

/** The one message that somebody has about a push or a request, to be edited and answered instead of sending more. */
export function createChatMessages({ select, execute, withRetries, dialect }: Database) {
  const bindsOf = (about: string, { platform, address }: ChatUser) => ({
    about: Buffer.from(about, 'hex'),
    platform,
    address,
  });
  const matches = 'subject_id = $about AND platform = $platform AND address = $address';

  async function maybeFind(about: string, chatUser: ChatUser): Promise<ChatMessage | undefined> {
    const [found] = await select<ChatMessage>(
      `SELECT channel, message FROM chat_messages WHERE ${matches}`,
      bindsOf(about, chatUser),
    );
    return found;
  }

  async function save(about: string, chatUser: ChatUser, { channel, message }: ChatMessage): Promise<void> {
    await withRetries(() =>
      execute(
        `INSERT INTO chat_messages (subject_id, platform, address, channel, message, created_at)
         VALUES ($about, $platform, $address, $channel, $message, ${dialect.now})
         ${dialect.onConflict('subject_id, platform, address')}
           channel = ${dialect.excluded('channel')}, message = ${dialect.excluded('message')}`,
        { ...bindsOf(about, chatUser), channel, message },
      ),
    );
  }

  return { maybeFind, save };
}
