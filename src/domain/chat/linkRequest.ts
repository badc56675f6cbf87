import type { Database } from '../../database/database.ts';
import { DomainError } from '../../errors.ts';
import type { ChatUser, Platform } from '../people/index.ts';
import type { LinkRequestRow } from './tables.ts';

/** A browser waits for a chat user to confirm that it may sign in as them, or link them to an account. */
export type LinkRequest = {
  id: string;
  chatUser: ChatUser;
  /** The user's name in the chat. */
  name: string;
  /** The name of the account that the user will share. Null where the browser wants to sign in as them. */
  account: string | null;
  state: LinkRequestRow['state'];
};

/** As the waiting browser sees it: with the code that it shows, which the user types into the chat. */
export type BrowserLinkRequest = LinkRequest & { code: string };

export type LinkRequestFinder = ReturnType<typeof createLinkRequestFinder>;

type FoundRow = Omit<LinkRequestRow, 'accountId' | 'browserDigest' | 'tries' | 'expiresAt'> & {
  account: string | null;
};

/** Finds link requests until they expire. */
export function createLinkRequestFinder({ select, dialect }: Database) {
  const columns = `SELECT l.id, l.platform, l.address, l.name, l.code, l.state, a.email AS account
    FROM link_requests l LEFT JOIN accounts a ON a.id = l.account_id WHERE l.expires_at > ${dialect.now}`;

  const selectOne = async (condition: string, binds: Record<string, string | Buffer>) =>
    (await select<FoundRow>(`${columns} AND ${condition}`, binds)).map(toBrowserLinkRequest)[0];

  return {
    maybeFind: async (id: Buffer): Promise<LinkRequest | undefined> => {
      const found = await selectOne('l.id = $id', { id });
      return found && withoutCode(found);
    },
    /** The newest request that a chat user can still confirm. */
    maybeOpenOf: async ({ platform, address }: ChatUser): Promise<LinkRequest | undefined> => {
      const condition = `l.platform = $platform AND l.address = $address AND l.state = 'open'
        ORDER BY l.expires_at DESC LIMIT 1`;
      const found = await selectOne(condition, { platform, address });
      return found && withoutCode(found);
    },
    maybeOfBrowser: (browserDigest: Buffer): Promise<BrowserLinkRequest | undefined> =>
      selectOne('l.browser_digest = $browserDigest', { browserDigest }),
  };
}

const toBrowserLinkRequest = ({ id, platform, address, ...row }: FoundRow): BrowserLinkRequest => ({
  ...row,
  id: id.toString('hex'),
  chatUser: { platform: platform as Platform, address },
});

const withoutCode = ({ code: _, ...request }: BrowserLinkRequest): LinkRequest => request;

export const linkRequestNotFound = (): DomainError => new DomainError('not_found', 'linkRequestEnded');
