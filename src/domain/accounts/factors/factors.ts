import type { Database, Statements, Tx } from '../../../database/database.ts';
import { DomainError } from '../../../errors.ts';
import type { Account, ClientInfo } from '../../people/index.ts';
import { toAccount } from '../account.ts';
import { normalizeEmail } from '../accountSchema.ts';
import { refuseUnknown } from '../accountSwitches.ts';
import type { AccountActs, Actor } from '../acts.ts';
import type { SecurityLog } from '../security/log.ts';
import { encodeFactors, type SignInFactor } from '../security/signInMethod.ts';
import type { SignedIn } from '../sessions.ts';
import { accountsTable, sessionsTable } from '../tables.ts';
import type { Authenticators, NewAuthenticator } from './authenticators.ts';
import type { RecoveryCodes } from './recoveryCodes.ts';
import { hasFactorSql } from './required.ts';
import type { StepUp } from './stepUp.ts';
import { authenticatorsTable, recoveryCodesTable } from './tables.ts';

/** What an account signs in with besides a password. Times are epoch milliseconds. */
export type Factors = {
  app: { createdAt: number; lastUsedAt: number | null } | undefined;
  /** How many recovery codes are left. */
  recoveryCodes: number;
};

type Dependencies = {
  database: Database;
  authenticators: Authenticators;
  recoveryCodes: RecoveryCodes;
  acts: AccountActs;
  stepUp: StepUp;
  securityLog: Pick<SecurityLog, 'record'>;
};

export type FactorsOfAccounts = ReturnType<typeof createFactors>;

/** The second factors of accounts. Their owners change them after a fresh sign-in alone. */
export function createFactors({
  database,
  authenticators,
  recoveryCodes,
  acts,
  stepUp,
  securityLog,
}: Dependencies) {
  async function list({ id: accountId }: Pick<Account, 'id'>): Promise<Factors> {
    const app = await database.model(authenticatorsTable).findOne({ where: { accountId } });
    return {
      app: app === null ? undefined : { createdAt: app.createdAt, lastUsedAt: app.lastUsedAt },
      recoveryCodes: await database.model(recoveryCodesTable).count({ where: { accountId } }),
    };
  }

  /** Whether an account has a second factor, so that a password alone does not sign in to it. */
  async function hasAny({ id }: Pick<Account, 'id'>, statements: Statements = database): Promise<boolean> {
    const sql = `SELECT 1 FROM accounts a WHERE a.id = $id AND ${hasFactorSql}`;
    return (await statements.select(sql, { id })).length > 0;
  }

  /** As `authenticators.begin`, for whoever has signed in just now. */
  async function beginApp(account: SignedIn): Promise<NewAuthenticator> {
    await stepUp.requireFresh(account);
    return authenticators.begin(account);
  }

  /**
   * Takes a new app into use. Returns recovery codes if these are the first; they are shown only once. Throws `invalid` (field
   * `code`) unless the code is one of the app's, and `not_found` once the enrolment is over.
   */
  async function confirmApp(
    account: SignedIn,
    { enrolment, code }: { enrolment: string; code: string },
    client: ClientInfo,
  ): Promise<string[]> {
    return add(account, 'otp', client, await authenticators.confirm(account, enrolment, code));
  }

  /** Adds a factor, as `save` does, which the session has just proved. The first one comes with recovery codes. */
  async function add(
    account: SignedIn,
    factor: SignInFactor,
    client: ClientInfo,
    save: (tx: Tx) => Promise<void>,
  ): Promise<string[]> {
    const now = await database.clock();
    return database.transaction(async (tx) => {
      await stepUp.requireFresh(account, tx);
      const isFirst = !(await hasAny(account, tx));
      await save(tx);
      const proved = encodeFactors([...new Set([...account.factors, factor])]);
      await tx.model(sessionsTable).update({ factors: proved }, { id: account.sessionId });
      await securityLog.record({ kind: 'factor_added', account, detail: factor, client }, tx);
      return isFirst ? recoveryCodes.renew(account.id, now, tx) : [];
    });
  }

  /** Forgets the app. Throws `not_found` if there is none. */
  const removeApp = (account: SignedIn, client: ClientInfo): Promise<void> =>
    database.transaction(async (tx) => {
      await stepUp.requireFresh(account, tx);
      const sql = 'DELETE FROM authenticators WHERE account_id = $id';
      if ((await tx.execute(sql, { id: account.id })) === 0)
        throw new DomainError('not_found', 'factorNotFound');
      await securityLog.record({ kind: 'factor_removed', account, detail: 'otp', client }, tx);
      await endRecoveryCodes(account.id, tx);
    });

  /** Without another factor, recovery codes have nothing to recover. */
  async function endRecoveryCodes(accountId: Buffer, tx: Tx): Promise<void> {
    if (!(await hasAny({ id: accountId }, tx))) await tx.model(recoveryCodesTable).destroy({ accountId });
  }

  /** Replaces the recovery codes, and returns the new ones, which are shown only once. Throws `conflict` without another factor. */
  async function renewRecoveryCodes(account: SignedIn, client: ClientInfo): Promise<string[]> {
    const now = await database.clock();
    return database.transaction(async (tx) => {
      await stepUp.requireFresh(account, tx);
      if (!(await hasAny(account, tx))) throw new DomainError('conflict', 'noSecondFactor');
      await securityLog.record({ kind: 'recovery_codes_renewed', account, client }, tx);
      return recoveryCodes.renew(account.id, now, tx);
    });
  }

  /**
   * Removes all factors of somebody who has lost them, so that a password signs in alone again; all browsers are signed out. The
   * account is told. Throws `not_found`, `conflict` if there is none, and `forbidden` for an account that is no admin, or has not
   * signed in just now: also to remove its own.
   */
  async function removeAll(email: string, actor: Actor): Promise<Account> {
    await acts.requireFreshManager(actor);
    return database.transaction(async (tx) => {
      const account = await tx.model(accountsTable).findForUpdate({ email: normalizeEmail(email) });
      if (account === null) return refuseUnknown(email);
      const accountId = account.id;
      if (!(await hasAny(account, tx))) throw new DomainError('conflict', 'noSecondFactor');
      await tx.model(authenticatorsTable).destroy({ accountId });
      await tx.model(recoveryCodesTable).destroy({ accountId });
      await tx.model(sessionsTable).destroy({ accountId });
      await acts.record({ kind: 'factors_removed', account }, actor, tx);
      return toAccount(account.get());
    });
  }

  /** Uses a code of the account's app, or a recovery code, that was not used before, and returns which it is; undefined if it is none. */
  async function useCode({ id }: Pick<Account, 'id'>, code: string): Promise<'otp' | 'recovery' | undefined> {
    if (await authenticators.use(id, code)) return 'otp';
    return (await recoveryCodes.use(id, code)) ? 'recovery' : undefined;
  }

  return {
    list,
    hasAny,
    beginApp,
    previewApp: authenticators.preview,
    confirmApp,
    removeApp,
    renewRecoveryCodes,
    removeAll,
    useCode,
  };
}
