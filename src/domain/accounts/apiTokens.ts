import { Op } from 'sequelize';
import { z } from 'zod';
import { newId } from '../../crypto/ids.ts';
import { digestOf, isApiToken, newApiToken } from '../../crypto/tokens.ts';
import type { Database, Tx } from '../../database/database.ts';
import { DomainError } from '../../errors.ts';
import { dayMs, hourMs } from '../../time.ts';
import { asMessage, optionalInteger, parseInput } from '../base/index.ts';
import { type Account, type ClientInfo, isEnabled, type TokenScope, tokenScopes } from '../people/index.ts';
import { accountColumns, toAccount } from './account.ts';
import { nameField } from './accountSchema.ts';
import type { Actor } from './acts.ts';
import { type MayLackFactor, requireFactor } from './factors/required.ts';
import type { Holder, StepUp } from './factors/stepUp.ts';
import type { By } from './security/events.ts';
import type { SecurityLog } from './security/log.ts';
import { serializeAccount } from './serialize.ts';
import { type ApiTokenRow, apiTokensTable, trustRulesTable } from './tables.ts';
import { createTokenReplacement, requireToken } from './tokenReplacement.ts';

/** The input of a new token. Without a number of days it works until it is revoked. */
export const apiTokenSchema = z.object({
  name: nameField,
  scope: z.enum(tokenScopes, asMessage({ code: 'oneOf', values: tokenScopes })).default('full'),
  days: optionalInteger({ min: 1, max: 3_650 }),
});

/**
 * What can be shown of a token after its creation. `hint` is its last four characters. Use is noted once an hour.
 * `previousUntil` is when the token ends that it replaced, if that works still.
 */
export type ApiTokenSummary = Pick<
  ApiTokenRow,
  'name' | 'hint' | 'scope' | 'createdAt' | 'lastUsedAt' | 'lastUsedIp' | 'expiresAt'
> & { isExpired: boolean; previousUntil: number | null };

type NewApiToken = {
  name: string;
  scope?: string | undefined;
  /** How many days it works. Empty for a token that works until it is revoked. */
  days?: string | number | undefined;
};

type AuthenticatedToken = { account: Account; tokenId: Buffer; scope: TokenScope };

type FoundToken = Account &
  MayLackFactor &
  Pick<ApiTokenRow, 'scope' | 'lastUsedAt' | 'expiresAt'> & { rowId: Buffer; tokenId: Buffer; now: number };

const lastUsedStaleMs = hourMs;
const tokensMax = 100;

type Dependencies = {
  database: Database;
  stepUp: StepUp;
  securityLog: Pick<SecurityLog, 'record' | 'recordBy'>;
  lacksFactor: string;
};

export type ApiTokens = ReturnType<typeof createApiTokens>;

/**
 * An account's named credentials for the API. The database stores their digests; a token is shown only once, when it
 * is created.
 */
