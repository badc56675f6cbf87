import { z } from 'zod';
import { seal } from '../../crypto/cipher.ts';
import { newId } from '../../crypto/ids.ts';
import type { Keyring } from '../../crypto/keyring.ts';
import { type Database, forEachRow } from '../../database/database.ts';
import { DomainError } from '../../errors.ts';
import { dayMs, minuteMs } from '../../time.ts';
import { asMessage, parseInput, tooLong } from '../base/index.ts';
import type { Outbox } from '../outbox/index.ts';
import {
  addressWorkspace,
  type ChatUser,
  distinctUsers,
  requireAddresses,
  toRecipient,
} from '../people/index.ts';
import { reminderLeadMs } from '../pushes/index.ts';
import { type createRequestFinder, openRequestsMax } from './find.ts';
import { requestNotFound, type SecretRequest } from './request.ts';

type Dependencies = {
  database: Database;
  keyring: Keyring;
  outbox: Outbox;
  finder: ReturnType<typeof createRequestFinder>;
};

/** How many people can be asked at once. A form in Discord takes no more. */
export const providersMax = 25;
/** How long a request may wait for its answer, and how long it does where nothing else is asked for. */
export const requestDueMinutes = { min: 10, max: (14 * dayMs) / minuteMs };
/** The longest reason, in characters. */
export const requestReasonMax = 500;

/** The input of a request, besides its people and its due time. */
export const requestSchema = z.object({
  reason: z
    .string(asMessage({ code: 'text' }))
    .trim()
    .max(requestReasonMax, asMessage(tooLong(requestReasonMax)))
    .transform((text) => text || null)
    .nullable()
    .default(null),
});

const dueRequestSchema = requestSchema.extend({
  dueInMinutes: z.int().default(requestDueMinutes.max),
});

/** Creates requests for a secret. */
export function createRequestCreation({ database, keyring, outbox, finder }: Dependencies) {
  const { transaction, dialect } = database;
  const valuesOf = forEachRow(`($id, $groupId, $platform, $requester, $provider, $workspace, $reason, 'open',
    ${dialect.now}, ${dialect.now} + $lifetimeMs, ${dialect.now} + $lifetimeMs - $leadMs)`);

  /**
   * Asks each of these people for a secret, or none of them. Each answers a request of their own. Refuses requests to
   * oneself, and people with too many open requests. The rules of `workspace` apply to the answers.
   */
  return async function create(
    requester: ChatUser,
    providers: ChatUser[],
    input: unknown,
    workspace = addressWorkspace(requester),
  ): Promise<[SecretRequest, ...SecretRequest[]]> {
    const { reason, dueInMinutes } = parseInput(dueRequestSchema, input);
    requireDue(dueInMinutes);
    const asked = distinctUsers(providers);
    requireAskable(requester, asked);
    if ((await finder.list(requester)).length + asked.length > openRequestsMax)
      throw new DomainError('too_many', 'tooManyOpenRequests');
    const { platform, address } = requester;
    const lifetimeMs = dueInMinutes * minuteMs;
    const shared = {
      platform,
      requester: address,
      workspace,
      lifetimeMs,
      leadMs: reminderLeadMs(lifetimeMs),
    };
    const groupId = newId();
    const rows = asked.map((provider, at) => {
      const id = at === 0 ? groupId : newId();
      const sealed = reason === null ? null : seal(keyring, reason, { id, field: 'reason' });
      return { ...shared, id, groupId, provider: provider.address, reason: sealed };
    });
    await transaction(async (tx) => {
      const { sql, binds } = valuesOf(rows);
      await tx.execute(
        `INSERT INTO requests (id, group_id, platform, requester, provider, workspace, reason, state, created_at,
           expires_at, due_at) VALUES ${sql}`,
        binds,
      );
      for (const { id, provider } of rows)
        await outbox.send('requested', id, [toRecipient({ platform, address: provider })], tx);
    });
    const [first, ...others] = await finder.ofGroup(groupId.toString('hex'));
    if (first === undefined) throw requestNotFound(); // erased meanwhile
    return [first, ...others];
  };
}

function requireAskable({ address }: ChatUser, providers: ChatUser[]): void {
  requireAddresses(providers, 'providers');
  if (providers.length === 0)
    throw new DomainError('invalid', { problems: { providers: [{ code: 'required' }] } });
  if (providers.length > providersMax)
    throw new DomainError('invalid', { problems: { providers: [{ code: 'maxCount', max: providersMax }] } });
  if (providers.some((provider) => provider.address === address))
    throw new DomainError('invalid', 'requestToSelf', { problems: { providers: [{ code: 'self' }] } });
}

function requireDue(dueInMinutes: number): void {
  const { min, max } = requestDueMinutes;
  if (dueInMinutes < min || dueInMinutes > max)
    throw new DomainError('invalid', 'requestDueOutOfRange', {
      problems: { due: [{ code: 'between', min, max }] },
    });
}
