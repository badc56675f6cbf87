import { newId, toId } from '../../../crypto/ids.ts';
import { digestOf, newApiToken } from '../../../crypto/tokens.ts';
import type { Database } from '../../../database/database.ts';
import { refuseDuplicate } from '../../../database/errors.ts';
import { DomainError, unavailable } from '../../../errors.ts';
import { dayMs, minuteMs, secondMs } from '../../../time.ts';
import type { TrustSettings } from '../../base/index.ts';
import { type ClientInfo, isEnabled, type TokenScope, tokenScopes } from '../../people/index.ts';
import type { StepUp } from '../factors/stepUp.ts';
import type { SecurityLog } from '../security/log.ts';
import { apiTokensTable, spentTokensTable, type TrustRuleRow } from '../tables.ts';
import { type Claims, claimThatDiffers } from './claims.ts';
import { createTrustRules, maybeRuleIn } from './rules.ts';

/** What a token must be, and the time by the database's clock, in epoch milliseconds. */
type Expected = { issuer: string; audience: string; now: number };

/**
 * Verifies tokens of issuers (RFC 7519, RFC 8725). Adapters implement it, with every check of the protocol; they know no rules.
 * `verify` returns the claims of a token whose signature, issuer, audience and times are right. Throws `forbidden` for any other,
 * and `unavailable` while the keys of the issuer are out of reach.
 */
export type IdentityTokens = {
  verify(token: string, expected: Expected): Promise<Record<string, unknown>>;
};

/** For a service that reaches no issuers. */
export const noIssuers: IdentityTokens = {
  async verify() {
    throw unavailable('issuerUnreachable');
  },
};

/** A token, and the rule and the scope that are asked for. */
type ExchangeInput = { token: string; rule?: string | undefined; scope?: string | undefined };

/** An API token, and in how many seconds it ends. */
type ExchangedToken = { token: string; scope: TokenScope; seconds: number };

/** GitHub's have 1.5 kB. */
const tokenCharactersMax = 16_384;
/** For clocks that differ. */
const toleranceMs = minuteMs;
/** Tokens of workloads live for minutes or hours, and what was used is remembered until its end. */
const livesMaxMs = dayMs;

type FoundRule = Omit<TrustRuleRow, 'createdAt' | 'lastUsedAt'> & { now: number };

type Dependencies = {
  database: Database;
  identityTokens: IdentityTokens;
  securityLog: Pick<SecurityLog, 'count' | 'recordBy'>;
};
type TrustDependencies = Dependencies & { stepUp: StepUp; settings: TrustSettings };

/** What lets programs elsewhere act for accounts without a token that is stored there. */
export const createTrust = ({ identityTokens, ...dependencies }: TrustDependencies) => ({
  trustRules: createTrustRules(dependencies),
  exchangeToken: createTokenExchange({ identityTokens, ...dependencies }),
});

