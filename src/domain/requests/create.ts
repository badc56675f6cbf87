import { z } from 'zod';
import { seal } from '../../crypto/cipher.ts';
import { newId } from '../../crypto/ids.ts';
import type { Keyring } from '../../crypto/keyring.ts';
import type { Database } from '../../database/database.ts';
import { DomainError } from '../../errors.ts';
import { dayMs } from '../../time.ts';
import { addressWorkspace, type ChatUser, toRecipient } from '../chat/chatUser.ts';
import type { Outbox } from '../notices/outbox.ts';
import { asMessage, parseInput } from '../validation.ts';
import { type createRequestFinder, openRequestsMax } from './find.ts';
import type { SecretRequest } from './request.ts';

type Dependencies = {
  database: Database;
  keyring: Keyring;
  outbox: Outbox;
  finder: ReturnType<typeof createRequestFinder>;
};

const lifetimeMs = 14 * dayMs;
const reasonMax = 500;

/** The input of a request, besides its two people. */
export const requestSchema = z.object({
  reason: z
    .string(asMessage({ code: 'text' }))
    .trim()
    .max(reasonMax, asMessage({ code: 'maxLength', max: reasonMax, unit: 'characters' }))
    .transform((text) => text || null)
    .nullable()
    .default(null),
});

/** Creates requests for a secret. */
export function createRequestCreation({ database, keyring, outbox, finder }: Dependencies) {
  const { transaction, dialect } = database;

  /** Refuses requests to oneself, and people with too many open requests. The rules of `workspace` apply to the answer. */
  return async function create(
    requester: ChatUser,
    provider: ChatUser,
    input: unknown,
    workspace = addressWorkspace(requester),
  ): Promise<SecretRequest> {
    const { reason } = parseInput(requestSchema, input);
    if (requester.address === provider.address)
      throw new DomainError('invalid', 'requestToSelf', { problems: { provider: [{ code: 'self' }] } });
    if ((await finder.list(requester)).length >= openRequestsMax)
      throw new DomainError('too_many', 'tooManyOpenRequests');
    const id = newId();
    await transaction(async (tx) => {
      await tx.execute(
        `INSERT INTO requests (id, platform, requester, provider, workspace, reason, state, created_at, expires_at)
         VALUES ($id, $platform, $requester, $provider, $workspace, $reason, 'open',
           ${dialect.now}, ${dialect.now} + ${lifetimeMs})`,
        {
          id,
          platform: requester.platform,
          requester: requester.address,
          provider: provider.address,
          workspace,
          reason: reason === null ? null : seal(keyring, reason, { id, field: 'reason' }),
        },
      );
      await outbox.send('requested', id, [toRecipient(provider)], tx);
    });
    return finder.find(id.toString('hex'));
  };
}
