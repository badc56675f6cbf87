import {
  addressWorkspace,
  type ChatUser,
  type Domain,
  DomainError,
  type SignedIn,
  type SignInMethod,
} from '../../domain/index.ts';
import { capturedToken } from '../../http/params.ts';
import { clientSigningIn, startSession } from '../../http/session.ts';
import { platforms } from '../../platforms.ts';
import type { WebDependencies } from '../dependencies.ts';
import type { PageContext } from '../pageContext.ts';
import { accountLabel } from '../pages/chatLabels.ts';
import { connectPage, connectWaitingPage, type Linked } from '../pages/connect.tsx';
import { showGoneOf } from '../pages/messagePage.tsx';

const pattern = /^\/connect\/([\w-]+)$/;
/** The cookie that ties a request to the browser that made it. */
const cookieName = 'connect';
const maxAgeSeconds = 10 * 60;
const refreshSeconds = 4;

const showGone = showGoneOf('connect');

/**
 * The page of a link from a chat: the browser asks to sign in as the chat user, or to link them to the account that is
 * signed in. Then it shows a code, and waits until the user has typed it into the chat.
 */
export function connectRoutes({ domain, pages, cookies }: WebDependencies): void {
  const { chat, sessions, signIn } = domain;
  pages.page('/connect/:token', { pattern, onRefusal: showGone }, async ({ ctx, page, signedIn }) => {
    const token = capturedToken(ctx);
    const { name, chatUser } = await chat.previewConnectLink(token);
    const link = signedIn === null ? undefined : await linkOf(chat, page, chatUser, signedIn);
    const workspace = addressWorkspace(chatUser);
    const workspaceLabel = (await chat.installations.labelOf(chatUser.platform, workspace)) ?? workspace;
    const maySignIn = await chat.linkRequests.maySignIn(chatUser);
    const { allowsSignUp } = signIn;
    return connectPage(page, { token, name, chatUser, workspaceLabel, link, maySignIn, allowsSignUp });
  });

  pages.form('/connect/:token', { pattern, onRefusal: showGone }, async ({ ctx, signedIn }) => {
    const secret = await chat.requestLink(capturedToken(ctx), signedIn);
    cookies.set(ctx, cookieName, secret, { sameSite: 'strict', maxAgeSeconds });
    return { to: '/connect' };
  });

  pages.page('/connect', { onRefusal: showGone }, async ({ ctx, page, client }) => {
    const secret = cookies.get(ctx, cookieName) ?? '';
    const request = await chat.linkRequests.maybeOfBrowser(secret);
    if (request === undefined) throw new DomainError('not_found', 'linkRequestEnded');
    if (request.state === 'open') {
      ctx.set('Refresh', String(refreshSeconds));
      return connectWaitingPage(page, request);
    }
    cookies.set(ctx, cookieName, '', { sameSite: 'strict', maxAgeSeconds: 0 });
    if (request.account !== null) return { to: '/account/chats?done=connected' };
    const account = await chat.linkRequests.redeem(secret);
    const method: SignInMethod = {
      way: 'chat',
      name: platforms[request.chatUser.platform].name,
      factors: ['chat'],
    };
    const by = clientSigningIn(ctx, cookies, client);
    const session = await sessions.create(account, by, method);
    await startSession(ctx, cookies, domain, { session, email: account.email });
    return { to: '/pushes' };
  });
}

/** What linking would do, and the labels of the accounts involved. */
export async function linkOf(
  { identities }: Pick<Domain['chat'], 'identities'>,
  { messages }: PageContext,
  chatUser: ChatUser,
  signedIn: SignedIn,
): Promise<Linked> {
  const preview = await identities.previewLink(chatUser, signedIn);
  const label = async (email: string) =>
    accountLabel(messages, email, await identities.maybeNameOf({ email }));
  const from = preview.effect === 'move' ? await label(preview.from) : '';
  return { preview, to: await label(signedIn.email), from };
}
