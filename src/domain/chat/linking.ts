import type { Account } from '../accounts/accounts.ts';
import type { ChatUser } from './chatUser.ts';
import type { Identities } from './identities/identities.ts';
import type { OneTimeLinks } from './oneTimeLinks.ts';

/** What a connect link stores: the chat user, and their name in the chat. */
export type ConnectContext = { chatUser: ChatUser; name: string };

/** Connect links sign a browser in or link it, once within ten minutes. Only the chat user sees them. */
export function createLinking({ links, identities }: { links: OneTimeLinks; identities: Identities }) {
  return {
    createConnectLink: (context: ConnectContext) => links.create('connect', context),
    /** Reads a link without using it up. Throws `not_found` once it is used or expired. */
    previewConnectLink: (token: string) => links.read<ConnectContext>('connect', token),
    /** Uses a link up, and returns the account of its chat user. */
    async signInByLink(token: string): Promise<Account> {
      const { chatUser, name } = await links.redeem<ConnectContext>('connect', token);
      const account = await identities.accountOf(chatUser);
      await identities.setName(chatUser, name);
      return account;
    },
    /** Uses a link up, and links its chat user to an account. */
    async linkByToken(token: string, account: Account): Promise<void> {
      const { chatUser, name } = await links.redeem<ConnectContext>('connect', token);
      await identities.link(chatUser, account);
      await identities.setName(chatUser, name);
    },
  };
}
