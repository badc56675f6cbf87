import type { Transaction } from 'sequelize';
import { z } from 'zod';
import { openLabel, seal } from '../../crypto/cipher.ts';
import { newId } from '../../crypto/ids.ts';
import type { Keyring } from '../../crypto/keyring.ts';
import type { Database } from '../../database/database.ts';
import { DomainError } from '../../errors.ts';
import type { Owner } from '../accounts/accounts.ts';
import type { Outbox } from '../notices/outbox.ts';
import { parseInput } from '../validation.ts';
import { accountNameOf, asRecipient, type Platform, type Speaker } from './chatUser.ts';

export type RequestState = 'open' | 'provided' | 'declined' | 'cancelled';

/** Somebody has asked somebody for a secret. */
export type SecretRequest = {
  id: string;
  requester: Speaker;
  provider: Speaker;
  reason: string | null;
  state: RequestState;
  createdAt: number;
  expiresAt: number;
};

/** One of the two whom a request is about. */
export type Part = 'requester' | 'provider';

/** A request as one of the two sees it: how the other is called, as far as we know. */
export type SeenRequest = SecretRequest & { otherName: string | null };

type Row = {
  id: Buffer;
  platform: Platform;
  requester: string;
  provider: string;
  reason: Buffer | null;
  state: RequestState;
  createdAt: number;
  expiresAt: number;
};

const openMs = 14 * 86_400_000;
const openMax = 50;

const columns = `r.id, r.platform, r.requester, r.provider, r.reason, r.state, r.created_at AS createdAt,
  r.expires_at AS expiresAt`;
const seenMax = 50;

const newRequest = z.object({
  reason: z
    .string('must be text')
    .trim()
    .max(500, 'must have at most 500 characters')
    .transform((text) => text || null)
    .nullable()
    .default(null),
});

export type Requests = ReturnType<typeof createRequests>;

