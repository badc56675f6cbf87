import { z } from 'zod';
import { openLabel, seal } from '../../crypto/cipher.ts';
import { newId } from '../../crypto/ids.ts';
import type { Keyring } from '../../crypto/keyring.ts';
import type { Database, Tx } from '../../database/database.ts';
import { DomainError } from '../../errors.ts';
import { dayMs } from '../../time.ts';
import type { Account } from '../accounts/accounts.ts';
import type { Outbox } from '../notices/outbox.ts';
import { asMessage, parseInput } from '../validation.ts';
import { accountNameOf, type ChatUser, type Platform, toRecipient } from './chatUser.ts';

export type RequestState = 'open' | 'provided' | 'declined' | 'cancelled';

/** Somebody has asked somebody for a secret. */
export type SecretRequest = {
  id: string;
  requester: ChatUser;
  provider: ChatUser;
  reason: string | null;
  state: RequestState;
  createdAt: number;
  expiresAt: number;
};

/** One of the two whom a request is about. */
export type RequestRole = 'requester' | 'provider';

/** A request as one of the two sees it: how the other is called, as far as we know. */
export type ListedRequest = SecretRequest & { otherName: string | null };

type RequestRow = {
  id: Buffer;
  platform: Platform;
  requester: string;
  provider: string;
  reason: Buffer | null;
  state: RequestState;
  createdAt: number;
  expiresAt: number;
};

const lifetimeMs = 14 * dayMs;
const openRequestsMax = 50;

const columns = `r.id, r.platform, r.requester, r.provider, r.reason, r.state, r.created_at AS createdAt,
  r.expires_at AS expiresAt`;
const listedMax = 50;

const requestSchema = z.object({
  reason: z
    .string(asMessage({ code: 'text' }))
    .trim()
    .max(500, asMessage({ code: 'maxLength', max: 500, unit: 'characters' }))
    .transform((text) => text || null)
    .nullable()
    .default(null),
});

export type Requests = ReturnType<typeof createRequests>;

