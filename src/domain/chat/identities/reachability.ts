import type { Database } from '../../../database/database.ts';
import type { ChatUser } from '../chatUser.ts';
import { identitiesTable } from '../tables.ts';

/** Whether direct messages reach a chat user. */
export function createReachability({ model, execute, dialect }: Database) {
  const IdentityModel = model(identitiesTable);

  async function setReachable({ platform, address }: ChatUser, isReachable: boolean): Promise<void> {
    await execute(
      `UPDATE chat_identities SET unreachable_since = ${isReachable ? 'NULL' : dialect.now}
       WHERE platform = $platform AND address = $address AND unreachable_since IS ${isReachable ? 'NOT NULL' : 'NULL'}`,
      { platform, address },
    );
  }

  /** Whether the last message could not be delivered. */
  async function isUnreachable({ platform, address }: ChatUser): Promise<boolean> {
    const identity = await IdentityModel.findOne({ where: { platform, address } });
    return identity !== null && identity.unreachableSince !== null;
  }

  return { setReachable, isUnreachable };
}
