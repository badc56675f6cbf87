import { newId } from '../../../crypto/ids.ts';
import type { Tx } from '../../../database/database.ts';
import { DomainError } from '../../../errors.ts';
import { defaultNotices, encodePreferences } from '../../outbox/index.ts';
import { type ClientInfo, isEnabled } from '../../people/index.ts';
import type { AccountDependencies } from '../dependencies.ts';
import { type AccountRow, accountsTable, providerIdentitiesTable } from '../tables.ts';
import type { Granted } from './claims.ts';
import type { IdentityProvider } from './provider.ts';
import type { SignInWays } from './signInWays.ts';

/** Whom a provider vouches for, and what that grants. */
export type Known = Granted & { issuer: string; subject: string; hasFactor: boolean };

/** When, by the database's clock, and in which browser. */
type By = { now: number; client: ClientInfo };

/** An account, and whether the identity signs in to it for the first time. */
type Admitted = { account: AccountRow; isNew: boolean };

export type Admission = ReturnType<typeof createSsoAdmission>;

/** The account of somebody whom a provider vouches for. */
export function createSsoAdmission({
  database: { dialect },
  acts,
  securityLog,
  canSignIn,
}: AccountDependencies & { canSignIn: SignInWays }) {
  /**
   * Finds the account, or creates one; undefined if somebody else's account has the address, so that its owner must confirm.
   * An account is joined by its address alone only where the operator says that this issuer proves addresses, the issuer says
   * that it did, and nobody merely claims the address here: whoever signed up with it first would share the account.
   */
  async function admit(
    provider: Pick<IdentityProvider, 'label' | 'rules'>,
    known: Known,
    by: By,
    tx: Tx,
  ): Promise<Admitted | undefined> {
    const { issuer, subject, email, hasFactor } = known;
    const { label, rules } = provider;
    const { now } = by;
    const identities = tx.model(providerIdentitiesTable);
    const identity = await identities.findForUpdate({ issuer, subject });
    if (identity !== null) {
      await identities.update({ email: email ?? null, hasFactor, lastUsedAt: now }, { id: identity.id });
      const account = enabled(await tx.model(accountsTable).findForUpdate({ id: identity.accountId }));
      return { account, isNew: false };
    }
    if (email === undefined)
      throw new DomainError('forbidden', 'providerWithoutEmail', { values: { provider: label } });
    const existing = (await tx.model(accountsTable).findForUpdate({ email }))?.get();
    const isProved = rules.trustsEmail && known.isEmailVerified && existing?.signedUp === false;
    if (existing !== undefined && !isProved) return undefined;
    const account =
      existing === undefined ? await create(known, email, rules.trustsEmail, now, tx) : enabled(existing);
    return { account: await join(account, known, label, by, tx), isNew: true };
  }

  /** Creates an account without a password. Its address counts as claimed only, unless the issuer is trusted to prove it. */
  async function create(
    { isEmailVerified }: Known,
    email: string,
    trustsEmail: boolean,
    now: number,
    tx: Tx,
  ): Promise<AccountRow> {
    const row = await tx.model(accountsTable).create({
      id: newId(),
      email,
      subscribed: false,
      isAdmin: false,
      signedUp: !(trustsEmail && isEmailVerified),
      notify: encodePreferences(defaultNotices),
      createdAt: now,
    });
    return row.get();
  }

  /** Lets an identity sign in to an account from now on. */
  async function join(
    account: AccountRow,
    { issuer, subject, email, hasFactor }: Known,
    label: string,
    { now, client }: By,
    tx: Tx,
  ): Promise<AccountRow> {
    await securityLog.record({ kind: 'provider_connected', account, detail: label, client }, tx);
    await tx.model(providerIdentitiesTable).create({
      id: newId(),
      accountId: account.id,
      issuer,
      subject,
      email: email ?? null,
      hasFactor,
      createdAt: now,
      lastUsedAt: now,
    });
    return account;
  }

  /** Changes what an account may do to what the provider's groups say now. The last admin who can sign in stays one. */
  async function follow({ isAdmin, subscribed }: Granted, account: AccountRow, tx: Tx): Promise<void> {
    const accounts = tx.model(accountsTable);
    if (subscribed !== undefined && subscribed !== account.subscribed) {
      await accounts.update({ subscribed }, { id: account.id });
      await acts.record({ kind: subscribed ? 'subscribed' : 'unsubscribed', account }, 'operator', tx);
    }
    if (isAdmin === undefined || isAdmin === account.isAdmin) return;
    if (!isAdmin && !(await hasOtherAdmin(account, tx))) return;
    await accounts.update({ isAdmin }, { id: account.id });
    await acts.record({ kind: isAdmin ? 'promoted' : 'demoted', account }, 'operator', tx);
  }

  /** Two admins who lose the role at once wait for each other here: by an update, which other nodes of a Galera cluster see. */
  async function hasOtherAdmin({ id }: AccountRow, tx: Tx): Promise<boolean> {
    await tx.execute(`UPDATE accounts SET holdings_changed_at = ${dialect.now} WHERE is_admin`, {});
    return canSignIn(`a.is_admin AND a.id <> $id AND ${isEnabled}`, { id }, tx);
  }

  return { admit, join, follow };
}

function enabled(account: AccountRow | null): AccountRow {
  if (account === null) throw new DomainError('not_found', 'accountErased');
  if (account.disabledAt !== null) throw new DomainError('forbidden', 'accountDisabled');
  return account;
}