/** Asking for secrets instead of handing them over; each request ends once, in one of three ways. */
export function createRequests(database: Database, keyring: Keyring, outbox: Outbox) {
  const { select, transaction, deleteInBatches, dialect } = database;

  const isOpen = `state = 'open' AND expires_at > ${dialect.now}`;

  const present = ({ id, platform, requester, provider, reason, ...row }: RequestRow): SecretRequest => ({
    ...row,
    id: id.toString('hex'),
    requester: { platform, address: requester },
    provider: { platform, address: provider },
    reason: reason === null ? null : openLabel(keyring, reason, { id, field: 'reason' }),
  });

  /** Asks, and tells whom it is asked of; refuses somebody who asks for too much at once, or asks themselves. */
  async function create(requester: ChatUser, provider: ChatUser, input: unknown): Promise<SecretRequest> {
    const { reason } = parseInput(requestSchema, input);
    if (requester.address === provider.address)
      throw new DomainError('invalid', 'requestToSelf', { problems: { provider: [{ code: 'self' }] } });
    if ((await list(requester)).length >= openRequestsMax)
      throw new DomainError('too_many', 'tooManyOpenRequests');
    const id = newId();
    await transaction(async (tx) => {
      await tx.execute(
        `INSERT INTO requests (id, platform, requester, provider, reason, state, created_at, expires_at)
         VALUES ($id, $platform, $requester, $provider, $reason, 'open', ${dialect.now}, ${dialect.now} + ${lifetimeMs})`,
        {
          id,
          platform: requester.platform,
          requester: requester.address,
          provider: provider.address,
          reason: reason === null ? null : seal(keyring, reason, { id, field: 'reason' }),
        },
      );
      await outbox.send('requested', id, [toRecipient(provider)], tx);
    });
    return find(id.toString('hex'));
  }

  async function maybeFind(id: Buffer): Promise<SecretRequest | undefined> {
    const [row] = await select<RequestRow>(`SELECT ${columns} FROM requests r WHERE id = $id`, { id });
    return row && present(row);
  }

  async function find(id: string): Promise<SecretRequest> {
    const found = isId(id) ? await maybeFind(Buffer.from(id, 'hex')) : undefined;
    if (found === undefined) throw requestNotFound();
    return found;
  }

  /** The open requests of whoever asked, the newest first. */
  async function list({ platform, address }: ChatUser): Promise<SecretRequest[]> {
    const found = await select<RequestRow>(
      `SELECT ${columns} FROM requests r WHERE platform = $platform AND requester = $address AND ${isOpen}
         ORDER BY created_at DESC LIMIT ${openRequestsMax}`,
      { platform, address },
    );
    return found.map(present);
  }

  /** What is asked of an account in all its chats, and what it asked for there, whatever came of that; the newest 50 of each. */
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
      `SELECT ${columns}, o.name AS otherName
       FROM chat_identities i JOIN requests r ON r.platform = i.platform AND r.${role} = i.address
         LEFT JOIN chat_identities o ON o.platform = r.platform AND o.address = r.${other}
       WHERE i.account_id = $id ${condition} ORDER BY r.created_at DESC, r.id DESC LIMIT ${listedMax}`,
      { id },
    );
    return found.map(({ otherName, ...row }) => ({ ...present(row), otherName }));
  }

  /** Who of an account's chats has a part in an open request; refuses with `not_found` when nobody has. */
  async function chatUserFor({ id: accountId }: Account, id: string, role: RequestRole): Promise<ChatUser> {
    const [found] = isId(id)
      ? await select<ChatUser>(
          `SELECT i.platform, i.address FROM requests r
             JOIN chat_identities i ON i.platform = r.platform AND i.address = r.${role}
           WHERE r.id = $id AND i.account_id = $accountId AND ${isOpen}`,
          { id: Buffer.from(id, 'hex'), accountId },
        )
      : [];
    if (found === undefined) throw requestNotFound();
    return found;
  }

  /** An open request that a speaker may still answer. Refuses every other with `not_found`. */
  async function requireOpen(id: string, { platform, address }: ChatUser): Promise<SecretRequest> {
    const [row] = isId(id)
      ? await select<RequestRow>(
          `SELECT ${columns} FROM requests r WHERE id = $id AND platform = $platform AND provider = $address
             AND ${isOpen}`,
          { id: Buffer.from(id, 'hex'), platform, address },
        )
      : [];
    if (row === undefined) throw requestNotFound();
    return present(row);
  }

  /** Says no to an open request, and tells who asked. */
  const decline = (id: string, provider: ChatUser) => end(id, provider, 'declined');

  /** Takes an open request back, and tells whom it was asked of. */
  const cancel = (id: string, requester: ChatUser) => end(id, requester, 'cancelled');

  async function end(
    id: string,
    chatUser: ChatUser,
    state: 'declined' | 'cancelled',
  ): Promise<SecretRequest> {
    const request = await find(id);
    const { requester, provider } = request;
    const [own, other] = state === 'declined' ? [provider, requester] : [requester, provider];
    if (!isSame(own, chatUser)) throw requestNotFound();
    await transaction(async (tx) => {
      await close(id, state, tx);
      await outbox.send(state, Buffer.from(id, 'hex'), [toRecipient(other)], tx);
    });
    return { ...request, state };
  }

  /** Ends an open request within the transaction of what ends it; refuses with `not_found` one that has ended. */
  async function close(id: string, state: Exclude<RequestState, 'open'>, tx: Tx): Promise<void> {
    const closed = await tx.execute(`UPDATE requests SET state = $state WHERE id = $id AND ${isOpen}`, {
      id: Buffer.from(id, 'hex'),
      state,
    });
    if (closed !== 1) throw requestNotFound();
  }

  /** Opens a request again whose push was withdrawn, within the transaction of that. */
  async function reopen(id: string, tx: Tx): Promise<void> {
    await tx.execute("UPDATE requests SET state = 'open' WHERE id = $id AND state = 'provided'", {
      id: Buffer.from(id, 'hex'),
    });
  }

  /** Forgets requests whose time is over. */
  const purge = (isStopping?: () => boolean) =>
    deleteInBatches('requests', 'expires_at', dialect.now, isStopping);

  return {
    create,
    maybeFind,
    requireOpen,
    list,
    listFor,
    chatUserFor,
    decline,
    cancel,
    close,
    reopen,
    purge,
  };
}

const isSame = (one: ChatUser, other: ChatUser) => accountNameOf(one) === accountNameOf(other);

const isId = (id: string) => /^[0-9a-f]{32}$/.test(id);

function requestNotFound(): DomainError {
  return new DomainError('not_found', 'requestEnded');
}
