import { maybeId } from '../../crypto/ids.ts';
import type { Keyring } from '../../crypto/keyring.ts';
import type { Database } from '../../database/database.ts';
import type { Account } from '../accounts/account.ts';
import type { ChatUser } from '../chat/chatUser.ts';
import {
  openCondition,
  type RequestRole,
  type RequestRow,
  requestColumns,
  requestNotFound,
  type SecretRequest,
  toRequest,
} from './request.ts';

/** A request with the name of the other person, if known. */
export type ListedRequest = SecretRequest & { otherName: string | null };

const listedMax = 50;

/** The requests of an account, in all chats that are linked to it. */
export function createAccountRequests(database: Database, keyring: Keyring) {
  const { select } = database;
  const isOpen = openCondition(database);

  /** The open requests that it received, and all that it sent; the newest 50 of each. */
  async function listFor(account: Account): Promise<{ received: ListedRequest[]; sent: ListedRequest[] }> {
    const [received, sent] = await Promise.all([
      listAs('provider', account, `AND ${isOpen}`),
      listAs('requester', account),
    ]);
    return { received, sent };
  }

  async function listAs(role: RequestRole, { id }: Account, condition = ''): Promise<ListedRequest[]> {
    const other = role === 'provider' ? 'requester' : 'provider';
    const found = await select<RequestRow & { otherName: string | null }>(
      `SELECT ${requestColumns}, o.name AS otherName
       FROM chat_identities i JOIN requests r ON r.platform = i.platform AND r.${role} = i.address
         LEFT JOIN chat_identities o ON o.platform = r.platform AND o.address = r.${other}
       WHERE i.account_id = $id ${condition} ORDER BY r.created_at DESC, r.id DESC LIMIT ${listedMax}`,
      { id },
    );
    return found.map(({ otherName, ...row }) => ({ ...toRequest(keyring, row), otherName }));
  }

  /** The chat user of an account who has a role in an open request. Throws `not_found` if there is none. */
  async function chatUserFor({ id: accountId }: Account, id: string, role: RequestRole): Promise<ChatUser> {
    const requestId = maybeId(id);
    const [found] = requestId
      ? await select<ChatUser>(
          `SELECT i.platform, i.address FROM requests r
             JOIN chat_identities i ON i.platform = r.platform AND i.address = r.${role}
           WHERE r.id = $id AND i.account_id = $accountId AND ${isOpen}`,
          { id: requestId, accountId },
        )
      : [];
    if (found === undefined) throw requestNotFound();
    return found;
  }

  return { listFor, chatUserFor };
}
