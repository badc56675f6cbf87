import type { Tx } from '../../../database/database.ts';
import { refuseDuplicate } from '../../../database/errors.ts';
import { DomainError } from '../../../errors.ts';
import { parseInput } from '../../base/index.ts';
import type { Account, ClientInfo } from '../../people/index.ts';
import { addressTaken } from '../account.ts';
import { newPasswordSchema } from '../accountSchema.ts';
import { type AccountLinkDependencies, byLink } from '../passwordLinks.ts';
import { type AccountRow, accountsTable } from '../tables.ts';
import type { SignUpContext, VerifyContext } from './reading.ts';

/** Uses links that came by mail: whoever has one reads the mails to its address. */
export function createMailLinkUses(dependencies: AccountLinkDependencies) {
  const { database, accounts, markVerified, secondStep, securityLog, links } = dependencies;
  const AccountModel = database.model(accountsTable);

  /** What a link does. Throws `not_found` once it is used or too old. */
  const previewAddress = (token: string): Promise<VerifyContext> =>
    links.read<VerifyContext>('verify', token);

  /**
   * Uses a link up: from now on its address is the account's, and gets its mails. Throws `not_found` as `previewAddress`, and
   * `conflict` if another account has the address.
   */
  async function confirmAddress(token: string, client: ClientInfo): Promise<{ email: string }> {
    const { account: id, from, to } = await previewAddress(token);
    await database.transaction(async (tx) => {
      await links.consume(token, tx);
      // locked, so that of two links that are used at once the second sees what the first did
      const account = await tx.model(accountsTable).findForUpdate({ id: Buffer.from(id, 'hex') });
      if (account?.email !== from || account.disabledAt !== null)
        throw new DomainError('not_found', 'linkUsed');
      const kind = from === to ? 'address_verified' : 'address_changed';
      await securityLog.record({ kind, account, detail: to, client }, tx);
      if (from !== to) await changeAddress(account, to, tx);
      await markVerified({ id: account.id, email: to }, tx);
    });
    return { email: to };
  }

  /** The address before has been told, as it gets the account's mails up to here. */
  const changeAddress = ({ id }: AccountRow, to: string, tx: Tx) =>
    tx
      .model(accountsTable)
      .update({ email: to }, { id })
      .catch(refuseDuplicate(() => addressTaken(to)));

  const previewSignUp = (token: string): Promise<SignUpContext> => links.read<SignUpContext>('signUp', token);

  /** Uses a link up: creates the account, and returns a new session. Throws like `previewAddress` and `accounts.create`. */
  async function signUp(
    token: string,
    next: string,
    client: ClientInfo,
  ): Promise<{ email: string; session: string }> {
    const { password } = parseInput(newPasswordSchema, { password: next });
    const { email } = await previewSignUp(token);
    const account = await accounts.create({ email, password }, { account: null, client });
    await database.transaction(async (tx) => {
      await links.consume(token, tx);
      await markVerified(account, tx);
    });
    return { email, session: await secondStep.create(account, client, byLink) };
  }

  /** Whether an account has shown that it reads the mails to its address. */
  const isVerified = async ({ id }: Pick<Account, 'id'>): Promise<boolean> =>
    (await AccountModel.findByPk(id))?.emailVerifiedAt != null;

  return { previewAddress, confirmAddress, previewSignUp, signUp, isVerified };
}
