import { z } from 'zod';
import { newId } from '../../crypto/ids.ts';
import { digestOf, isApiToken, newApiToken } from '../../crypto/tokens.ts';
import type { Database } from '../../database/database.ts';
import { DomainError } from '../../errors.ts';
import { hourMs } from '../../time.ts';
import { asMessage, parseInput } from '../validation.ts';
import { type Account, accountColumns, isEnabled, toAccount } from './account.ts';
import { serializeAccount } from './serialize.ts';
import { type ApiTokenRow, apiTokensTable } from './tables.ts';

const apiTokenSchema = z.object({
  name: z
    .string()
    .trim()
    .min(1, asMessage({ code: 'required' }))
    .max(100, asMessage({ code: 'maxLength', max: 100, unit: 'characters' })),
});

/** What can be shown of a token after its creation. `hint` is its last four characters. */
export type ApiTokenSummary = Pick<ApiTokenRow, 'name' | 'hint' | 'createdAt' | 'lastUsedAt'>;

const lastUsedStaleMs = hourMs;
const tokensMax = 100;

export type ApiTokens = ReturnType<typeof createApiTokens>;

/**
 * An account's named credentials for the API. The database stores their digests; a token is shown only once, when it
 * is created.
 */
export function createApiTokens(database: Database) {
  const ApiTokenModel = database.model(apiTokensTable);

  /**
   * Creates a token and returns it; it cannot be read later. Refuses a name that the account already uses, and more than a
   * hundred tokens.
   */
  async function create({ id: accountId }: Account, input: z.input<typeof apiTokenSchema>): Promise<string> {
    const { name } = parseInput(apiTokenSchema, input);
    const token = newApiToken();
    const hint = token.slice(-4);
    await database.transaction(async (tx) => {
      const createdAt = await serializeAccount(database, accountId, tx);
      const bound = tx.model(apiTokensTable);
      requireCapacity(await bound.findAll({ where: { accountId }, attributes: ['name'] }), name);
      await bound.create({ id: newId(), accountId, name, digest: digestOf(token), hint, createdAt });
    });
    return token;
  }

  function requireCapacity(others: Pick<ApiTokenRow, 'name'>[], name: string): void {
    if (others.some((other) => other.name === name))
      throw new DomainError('conflict', 'tokenExists', { values: { name } });
    if (others.length >= tokensMax)
      throw new DomainError('conflict', 'tooManyTokens', { values: { max: tokensMax } });
  }

  async function list({ id: accountId }: Account): Promise<ApiTokenSummary[]> {
    const tokens = await ApiTokenModel.findAll({ where: { accountId }, order: [['name', 'ASC']] });
    return tokens.map(({ name, hint, createdAt, lastUsedAt }) => ({ name, hint, createdAt, lastUsedAt }));
  }

  /** Revokes a token immediately on every process, since each request queries the database. */
  async function revoke({ id: accountId }: Account, name: string): Promise<void> {
    if ((await ApiTokenModel.destroy({ where: { accountId, name } })) === 0) {
      throw new DomainError('not_found', 'tokenNotFound', { values: { name } });
    }
  }

  /** Revokes all tokens of an account, and returns how many there were. */
  const revokeAll = ({ id: accountId }: Pick<Account, 'id'>): Promise<number> =>
    ApiTokenModel.destroy({ where: { accountId } });

  /** Returns the account and the id of a token. Throws `unauthenticated` if it is unknown. */
  async function authenticate(token: string): Promise<{ account: Account; tokenId: Buffer }> {
    const [found] = isApiToken(token) ? await findByDigest(digestOf(token)) : [];
    if (found === undefined) throw new DomainError('unauthenticated', 'invalidToken');
    if (found.now - (found.lastUsedAt ?? 0) > lastUsedStaleMs) await touch(found.tokenId, found.now);
    return { account: toAccount(found), tokenId: found.tokenId };
  }

  const findByDigest = (digest: Buffer) =>
    database.select<Account & { tokenId: Buffer; lastUsedAt: number | null; now: number }>(
      `SELECT ${accountColumns}, t.id AS tokenId, t.last_used_at AS lastUsedAt, ${database.dialect.now} AS now
       FROM api_tokens t JOIN accounts a ON a.id = t.account_id WHERE t.digest = $digest AND ${isEnabled}`,
      { digest },
    );

  const touch = (id: Buffer, now: number) => ApiTokenModel.update({ lastUsedAt: now }, { where: { id } });

  return { create, list, revoke, revokeAll, authenticate };
}