export function createApiTokens({ database, stepUp, securityLog, lacksFactor }: Dependencies) {
  const ApiTokenModel = database.model(apiTokensTable);

  /**
   * Creates a token and returns it; it cannot be read later. Refuses a name that the account already uses, and more than a
   * hundred tokens, and whoever has not signed in just now.
   */
  async function create(
    account: Account & Holder,
    input: NewApiToken,
    { actor = account, client }: By = {},
  ): Promise<string> {
    if (actor !== 'operator') await stepUp.requireFresh(actor);
    return save(account, input, { actor, client });
  }

  /** A token at the command line, or one that was allowed before, by whoever acts as the account itself: nobody is told. */
  const issue = (account: Account, input: NewApiToken, client?: ClientInfo): Promise<string> =>
    save(account, input, { actor: account, client });

  async function save(
    account: Account,
    input: NewApiToken,
    { actor, client }: By & { actor: Actor },
  ): Promise<string> {
    const { id: accountId } = account;
    const { name, scope, days } = parseInput(apiTokenSchema, input);
    const token = newApiToken();
    const hint = token.slice(-4);
    await database.transaction(async (tx) => {
      const createdAt = await serializeAccount(database, accountId, tx);
      const bound = tx.model(apiTokensTable);
      const listed = { accountId, holderId: null };
      requireCapacity(await bound.findAll({ where: listed, attributes: ['name'] }), name);
      const expiresAt = days === undefined ? null : createdAt + days * dayMs;
      const digest = digestOf(token);
      await bound.create({ id: newId(), accountId, name, digest, hint, scope, createdAt, expiresAt });
      await securityLog.recordBy(actor, { kind: 'token_created', account, detail: name, client }, tx);
    });
    return token;
  }

  function requireCapacity(others: Pick<ApiTokenRow, 'name'>[], name: string): void {
    if (others.some((other) => other.name === name))
      throw new DomainError('conflict', 'tokenExists', { values: { name } });
    if (others.length >= tokensMax)
      throw new DomainError('conflict', 'tooManyTokens', { values: { max: tokensMax } });
  }

  /** An account's tokens by name. */
  async function list({ id: accountId }: Account): Promise<ApiTokenSummary[]> {
    const now = await database.clock();
    const tokens = await database.select<Omit<ApiTokenSummary, 'isExpired'>>(
      `SELECT name, hint, scope, created_at AS createdAt, last_used_at AS lastUsedAt, last_used_ip AS lastUsedIp,
              expires_at AS expiresAt,
              (SELECT MAX(p.expires_at) FROM api_tokens p
               WHERE p.account_id = t.account_id AND p.holder_id = t.id AND p.expires_at > $now) AS previousUntil
       FROM api_tokens t WHERE account_id = $accountId AND holder_id IS NULL ORDER BY name`,
      { accountId, now },
    );
    return tokens.map((token) => Object.assign(token, { isExpired: hasExpired(token, now) }));
  }

  /** Revokes a token, and the one that it replaced, immediately on every process, since each request queries the database. */
  async function revoke(
    account: Account,
    given: string,
    { actor = account, client }: By = {},
  ): Promise<void> {
    const { id: accountId } = account;
    await database.transaction(async (tx) => {
      const { id, name } = await requireToken(accountId, given, tx);
      await tx.model(apiTokensTable).destroy({ accountId, [Op.or]: [{ id }, { holderId: id }] });
      await securityLog.recordBy(actor, { kind: 'token_revoked', account, detail: name, client }, tx);
    });
  }

  /** Revokes all tokens of an account, and removes the trust rules that make more. */
  const revokeAll = (account: Pick<Account, 'id'>, client: ClientInfo): Promise<void> =>
    database.transaction((tx) => revokeAllWithin(account, client, tx));

  /** As `revokeAll`, in a transaction of the caller's. */
  async function revokeAllWithin(account: Pick<Account, 'id'>, client: ClientInfo, tx: Tx): Promise<void> {
    const { id: accountId } = account;
    await tx.model(trustRulesTable).destroy({ accountId });
    const sql = 'DELETE FROM api_tokens WHERE account_id = $accountId';
    const revoked = await tx.execute(sql, { accountId });
    if (revoked > 0)
      await securityLog.record({ kind: 'tokens_revoked', account, detail: String(revoked), client }, tx);
  }

  /**
   * Returns the account, the id and the scope of a token; one that was replaced has the id of its successor. Throws
   * `unauthenticated` if it is unknown or has expired.
   */
  async function authenticate(
    token: string,
    { ip }: Pick<ClientInfo, 'ip'> = { ip: '' },
  ): Promise<AuthenticatedToken> {
    const [found] = isApiToken(token) ? await findByDigest(digestOf(token)) : [];
    if (found === undefined) throw new DomainError('unauthenticated', 'invalidToken');
    const { rowId, tokenId, scope, now } = found;
    if (hasExpired(found, now)) throw new DomainError('unauthenticated', 'tokenExpired');
    requireFactor(found);
    if (now - (found.lastUsedAt ?? 0) > lastUsedStaleMs) await touch(rowId, now, ip);
    return { account: toAccount(found), tokenId, scope };
  }

  const findByDigest = (digest: Buffer) =>
    database.select<FoundToken>(
      `SELECT ${accountColumns}, t.id AS rowId, COALESCE(t.holder_id, t.id) AS tokenId, t.scope,
              t.last_used_at AS lastUsedAt, t.expires_at AS expiresAt, ${database.dialect.now} AS now${lacksFactor}
       FROM api_tokens t JOIN accounts a ON a.id = t.account_id WHERE t.digest = $digest AND ${isEnabled}`,
      { digest },
    );

  const touch = (id: Buffer, now: number, ip: string) =>
    ApiTokenModel.update({ lastUsedAt: now, lastUsedIp: ip.slice(0, 45) }, { where: { id } });

  /** Deletes tokens that ended and that no list shows. */
  const purge = (isStopping?: () => boolean) =>
    database.deleteInBatches(
      'api_tokens',
      'expires_at',
      `${database.dialect.now} AND holder_id IS NOT NULL`,
      isStopping,
    );

  const replace = createTokenReplacement({ database, stepUp, securityLog });

  return {
    create,
    issue,
    replace,
    list,
    revoke,
    revokeAll,
    revokeAllWithin,
    authenticate,
    purge,
  };
}

const hasExpired = ({ expiresAt }: Pick<ApiTokenRow, 'expiresAt'>, now: number): boolean =>
  expiresAt !== null && expiresAt <= now;
