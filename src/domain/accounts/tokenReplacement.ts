import { z } from 'zod';
import { newId } from '../../crypto/ids.ts';
import { digestOf, newApiToken } from '../../crypto/tokens.ts';
import type { Database, Tx } from '../../database/database.ts';
import { DomainError } from '../../errors.ts';
import { hourMs } from '../../time.ts';
import { integer, parseInput } from '../base/index.ts';
import type { Account } from '../people/index.ts';
import type { StepUp } from './factors/stepUp.ts';
import type { By } from './security/events.ts';
import type { SecurityLog } from './security/log.ts';
import { serializeAccount } from './serialize.ts';
import { type ApiTokenRow, apiTokensTable } from './tables.ts';

/** How long the token before works on: a week at most. */
const replacementSchema = z.object({ hours: integer({ min: 0, max: 168 }, 1) });

/** A new token in the place of another, and when the other one ends. */
export type ReplacedToken = { name: string; token: string; previousUntil: number };

type Dependencies = { database: Database; stepUp: StepUp; securityLog: Pick<SecurityLog, 'recordBy'> };

/** Returns what replaces a token of an account. */
export function createTokenReplacement({ database, stepUp, securityLog }: Dependencies) {
  /**
   * Replaces a token, and returns the new one. Until the hours are over, the one before works as well, so that nothing fails while
   * programs change over; one that is replaced again ends at once. The new one lasts as long as the one before did from its
   * creation, may expire the same pushes, and counts against the same limits. Throws `not_found`,
   * and `forbidden` for whoever has not signed in just now.
   */
  return async function replace(
    account: Account,
    given: string,
    input: { hours?: string | number | undefined },
    { actor = account, client }: By = {},
  ): Promise<ReplacedToken> {
    const { id: accountId } = account;
    const { hours } = parseInput(replacementSchema, input);
    if (actor !== 'operator') await stepUp.requireFresh(actor);
    const token = newApiToken();
    return database.transaction(async (tx) => {
      const now = await serializeAccount(database, accountId, tx);
      const bound = tx.model(apiTokensTable);
      const { id, name, createdAt, expiresAt, ...before } = await requireToken(accountId, given, tx);
      const previousUntil = Math.min(now + hours * hourMs, expiresAt ?? Number.POSITIVE_INFINITY);
      await bound.destroy({ accountId, holderId: id });
      const lasts = expiresAt === null ? null : now + expiresAt - createdAt;
      const fresh = { digest: digestOf(token), hint: token.slice(-4), createdAt: now, expiresAt: lasts };
      await bound.update({ ...fresh, lastUsedAt: null, lastUsedIp: null }, { id });
      const previous = newId();
      const hidden = { id: previous, name: previous.toString('hex'), holderId: id };
      if (previousUntil > now)
        await bound.create({ ...before, ...hidden, createdAt, expiresAt: previousUntil });
      await securityLog.recordBy(actor, { kind: 'token_replaced', account, detail: name, client }, tx);
      return { name, token, previousUntil };
    });
  };
}

/** The token of an account with a name. Throws `not_found`. */
export async function requireToken(accountId: Buffer, given: string, tx: Tx): Promise<ApiTokenRow> {
  const name = given.trim();
  const [found] = await tx.model(apiTokensTable).findAll({ where: { accountId, name, holderId: null } });
  if (found === undefined) throw new DomainError('not_found', 'tokenNotFound', { values: { name } });
  return found.get();
}
