import { UniqueConstraintError } from 'sequelize';
import { z } from 'zod';
import { newId } from '../../crypto/ids.ts';
import { digestOf, isApiToken, newApiToken } from '../../crypto/tokens.ts';
import type { Database } from '../../database/database.ts';
import { DomainError } from '../../errors.ts';
import { parseInput } from '../validation.ts';
import { normalised, type Owner } from './accounts.ts';
import type { AccountModels } from './models.ts';

const newToken = z.object({
  name: z.string().trim().min(1, 'must not be blank').max(100, 'must have at most 100 characters'),
});

/** What can be shown of a token after it was made: `hint` is its last four characters. */
export type ApiTokenEntry = { name: string; hint: string; createdAt: number; lastUsedAt: number | null };

const usedStaleMs = 3_600_000;

/** An account's named credentials for the API. The database holds their digests; a token is seen once, when it is made. */
export function createApiTokens(database: Database, { ApiToken }: AccountModels) {
  /** Makes a token and gives it, this once. Refuses a name that the account already uses. */
  async function create({ id: accountId }: Owner, input: z.input<typeof newToken>): Promise<string> {
    const { name } = parseInput(newToken, input);
    const token = newApiToken();
    const hint = token.slice(-4);
    try {
      await ApiToken.create({
        id: newId(),
        accountId,
        name,
        digest: digestOf(token),
        hint,
        createdAt: await database.clock(),
      });
    } catch (error) {
      if (!(error instanceof UniqueConstraintError)) throw error;
      throw new DomainError('conflict', `The account already has a token named ${name}.`);
    }
    return token;
  }

  async function list({ id: accountId }: Owner): Promise<ApiTokenEntry[]> {
    const tokens = await ApiToken.findAll({ where: { accountId }, order: [['name', 'ASC']] });
    return tokens.map(({ name, hint, createdAt, lastUsedAt }) => ({
      name,
      hint,
      createdAt: Number(createdAt),
      lastUsedAt: lastUsedAt == null ? null : Number(lastUsedAt),
    }));
  }

  /** Revokes a token at once, on every process: each request asks the database. */
  async function revoke({ id: accountId }: Owner, name: string): Promise<void> {
    if ((await ApiToken.destroy({ where: { accountId, name } })) === 0) {
      throw new DomainError('not_found', `The account has no token named ${name}.`);
    }
  }

  /** Whose token it is, and the token's id. Refuses with `unauthenticated` an unknown one, or one of another account than `email`. */
  async function authenticate(token: string, email?: string): Promise<{ owner: Owner; tokenId: Buffer }> {
    const [found] = isApiToken(token) ? await ownersOf(digestOf(token)) : [];
    if (found === undefined || (email !== undefined && found.email !== normalised(email))) {
      throw new DomainError('unauthenticated', 'The API token is not valid.');
    }
    if (found.now - (found.lastUsedAt ?? 0) > usedStaleMs) await touch(found.tokenId, found.now);
    const { id, email: address, subscribed, notify, tokenId } = found;
    return { owner: { id, email: address, subscribed: Boolean(subscribed), notify }, tokenId };
  }

  const ownersOf = (digest: Buffer) =>
    database.rows<Owner & { tokenId: Buffer; lastUsedAt: number | null; now: number }>(
      `SELECT a.id, a.email, a.subscribed, a.notify, t.id AS tokenId, t.last_used_at AS lastUsedAt, ${database.dialect.now} AS now
       FROM api_tokens t JOIN accounts a ON a.id = t.account_id WHERE t.digest = $digest AND a.disabled_at IS NULL`,
      { digest },
    );

  const touch = (tokenId: Buffer, now: number) =>
    database.change('UPDATE api_tokens SET last_used_at = $now WHERE id = $tokenId', { tokenId, now });

  return { create, list, revoke, authenticate };
}
