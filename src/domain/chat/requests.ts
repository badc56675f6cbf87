import { z } from 'zod';
import { openLabel, seal } from '../cipher.ts';
import type { Database } from '../database.ts';
import { DomainError } from '../errors.ts';
import { newId } from '../ids.ts';
import { parseInput } from '../input.ts';
import type { Keyring } from '../keyring.ts';
import { accountNameOf, type Platform, type Speaker } from './speaker.ts';

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
const listMax = 20;

const columns = `id, platform, requester, provider, reason, state, created_at AS createdAt, expires_at AS expiresAt`;

const newRequest = z.object({
  reason: z
    .string()
    .trim()
    .max(500, 'must have at most 500 characters')
    .transform((text) => text || null)
    .nullable()
    .default(null),
});

/** Asking for secrets instead of handing them over; each request ends once, in one of three ways. */
export function createRequests(database: Database, keyring: Keyring) {
  const { rows, change, unitOfWork, retrying, deleteInBatches, dialect } = database;

  const present = ({ id, platform, requester, provider, reason, ...row }: Row): SecretRequest => ({
    ...row,
    id: id.toString('hex'),
    requester: { platform, address: requester },
    provider: { platform, address: provider },
    reason: reason === null ? null : openLabel(keyring, reason, { id, field: 'reason' }),
  });

  /** Asks; refuses somebody who asks for too much at once, or asks themselves. */
  async function make(requester: Speaker, provider: Speaker, input: unknown): Promise<SecretRequest> {
    const { reason } = parseInput(newRequest, input);
    if (requester.address === provider.address)
      throw new DomainError('invalid', 'You cannot ask yourself.', { fields: { provider: ['is you'] } });
    if ((await list(requester)).length >= openMax)
      throw new DomainError('too_many', 'You have too many open requests. Cancel some first.');
    const id = newId();
    await retrying(() =>
      change(
        `INSERT INTO requests (id, platform, requester, provider, reason, state, created_at, expires_at)
         VALUES ($id, $platform, $requester, $provider, $reason, 'open', ${dialect.now}, ${dialect.now} + ${openMs})`,
        {
          id,
          platform: requester.platform,
          requester: requester.address,
          provider: provider.address,
          reason: reason === null ? null : seal(keyring, reason, { id, field: 'reason' }),
        },
      ),
    );
    return find(id.toString('hex'));
  }

  async function find(id: string): Promise<SecretRequest> {
    const [row] = /^[0-9a-f]{32}$/.test(id)
      ? await rows<Row>(`SELECT ${columns} FROM requests WHERE id = $id`, { id: Buffer.from(id, 'hex') })
      : [];
    if (row === undefined) throw gone();
    return present(row);
  }

  /** The open requests of whoever asked, the newest first. */
  async function list({ platform, address }: Speaker): Promise<SecretRequest[]> {
    const found = await rows<Row>(
      `SELECT ${columns} FROM requests WHERE platform = $platform AND requester = $address AND state = 'open'
         AND expires_at > ${dialect.now} ORDER BY created_at DESC LIMIT ${Math.max(listMax, openMax)}`,
      { platform, address },
    );
    return found.map(present);
  }

  /** Ends an open request: `provided` and `declined` are for whom it was asked of, `cancelled` for who asked. */
  async function end(
    id: string,
    speaker: Speaker,
    state: Exclude<RequestState, 'open'>,
  ): Promise<SecretRequest> {
    const request = await find(id);
    const mayEnd = state === 'cancelled' ? request.requester : request.provider;
    if (accountNameOf(mayEnd) !== accountNameOf(speaker))
      throw new DomainError('forbidden', 'This request is not yours to end.');
    const ended = await unitOfWork((transaction) =>
      change(
        `UPDATE requests SET state = $state WHERE id = $id AND state = 'open' AND expires_at > ${dialect.now}`,
        { id: Buffer.from(id, 'hex'), state },
        { transaction },
      ),
    );
    if (ended !== 1) throw gone();
    return { ...request, state };
  }

  /** Forgets requests whose time is over. */
  const purge = (isStopping?: () => boolean) =>
    deleteInBatches('requests', 'expires_at', dialect.now, isStopping);

  return { make, find, list, end, purge };
}

function gone(): DomainError {
  return new DomainError('not_found', 'This request has ended.');
}
