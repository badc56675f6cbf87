import { newId } from '../../../crypto/ids.ts';
import type { Database, Tx } from '../../../database/database.ts';
import { DomainError, unavailable } from '../../../errors.ts';
import { accountColumns, type MayLackFactor, requireFactor, toAccount } from '../../accounts/index.ts';
import { allNotices, type createRecipients, encodePreferences } from '../../outbox/index.ts';
import { type Account, accountNameOf, type ChatUser, isEnabled } from '../../people/index.ts';

/**
 * The accounts of chat users. Each user has one, created on first use, so the chat, the API and the pages show the
 * same pushes.
 */
export function createIdentityAccounts(
  database: Database,
  recipients: ReturnType<typeof createRecipients>,
  lacksFactor: string,
) {
  const { transaction, dialect } = database;

  /** The account of a chat user, if they have one. Throws `forbidden` if it is disabled, or lacks the second factor that it must have. */
  async function maybeAccount({ platform, address }: ChatUser, tx?: Tx): Promise<Account | undefined> {
    const [found] = await (tx ?? database).select<Account & MayLackFactor & { enabled: number | boolean }>(
      `SELECT ${accountColumns}, ${isEnabled} AS enabled${lacksFactor} FROM chat_identities i JOIN accounts a ON a.id = i.account_id
       WHERE i.platform = $platform AND i.address = $address`,
      { platform, address },
    );
    if (found !== undefined && !found.enabled) throw accountDisabled();
    if (found !== undefined) requireFactor(found);
    return found && toAccount(found);
  }

  /** The account that owns a chat user's pushes. Creates one if there is none, with notices to that chat. */
  async function accountOf(chatUser: ChatUser): Promise<Account> {
    return (await maybeAccount(chatUser)) ?? transaction((tx) => createAccountFor(chatUser, tx));
  }

  async function createAccountFor(chatUser: ChatUser, tx: Tx): Promise<Account> {
    const id = newId();
    const name = accountNameOf(chatUser);
    const notify = encodePreferences(allNotices);
    const { platform, address } = chatUser;
    // Of several concurrent calls, one creates the account. The others wait here, then find it.
    await tx.execute(
      `INSERT INTO accounts (id, email, subscribed, notify, created_at)
       VALUES ($id, $name, FALSE, $notify, ${dialect.now})
       ${dialect.onConflict('email', ['email'])}`,
      { id, name, notify },
    );
    await tx.execute(
      `INSERT INTO chat_identities (platform, address, account_id, created_at)
       SELECT $platform, $address, id, ${dialect.now} FROM accounts WHERE email = $name
       ${dialect.onConflict('platform, address', ['address'])}`,
      { platform, address, name },
    );
    const account = await maybeAccount(chatUser, tx);
    if (account === undefined) throw new Error('a chat user has no account');
    await recipients.add({ accountId: account.id, messenger: platform, address }, tx);
    return account;
  }

  /**
   * Locks the link between a chat user and an account until the transaction ends. The transaction may have written
   * rows of the account, and then holds a shared lock on it. Throws `unavailable` if the user has since linked
   * another account, or the account was erased or disabled.
   */
  async function requireAccount({ platform, address }: ChatUser, { id }: Account, tx: Tx): Promise<void> {
    const [current] = await tx.select(
      `SELECT a.id FROM chat_identities i JOIN accounts a ON a.id = i.account_id
       WHERE i.platform = $platform AND i.address = $address AND a.id = $id AND ${isEnabled} ${dialect.forShare}`,
      { platform, address, id },
    );
    if (current === undefined) throw unavailable('accountChanged');
  }

  return { maybeAccount, accountOf, createAccountFor, requireAccount };
}

export const accountDisabled = (): DomainError => new DomainError('forbidden', 'accountDisabled');
