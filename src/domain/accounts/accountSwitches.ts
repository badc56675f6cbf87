import type { Database } from '../../database/database.ts';
import { DomainError } from '../../errors.ts';
import type { Account } from '../people/index.ts';
import { toAccount } from './account.ts';
import { normalizeEmail } from './accountSchema.ts';
import type { AccountActs, ActKind, Actor } from './acts.ts';
import { type AccountRow, accountsTable } from './tables.ts';

type Change = { kind: ActKind; isDone: (row: AccountRow) => boolean; values: Partial<AccountRow> };

export function refuseUnknown(email: string): never {
  throw new DomainError('not_found', 'accountNotFound', { values: { email } });
}

/**
 * What those who manage accounts turn on and off about one. Who does is recorded, unless there is nothing to change. All
 * throw `forbidden` for an account that is no admin.
 */
export function createAccountSwitches({ transaction, clock }: Database, acts: AccountActs) {
  const change = (given: string, { kind, isDone, values }: Change, actor: Actor): Promise<Account> =>
    transaction(async (tx) => {
      await acts.requireManager(actor, tx);
      const email = normalizeEmail(given);
      const found = await tx.model(accountsTable).findForUpdate({ email });
      const row = found?.get() ?? refuseUnknown(email);
      if (isDone(row)) return toAccount(row);
      await tx.model(accountsTable).update(values, { id: row.id });
      await acts.record({ kind, account: row }, actor, tx);
      return toAccount({ ...row, ...values });
    });

  /** Sets whether the account may attach files. */
  async function setSubscribed(email: string, subscribed: boolean, actor: Actor): Promise<Account> {
    const kind = subscribed ? 'subscribed' : 'unsubscribed';
    const isDone = (row: AccountRow) => row.subscribed === subscribed;
    return change(email, { kind, isDone, values: { subscribed } }, actor);
  }

  /** Sets whether the account may manage other accounts. */
  async function setAdmin(email: string, isAdmin: boolean, actor: Actor): Promise<Account> {
    const kind = isAdmin ? 'promoted' : 'demoted';
    const isDone = (row: AccountRow) => row.isAdmin === isAdmin;
    return change(email, { kind, isDone, values: { isAdmin } }, actor);
  }

  /**
   * Disables an account with its tokens and sessions, or enables it again. Its pushes stay open to those who have
   * links. Throws `conflict` for an admin's own account, who would be locked out.
   */
  async function setDisabled(email: string, isDisabled: boolean, actor: Actor): Promise<Account> {
    if (isDisabled && actor !== 'operator' && actor.email === normalizeEmail(email))
      throw new DomainError('conflict', 'ownAccount');
    const kind = isDisabled ? 'disabled' : 'enabled';
    const isDone = ({ disabledAt }: AccountRow) => (disabledAt !== null) === isDisabled;
    const disabledAt = isDisabled ? await clock() : null;
    return change(email, { kind, isDone, values: { disabledAt } }, actor);
  }

  return { setSubscribed, setAdmin, setDisabled };
}
