import type { Database } from '../../../database/database.ts';
import { DomainError } from '../../../errors.ts';
import type { Limits } from '../../limits/index.ts';
import type { ClientInfo } from '../../people/index.ts';
import type { SecurityLog } from '../security/log.ts';
import { encodeFactors, type SignInFactor } from '../security/signInMethod.ts';
import type { SignedIn } from '../sessions.ts';
import type { WaysToSignIn } from '../signIn.ts';
import { sessionsTable } from '../tables.ts';
import type { FactorsOfAccounts } from './factors.ts';

/** What somebody who is signed in proves once more that they are it with. */
export type Proof = { password: string } | { code: string };

/** The ways in which an account can prove it, the strongest that it has. */
export type ProofWays = { password: boolean; code: boolean };

type Dependencies = {
  database: Database;
  limits: Limits;
  factors: FactorsOfAccounts;
  signIn: Pick<WaysToSignIn, 'requirePassword' | 'hasPassword' | 'allowsPasswords'>;
  securityLog: Pick<SecurityLog, 'count'>;
};

/** Fresh sign-ins in sessions that go on. */
export function createConfirmation({ database, limits, factors, signIn, securityLog }: Dependencies) {
  /** With what an account confirms what is dangerous. None of them: it signs in again, by its provider or chat. */
  async function ways(account: SignedIn): Promise<ProofWays> {
    const { app } = await factors.list(account);
    if (app !== undefined) return { password: false, code: true };
    return { password: signIn.allowsPasswords && (await signIn.hasPassword(account)), code: false };
  }

  /**
   * Makes a session fresh. What it began with no longer counts: only what was proved now. Throws `unauthenticated` for a wrong
   * answer, and for one that is weaker than the account's strongest factor, and `too_many`.
   */
  async function confirm(account: SignedIn, proof: Proof, client: ClientInfo): Promise<void> {
    const allowed = await ways(account);
    const factor =
      'password' in proof
        ? await provePassword(account, proof.password, allowed, client)
        : await proveCode(account, proof.code, client);
    await database
      .model(sessionsTable)
      .update(
        { authenticatedAt: await database.clock(), factors: encodeFactors([factor]) },
        { where: { id: account.sessionId, accountId: account.id } },
      );
  }

  async function provePassword(
    account: SignedIn,
    password: string,
    allowed: ProofWays,
    client: ClientInfo,
  ): Promise<SignInFactor> {
    if (!allowed.password) throw new DomainError('unauthenticated', 'wrongPassword');
    await signIn.requirePassword(account, password, client);
    return 'password';
  }

  async function proveCode(account: SignedIn, code: string, client: ClientInfo): Promise<SignInFactor> {
    let used: SignInFactor | undefined;
    await limits.attempt('ownPassword', { account: account.id }, async () => {
      used = await factors.useCode(account, code);
      return used !== undefined;
    });
    if (used !== undefined) return used;
    securityLog.count({ kind: 'step_up_failed', account, detail: 'otp', client });
    throw new DomainError('unauthenticated', 'wrongCode');
  }

  return { ways, confirm };
}
