import type { Owner } from '../accounts/accounts.ts';
import type { Speaker } from './chatUser.ts';
import type { Identities } from './identities.ts';
import type { OneTimeLinks } from './oneTimeLinks.ts';

/** Who asked to be connected, and how their chat calls them. */
export type Connecting = { speaker: Speaker; name: string };

/** How a browser comes to belong to somebody in a chat: by a link that was shown to them alone, within ten minutes, once. */
export function createConnecting({ links, identities }: { links: OneTimeLinks; identities: Identities }) {
  return {
    makeConnecting: (connecting: Connecting) => links.make('connect', connecting),
    /** Whom a link connects, without using it; `not_found` once it was used or is too old. */
    lookAtConnecting: (token: string) => links.look<Connecting>('connect', token),
    /** Uses a link up, and gives the account of whom it connects. */
    async enterAs(token: string): Promise<Owner> {
      const { speaker, name } = await links.take<Connecting>('connect', token);
      const owner = await identities.ownerOf(speaker);
      await identities.setName(speaker, name);
      return owner;
    },
    /** Uses a link up, and joins whom it connects to an account: what was theirs is that account's from then on. */
    async connect(token: string, owner: Owner): Promise<void> {
      const { speaker, name } = await links.take<Connecting>('connect', token);
      await identities.join(speaker, owner);
      await identities.setName(speaker, name);
    },
  };
}
