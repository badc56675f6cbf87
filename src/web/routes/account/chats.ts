import { addressWorkspace, DomainError, maybeChatUserOf } from '../../../domain/index.ts';
import { setSessionCookie } from '../../../http/session.ts';
import type { WebDependencies } from '../../dependencies.ts';
import { successText } from '../../pageQuery.ts';
import { chatsPage } from '../../pages/account/chats.tsx';

/** The chats that an account is connected to. */
export function chatRoutes({ domain, pages, cookies }: WebDependencies): void {
  const { apiTokens, chat, sessions, singleSignOn } = domain;

  pages.own('/account/chats', async ({ ctx, page, signedIn }) => {
    const { connected, disconnected, disconnectedAndEnded } = page.messages.chats;
    const identities = await chat.identities.list(signedIn);
    const labelled = identities.map(async (identity) => ({
      ...identity,
      workspaceLabel: await chat.installations.labelOf(identity.platform, addressWorkspace(identity)),
    }));
    return chatsPage(page, {
      connected: await Promise.all(labelled),
      providers: singleSignOn.providers.filter(
        ({ linksSlack }) => linksSlack && page.chats.includes('slack'),
      ),
      success: successText(ctx, { connected, disconnected, disconnectedAndEnded }),
    });
  });

  pages.ownForm(
    '/account/chats/disconnect',
    async ({ ctx, signedIn, client, fields: { id = '', endAccess } }) => {
      const chatUser = maybeChatUserOf(id);
      if (chatUser === undefined) throw new DomainError('not_found', 'chatNotFound');
      await chat.identities.unlink(chatUser, signedIn, client);
      if (endAccess !== 'on') return { to: '/account/chats?done=disconnected' };
      await apiTokens.revokeAll(signedIn, client);
      setSessionCookie(ctx, cookies, await sessions.endOthers(signedIn, client));
      return { to: '/account/chats?done=disconnectedAndEnded' };
    },
  );
}
