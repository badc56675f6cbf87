import { z } from 'zod';
import { costs, type Passwords } from '../../crypto/passwords.ts';
import { DomainError } from '../../errors.ts';
import type { Visit } from '../audit/audit.ts';
import type { Limits } from '../limits.ts';
import type { SignInSettings } from '../settings.ts';
import { parseInput } from '../validation.ts';
import { type Accounts, normalised, type Owner, password, signUpInput } from './accounts.ts';
import type { AccountModels } from './models.ts';
import type { Sessions } from './sessions.ts';

/** Of no password: what is compared where there is no account, so that an answer takes as long as with one. */
const nobodysHash = '$2b$12$ysMDkWnvFw9hinMlEUPMH.6fFlwP4lkPYL7unLozgWxw9qizBjGxm';

const credentials = z.object({
  email: z.string('must be text').max(254),
  password: z.string('must be text').max(1_024),
});
const newPassword = z.object({ password });

type Parts = {
  models: AccountModels;
  accounts: Accounts;
  sessions: Sessions;
  passwords: Passwords;
  limits: Limits;
  settings: SignInSettings;
};

/** How people come to hold a session. Each function gives the token of a new one; whatever token there was before is void. */
export function createSignIn({
  models: { Account },
  accounts,
  sessions,
  passwords,
  limits,
  settings,
}: Parts) {
  /** Makes an account with a password. Refuses as `accounts.create` does, and with `forbidden` where people may not. */
  async function signUp(input: { email: string; password: string }, visit: Visit): Promise<string> {
    if (!settings.allowSignUp) {
      throw new DomainError('forbidden', 'Accounts are made by whoever runs this server.');
    }
    await limits.consume('signUp', visit);
    return sessions.begin(await accounts.create(parseInput(signUpInput, input)), visit);
  }

  /**
   * Refuses with `unauthenticated`, in the same words and time, a wrong password, an account that is disabled or has no
   * password, and an address without an account; with `too_many` after too many of them.
   */
  async function signIn(input: { email: string; password: string }, visit: Visit): Promise<string> {
    const { email, password } = parseInput(credentials, input);
    const account = await Account.findOne({ where: { email: normalised(email) } });
    const isRight = await limits.signIn(normalised(email), visit.ip, async () => {
      const fits = await passwords.verify(password, account?.passwordHash ?? nobodysHash);
      return fits && account?.passwordHash != null && account.disabledAt === null;
    });
    if (account === null || !isRight) throw wrong();
    return sessions.begin(account, visit);
  }

  /** Changes a password, signs all browsers out and this one in again. An account without a password needs no present one. */
  async function changePassword(
    { id, email }: Owner,
    { current, next }: { current: string; next: string },
    visit: Visit,
  ): Promise<string> {
    const { password } = parseInput(newPassword, { password: next });
    await requirePassword({ id, email }, current, visit);
    const passwordHash = await passwords.hash(password, costs.account);
    await Account.update({ passwordHash }, { where: { id } });
    await sessions.endAll({ id });
    return sessions.begin({ id }, visit);
  }

  /** Refuses with `unauthenticated` (field `current`) whoever does not know an account's password, if it has one. */
  async function requirePassword(
    { id, email }: Pick<Owner, 'id' | 'email'>,
    given: string,
    visit: Visit,
  ): Promise<void> {
    const passwordHash = (await Account.findByPk(id))?.passwordHash ?? null;
    if (passwordHash === null) return;
    const isRight = await limits.signIn(email, visit.ip, () => passwords.verify(given, passwordHash));
    if (!isRight) {
      throw new DomainError('unauthenticated', 'That password is incorrect.', {
        fields: { current: ['is incorrect'] },
      });
    }
  }

  async function hasPassword({ id }: Owner): Promise<boolean> {
    return (await Account.findByPk(id))?.passwordHash != null;
  }

  return { signUp, signIn, changePassword, requirePassword, hasPassword, allowsSignUp: settings.allowSignUp };
}

function wrong(): DomainError {
  return new DomainError('unauthenticated', 'The e-mail address or the password is wrong.');
}
