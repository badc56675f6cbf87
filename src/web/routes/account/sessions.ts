import type { Router } from '@koa/router';
import { setSessionCookie } from '../../../http/session.ts';
import type { WebDependencies } from '../../dependencies.ts';
import { sessionsPage } from '../../pages/account/sessions.tsx';
import { successText } from '../../success.ts';

/** The browsers that are signed in to an account. */
export function sessionRoutes(
  router: Router,
  { domain: { sessions }, pages, cookies }: WebDependencies,
): void {
  router.get(
    '/account/sessions',
    pages.own(async ({ ctx, page, signedIn }) => {
      const { revoked } = page.messages.sessions;
      return sessionsPage(page, {
        sessions: await sessions.list(signedIn),
        currentId: signedIn.sessionId.toString('hex'),
        success: successText(ctx, { revoked }),
      });
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