/** Exchanges tokens that issuers gave to programs for API tokens (RFC 8693), by the rules of accounts. */
function createTokenExchange({ database, identityTokens, securityLog }: Dependencies) {
  /**
   * Returns an API token for a token that matches a rule: the one that is named, or that its audience names. A rule is always
   * named, so that nobody's program gets into an account of a stranger with the same rule. Each token works once.
   * Throws `not_found` for no such rule, `forbidden` with what is wrong with the token, `invalid` for another scope than the
   * rule's, and `unavailable` while the issuer is out of reach.
   */
  async function exchange(
    { token, rule: named, scope }: ExchangeInput,
    client: ClientInfo,
  ): Promise<ExchangedToken> {
    const parts = token.length > tokenCharactersMax ? [] : token.split('.');
    const claimed = parts.length === 3 ? maybeObject(parts[1] ?? '') : undefined;
    if (claimed === undefined) throw new DomainError('forbidden', 'identityUnreadable');
    const rule = await requireRule(named ?? ruleNamedBy(claimed.aud));
    const event = { account: { id: rule.accountId }, detail: rule.name, client };
    try {
      const exchanged = await issue(rule, token, requireGranted(rule.scope, scope));
      securityLog.count({ kind: 'token_exchanged', ...event });
      return exchanged;
    } catch (error) {
      if (error instanceof DomainError && error.code === 'forbidden')
        securityLog.count({ kind: 'exchange_refused', ...event });
      throw error;
    }
  }

  async function requireRule(name: string | undefined): Promise<FoundRule> {
    const [rule] = await database.select<FoundRule>(
      `SELECT r.id, r.account_id AS accountId, r.name, r.issuer, r.audience, r.claims, r.scope, r.minutes,
              ${database.dialect.now} AS now
       FROM trust_rules r JOIN accounts a ON a.id = r.account_id WHERE r.id = $id AND ${isEnabled}`,
      { id: toId(name ?? '') },
    );
    if (rule === undefined) throw new DomainError('not_found', 'ruleNotFound');
    return rule;
  }

  async function issue(rule: FoundRule, token: string, scope: TokenScope): Promise<ExchangedToken> {
    const { id: ruleId, accountId, issuer, audience, now } = rule;
    const claims = await identityTokens.verify(token, { issuer, audience, now });
    const claim = claimThatDiffers(JSON.parse(rule.claims) as Claims, claims);
    if (claim !== undefined) throw new DomainError('forbidden', 'identityClaim', { values: { claim } });
    const endsAt = Number(claims.exp) * secondMs;
    if (!(endsAt <= now + livesMaxMs + toleranceMs)) throw new DomainError('forbidden', 'identityLongLived');
    const created = newApiToken();
    const id = newId();
    const seconds = rule.minutes * 60;
    await database
      .transaction(async (tx) => {
        // Whoever removes the rule waits, and then removes this token as well
        await tx.execute('UPDATE trust_rules SET last_used_at = $now WHERE id = $ruleId', { now, ruleId });
        if ((await tx.select('SELECT 1 FROM trust_rules WHERE id = $ruleId', { ruleId })).length === 0)
          throw new DomainError('not_found', 'ruleNotFound');
        await tx
          .model(spentTokensTable)
          .create({ id: digestOf(nameOf(token, claims)), expiresAt: endsAt + 2 * toleranceMs });
        await tx.model(apiTokensTable).create({
          id,
          accountId,
          name: id.toString('hex'),
          digest: digestOf(created),
          hint: created.slice(-4),
          scope,
          createdAt: now,
          expiresAt: now + seconds * secondMs,
          holderId: ruleId,
        });
      })
      .catch(refuseDuplicate(() => new DomainError('forbidden', 'identityUsed')));
    return { token: created, scope, seconds };
  }

  return exchange;
}

function ruleNamedBy(audience: unknown): string | undefined {
  return [audience]
    .flat()
    .map((one) => (typeof one === 'string' ? maybeRuleIn(one) : undefined))
    .find((id) => id !== undefined);
}

/** A part of a JSON Web Token, if it is an object. */
function maybeObject(part: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString());
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

function requireGranted(granted: TokenScope, wanted: string | undefined): TokenScope {
  if (wanted === undefined) return granted;
  const allowed = tokenScopes.filter((scope) => granted === 'full' || scope === granted);
  const found = allowed.find((scope) => scope === wanted);
  if (found === undefined)
    throw new DomainError('invalid', { problems: { scope: [{ code: 'oneOf', values: allowed }] } });
  return found;
}

/**
 * What is remembered of a token. Without `jti` it is all but the signature: of one and the same token, anybody can write several
 * signatures that are right.
 */
function nameOf(token: string, { iss, jti }: Record<string, unknown>): string {
  return typeof jti === 'string' && jti !== ''
    ? JSON.stringify([iss, jti])
    : token.slice(0, token.lastIndexOf('.'));
}
