import { DomainError, decodePreferences, maybeChatUserOf } from '../../../domain/index.ts';
import { clearSessionCookie } from '../../../http/session.ts';
import { isLocale } from '../../../locales/locales.ts';
import { readMailFields, readNoticeFields } from '../../components/noticeFields.tsx';
import type { WebDependencies } from '../../dependencies.ts';
import { setLocaleCookie } from '../../pageContext.ts';
import { successText } from '../../pageQuery.ts';
import type { SignedInPageRequest } from '../../pageRequest.ts';
import { noticesPage } from '../../pages/account/notices.tsx';
import { profilePage } from '../../pages/account/profile.tsx';
import { accountLabel } from '../../pages/chatLabels.ts';
import { problemsIn } from '../../pages/errorPage.tsx';
import { messagePage } from '../../pages/messagePage.tsx';

/** The account itself: its language, its notices, and its deletion. */
export function accountRoutes({ domain, pages, cookies }: WebDependencies): void {
  const { accounts, chat, mailLinks, signIn } = domain;

  pages.own('/account', (request) => {
    const { account, mailLinks } = request.page.messages;
    const texts = { savedLanguage: account.savedLanguage, sent: mailLinks.sent };
    return show(request, { success: successText(request.ctx, texts) });
  });

  pages.ownForm('/account/language', async ({ ctx, signedIn, fields: { language } }) => {
    await accounts.setLocale(signedIn, isLocale(language) ? language : null);
    setLocaleCookie(ctx, cookies, null);
    return { to: '/account?done=savedLanguage' };
  });

  if (mailLinks.isOn)
    pages.ownForm(
      '/account/address',
      { onRefusal: showProblems },
      async ({ page, signedIn, client, fields }) => {
        await mailLinks.askForAddress(signedIn, fields.email ?? '', { client, locale: page.locale });
        return { to: '/account?done=sent' };
      },
    );

  pages.own('/account/notices', async ({ ctx, page, signedIn }) => {
    const { savedNotices } = page.messages.account;
    return noticesPage(page, {
      preferences: decodePreferences(signedIn.notify),
      byMail: hasAddress(signedIn) ? ((await mailLinks.mailChoiceOf(signedIn)) ?? 'unconfirmed') : undefined,
      success: successText(ctx, { savedNotices }),
    });
  });

  pages.ownForm('/account/notices', async ({ signedIn, fields }) => {
    await accounts.setNoticePreferences(signedIn, readNoticeFields(fields));
    if (mailLinks.isOn && fields.byMail !== undefined)
      await mailLinks.chooseMails(signedIn, readMailFields(fields));
    return { to: '/account/notices?done=savedNotices' };
  });

  pages.ownForm(
    '/account/delete',
    { onRefusal: showProblems },
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
    return profilePage(page, {
      signedIn,
      accountName: accountLabel(page.messages, signedIn.email, name),
      hasPassword: await signIn.hasPassword(signedIn),
      isVerified: hasAddress(signedIn) ? await mailLinks.isVerified(signedIn) : undefined,
      ...result,
    });
  }

  const hasAddress = ({ email }: { email: string }) => mailLinks.isOn && maybeChatUserOf(email) === undefined;

  function showProblems(request: SignedInPageRequest, error: unknown) {
    const problems = problemsIn(request.page, error);
    return Object.keys(problems).length === 0 ? undefined : show(request, { problems });
  }
}
