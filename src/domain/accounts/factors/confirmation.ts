import { DomainError } from '../../../errors.ts';
import type { ClientInfo } from '../../people/index.ts';
import type { AccountDependencies } from '../dependencies.ts';
import { encodeFactors, type SignInFactor } from '../security/signInMethod.ts';
import type { SignedIn } from '../sessions.ts';
import type { WaysToSignIn } from '../signIn.ts';
import { sessionsTable } from '../tables.ts';
import type { FactorsOfAccounts } from './factors.ts';
import type { Passkeys } from './passkeys/passkeys.ts';
import type { PasskeyAnswer } from './passkeys/proof.ts';
import type { ProvedFactor } from './secondStep.ts';

/** What somebody who is signed in proves once more that they are it with. */
export type Proof = { password: string } | { code: string } | PasskeyAnswer;

/** The ways in which an account can prove it, the strongest that it has. `recovery` is a code for the loss of the others. */
export type ProofWays = { password: boolean; code: boolean; passkey: boolean; recovery: boolean };

/** Fresh sign-ins in sessions that go on. */
export function createConfirmation({
  database,
  limits,
  factors,
  passkeys,
  signIn,
  securityLog,
}: AccountDependencies & { factors: FactorsOfAccounts; passkeys: Passkeys; signIn: WaysToSignIn }) {
  /** With what an account confirms what is dangerous. None of them: it signs in again, by its provider or chat. */
  async function ways(account: SignedIn): Promise<ProofWays> {
    const { app, passkeys: owned } = await factors.list(account);
    const recovery = app !== undefined || owned.length > 0;
    return {
      password: !recovery && signIn.allowsPasswords && (await signIn.hasPassword(account)),
      code: app !== undefined,
      passkey: owned.some(({ otherHost }) => otherHost === null),
      recovery,
    };
  }

  /**
   * Makes a session fresh. What it began with no longer counts: only what was proved now. Throws `unauthenticated` for a wrong
   * answer, and for one that is weaker than the account's strongest factor, and `too_many`.
   */
  async function confirm(account: SignedIn, proof: Proof, client: ClientInfo): Promise<void> {
    const { factor, save } = await prove(account, proof, client);
    const now = await database.clock();
    await database.transaction(async (tx) => {
      await save?.(tx);
      await tx
        .model(sessionsTable)
        .update(
          { authenticatedAt: now, factors: encodeFactors([factor]) },
          { id: account.sessionId, accountId: account.id },
        );
    });
  }

  async function prove(account: SignedIn, proof: Proof, client: ClientInfo): Promise<ProvedFactor> {
    if ('password' in proof) return { factor: await provePassword(account, proof.password, client) };
    if ('code' in proof) return { factor: await proveCode(account, proof.code, client) };
    const { save } = await passkeys.prove(proof, { account, wrong: 'step_up_failed' }, client);
    return { factor: 'passkey', save };
  }

  async function provePassword(
    account: SignedIn,
    password: string,
    client: ClientInfo,
  ): Promise<SignInFactor> {
    const allowed = await ways(account);
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
