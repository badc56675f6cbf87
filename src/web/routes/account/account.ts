import { DomainError, decodePreferences, maybeChatUserOf } from '../../../domain/index.ts';
import { clearSessionCookie, setSessionCookie } from '../../../http/session.ts';
import { isLocale } from '../../../locales/locales.ts';
import { readNoticeFields } from '../../components/noticeFields.tsx';
import type { WebDependencies } from '../../dependencies.ts';
import { setLocaleCookie } from '../../pageContext.ts';
import { successText } from '../../pageQuery.ts';
import type { SignedInPageRequest } from '../../pageRequest.ts';
import { generalPage } from '../../pages/account/general.tsx';
import { accountLabel } from '../../pages/chatLabels.ts';
import { problemsIn } from '../../pages/errorPage.tsx';
import { messagePage } from '../../pages/messagePage.tsx';

/** The account itself: its language, its notices, its password, and its deletion. */
export function accountRoutes({ domain, pages, cookies }: WebDependencies): void {
  const { accounts, apiTokens, chat, signIn, singleSignOn } = domain;

  pages.own('/account', (request) => {
    const { savedLanguage, savedNotices, changed, changedAndRevoked, changedOnly } =
      request.page.messages.account;
    const { connected, disconnected } = request.page.messages.singleSignOn;
    const passwordTexts = { changed, changedAndRevoked, changedOnly };
    const texts = { savedLanguage, savedNotices, ...passwordTexts, connected, disconnected };
    return show(request, { success: successText(request.ctx, texts) });
  });

  pages.ownForm('/account/language', async ({ ctx, signedIn, fields: { language } }) => {
    await accounts.setLocale(signedIn, isLocale(language) ? language : null);
    setLocaleCookie(ctx, cookies, null);
    return { to: '/account?done=savedLanguage' };
  });

  pages.ownForm('/account/notices', async ({ signedIn, fields }) => {
    await accounts.setNoticePreferences(signedIn, readNoticeFields(fields));
    return { to: '/account?done=savedNotices' };
  });

  pages.ownForm(
    '/account/password',
    { onRefusal: showProblems },
    async ({ ctx, signedIn, client, fields: { current = '', next = '', ...fields } }) => {
      const revokeTokens = fields.revokeTokens === 'on';
      const hadTokens = (await apiTokens.list(signedIn)).length > 0;
      const change = { current, next, revokeTokens };
      setSessionCookie(ctx, cookies, await signIn.changePassword(signedIn, change, client));
      const done = revokeTokens ? 'changedAndRevoked' : 'changedOnly';
      return { to: `/account?done=${hadTokens ? done : 'changed'}` };
    },
  );

  pages.ownForm(
    '/account/delete',
    { onRefusal: showDeletionProblems },
    async ({ ctx, page, signedIn, client, fields: { confirm = '', password = '' } }) => {
      if (confirm.trim().toLowerCase() !== signedIn.email.toLowerCase()) {
        const code = maybeChatUserOf(signedIn.email) === undefined ? 'accountEmail' : 'accountName';
        throw new DomainError('invalid', { problems: { confirm: [{ code }] } });
      }
      await signIn.requirePassword(signedIn, password, client);
      await accounts.erase(signedIn.email, signedIn);
      clearSessionCookie(ctx, cookies);
      const { deletedTitle: title, deleted: text } = page.messages.account;
      return messagePage(page, { title, text });
    },
  );

  async function show(
    { page, signedIn }: SignedInPageRequest,
    result: { success?: string | undefined; problems?: Record<string, string> },
  ) {
    const name = await chat.identities.maybeNameOf(signedIn);
    return generalPage(page, {
      signedIn,
      accountName: accountLabel(page.messages, signedIn.email, name),
      hasPassword: await signIn.hasPassword(signedIn),
      allowsPasswords: signIn.allowsPasswords,
      providers: await singleSignOn.list(signedIn),
      tokens: (await apiTokens.list(signedIn)).length,
      preferences: decodePreferences(signedIn.notify),
      ...result,
    });
  }

  function showProblems(request: SignedInPageRequest, error: unknown) {
    const problems = problemsIn(request.page, error);
    return Object.keys(problems).length === 0 ? undefined : show(request, { problems });
  }

  /** The page has two fields for the current password: one to change it, and one to delete the account. */
  function showDeletionProblems(request: SignedInPageRequest, error: unknown) {
    const { current, ...problems } = problemsIn(request.page, error);
    if (current !== undefined) problems.deletion = current;
    return Object.keys(problems).length === 0 ? undefined : show(request, { problems });
  }
}
