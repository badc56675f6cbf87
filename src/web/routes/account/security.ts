import { hasNextPage } from '../../../http/pagination.ts';
import { pageMax } from '../../../http/params.ts';
import { setSessionCookie } from '../../../http/session.ts';
import type { WebDependencies } from '../../dependencies.ts';
import { pageNumberWithin, successText } from '../../pageQuery.ts';
import type { SignedInPageRequest } from '../../pageRequest.ts';
import { securityPage } from '../../pages/account/security.tsx';
import { securityLogPage, securityLogPath } from '../../pages/account/securityLog.tsx';
import { accountLabel } from '../../pages/chatLabels.ts';
import { problemsIn } from '../../pages/errorPage.tsx';

const path = '/account/security';

/** How people sign in to an account, and where they are signed in. */
export function securityRoutes({ domain, pages, cookies }: WebDependencies): void {
  const { apiTokens, trustRules, chat, securityLog, sessions, signIn, singleSignOn } = domain;

  pages.own(path, (request) => {
    const { changed, changedAndRevoked, changedOnly } = request.page.messages.account;
    const { connected, disconnected } = request.page.messages.singleSignOn;
    const { revoked } = request.page.messages.sessions;
    const texts = { changed, changedAndRevoked, changedOnly, connected, disconnected, revoked };
    return show(request, { success: successText(request.ctx, texts) });
  });

  // Where their forms are
  for (const part of ['sessions', 'password', 'providers'])
    pages.own(`/account/${part}`, () => ({ to: path }));

  pages.own(securityLogPath, async ({ ctx, page, signedIn }) => {
    const pageNumber = pageNumberWithin(ctx, pageMax);
    const read = (number: number) => securityLog.list(signedIn, number);
    const events = await read(pageNumber);
    const hasMore = pageNumber < pageMax && (await hasNextPage(events, () => read(pageNumber + 1)));
    return securityLogPage(page, { events, pageNumber, hasMore });
  });

  pages.ownForm(
    '/account/password',
    { onRefusal: showProblems },
    async ({ ctx, signedIn, client, fields: { current = '', next = '', ...fields } }) => {
      const revokeTokens = fields.revokeTokens === 'on';
      const held = await Promise.all([apiTokens.list(signedIn), trustRules.list(signedIn)]);
      const hadTokens = held.flat().length > 0;
      const change = { current, next, revokeTokens };
      setSessionCookie(ctx, cookies, await signIn.changePassword(signedIn, change, client));
      const done = revokeTokens ? 'changedAndRevoked' : 'changedOnly';
      return { to: `${path}?done=${hadTokens ? done : 'changed'}` };
    },
  );

  pages.ownForm('/account/sessions/revoke', async ({ signedIn, client, fields: { id = '' } }) => {
    await sessions.revoke(signedIn, id, client);
    return { to: `${path}?done=revoked` };
  });

  pages.ownForm('/account/sessions/revoke-others', async ({ ctx, signedIn, client }) => {
    setSessionCookie(ctx, cookies, await sessions.endOthers(signedIn, client));
    return { to: `${path}?done=revoked` };
  });

  async function show(
    { page, signedIn }: SignedInPageRequest,
    result: { success?: string | undefined; problems?: Record<string, string> },
  ) {
    const name = await chat.identities.maybeNameOf(signedIn);
    return securityPage(page, {
      signedIn,
      accountName: accountLabel(page.messages, signedIn.email, name),
      hasPassword: await signIn.hasPassword(signedIn),
      allowsPasswords: signIn.allowsPasswords,
      providers: await singleSignOn.list(signedIn),
      sessions: await sessions.list(signedIn),
      tokens: (await apiTokens.list(signedIn)).length,
      hasRules: (await trustRules.list(signedIn)).length > 0,
      ...result,
    });
  }

  function showProblems(request: SignedInPageRequest, error: unknown) {
    const problems = problemsIn(request.page, error);
    return Object.keys(problems).length === 0 ? undefined : show(request, { problems });
  }
}
