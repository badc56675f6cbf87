import { z } from 'zod';
import { DomainError } from '../../errors.ts';
import { asMessage, parseInput } from '../base/index.ts';
import type { Account, ClientInfo } from '../people/index.ts';
import { newPasswordSchema, normalizeEmail, signUpSchema } from './accountSchema.ts';
import type { Accounts } from './accounts.ts';
import type { ApiTokens } from './apiTokens.ts';
import type { AccountDependencies } from './dependencies.ts';
import type { Passkeys } from './factors/passkeys/passkeys.ts';
import type { PasskeyAnswer } from './factors/passkeys/proof.ts';
import { type SecondStep, sessionIn } from './factors/secondStep.ts';
import { byPassword, type SignInMethod } from './security/signInMethod.ts';
import type { SignedIn } from './sessions.ts';
import { accountsTable } from './tables.ts';

/** The hash of no password. It is compared when there is no account, so that the response takes equally long. */
const dummyHash = '$2b$12$ysMDkWnvFw9hinMlEUPMH.6fFlwP4lkPYL7unLozgWxw9qizBjGxm';

const credentialsSchema = z.object({
  email: z.string(asMessage({ code: 'text' })).max(254),
  password: z.string(asMessage({ code: 'text' })).max(1_024),
});

/** What those work with that begin sessions. */
export type SignInDependencies = AccountDependencies & {
  secondStep: SecondStep;
  passkeys: Passkeys;
  accounts: Accounts;
  apiTokens: ApiTokens;
};

export type WaysToSignIn = ReturnType<typeof createSignIn>;

/** Ways to start a session. Each function returns the token of a new session, never an existing one. */
export function createSignIn(dependencies: SignInDependencies) {
  const { database, accounts, sessions, secondStep, passkeys, stepUp, apiTokens, passwords } = dependencies;
  const { limits, knownBrowsers, securityLog, settings } = dependencies;
  const AccountModel = database.model(accountsTable);

  /** Creates an account with a password. Throws like `accounts.create`, and `forbidden` if sign-up is disabled. */
  async function signUp(input: { email: string; password: string }, client: ClientInfo): Promise<string> {
    requirePasswords();
    if (!settings.allowSignUp) {
      throw new DomainError('forbidden', 'signUpDisabled');
    }
    await limits.consume('signUp', { client });
    const account = await accounts.create(
      { ...parseInput(signUpSchema, input), signedUp: true },
      { account: null, client },
    );
    return sessions.create(account, client, byPassword);
  }

  /**
   * Throws `unauthenticated`, with the same message and timing, for a wrong password, an account that is disabled or
   * has no password, and an address without an account. Throws `too_many` after too many failures, and `forbidden` where
   * passwords sign nobody in. Throws like `secondStep.create`.
   */
  async function signIn(input: { email: string; password: string }, client: ClientInfo): Promise<string> {
    requirePasswords();
    const { email: given, password } = parseInput(credentialsSchema, input);
    const email = normalizeEmail(given);
    const caller = { account: null, client };
    passwords.requireRoom(caller);
    const account = await AccountModel.findOne({ where: { email } });
    async function verify(): Promise<boolean> {
      const fits = await passwords.verify(password, account?.passwordHash ?? dummyHash, caller);
      return fits && account?.passwordHash != null && account.disabledAt === null;
    }
    const browser = knownBrowsers.maybeId(email, client.browserProof);
    const isCorrect =
      browser === undefined
        ? await limits.attempt('signIn', { email, client }, verify)
        : await limits.attempt('knownBrowserSignIn', { email, browser }, verify);
    if (account !== null && !isCorrect)
      securityLog.count({ kind: 'sign_in_failed', account, detail: 'password', client });
    if (account === null || !isCorrect) throw wrongCredentials();
    return secondStep.create(account, client, byPassword);
  }

  /**
   * Starts a session for the owner of a passkey, whose device has made sure that it is they, so that this is both factors. Where passwords
   * sign nobody in, it does not either: there the providers decide who gets in. Throws like `passkeys.prove`, and `forbidden`.
   */
  async function signInByPasskey(
    answer: PasskeyAnswer,
    client: ClientInfo,
  ): Promise<{ session: string; email: string }> {
    requirePasswords();
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

  /**
   * Changes a password, signs all other browsers out, and returns the new token of this one. Also revokes the API tokens if
   * asked to. An account without a password needs no current one. Refuses whoever has not signed in just now.
   */
  async function changePassword(
    account: Account & Pick<SignedIn, 'sessionId'>,
    { current, next, revokeTokens = false }: { current: string; next: string; revokeTokens?: boolean },
    client: ClientInfo,
  ): Promise<string> {
    requirePasswords();
    const { password } = parseInput(newPasswordSchema, { password: next });
    await stepUp.requireFresh(account);
    await requirePassword(account, current, client);
    const passwordHash = await passwords.hash(password, { account, client });
    return database.transaction(async (tx) => {
      await tx.model(accountsTable).update({ passwordHash }, { id: account.id });
      await securityLog.record({ kind: 'password_changed', account, client }, tx);
      if (revokeTokens) await apiTokens.revokeAllWithin(account, client, tx);
      return sessions.renew(account, tx);
    });
  }

  /** Throws `unauthenticated` (field `current`) if the account has a password and this is not it. */
  async function requirePassword(account: Account, password: string, client: ClientInfo): Promise<void> {
    const passwordHash = (await AccountModel.findByPk(account.id))?.passwordHash ?? null;
    if (passwordHash === null) return;
    const caller = { account, client };
    passwords.requireRoom(caller);
    const isCorrect = await limits.attempt('ownPassword', { account: account.id }, () =>
      passwords.verify(password, passwordHash, caller),
    );
    if (!isCorrect) {
      securityLog.count({ kind: 'step_up_failed', account, detail: 'password', client });
      throw new DomainError('unauthenticated', 'wrongPassword', {
        problems: { current: [{ code: 'incorrect' }] },
      });
    }
  }

  function requirePasswords(): void {
    if (!settings.allowPasswords) throw new DomainError('forbidden', 'passwordSignInOff');
  }

  async function hasPassword({ id }: Account): Promise<boolean> {
    return (await AccountModel.findByPk(id))?.passwordHash != null;
  }

  return {
    signUp,
    signIn,
    signInByPasskey,
    changePassword,
    requirePassword,
    hasPassword,
    allowsPasswords: settings.allowPasswords,
    allowsPasskeys: settings.allowPasswords && passkeys.obstacle === undefined,
    allowsSignUp: settings.allowSignUp && settings.allowPasswords,
  };
}

function wrongCredentials(): DomainError {
  return new DomainError('unauthenticated', 'wrongCredentials');
}
