import type { Keyring } from '../../../crypto/keyring.ts';
import { urlTokenDigest } from '../../../crypto/pepper.ts';
import { isUrlToken } from '../../../crypto/tokens.ts';
import type { Database } from '../../../database/database.ts';
import { unavailable } from '../../../errors.ts';
import type { Limits } from '../../limits/index.ts';
import {
  type Account,
  type ClientInfo,
  isEnabled,
  maybeChatUserOf,
  type Platform,
} from '../../people/index.ts';
import { createLinkReader, type FoundLink, linkNotFound, stateOf, toRequestLink } from './link.ts';

/** Who asks, as a stranger may know. `isConfirmed`: somebody besides themselves knows the address to be theirs. */
export type Asker = { name: string | null; platform: Platform | null; isConfirmed: boolean };

/** What whoever has an open link is told. */
export type OpenRequestLink = {
  asker: Asker;
  title: string;
  note: string | null;
  accepts: FoundLink['accepts'];
  /** Of all files of an answer together; null if only the operator's limits apply. */
  bytesMax: number | null;
  allowsName: boolean;
  hasPassphrase: boolean;
  answerLifetimeMs: number;
  expiresAt: number;
  /** What an answer is sealed to; null if the server encrypts it. */
  publicKeys: string | null;
  /** Of the account that asks: the limits of its files apply. */
  account: Account;
};

type AskingAccount = Account & { signedUp: number };

type Dependencies = { database: Database; keyring: Keyring; limits: Limits };

/** Finds request links for strangers. To them, every link that takes no answer is like one that never was. */
export function createLinkPreviews({ database, keyring, limits }: Dependencies) {
  const { select } = database;
  const read = createLinkReader(database);
  const askerOf = createAskerReader(database);

  /** What an open link asks for. Throws `not_found` for all others. */
  async function preview(token: string, client: ClientInfo): Promise<OpenRequestLink> {
    const { row, account } = await requireLink(token, client);
    await requireOpen(row, client);
    const { title, note, publicKeys } = toRequestLink(keyring, row);
    if (title === null) throw unavailable('keyMissing');
    const { accepts, bytesMax, allowsName, passphraseHash, answerLifetimeMs, expiresAt } = row;
    return {
      ...{ asker: await askerOf(account), title, note, accepts, bytesMax, allowsName, account },
      ...{ hasPassphrase: passphraseHash !== null, answerLifetimeMs, expiresAt, publicKeys },
    };
  }

  /** A link, whether it is open or not, and the account that asks. Throws `not_found` if there is none. */
  async function requireLink(token: string, client: ClientInfo) {
    const [row] = isUrlToken(token)
      ? await read('token_digest = $digest', { digest: urlTokenDigest(keyring, token) })
      : [];
    if (row === undefined) return refuse(client);
    const [account] = await select<AskingAccount>(
      `SELECT a.id, a.email, a.subscribed, a.notify, a.signed_up AS signedUp FROM accounts a
       WHERE a.id = $accountId AND ${isEnabled}`,
      { accountId: row.accountId },
    );
    if (account === undefined) return refuse(client);
    return { row, account: { ...account, subscribed: Boolean(account.subscribed) } };
  }

  async function requireOpen(row: FoundLink, client: ClientInfo): Promise<void> {
    if (stateOf(row) !== 'open') await refuse(client);
  }

  /** Links that ended count as unknown ones, so that the limits do not tell them apart either. */
  async function refuse(client: ClientInfo): Promise<never> {
    await limits.countUnknownToken(client);
    throw linkNotFound();
  }

  return { preview, requireLink, requireOpen };
}

/** Reads who asks. Accounts that a chat created are named after a user there. */
export const createAskerReader =
  ({ select }: Pick<Database, 'select'>) =>
  async ({ email, signedUp }: Pick<AskingAccount, 'email' | 'signedUp'>): Promise<Asker> => {
    const chatUser = maybeChatUserOf(email);
    if (chatUser === undefined) return { name: email, platform: null, isConfirmed: !signedUp };
    const { platform, address } = chatUser;
    const [known] = await select<{ name: string | null }>(
      'SELECT name FROM chat_identities WHERE platform = $platform AND address = $address',
      { platform, address },
    );
    return { name: known?.name ?? null, platform, isConfirmed: false };
  };
