import { newId } from '../../crypto/ids.ts';
import { randomBytes } from '../../crypto/random.ts';
import { digestOf, newSecret } from '../../crypto/tokens.ts';
import type { Database, Tx } from '../../database/database.ts';
import { DomainError } from '../../errors.ts';
import { minuteMs } from '../../time.ts';
import type { Holder, ProvedChatUser, StepUp } from '../accounts/index.ts';
import type { OneTimeLinks } from '../base/index.ts';
import type { Outbox } from '../outbox/index.ts';
import { type Account, accountNameOf, type ChatUser, shortName, toRecipient } from '../people/index.ts';
import type { Identities } from './identities/identities.ts';
import { createLinkConfirmation } from './linkConfirmation.ts';
import { createLinkRequestFinder, linkRequestNotFound } from './linkRequest.ts';

const lifetimeMs = 10 * minuteMs;

export type LinkRequests = ReturnType<typeof createLinkRequests>;

type Dependencies = { database: Database; identities: Identities; outbox: Outbox };

/** `secret` is that of the browser that waits for the confirmation, if one does. */
type NewRequest = { chatUser: ChatUser; name: string; account: Pick<Account, 'id'> | null; secret?: string };

/**
 * Requests of browsers to sign in as a chat user, or to link them to an account. The browser shows a code; the chat
 * user types it into the chat, which shows the name of the account. So nobody is linked, and no browser is signed in,
 * by a link that somebody was talked into opening. Owns the table link_requests.
 */
export function createLinkRequests({ database, identities, outbox }: Dependencies) {
  const { transaction, execute, deleteInBatches, dialect } = database;
  const finder = createLinkRequestFinder(database);
  const { maybeOpenOf, maybeOfBrowser } = finder;
  const confirmation = createLinkConfirmation({ database, identities, outbox, finder });

  /**
   * Asks a chat user in their chat, and returns the secret by which the browser finds its request again. A new request
   * replaces an earlier one. Without an account, the browser wants to sign in.
   */
  async function create(chatUser: ChatUser, name: string, account: Account | null): Promise<string> {
    const secret = newSecret();
    const { platform, address } = chatUser;
    await transaction(async (tx) => {
      await tx.execute(
        `DELETE FROM link_requests WHERE platform = $platform AND address = $address AND state = 'open'`,
        { platform, address },
      );
      const id = await insert({ chatUser, name, account, secret }, tx);
      await outbox.send('link_requested', id, [toRecipient(chatUser)], tx);
    });
    return secret;
  }

  async function insert(
    { chatUser, name, account, secret = newSecret() }: NewRequest,
    tx: Tx,
  ): Promise<Buffer> {
    const id = newId();
    await tx.execute(
      `INSERT INTO link_requests (id, platform, address, name, account_id, browser_digest, code, state, expires_at)
       VALUES ($id, $platform, $address, $name, $accountId, $browserDigest, $code, 'open', ${dialect.now} + ${lifetimeMs})`,
      {
        id,
        ...chatUser,
        name: shortName(name),
        accountId: account?.id ?? null,
        browserDigest: digestOf(secret),
        code: newCode(),
      },
    );
    return id;
  }

  /**
   * Links a chat user whom their chat vouches for to an account, in the transaction of its confirmation. Their chat is told with the
   * other addresses of the account, since nobody was asked there.
   */
  async function linkProved(
    { chatUser, name }: ProvedChatUser,
    account: Pick<Account, 'id'>,
    tx: Tx,
  ): Promise<void> {
    const id = await insert({ chatUser, name, account }, tx);
    await confirmation.linkRequested(chatUser, id, tx);
    await outbox.send('linked', id, [toRecipient(chatUser)], tx);
  }

  /** Ends a request that the chat user did not make. Throws `not_found` if it has ended. */
  async function reject({ platform, address }: ChatUser, id: string): Promise<void> {
    const rejected = await execute(
      `DELETE FROM link_requests WHERE id = $id AND platform = $platform AND address = $address AND state = 'open'`,
      { id: Buffer.from(id, 'hex'), platform, address },
    );
    if (rejected !== 1) throw linkRequestNotFound();
  }

  /**
   * Ends a confirmed request to sign in, and returns the account that the browser may sign in to: the one that was
   * created for the chat user, never one that somebody else signs in to with a password. Works once.
   */
  async function redeem(secret: string): Promise<Account> {
    const browserDigest = digestOf(secret);
    const request = await maybeOfBrowser(browserDigest);
    if (request?.state !== 'confirmed' || request.account !== null) throw linkRequestNotFound();
    const account = await requireOwnAccount(request.chatUser);
    const ended = await execute('DELETE FROM link_requests WHERE browser_digest = $browserDigest', {
      browserDigest,
    });
    if (ended !== 1) throw linkRequestNotFound();
    await identities.setName(request.chatUser, request.name);
    return account;
  }

  /** The account that was created for a chat user. Throws `forbidden` for users who are linked to another account. */
  async function requireOwnAccount(chatUser: ChatUser): Promise<Account> {
    const account = await identities.accountOf(chatUser);
    if (account.email !== accountNameOf(chatUser)) throw new DomainError('forbidden', 'signInElsewhere');
    return account;
  }

  return {
    create,
    confirm: confirmation.confirm,
    linkProved,
    reject,
    redeem,
    requireOwnAccount,
    /** Whether a browser may sign in as a chat user. */
    async maySignIn(chatUser: ChatUser): Promise<boolean> {
      const account = await identities.maybeAccount(chatUser);
      return account === undefined || account.email === accountNameOf(chatUser);
    },
    maybeOpenOf,
    /** The request of a browser, with its code. */
    maybeOfBrowser: (secret: string) => maybeOfBrowser(digestOf(secret)),
    /** Deletes expired requests. */
    purge: (isStopping?: () => boolean) =>
      deleteInBatches('link_requests', 'expires_at', dialect.now, isStopping),
  };
}

/** Six digits. With three tries and ten minutes, one guess in 333,000 succeeds. */
const newCode = (): string => String(randomBytes(4).readUInt32BE() % 1_000_000).padStart(6, '0');

/** What a connect link stores: the chat user, and their name in the chat. */
export type ConnectContext = { chatUser: ChatUser; name: string };

/**
 * Connect links let a browser ask to be signed in as a chat user, or to link them to its account, once within ten
 * minutes. The chat user confirms in the chat.
 */
export const createLinking = ({
  links,
  linkRequests,
  stepUp,
}: {
  links: OneTimeLinks;
  linkRequests: LinkRequests;
  stepUp: StepUp;
}) => ({
  createConnectLink: (context: ConnectContext) => links.create('connect', context),
  /** Reads a link without using it up. Throws `not_found` once it is used or expired. */
  previewConnectLink: (token: string) => links.read<ConnectContext>('connect', token),
  /**
   * Uses a link up, and asks its chat user to confirm. Returns the browser's secret. `account` is null to sign in,
   * which throws `forbidden` for users who share the account of somebody else; an account must have signed in just now.
   */
  async requestLink(token: string, account: (Account & Holder) | null): Promise<string> {
    const { chatUser, name } = await links.read<ConnectContext>('connect', token);
    await (account === null ? linkRequests.requireOwnAccount(chatUser) : stepUp.requireFresh(account));
    await links.consume(token);
    return linkRequests.create(chatUser, name, account);
  },
});
