import type { Router } from '@koa/router';
import type { ChatUser, SignedIn } from '../../domain/index.ts';
import { capturedToken } from '../../http/params.ts';
import { setSessionCookie } from '../../http/session.ts';
import type { WebDependencies } from '../dependencies.ts';
import type { PageContext } from '../pageContext.ts';
import type { PageRequest } from '../pageHandlers.ts';
import { accountLabel } from '../pages/chatLabels.ts';
import { connectPage } from '../pages/connect.tsx';
import { messagePage } from '../pages/messagePage.tsx';

const connectPath = /^\/connect\/([\w-]+)$/;

/** The page of a link from a chat: it signs the browser in as the chat user, or links them to the account that is signed in. */
export function connectRoutes(
  router: Router,
  { domain: { chat, sessions, signIn }, pages, cookies }: WebDependencies,
): void {
  router.get(
    '/connect/:token',
    connectPath,
    pages.page(async ({ ctx, page, signedIn }) => {
      const token = capturedToken(ctx);
      const { name, chatUser } = await chat.previewConnectLink(token);
      const link = signedIn === null ? undefined : await previewLink(page, chatUser, signedIn);
      return connectPage(page, { token, name, chatUser, link, allowsSignUp: signIn.allowsSignUp });
    }, showGone),
  );

  router.post(
    '/connect/:token',
    connectPath,
    pages.form(async ({ ctx, signedIn, client }) => {
      const token = capturedToken(ctx);
      if (signedIn !== null) {
        await chat.linkByToken(token, signedIn);
        return { to: '/account/chats?done=connected' };
      }
      setSessionCookie(ctx, cookies, await sessions.create(await chat.signInByLink(token), client));
      return { to: '/pushes' };
    }, showGone),
  );

  /** What linking would do, and the labels of the accounts involved. */
  async function previewLink({ messages }: PageContext, chatUser: ChatUser, signedIn: SignedIn) {
    const preview = await chat.identities.previewLink(chatUser, signedIn);
    const label = async (email: string) =>
      accountLabel(messages, email, await chat.identities.maybeNameOf({ email }));
    const from = preview.effect === 'move' ? await label(preview.from) : '';
    return { preview, to: await label(signedIn.email), from };
  }
}

/** The page of a link that was used, or is too old. */
function showGone({ ctx, page }: PageRequest): string | undefined {
  return ctx.status === 404 ? messagePage(page, page.messages.connect.gone) : undefined;
}
