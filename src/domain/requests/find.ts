import { toId } from '../../crypto/ids.ts';
import type { DatabaseWithKeys } from '../base/index.ts';
import { type Account, type ChatUser, isShutOut, type ListCaller, textFor } from '../people/index.ts';
import {
  openCondition,
  type RequestRole,
  requestColumns,
  requestNotFound,
  type SecretRequest,
  toRequest,
} from './request.ts';
import type { RequestRow } from './tables.ts';

/** How many requests one person may have open at once. */
export const openRequestsMax = 50;

/** Finds requests for their requesters and providers in a chat. */
export function createRequestFinder({ database, keyring }: DatabaseWithKeys) {
  const { select } = database;
  const isOpen = openCondition(database);

  async function maybeFind(id: Buffer): Promise<SecretRequest | undefined> {
    const [row] = await select<RequestRow>(`SELECT ${requestColumns} FROM requests r WHERE id = $id`, { id });
    return row && toRequest(keyring, row);
  }

  async function find(id: string): Promise<SecretRequest> {
    const found = await maybeFind(toId(id));
    if (found === undefined) throw requestNotFound();
    return found;
  }

  /** The open requests of a requester, newest first. */
  async function list({ platform, address }: ChatUser): Promise<SecretRequest[]> {
    const found = await select<RequestRow>(
      `SELECT ${requestColumns} FROM requests r WHERE platform = $platform AND requester = $address AND ${isOpen}
         ORDER BY created_at DESC, id DESC LIMIT ${openRequestsMax}`,
      { platform, address },
    );
    return found.map((row) => toRequest(keyring, row));
  }

  /** The requests that were sent together, whatever has become of them. */
  async function ofGroup(groupId: string): Promise<SecretRequest[]> {
    const found = await select<RequestRow>(
      `SELECT ${requestColumns} FROM requests r WHERE group_id = $id ORDER BY r.id`,
      { id: toId(groupId) },
    );
    return found.map((row) => toRequest(keyring, row));
  }

  /** Who has not answered in time, of all those who were asked together. */
  const unansweredOf = async ({ groupId }: SecretRequest): Promise<ChatUser[]> =>
    (await ofGroup(groupId)).filter(({ state }) => state === 'expired').map(({ provider }) => provider);

  /** Finds an open request that a provider may still answer. Throws `not_found` for all others. */
  async function requireOpen(id: string, { platform, address }: ChatUser): Promise<SecretRequest> {
    const [row] = await select<RequestRow>(
      `SELECT ${requestColumns} FROM requests r WHERE id = $id AND platform = $platform AND provider = $address
         AND ${isOpen} AND NOT ${isShutOut('r.platform', 'r.requester')}`,
      { id: toId(id), platform, address },
    );
    if (row === undefined) throw requestNotFound();
    return toRequest(keyring, row);
  }

  return { maybeFind, find, list, ofGroup, unansweredOf, requireOpen };
}

/** A request with the name of the other person, if known. */
export type ListedRequest = SecretRequest & { otherName: string | null };

const listedMax = 50;

/** The requests of an account, in all chats that are linked to it. */
export function createAccountRequests({ database, keyring }: DatabaseWithKeys) {
  const { select } = database;
  const isOpen = openCondition(database);

  /** The open requests that it received, and all that it sent; the newest 50 of each. */
  async function listFor(caller: ListCaller): Promise<{ received: ListedRequest[]; sent: ListedRequest[] }> {
    const [received, sent] = await Promise.all([
      listAs('provider', caller, `AND ${isOpen}`),
      listAs('requester', caller),
    ]);
    return { received, sent };
  }

  async function listAs(role: RequestRole, caller: ListCaller, condition = ''): Promise<ListedRequest[]> {
    const other = role === 'provider' ? 'requester' : 'provider';
    const found = await select<RequestRow & { otherName: string | null }>(
      `SELECT ${requestColumns}, o.name AS otherName
       FROM chat_identities i JOIN requests r ON r.platform = i.platform AND r.${role} = i.address
         LEFT JOIN chat_identities o ON o.platform = r.platform AND o.address = r.${other}
       WHERE i.account_id = $id ${condition} ORDER BY r.created_at DESC, r.id DESC LIMIT ${listedMax}`,
      { id: caller.account.id },
    );
    return found.map(({ otherName, ...row }) => {
      const request = toRequest(keyring, row);
      return { ...request, reason: textFor(caller, request.reason), otherName };
    });
  }

  /** The chat user of an account who has a role in an open request. Throws `not_found` if there is none. */
  async function chatUserFor({ id: accountId }: Account, id: string, role: RequestRole): Promise<ChatUser> {
    const [found] = await select<ChatUser>(
      `SELECT i.platform, i.address FROM requests r
         JOIN chat_identities i ON i.platform = r.platform AND i.address = r.${role}
       WHERE r.id = $id AND i.account_id = $accountId AND ${isOpen}`,
      { id: toId(id), accountId },
    );
    if (found === undefined) throw requestNotFound();
    return found;
  }

  return { listFor, chatUserFor };
}
