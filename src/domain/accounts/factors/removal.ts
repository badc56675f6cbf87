import type { Database } from '../../../database/database.ts';
import { DomainError } from '../../../errors.ts';
import type { Account } from '../../people/index.ts';
import { toAccount } from '../account.ts';
import { normalizeEmail } from '../accountSchema.ts';
import { refuseUnknown } from '../accountSwitches.ts';
import type { AccountActs, Actor } from '../acts.ts';
import { accountsTable, sessionsTable } from '../tables.ts';
import { hasFactor } from './required.ts';
import { authenticatorsTable, passkeysTable, recoveryCodesTable } from './tables.ts';

/** What helps people who have lost their factors. */
export function createFactorRemoval(database: Database, acts: AccountActs) {
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
      if (!(await hasFactor(account, tx))) throw new DomainError('conflict', 'noSecondFactor');
      await tx.model(authenticatorsTable).destroy({ accountId });
      await tx.model(passkeysTable).destroy({ accountId });
      await tx.model(recoveryCodesTable).destroy({ accountId });
      await tx.model(sessionsTable).destroy({ accountId });
      await acts.record({ kind: 'factors_removed', account }, actor, tx);
      return toAccount(account.get());
    });
  }

  return removeAll;
}
