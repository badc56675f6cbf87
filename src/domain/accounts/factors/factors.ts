import type { Tx } from '../../../database/database.ts';
import { DomainError } from '../../../errors.ts';
import type { Account, ClientInfo } from '../../people/index.ts';
import type { AccountDependencies } from '../dependencies.ts';
import type { NewSecurityEvent } from '../security/events.ts';
import { encodeFactors, type SignInFactor } from '../security/signInMethod.ts';
import { serializeAccount } from '../serialize.ts';
import type { SignedIn } from '../sessions.ts';
import { sessionsTable } from '../tables.ts';
import type { Authenticators, NewAuthenticator } from './authenticators.ts';
import type { Passkey, Passkeys } from './passkeys/passkeys.ts';
import type { PasskeyAnswer } from './passkeys/proof.ts';
import type { RecoveryCodes } from './recoveryCodes.ts';
import { createFactorRemoval } from './removal.ts';
import { hasFactor } from './required.ts';
import { authenticatorsTable, recoveryCodesTable } from './tables.ts';

/** What an account signs in with besides a password. Times are epoch milliseconds. */
export type Factors = {
  app: { createdAt: number; lastUsedAt: number | null } | undefined;
  passkeys: Passkey[];
  /** How many recovery codes are left. */
  recoveryCodes: number;
};

type Dependencies = AccountDependencies & {
  authenticators: Authenticators;
  passkeys: Passkeys;
  recoveryCodes: RecoveryCodes;
};

export type FactorsOfAccounts = ReturnType<typeof createFactors>;

/** The second factors of accounts. Their owners change them after a fresh sign-in alone. */
export function createFactors({
  database,
  authenticators,
  passkeys,
  recoveryCodes,
  acts,
  stepUp,
  securityLog,
}: Dependencies) {
  async function list(account: Pick<Account, 'id'>): Promise<Factors> {
    const { id: accountId } = account;
    const app = await database.model(authenticatorsTable).findOne({ where: { accountId } });
    return {
      app: app === null ? undefined : { createdAt: app.createdAt, lastUsedAt: app.lastUsedAt },
      passkeys: await passkeys.list(account),
      recoveryCodes: await database.model(recoveryCodesTable).count({ where: { accountId } }),
    };
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
    const save = await authenticators.confirm(account, enrolment, code);
    return add(account, 'otp', { kind: 'factor_added', account, detail: 'otp', client }, save);
  }

  /** What a browser creates a passkey by, as `passkeys.optionsOfNew`, for whoever has signed in just now. */
  async function beginPasskey(account: SignedIn) {
    await stepUp.requireFresh(account);
    return passkeys.optionsOfNew(account);
  }

  /** Adds a passkey. Returns recovery codes if these are the first; they are shown only once. Throws like `passkeys.create`. */
  async function addPasskey(
    account: SignedIn,
    { name: given, ...answer }: PasskeyAnswer & { name: string },
    client: ClientInfo,
  ): Promise<string[]> {
    await stepUp.requireFresh(account);
    const { name, save } = await passkeys.create(account, { name: given }, answer);
    return add(account, 'passkey', { kind: 'passkey_added', account, detail: name, client }, save);
  }

  /** Adds a factor, as `save` does, which the session has just proved. The first one comes with recovery codes. */
  async function add(
    account: SignedIn,
    factor: SignInFactor,
    event: NewSecurityEvent,
    save: (tx: Tx) => Promise<void>,
  ): Promise<string[]> {
    return database.transaction(async (tx) => {
      const now = await serializeAccount(database, account.id, tx);
      await stepUp.requireFresh(account, tx);
      const isFirst = !(await hasFactor(account, tx));
      await save(tx);
      const proved = encodeFactors([...new Set([...account.factors, factor])]);
      await tx.model(sessionsTable).update({ factors: proved }, { id: account.sessionId });
      await securityLog.record(event, tx);
      return isFirst ? recoveryCodes.renew(account.id, now, tx) : [];
    });
  }

  /** Forgets the app. Throws `not_found` if there is none. */
  const removeApp = (account: SignedIn, client: ClientInfo): Promise<void> =>
    remove(account, async (tx) => {
      const sql = 'DELETE FROM authenticators WHERE account_id = $id';
      if ((await tx.execute(sql, { id: account.id })) === 0)
        throw new DomainError('not_found', 'factorNotFound');
      return { kind: 'factor_removed', account, detail: 'otp', client };
    });

  /** Forgets a passkey. Throws `not_found` if there is none. */
  const removePasskey = (account: SignedIn, id: string, client: ClientInfo): Promise<void> =>
    remove(account, async (tx) => {
      const detail = await passkeys.remove(account, id, tx);
      return { kind: 'passkey_removed', account, detail, client };
    });

  /** Gives a passkey another name. Throws like `passkeys.rename`. */
  async function renamePasskey(
    account: SignedIn,
    { id, ...input }: { id: string; name: string },
    client: ClientInfo,
  ): Promise<void> {
    await database.transaction(async (tx) => {
      await stepUp.requireFresh(account, tx);
      const detail = await passkeys.rename(account, id, input, tx);
      await securityLog.record({ kind: 'passkey_renamed', account, detail, client }, tx);
    });
  }

  /** Removes a factor, as `forget` does. Without another factor, recovery codes have nothing to recover. */
  const remove = (account: SignedIn, forget: (tx: Tx) => Promise<NewSecurityEvent>): Promise<void> =>
    database.transaction(async (tx) => {
      await stepUp.requireFresh(account, tx);
      await securityLog.record(await forget(tx), tx);
      if (!(await hasFactor(account, tx)))
        await tx.model(recoveryCodesTable).destroy({ accountId: account.id });
    });

  /** Replaces the recovery codes, and returns the new ones, which are shown only once. Throws `conflict` without another factor. */
  async function renewRecoveryCodes(account: SignedIn, client: ClientInfo): Promise<string[]> {
    const now = await database.clock();
    return database.transaction(async (tx) => {
      await stepUp.requireFresh(account, tx);
      if (!(await hasFactor(account, tx))) throw new DomainError('conflict', 'noSecondFactor');
      await securityLog.record({ kind: 'recovery_codes_renewed', account, client }, tx);
      return recoveryCodes.renew(account.id, now, tx);
    });
  }

  /** Uses a code of the account's app, or a recovery code, that was not used before, and returns which it is; undefined if it is none. */
  async function useCode({ id }: Pick<Account, 'id'>, code: string): Promise<'otp' | 'recovery' | undefined> {
    if (await authenticators.use(id, code)) return 'otp';
    return (await recoveryCodes.use(id, code)) ? 'recovery' : undefined;
  }

  return {
    list,
    hasAny: (account: Pick<Account, 'id'>) => hasFactor(account, database),
    beginApp,
    previewApp: authenticators.preview,
    confirmApp,
    removeApp,
    beginPasskey,
    addPasskey,
    renamePasskey,
    removePasskey,
    renewRecoveryCodes,
    removeAll: createFactorRemoval(database, acts),
    useCode,
  };
}
