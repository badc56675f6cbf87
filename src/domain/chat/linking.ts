import type { OneTimeLinks } from '../base/index.ts';
import type { Account, ChatUser } from '../people/index.ts';
import type { LinkRequests } from './linkRequests.ts';

/** What a connect link stores: the chat user, and their name in the chat. */
export type ConnectContext = { chatUser: ChatUser; name: string };

type Dependencies = { links: OneTimeLinks; linkRequests: LinkRequests };

/**
 * Connect links let a browser ask to be signed in as a chat user, or to link them to its account, once within ten
 * minutes. The chat user confirms in the chat.
 */
export const createLinking = ({ links, linkRequests }: Dependencies) => ({
  createConnectLink: (context: ConnectContext) => links.create('connect', context),
  /** Reads a link without using it up. Throws `not_found` once it is used or expired. */
  previewConnectLink: (token: string) => links.read<ConnectContext>('connect', token),
  /**
   * Uses a link up, and asks its chat user to confirm. Returns the browser's secret. `account` is null to sign in,
   * which throws `forbidden` for users who share the account of somebody else.
   */
  async requestLink(token: string, account: Account | null): Promise<string> {
    const { chatUser, name } = await links.read<ConnectContext>('connect', token);
    if (account === null) await linkRequests.requireOwnAccount(chatUser);
    await links.consume(token);
    return linkRequests.create(chatUser, name, account);
  },
});
