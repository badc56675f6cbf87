import type { Account } from '../accounts/accounts.ts';
import type { ChatUser } from './chatUser.ts';
import type { Identities } from './identities/identities.ts';
import type { OneTimeLinks } from './oneTimeLinks.ts';

/** Who asked to be connected, and how their chat calls them. */
export type ConnectContext = { chatUser: ChatUser; name: string };

/** How a browser comes to belong to somebody in a chat: by a link that was shown to them alone, within ten minutes, once. */
export function createLinking({ links, identities }: { links: OneTimeLinks; identities: Identities }) {
  return {
    createConnectLink: (context: ConnectContext) => links.create('connect', context),
    /** Whom a link connects, without using it; `not_found` once it was used or is too old. */
    previewConnectLink: (token: string) => links.read<ConnectContext>('connect', token),
    /** Uses a link up, and gives the account of whom it connects. */
    async signInByLink(token: string): Promise<Account> {
      const { chatUser, name } = await links.redeem<ConnectContext>('connect', token);
      const account = await identities.accountOf(chatUser);
      await identities.setName(chatUser, name);
      return account;
    },
    /** Uses a link up, and joins whom it connects to an account: what was theirs is that account's from then on. */
    async linkByToken(token: string, account: Account): Promise<void> {
      const { chatUser, name } = await links.redeem<ConnectContext>('connect', token);
      await identities.link(chatUser, account);
      await identities.setName(chatUser, name);
    },
  };
}
