import type { Router } from '@koa/router';
import { DomainError, maybeSpeakerOf, type Person, workspaceIn } from '../../../domain/index.ts';
import type { ApiParts } from '../../../http/app.ts';
import { one } from '../../../http/params.ts';
import { keepSession } from '../../../http/session.ts';
import { type Asked, problemsIn } from '../../pageHandlers.ts';
import { chatsPage } from '../../pages/account/chats.tsx';
import { sessionsPage } from '../../pages/account/sessions.tsx';
import { tokensPage } from '../../pages/account/tokens.tsx';
import { webhooksPage } from '../../pages/account/webhooks.tsx';

type Own = Asked & { person: Person };

/** What belongs to an account: who it is in chats, its tokens, its webhooks, its signed-in browsers. */
export function belongingsRoutes(router: Router, parts: ApiParts): void {
  chatRoutes(router, parts);
  tokenRoutes(router, parts);
  webhookRoutes(router, parts);
  sessionRoutes(router, parts);
}

function chatRoutes(router: Router, { domain: { chat }, pages }: ApiParts): void {
  router.get(
    '/account/chats',
    pages.own(async ({ ctx, frame, person }) => {
      const { connected: joined, disconnected } = frame.words.chats;
      const identities = await chat.identities.list(person);
      const connected = await Promise.all(
        identities.map(async (entry) => ({
          ...entry,
          workspaceLabel: await chat.installations.labelOf(entry.platform, workspaceIn(entry)),
        })),
      );
      const done = { connected: joined, disconnected }[one(ctx.query.done) ?? ''];
      return chatsPage(frame, { connected, done });
    }),
  );

  router.post(
    '/account/chats/disconnect',
    pages.ownForm(async ({ person, fields: { id = '' } }) => {
      const speaker = maybeSpeakerOf(id);
      if (speaker === undefined) throw new DomainError('not_found', 'There is no such chat.');
      await chat.identities.leave(speaker, person);
      return { to: '/account/chats?done=disconnected' };
    }),
  );
}

function tokenRoutes(router: Router, { domain: { apiTokens }, pages }: ApiParts): void {
  router.get(
    '/account/tokens',
    pages.own(async ({ ctx, frame, person }) => {
      const done = one(ctx.query.done) === 'revoked' ? frame.words.tokens.revoked : undefined;
      return tokensPage(frame, { tokens: await apiTokens.list(person), done });
    }),
  );

  router.post(
    '/account/tokens',
    pages.ownForm(
      async ({ frame, person, fields: { name = '' } }) => {
        const token = await apiTokens.create(person, { name });
        return tokensPage(frame, {
          tokens: await apiTokens.list(person),
          made: { name: name.trim(), token },
        });
      },
      async ({ frame, person, fields: { name } }: Own, error) => {
        if (!isAboutInput(error)) return undefined;
        const problem = error.code === 'conflict' ? frame.words.tokens.exists : undefined;
        return tokensPage(frame, {
          tokens: await apiTokens.list(person),
          name,
          problem,
          problems: problemsIn(error),
        });
      },
    ),
  );

  router.post(
    '/account/tokens/revoke',
    pages.ownForm(async ({ person, fields: { id = '' } }) => {
      await apiTokens.revoke(person, id);
      return { to: '/account/tokens?done=revoked' };
    }),
  );
}

function webhookRoutes(router: Router, { domain: { webhooks }, pages }: ApiParts): void {
  router.get(
    '/account/webhooks',
    pages.own(async ({ ctx, frame, person }) => {
      const { removed, enabled } = frame.words.webhooks;
      const done = { removed, enabled }[one(ctx.query.done) ?? ''];
      return webhooksPage(frame, { webhooks: await webhooks.list(person), done });
    }),
  );

  router.post(
    '/account/webhooks',
    pages.ownForm(
      async ({ frame, person, fields: { url = '' } }) => {
        const { secret } = await webhooks.register(person, { url });
        return webhooksPage(frame, { webhooks: await webhooks.list(person), secret });
      },
      async ({ frame, person, fields: { url } }: Own, error) => {
        if (!isAboutInput(error)) return undefined;
        const problem = error.code === 'conflict' ? frame.words.problem(error.message) : undefined;
        return webhooksPage(frame, {
          webhooks: await webhooks.list(person),
          url,
          problem,
          problems: problemsIn(error),
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
      pages.ownForm(async ({ person, fields: { id = '' } }) => {
        await act(person, id);
        return { to: `/account/webhooks?done=${path}d` };
      }),
    );
  }
}

function sessionRoutes(router: Router, { domain: { sessions }, pages, cookies }: ApiParts): void {
  router.get(
    '/account/sessions',
    pages.own(async ({ ctx, frame, person }) => {
      const done = one(ctx.query.done) === 'revoked' ? frame.words.sessions.revoked : undefined;
      const currentId = person.sessionId.toString('hex');
      return sessionsPage(frame, { sessions: await sessions.list(person), currentId, done });
    }),
  );

  router.post(
    '/account/sessions/revoke',
    pages.ownForm(async ({ person, fields: { id = '' } }) => {
      await sessions.revoke(person, id);
      return { to: '/account/sessions?done=revoked' };
    }),
  );

  router.post(
    '/account/sessions/revoke-others',
    pages.ownForm(async ({ ctx, person, visit }) => {
      await sessions.endAll(person);
      keepSession(ctx, cookies, await sessions.begin(person, visit));
      return { to: '/account/sessions?done=revoked' };
    }),
  );
}

function isAboutInput(error: unknown): error is DomainError {
  return error instanceof DomainError && ['invalid', 'conflict'].includes(error.code);
}
