import type { Database, Tx } from '../../../database/database.ts';
import { StaleReadError } from '../../../database/errors.ts';
import { DomainError } from '../../../errors.ts';
import { platforms } from '../../../platforms.ts';
import type { Holder, MergeAccounts, SecurityLog, StepUp } from '../../accounts/index.ts';
import type { createRecipients } from '../../outbox/index.ts';
import {
  type Account,
  accountNameOf,
  addressUser,
  type ChatUser,
  type ClientInfo,
  isEnabled,
} from '../../people/index.ts';
import { accountDisabled, type createIdentityAccounts } from './accounts.ts';

/** What linking an account means for a chat user. */
export type LinkPreview =
  | { effect: 'nothing' }
  /**
   * The account that was created for the user ends: its pushes move, its API tokens are revoked. `endsSignIn` if it has more that
   * does not move: passkeys, an app, identities at providers, trust rules.
   */
  | { effect: 'merge'; pushes: number; tokens: number; endsSignIn: boolean }
  /** The user moves away from the account of this name, which retains its pushes. */
  | { effect: 'move'; from: string };

/** What ends with an account, besides its API tokens, and lets somebody act for it. */
const signInTables = ['passkeys', 'authenticators', 'provider_identities', 'trust_rules'];

type Dependencies = {
  database: Database;
  accounts: ReturnType<typeof createIdentityAccounts>;
  recipients: ReturnType<typeof createRecipients>;
  mergeAccounts: MergeAccounts;
  securityLog: Pick<SecurityLog, 'record'>;
  stepUp: StepUp;
};

/** Links chat users to accounts, and unlinks them. */
export function createIdentityLinking(dependencies: Dependencies) {
  const { database, accounts, recipients, mergeAccounts, securityLog, stepUp } = dependencies;
  const { select, transaction, dialect } = database;
  const { maybeAccount, createAccountFor } = accounts;

  /**
   * Links a chat user to an account, so that its notices reach them. An account that was created for them is merged
   * into it, without its API tokens. Throws `not_found` if the account no longer exists, and `forbidden` if either
   * account is disabled.
   */
  const link = (chatUser: ChatUser, account: Pick<Account, 'id'>): Promise<void> =>
    transaction((tx) => linkWithin(chatUser, account, tx));

  /** As `link`, in a transaction of the caller's. The user's name in the chat goes into the account's security log. */
  async function linkWithin(
    chatUser: ChatUser,
    account: Pick<Account, 'id'>,
    tx: Tx,
    name?: string,
  ): Promise<void> {
    const to = account.id;
    const current = (await maybeAccount(chatUser, tx)) ?? (await createAccountFor(chatUser, tx));
    const from = current.id;
    if (from.equals(to)) return;
    await lockAccounts(from, to, tx);
    await moveIdentity(chatUser, from, to, tx);
    const detail = labelOf(chatUser, name);
    await securityLog.record({ kind: 'chat_connected', account, detail }, tx);
    if (current.email === accountNameOf(chatUser)) await mergeAccounts(from, to, tx);
    else await securityLog.record({ kind: 'chat_disconnected', account: current, detail }, tx);
  }

  /** Returns what `link` would do. */
  async function previewLink(chatUser: ChatUser, { id }: Account): Promise<LinkPreview> {
    const current = await maybeAccount(chatUser);
    if (current === undefined) return { effect: 'merge', pushes: 0, tokens: 0, endsSignIn: false };
    if (current.id.equals(id)) return { effect: 'nothing' };
    if (current.email !== accountNameOf(chatUser)) return { effect: 'move', from: current.email };
    const countOf = async (table: string) => {
      const count = `SELECT COUNT(*) AS held FROM ${table} WHERE account_id = $from`;
      const [row] = await select<{ held: number }>(count, { from: current.id });
      return Number(row?.held);
    };
    const counts = await Promise.all(signInTables.map(countOf));
    return {
      effect: 'merge',
      pushes: await countOf('pushes'),
      tokens: await countOf('api_tokens'),
      endsSignIn: counts.some((count) => count > 0),
    };
  }

  /**
   * Unlinks a chat user from an account, which retains its pushes. The user gets no further notices of the account,
   * not even those already waiting, and gets a new account when they return. Throws `not_found` if they are not
   * linked, `conflict` for the account that was created for them, and `forbidden` for whoever has not signed in just now.
   */
  async function unlink(chatUser: ChatUser, owner: Account & Holder, client?: ClientInfo): Promise<void> {
    const { id } = owner;
    await stepUp.requireFresh(owner);
    const { platform, address } = chatUser;
    await transaction(async (tx) => {
      // Lock the account first, as `link` and the erasure of accounts do.
      const [account] = await tx.select<{ email: string }>(
        `SELECT email FROM accounts WHERE id = $id ${dialect.forUpdate}`,
        { id },
      );
      if (account?.email === accountNameOf(chatUser))
        throw new DomainError('conflict', 'identityOwnsAccount');
      const [identity] = await tx.select<{ name: string | null }>(
        'SELECT name FROM chat_identities WHERE platform = $platform AND address = $address',
        { platform, address },
      );
      const deleted = await tx.execute(
        'DELETE FROM chat_identities WHERE platform = $platform AND address = $address AND account_id = $id',
        { platform, address, id },
      );
      if (deleted !== 1) throw new DomainError('not_found', 'identityNotLinked');
      await recipients.remove({ accountId: id, messenger: platform, address }, tx);
      const detail = labelOf(chatUser, identity?.name ?? undefined);
      await securityLog.record({ kind: 'chat_disconnected', account: owner, detail, client }, tx);
    });
  }

  /**
   * Locks both in a fixed order, to prevent deadlocks with others that link or erase them. Refuses a target that is
   * gone or disabled.
   */
  async function lockAccounts(from: Buffer, to: Buffer, tx: Tx): Promise<void> {
    const locked = await tx.select<{ id: Buffer; enabled: number | boolean }>(
      `SELECT a.id, ${isEnabled} AS enabled FROM accounts a
       WHERE a.id IN ($from, $to) ORDER BY a.id ${dialect.forUpdate}`,
      { from, to },
    );
    const target = locked.find(({ id }) => id.equals(to));
    if (target === undefined) throw new DomainError('not_found', 'accountErased');
    if (!target.enabled) throw accountDisabled();
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

  return { link, linkWithin, previewLink, unlink };
}

const labelOf = ({ platform, address }: ChatUser, name = addressUser(address)): string =>
  `${platforms[platform].name}: ${name}`;
