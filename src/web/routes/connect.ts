import type { Router } from '@koa/router';
import type { ChatUser, SignedIn } from '../../domain/index.ts';
import { setSessionCookie } from '../../http/session.ts';
import type { WebDependencies } from '../dependencies.ts';
import type { PageContext } from '../pageContext.ts';
import type { PageRequest } from '../pageHandlers.ts';
import { accountLabel } from '../pages/chatLabels.ts';
import { connectPage } from '../pages/connect.tsx';
import { messagePage } from '../pages/messagePage.tsx';

const path = /^\/connect\/([\w-]+)$/;

/** The page of a link that somebody asked for in a chat: signs the browser in as them, or joins them to who is signed in. */
export function connectRoutes(router: Router, { domain, pages, cookies }: WebDependencies): void {
  const { chat, sessions, signIn } = domain;

  router.get(
    '/connect/:token',
    path,
    pages.open(async ({ ctx, page, signedIn }) => {
      const token = tokenOf(ctx);
      const { name, chatUser } = await chat.previewConnectLink(token);
      const link = signedIn === null ? undefined : await previewLink(page, chatUser, signedIn);
      return connectPage(page, { token, name, chatUser, link, allowsSignUp: signIn.allowsSignUp });
    }, goneIfUsed),
  );

  router.post(
    '/connect/:token',
    path,
    pages.openForm(async ({ ctx, signedIn, client }) => {
      if (signedIn !== null) {
        await chat.linkByToken(tokenOf(ctx), signedIn);
        return { to: '/account/chats?done=connected' };
      }
      setSessionCookie(ctx, cookies, await sessions.create(await chat.signInByLink(tokenOf(ctx)), client));
      return { to: '/pushes' };
    }, goneIfUsed),
  );

  /** What connecting would mean, and how the accounts are called that it is about. */
  async function previewLink({ messages }: PageContext, chatUser: ChatUser, signedIn: SignedIn) {
    const preview = await chat.identities.previewLink(chatUser, signedIn);
    const called = async (email: string) =>
      accountLabel(messages, email, await chat.identities.maybeNameOf({ email }));
    const from = preview.effect === 'move' ? await called(preview.from) : '';
    return { preview, to: await called(signedIn.email), from };
  }
}

const tokenOf = ({ captures }: PageRequest['ctx']): string => captures?.[0] ?? '';

function goneIfUsed({ ctx, page }: Pick<PageRequest, 'ctx' | 'page'>): string | undefined {
  return ctx.status === 404 ? messagePage(page, page.messages.connect.gone) : undefined;
}
