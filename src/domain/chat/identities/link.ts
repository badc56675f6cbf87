import type { Database, Tx } from '../../../database/database.ts';
import { StaleReadError } from '../../../database/errors.ts';
import { DomainError } from '../../../errors.ts';
import type { Account } from '../../accounts/accounts.ts';
import { mergeAccounts } from '../../accounts/merge.ts';
import type { createRecipients } from '../../notices/recipients.ts';
import { accountNameOf, type ChatUser } from '../chatUser.ts';
import type { createIdentityAccounts } from './accounts.ts';

/** What linking an account means for a chat user. */
export type LinkPreview =
  | { effect: 'nothing' }
  /** The account that was created for them ends: its pushes move, its API tokens end. */
  | { effect: 'merge'; pushes: number; tokens: number }
  /** They leave the account of this name, which keeps what it has. */
  | { effect: 'move'; from: string };

type Dependencies = {
  database: Database;
  accounts: ReturnType<typeof createIdentityAccounts>;
  recipients: ReturnType<typeof createRecipients>;
};

/** Linking a chat user to an account, and unlinking them. */
export function createIdentityLinking({ database, accounts, recipients }: Dependencies) {
  const { select, transaction, dialect } = database;
  const { maybeAccount, createAccountFor } = accounts;

  /**
   * Makes a chat user an owner of an account, so that its notices reach them. An account that was created for them is
   * merged into it, without its API tokens. Refuses with `not_found` when the account is gone by then.
   */
  async function link(chatUser: ChatUser, { id: to }: Account): Promise<void> {
    await transaction(async (tx) => {
      const current = (await maybeAccount(chatUser, tx)) ?? (await createAccountFor(chatUser, tx));
      const from = current.id;
      if (from.equals(to)) return;
      await lockAccounts(from, to, tx);
      await moveIdentity(chatUser, from, to, tx);
      if (current.email === accountNameOf(chatUser)) await mergeAccounts(from, to, database, tx);
    });
  }

  /** What `link` would do. */
  async function previewLink(chatUser: ChatUser, { id }: Account): Promise<LinkPreview> {
    const current = await maybeAccount(chatUser);
    if (current === undefined) return { effect: 'merge', pushes: 0, tokens: 0 };
    if (current.id.equals(id)) return { effect: 'nothing' };
    if (current.email !== accountNameOf(chatUser)) return { effect: 'move', from: current.email };
    const countOf = async (table: string) => {
      const count = `SELECT COUNT(*) AS held FROM ${table} WHERE account_id = $from`;
      const [row] = await select<{ held: number }>(count, { from: current.id });
      return Number(row?.held);
    };
    return { effect: 'merge', pushes: await countOf('pushes'), tokens: await countOf('api_tokens') };
  }

  /**
   * Ends the link between a chat user and an account, which keeps its pushes. They get no further notices of it, not even
   * those that wait, and a new account when they come again. Refuses with `not_found` where there is no such link, and with
   * `conflict` for the account that was created for them.
   */
  async function unlink(chatUser: ChatUser, { id }: Account): Promise<void> {
    const { platform, address } = chatUser;
    await transaction(async (tx) => {
      // the account first, the same as in `link` and where an account is erased
      const [account] = await tx.select<{ email: string }>(
        `SELECT email FROM accounts WHERE id = $id ${dialect.forUpdate}`,
        { id },
      );
      if (account?.email === accountNameOf(chatUser))
        throw new DomainError('conflict', 'identityOwnsAccount');
      const deleted = await tx.execute(
        'DELETE FROM chat_identities WHERE platform = $platform AND address = $address AND account_id = $id',
        { platform, address, id },
      );
      if (deleted !== 1) throw new DomainError('not_found', 'identityNotLinked');
      await recipients.remove({ accountId: id, messenger: platform, address }, tx);
    });
  }

  /** Both in one order, against deadlocks with others that link or erase them. */
  async function lockAccounts(from: Buffer, to: Buffer, tx: Tx): Promise<void> {
    const locked = await tx.select<{ id: Buffer }>(
      `SELECT id FROM accounts WHERE id IN ($from, $to) ORDER BY id ${dialect.forUpdate}`,
      { from, to },
    );
    if (!locked.some(({ id }) => id.equals(to))) throw new DomainError('not_found', 'accountGone');
  }

  async function moveIdentity(chatUser: ChatUser, from: Buffer, to: Buffer, tx: Tx): Promise<void> {
    const { platform, address } = chatUser;
    const moved = await tx.execute(
      `UPDATE chat_identities SET account_id = $to, created_at = ${dialect.now}
       WHERE platform = $platform AND address = $address AND account_id = $from`,
      { platform, address, from, to },
    );
    if (moved !== 1) throw new StaleReadError();
    await recipients.remove({ accountId: from, messenger: platform, address }, tx);
    await recipients.add({ accountId: to, messenger: platform, address }, tx);
  }

  return { link, previewLink, unlink };
}
