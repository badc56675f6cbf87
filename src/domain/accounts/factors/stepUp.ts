import type { Database, Statements } from '../../../database/database.ts';
import { DomainError } from '../../../errors.ts';
import { minuteMs } from '../../../time.ts';
import { decodeFactors, type SignInFactor } from '../security/signInMethod.ts';

/** How long a sign-in counts as fresh. */
const freshMs = 10 * minuteMs;

/** Who does something dangerous: somebody in a session, or an operator at the command line, who needs none. */
export type Holder = { id: Buffer; sessionId?: Buffer | undefined };

type Found = { ageMs: number; factors: string | null; hasApp: number | boolean };

export type StepUp = ReturnType<typeof createStepUp>;

/**
 * What is dangerous needs a sign-in of the last ten minutes, with the strongest factor that the account has. Use cases check it
 * themselves, so that no adapter can leave it out.
 */
export function createStepUp(database: Database) {
  const { dialect } = database;

  /**
   * Throws `forbidden` (`stepUpRequired`) unless the session of whoever acts is that fresh; without a session, too. In a transaction, if one
   * is given.
   */
  async function requireFresh({ id, sessionId }: Holder, statements: Statements = database): Promise<void> {
    if (sessionId === undefined) throw stepUpRequired();
    const [found] = await statements.select<Found>(
      `SELECT ${dialect.now} - COALESCE(s.authenticated_at, 0) AS ageMs, s.factors,
              EXISTS (SELECT 1 FROM authenticators f WHERE f.account_id = s.account_id) AS hasApp
       FROM sessions s WHERE s.id = $sessionId AND s.account_id = $id AND s.expires_at > ${dialect.now}`,
      { id, sessionId },
    );
    if (found === undefined || Number(found.ageMs) > freshMs || !isStrongest(found)) throw stepUpRequired();
  }

  /**
   * As `requireFresh`; but a program with a token of the scope full may do it for an account without a second factor, whose password
   * alone could do the same.
   */
  async function requireFreshOrProgram({ id, sessionId }: Holder): Promise<void> {
    if (sessionId !== undefined) return requireFresh({ id, sessionId });
    const sql = 'SELECT 1 FROM authenticators WHERE account_id = $id';
    if ((await database.select(sql, { id })).length > 0) throw stepUpRequired();
  }

  return { requireFresh, requireFreshOrProgram };
}

/** Whether a session began with the strongest factor that its account has. */
function isStrongest({ factors, hasApp }: Found): boolean {
  const strong: SignInFactor[] = ['otp', 'recovery', 'mfa'];
  return !hasApp || decodeFactors(factors).some((factor) => strong.includes(factor));
}

const stepUpRequired = () => new DomainError('forbidden', 'stepUpRequired');
