import type { Database } from '../../database/database.ts';
import type { Speaker } from './chatUser.ts';

/** A message in a chat, as its platform finds it again. */
export type ChatMessage = { channel: string; message: string };

/** The one message that somebody has about a push or a request, to be edited and answered instead of sending more. */
export function createMessages({ rows, change, retrying, dialect }: Database) {
  const bindsOf = (about: string, { platform, address }: Speaker) => ({
    about: Buffer.from(about, 'hex'),
    platform,
    address,
  });
  const isIt = 'about = $about AND platform = $platform AND address = $address';

  async function maybeFind(about: string, reader: Speaker): Promise<ChatMessage | undefined> {
    const [found] = await rows<ChatMessage>(
      `SELECT channel, message FROM chat_messages WHERE ${isIt}`,
      bindsOf(about, reader),
    );
    return found;
  }

  async function keep(about: string, reader: Speaker, { channel, message }: ChatMessage): Promise<void> {
    await retrying(() =>
      change(
        `INSERT INTO chat_messages (about, platform, address, channel, message, created_at)
         VALUES ($about, $platform, $address, $channel, $message, ${dialect.now})
         ${dialect.onConflict('about, platform, address')}
           channel = ${dialect.wanted('channel')}, message = ${dialect.wanted('message')}`,
        { ...bindsOf(about, reader), channel, message },
      ),
    );
  }

  return { maybeFind, keep };
}