/** Asking for secrets instead of handing them over; each request ends once, in one of three ways. */
export function createRequests(database: Database, keyring: Keyring, outbox: Outbox) {
  const { rows, change, unitOfWork, deleteInBatches, dialect } = database;

  const isOpen = `state = 'open' AND expires_at > ${dialect.now}`;

  const present = ({ id, platform, requester, provider, reason, ...row }: Row): SecretRequest => ({
    ...row,
    id: id.toString('hex'),
    requester: { platform, address: requester },
    provider: { platform, address: provider },
    reason: reason === null ? null : openLabel(keyring, reason, { id, field: 'reason' }),
  });

  /** Asks, and tells whom it is asked of; refuses somebody who asks for too much at once, or asks themselves. */
  async function make(requester: Speaker, provider: Speaker, input: unknown): Promise<SecretRequest> {
    const { reason } = parseInput(newRequest, input);
    if (requester.address === provider.address)
      throw new DomainError('invalid', 'You cannot ask yourself.', { fields: { provider: ['is you'] } });
    if ((await list(requester)).length >= openMax)
      throw new DomainError('too_many', 'You have too many open requests. Cancel some first.');
    const id = newId();
    await unitOfWork(async (transaction) => {
      await change(
        `INSERT INTO requests (id, platform, requester, provider, reason, state, created_at, expires_at)
         VALUES ($id, $platform, $requester, $provider, $reason, 'open', ${dialect.now}, ${dialect.now} + ${openMs})`,
        {
          id,
          platform: requester.platform,
          requester: requester.address,
          provider: provider.address,
          reason: reason === null ? null : seal(keyring, reason, { id, field: 'reason' }),
        },
        { transaction },
      );
      await outbox.send('requested', id, [asRecipient(provider)], transaction);
    });
    outbox.announce();
    return find(id.toString('hex'));
  }

  async function maybeFind(id: Buffer): Promise<SecretRequest | undefined> {
    const [row] = await rows<Row>(`SELECT ${columns} FROM requests r WHERE id = $id`, { id });
    return row && present(row);
  }

  async function find(id: string): Promise<SecretRequest> {
    const found = isId(id) ? await maybeFind(Buffer.from(id, 'hex')) : undefined;
    if (found === undefined) throw gone();
    return found;
  }

  /** The open requests of whoever asked, the newest first. */
  async function list({ platform, address }: Speaker): Promise<SecretRequest[]> {
    const found = await rows<Row>(
      `SELECT ${columns} FROM requests r WHERE platform = $platform AND requester = $address AND ${isOpen}
         ORDER BY created_at DESC LIMIT ${openMax}`,
      { platform, address },
    );
    return found.map(present);
  }

  /** What is asked of an account in all its chats, and what it asked for there, whatever came of that; the newest 50 of each. */
  async function seenBy(owner: Owner): Promise<{ asked: SeenRequest[]; asking: SeenRequest[] }> {
    const [asked, asking] = await Promise.all([
      seenAs('provider', owner, `AND ${isOpen}`),
      seenAs('requester', owner),
    ]);
    return { asked, asking };
  }

  async function seenAs(part: Part, { id }: Owner, condition = ''): Promise<SeenRequest[]> {
    const other = part === 'provider' ? 'requester' : 'provider';
    const found = await rows<Row & { otherName: string | null }>(
      `SELECT ${columns}, o.name AS otherName
       FROM chat_identities i JOIN requests r ON r.platform = i.platform AND r.${part} = i.address
         LEFT JOIN chat_identities o ON o.platform = r.platform AND o.address = r.${other}
       WHERE i.account_id = $id ${condition} ORDER BY r.created_at DESC, r.id DESC LIMIT ${seenMax}`,
      { id },
    );
    return found.map(({ otherName, ...row }) => ({ ...present(row), otherName }));
  }

  /** Who of an account's chats has a part in an open request; refuses with `not_found` when nobody has. */
  async function speakerFor({ id: accountId }: Owner, id: string, part: Part): Promise<Speaker> {
    const [found] = isId(id)
      ? await rows<Speaker>(
          `SELECT i.platform, i.address FROM requests r
             JOIN chat_identities i ON i.platform = r.platform AND i.address = r.${part}
           WHERE r.id = $id AND i.account_id = $accountId AND ${isOpen}`,
          { id: Buffer.from(id, 'hex'), accountId },
        )
      : [];
    if (found === undefined) throw gone();
    return found;
  }

  /** An open request that a speaker may still answer. Refuses every other with `not_found`. */
  async function requireOpen(id: string, { platform, address }: Speaker): Promise<SecretRequest> {
    const [row] = isId(id)
      ? await rows<Row>(
          `SELECT ${columns} FROM requests r WHERE id = $id AND platform = $platform AND provider = $address
             AND ${isOpen}`,
          { id: Buffer.from(id, 'hex'), platform, address },
        )
      : [];
    if (row === undefined) throw gone();
    return present(row);
  }

  /** Says no to an open request, and tells who asked. */
  const decline = (id: string, provider: Speaker) => end(id, provider, 'declined');

  /** Takes an open request back, and tells whom it was asked of. */
  const cancel = (id: string, requester: Speaker) => end(id, requester, 'cancelled');

  async function end(id: string, speaker: Speaker, state: 'declined' | 'cancelled'): Promise<SecretRequest> {
    const request = await find(id);
    const { requester, provider } = request;
    const [own, other] = state === 'declined' ? [provider, requester] : [requester, provider];
    if (!isSame(own, speaker)) throw gone();
    await unitOfWork(async (transaction) => {
      await close(id, state, transaction);
      await outbox.send(state, Buffer.from(id, 'hex'), [asRecipient(other)], transaction);
    });
    outbox.announce();
    return { ...request, state };
  }

  /** Ends an open request within the transaction of what ends it; refuses with `not_found` one that has ended. */
  async function close(
    id: string,
    state: Exclude<RequestState, 'open'>,
    transaction: Transaction,
  ): Promise<void> {
    const closed = await change(
      `UPDATE requests SET state = $state WHERE id = $id AND ${isOpen}`,
      { id: Buffer.from(id, 'hex'), state },
      { transaction },
    );
    if (closed !== 1) throw gone();
  }

  /** Opens a request again whose push was withdrawn, within the transaction of that. */
  async function reopen(id: string, transaction: Transaction): Promise<void> {
    await change(
      "UPDATE requests SET state = 'open' WHERE id = $id AND state = 'provided'",
      { id: Buffer.from(id, 'hex') },
      { transaction },
    );
  }

  /** Forgets requests whose time is over. */
  const purge = (isStopping?: () => boolean) =>
    deleteInBatches('requests', 'expires_at', dialect.now, isStopping);

  return { make, maybeFind, requireOpen, list, seenBy, speakerFor, decline, cancel, close, reopen, purge };
}

const isSame = (one: Speaker, other: Speaker) => accountNameOf(one) === accountNameOf(other);

const isId = (id: string) => /^[0-9a-f]{32}$/.test(id);

function gone(): DomainError {
  return new DomainError('not_found', 'This request has ended.');
}
