import type { Router } from '@koa/router';
import { addressWorkspace, DomainError, maybeChatUserOf, type SignedIn } from '../../../domain/index.ts';
import { one } from '../../../http/params.ts';
import { setSessionCookie } from '../../../http/session.ts';
import { refusalText } from '../../../locales/wording.ts';
import type { WebDependencies } from '../../dependencies.ts';
import { type PageRequest, problemsIn } from '../../pageHandlers.ts';
import { chatsPage } from '../../pages/account/chats.tsx';
import { sessionsPage } from '../../pages/account/sessions.tsx';
import { tokensPage } from '../../pages/account/tokens.tsx';
import { webhooksPage } from '../../pages/account/webhooks.tsx';

type Own = PageRequest & { signedIn: SignedIn };

/** What belongs to an account: who it is in chats, its tokens, its webhooks, its signed-in browsers. */
export function belongingsRoutes(router: Router, parts: WebDependencies): void {
  chatRoutes(router, parts);
  tokenRoutes(router, parts);
  webhookRoutes(router, parts);
  sessionRoutes(router, parts);
}

function chatRoutes(router: Router, { domain: { chat }, pages }: WebDependencies): void {
  router.get(
    '/account/chats',
    pages.own(async ({ ctx, page, signedIn }) => {
      const { connected: joined, disconnected } = page.messages.chats;
      const identities = await chat.identities.list(signedIn);
      const connected = await Promise.all(
        identities.map(async (entry) => ({
          ...entry,
          workspaceLabel: await chat.installations.labelOf(entry.platform, addressWorkspace(entry)),
        })),
      );
      const success = { connected: joined, disconnected }[one(ctx.query.done) ?? ''];
      return chatsPage(page, { connected, success });
    }),
  );

  router.post(
    '/account/chats/disconnect',
    pages.ownForm(async ({ signedIn, fields: { id = '' } }) => {
      const chatUser = maybeChatUserOf(id);
      if (chatUser === undefined) throw new DomainError('not_found', 'chatNotFound');
      await chat.identities.unlink(chatUser, signedIn);
      return { to: '/account/chats?done=disconnected' };
    }),
  );
}

function tokenRoutes(router: Router, { domain: { apiTokens }, pages }: WebDependencies): void {
  router.get(
    '/account/tokens',
    pages.own(async ({ ctx, page, signedIn }) => {
      const success = one(ctx.query.done) === 'revoked' ? page.messages.tokens.revoked : undefined;
      return tokensPage(page, { tokens: await apiTokens.list(signedIn), success });
    }),
  );

  router.post(
    '/account/tokens',
    pages.ownForm(
      async ({ page, signedIn, fields: { name = '' } }) => {
        const token = await apiTokens.create(signedIn, { name });
        return tokensPage(page, {
          tokens: await apiTokens.list(signedIn),
          created: { name: name.trim(), token },
        });
      },
      async ({ page, signedIn, fields: { name } }: Own, error) => {
        if (!isAboutInput(error)) return undefined;
        const problem = error.code === 'conflict' ? page.messages.tokens.exists : undefined;
        return tokensPage(page, {
          tokens: await apiTokens.list(signedIn),
          name,
          problem,
          problems: problemsIn(page, error),
        });
      },
    ),
  );

  router.post(
    '/account/tokens/revoke',
    pages.ownForm(async ({ signedIn, fields: { id = '' } }) => {
      await apiTokens.revoke(signedIn, id);
      return { to: '/account/tokens?done=revoked' };
    }),
  );
}

function webhookRoutes(router: Router, { domain: { webhooks }, pages }: WebDependencies): void {
  router.get(
    '/account/webhooks',
    pages.own(async ({ ctx, page, signedIn }) => {
      const { removed, enabled } = page.messages.webhooks;
      const success = { removed, enabled }[one(ctx.query.done) ?? ''];
      return webhooksPage(page, { webhooks: await webhooks.list(signedIn), success });
    }),
  );

  router.post(
    '/account/webhooks',
    pages.ownForm(
      async ({ page, signedIn, fields: { url = '' } }) => {
        const { secret } = await webhooks.create(signedIn, { url });
        return webhooksPage(page, { webhooks: await webhooks.list(signedIn), secret });
      },
      async ({ page, signedIn, fields: { url } }: Own, error) => {
        if (!isAboutInput(error)) return undefined;
        const problem = error.code === 'conflict' ? refusalText(page.messages, error) : undefined;
        return webhooksPage(page, {
          webhooks: await webhooks.list(signedIn),
          url,
          problem,
          problems: problemsIn(page, error),
        });
      },
    ),
  );

  for (const [path, act] of [
    ['remove', webhooks.remove],
    ['enable', webhooks.enable],
  ] as const) {
    router.post(
      `/account/webhooks/${path}`,
      pages.ownForm(async ({ signedIn, fields: { id = '' } }) => {
        await act(signedIn, id);
        return { to: `/account/webhooks?done=${path}d` };
      }),
    );
  }
}

function sessionRoutes(router: Router, { domain: { sessions }, pages, cookies }: WebDependencies): void {
  router.get(
    '/account/sessions',
    pages.own(async ({ ctx, page, signedIn }) => {
      const success = one(ctx.query.done) === 'revoked' ? page.messages.sessions.revoked : undefined;
      const currentId = signedIn.sessionId.toString('hex');
      return sessionsPage(page, { sessions: await sessions.list(signedIn), currentId, success });
    }),
  );

  router.post(
    '/account/sessions/revoke',
    pages.ownForm(async ({ signedIn, fields: { id = '' } }) => {
      await sessions.revoke(signedIn, id);
      return { to: '/account/sessions?done=revoked' };
    }),
  );

  router.post(
    '/account/sessions/revoke-others',
    pages.ownForm(async ({ ctx, signedIn, client }) => {
      await sessions.revokeAll(signedIn);
      setSessionCookie(ctx, cookies, await sessions.create(signedIn, client));
      return { to: '/account/sessions?done=revoked' };
    }),
  );
}

function isAboutInput(error: unknown): error is DomainError {
  return error instanceof DomainError && ['invalid', 'conflict'].includes(error.code);
}
