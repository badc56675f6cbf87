import type { Context } from 'koa';
import { DomainError, newSecret } from '../../../domain/index.ts';
import { readBody } from '../../../http/body/body.ts';
import { one } from '../../../http/params.ts';
import { clientSigningIn, startSession } from '../../../http/session.ts';
import type { WebDependencies } from '../../dependencies.ts';
import type { PageContext } from '../../pageContext.ts';
import { confirmJoinPage, existsPage } from '../../pages/account/singleSignOn.tsx';
import { accountLabel } from '../../pages/chatLabels.ts';
import { provedLinkPage } from '../../pages/connect.tsx';
import { showGoneOf } from '../../pages/messagePage.tsx';
import { linkOf } from '../connect.ts';
import { safePath } from './signIn.ts';

/** The cookie that ties a sign-in to the browser that began it. Lax: the provider's redirect comes from another site. */
const browserCookie = 'sign-in';
/** The cookie with an identity that waits for its owner to sign in the old way. */
const joinCookie = 'join';
const maxAgeSeconds = 10 * 60;
const joinMaxAgeSeconds = 15 * 60;
const joinPath = '/account/providers/confirm';
/** The cookie with a chat user who may be linked to the account that is signed in. */
const chatCookie = 'link-chat';
const chatPath = '/account/chats/confirm';
const logoutBytesMax = 16 * 1_024;

const showGone = showGoneOf('singleSignOn');

/** Signing in by identity providers (OpenID Connect), and what an account has there. */
export function singleSignOnRoutes(dependencies: WebDependencies): void {
  const { router, domain, pages, cookies, auth } = dependencies;
  const { singleSignOn, chat } = domain;
  if (singleSignOn.providers.length === 0) return;

  const providerOf = (ctx: Context) => String(ctx.params.provider);
  const setCookie = (ctx: Context, name: string, value: string, age: number) =>
    cookies.set(ctx, name, value, { sameSite: 'lax', maxAgeSeconds: age });

  pages.anonymous('/sign-in/:provider', async ({ ctx }) => {
    const next = safePath(one(ctx.query.next));
    // Another site may link here, but only a person begins a sign-in: on our page
    if (['cross-site', 'same-site'].includes(ctx.get('Sec-Fetch-Site')))
      return { to: next === undefined ? '/sign-in' : `/sign-in?next=${encodeURIComponent(next)}` };
    const browser = cookies.get(ctx, browserCookie) ?? newSecret();
    const toJoin = one(ctx.query.connect) !== undefined;
    const isFresh = one(ctx.query.fresh) !== undefined;
    const away = await singleSignOn.begin(providerOf(ctx), { browser, next, toJoin, isFresh });
    setCookie(ctx, browserCookie, browser, maxAgeSeconds);
    return { away };
  });

  pages.anonymous('/sign-in/:provider/callback', { onRefusal: showGone }, async ({ ctx, page, client }) => {
    const answer = new URLSearchParams(ctx.querystring);
    const browser = cookies.get(ctx, browserCookie);
    const by = clientSigningIn(ctx, cookies, client);
    const finished = await singleSignOn.finish(providerOf(ctx), answer, browser, by);
    setCookie(ctx, browserCookie, '', 0);
    if ('session' in finished) await startSession(ctx, cookies, domain, finished);
    const next = safePath(finished.next) ?? '/pushes';
    if (!('join' in finished)) return offered(ctx, page, finished.chat) ?? { to: next };
    setCookie(ctx, joinCookie, finished.join, joinMaxAgeSeconds);
    return { to: joinPath };
  });

  pages.page(joinPath, { onRefusal: showGone }, async ({ ctx, page, signedIn }) => {
    const { provider, email } = await singleSignOn.previewJoin(cookies.get(ctx, joinCookie) ?? '');
    if (signedIn === null) return existsPage(page, { provider, email, joinPath });
    const name = await chat.identities.maybeNameOf(signedIn);
    const account = accountLabel(page.messages, signedIn.email, name);
    return confirmJoinPage(page, { provider, email, account, joinPath });
  });

  pages.ownForm(joinPath, { onRefusal: showGone }, async ({ ctx, page, signedIn, client }) => {
    const chat = await singleSignOn.confirmJoin(cookies.get(ctx, joinCookie) ?? '', signedIn, client);
    setCookie(ctx, joinCookie, '', 0);
    return offered(ctx, page, chat) ?? { to: '/account/security?done=connected' };
  });

  /** Where the owner of an account is asked whether to link who they are in a chat; undefined where the chat is not on. */
  function offered(ctx: Context, { chats }: PageContext, token: string | undefined) {
    if (token === undefined || !chats.includes('slack')) return undefined;
    setCookie(ctx, chatCookie, token, joinMaxAgeSeconds);
    return { to: chatPath };
  }

  pages.own(chatPath, { onRefusal: showGone }, async ({ ctx, page, signedIn }) => {
    const proved = await chat.provedLinks.preview(cookies.get(ctx, chatCookie) ?? '', signedIn);
    const link = await linkOf(chat, page, proved.chatUser, signedIn);
    return provedLinkPage(page, { proved, link, action: chatPath, next: '/pushes' });
  });

  pages.ownForm(chatPath, { onRefusal: showGone }, async ({ ctx, signedIn }) => {
    await chat.provedLinks.confirm(cookies.get(ctx, chatCookie) ?? '', signedIn);
    setCookie(ctx, chatCookie, '', 0);
    return { to: '/account/chats?done=connected' };
  });

  pages.ownForm('/account/providers/disconnect', async ({ signedIn, client, fields: { id = '' } }) => {
    await singleSignOn.disconnect(signedIn, id, client);
    return { to: '/account/security?done=disconnected' };
  });

  // OpenID Connect Back-Channel Logout 1.0, sections 2.5 and 2.8: the provider calls this, not a browser
  router.post('/sign-in/:provider/logout', async (ctx) => {
    await auth.anonymous(ctx);
    const { values } = await readBody(ctx.req, { limitBytes: logoutBytesMax, filesLimitBytes: 0 });
    try {
      await singleSignOn.logOut(providerOf(ctx), String(values.logout_token ?? ''));
      ctx.body = '';
    } catch (error) {
      if (!(error instanceof DomainError) || error.code !== 'invalid') throw error;
      ctx.status = 400;
      ctx.body = { error: 'invalid_request' };
    }
  });
}
