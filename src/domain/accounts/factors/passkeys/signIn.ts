import type { Database } from '../../../../database/database.ts';
import { DomainError } from '../../../../errors.ts';
import type { SignInSettings } from '../../../base/index.ts';
import type { ClientInfo } from '../../../people/index.ts';
import type { SignInMethod } from '../../security/signInMethod.ts';
import { type SecondStep, sessionIn } from '../secondStep.ts';
import type { Passkeys } from './passkeys.ts';
import type { PasskeyAnswer } from './proof.ts';

type Dependencies = {
  database: Database;
  passkeys: Pick<Passkeys, 'prove' | 'obstacle'>;
  secondStep: SecondStep;
  settings: Pick<SignInSettings, 'allowPasswords'>;
};

/** Signing in with a passkey alone. Where passwords sign nobody in, it does not either: there the providers decide who gets in. */
export function createPasskeySignIn({
  database,
  passkeys,
  secondStep,
  settings: { allowPasswords },
}: Dependencies) {
  /**
   * Starts a session for the owner of a passkey, whose device has made sure that it is they, so that this is both factors. Throws like
   * `passkeys.prove`, and `forbidden` where only providers sign in.
   */
  async function signInByPasskey(
    answer: PasskeyAnswer,
    client: ClientInfo,
  ): Promise<{ session: string; email: string }> {
    if (!allowPasswords) throw new DomainError('forbidden', 'passwordSignInOff');
    const wanted = { isAlone: true, wrong: 'sign_in_failed' } as const;
    const { account, name, save } = await passkeys.prove(answer, wanted, client);
    const method: SignInMethod = { way: 'passkey', name, factors: ['passkey'] };
    const now = await database.clock();
    const opened = await database.transaction(async (tx) => {
      await save(tx);
      return secondStep.open(account, client, method, { now, tx });
    });
    return { session: sessionIn(opened).token, email: account.email };
  }

  return { signInByPasskey, allowsPasskeys: allowPasswords && passkeys.obstacle === undefined };
}
