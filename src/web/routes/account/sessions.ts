import { setSessionCookie } from '../../../http/session.ts';
import type { WebDependencies } from '../../dependencies.ts';
import { successText } from '../../pageQuery.ts';
import { sessionsPage } from '../../pages/account/sessions.tsx';

/** The browsers that are signed in to an account. */
export function sessionRoutes({ domain: { sessions }, pages, cookies }: WebDependencies): void {
  pages.own('/account/sessions', async ({ ctx, page, signedIn }) => {
    const { revoked } = page.messages.sessions;
    return sessionsPage(page, {
      sessions: await sessions.list(signedIn),
      currentId: signedIn.sessionId.toString('hex'),
      success: successText(ctx, { revoked }),
    });
  });

  pages.ownForm('/account/sessions/revoke', async ({ signedIn, client, fields: { id = '' } }) => {
    await sessions.revoke(signedIn, id, client);
    return { to: '/account/sessions?done=revoked' };
  });

  pages.ownForm('/account/sessions/revoke-others', async ({ ctx, signedIn, client }) => {
    setSessionCookie(ctx, cookies, await sessions.endOthers(signedIn, client));
    return { to: '/account/sessions?done=revoked' };
  });
}
