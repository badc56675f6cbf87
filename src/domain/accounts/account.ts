import { DomainError } from '../../errors.ts';
import type { Account } from '../people/index.ts';
import { type AccountRow, toAccountRow } from './tables.ts';

/** An account in a list. Times are epoch milliseconds. */
export type AccountSummary = Account & {
  isAdmin: boolean;
  createdAt: number;
  disabledAt: number | null;
  hasPassword: boolean;
  /** Whether the address is only claimed by whoever signed up with it. */
  signedUp: boolean;
};

/** The columns of an `Account`, from the table accounts as `a`. */
export const accountColumns = 'a.id, a.email, a.subscribed, a.notify';

/** Picks an account from a row, whether a model or a statement read it. */
export function toAccount({ id, email, subscribed, notify }: Account): Account {
  return toAccountRow({ id, email, subscribed, notify });
}

/** The refusal of an address that an account has. */
export const addressTaken = (email: string) =>
  new DomainError('conflict', 'accountExists', { values: { email } });

/** What is shown of an account's row. */
export const toAccountSummary = (row: AccountRow): AccountSummary => ({
  ...toAccount(row),
  isAdmin: row.isAdmin,
  createdAt: row.createdAt,
  disabledAt: row.disabledAt,
  hasPassword: row.passwordHash !== null,
  signedUp: row.signedUp,
});
