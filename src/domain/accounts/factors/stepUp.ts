import type { Database, Statements } from '../../../database/database.ts';
import { DomainError } from '../../../errors.ts';
import { minuteMs } from '../../../time.ts';
import type { SignInSettings } from '../../base/index.ts';
import { decodeFactors, type SignInFactor } from '../security/signInMethod.ts';
import { type IdentityProvider, isIssuerOf } from '../sso/provider.ts';
import { hasFactor, hasFactorSql } from './required.ts';

/** How long a sign-in counts as fresh. */
const freshMs = 10 * minuteMs;

const strong: SignInFactor[] = ['otp', 'passkey', 'recovery', 'mfa'];

/** Who does something dangerous: somebody in a session, or an operator at the command line, who needs none. */
export type Holder = { id: Buffer; sessionId?: Buffer | undefined };

type Found = {
  ageMs: number;
  factors: string | null;
  hasFactor: number | boolean;
  hasPassword: number | boolean;
};

export type StepUp = ReturnType<typeof createStepUp>;

/**
 * What is dangerous needs a sign-in of the last ten minutes, with the strongest factor that the account has. Use cases check it
 * themselves, so that no adapter can leave it out.
 */
export function createStepUp(
  database: Database,
  { allowPasswords }: Pick<SignInSettings, 'allowPasswords'>,
  providers: IdentityProvider[],
) {
  const { dialect } = database;

  /**
   * Throws `forbidden` (`stepUpRequired`) unless the session of whoever acts is that fresh; without a session, too. In a transaction, if one
   * is given.
   */
  async function requireFresh({ id, sessionId }: Holder, statements: Statements = database): Promise<void> {
    if (sessionId === undefined) throw stepUpRequired();
    const [found] = await statements.select<Found>(
      `SELECT ${dialect.now} - COALESCE(s.authenticated_at, 0) AS ageMs, s.factors,
              ${hasFactorSql} AS hasFactor, a.password_hash IS NOT NULL AS hasPassword
       FROM sessions s JOIN accounts a ON a.id = s.account_id WHERE s.id = $sessionId AND s.account_id = $id AND s.expires_at > ${dialect.now}`,
      { id, sessionId },
    );
    if (found === undefined || Number(found.ageMs) > freshMs) throw stepUpRequired();
    if (!(await isStrongest(found, id, statements))) throw stepUpRequired();
  }

  /** Whether a session began with the strongest factor that its account has. A chat alone counts where there is no other. */
  async function isStrongest(
    { factors, hasFactor, hasPassword }: Found,
    accountId: Buffer,
    statements: Statements,
  ): Promise<boolean> {
    const proved = decodeFactors(factors);
    if (hasFactor) return proved.some((factor) => strong.includes(factor));
    if (proved.some((factor) => factor !== 'chat')) return true;
    return !(allowPasswords && hasPassword) && !(await hasProvider(accountId, statements));
  }

  /** Whether one of the providers, as they are set now, signs the account in. */
  async function hasProvider(accountId: Buffer, statements: Statements): Promise<boolean> {
    if (providers.length === 0) return false;
    const sql = 'SELECT issuer FROM provider_identities WHERE account_id = $accountId';
    const found = await statements.select<{ issuer: string }>(sql, { accountId });
    return found.some(({ issuer }) => providers.some((provider) => isIssuerOf(provider, issuer)));
  }

  /**
   * As `requireFresh`; but a program with a token of the scope full may do it for an account without a second factor, whose password
   * alone could do the same.
   */
  async function requireFreshOrProgram({ id, sessionId }: Holder): Promise<void> {
    if (sessionId !== undefined) return requireFresh({ id, sessionId });
    if (await hasFactor({ id }, database)) throw stepUpRequired();
  }

  /** As `requireFresh`, of whoever is in a browser. A program goes on: its token was created by somebody fresh. */
  async function requireFreshInBrowser({ id, sessionId }: Holder): Promise<void> {
    if (sessionId !== undefined) await requireFresh({ id, sessionId });
  }

  return { requireFresh, requireFreshOrProgram, requireFreshInBrowser };
}

const stepUpRequired = () => new DomainError('forbidden', 'stepUpRequired');
