import type { Database } from '../../../database/database.ts';
import type { ChatUser } from '../chatUser.ts';

/** Whether direct messages reach a chat user. */
export function createReachability({ select, execute, dialect }: Database) {
  async function setReachable({ platform, address }: ChatUser, isReachable: boolean): Promise<void> {
    await execute(
      `UPDATE chat_identities SET unreachable_since = ${isReachable ? 'NULL' : dialect.now}
       WHERE platform = $platform AND address = $address AND unreachable_since IS ${isReachable ? 'NOT NULL' : 'NULL'}`,
      { platform, address },
    );
  }

  /** Whether the last message did not arrive. */
  async function isUnreachable({ platform, address }: ChatUser): Promise<boolean> {
    const [found] = await select(
      `SELECT 1 FROM chat_identities
       WHERE platform = $platform AND address = $address AND unreachable_since IS NOT NULL`,
      { platform, address },
    );
    return found !== undefined;
  }

  return { setReachable, isUnreachable };
}
