import type { Router } from '@koa/router';
import { DomainError, decodePreferences, maybeChatUserOf, type SignedIn } from '../../../domain/index.ts';
import { one } from '../../../http/params.ts';
import { clearSessionCookie, setSessionCookie } from '../../../http/session.ts';
import { isLocale } from '../../../locales/locales.ts';
import { readNoticeFields } from '../../components/noticeFields.tsx';
import type { WebDependencies } from '../../dependencies.ts';
import type { PageContext } from '../../pageContext.ts';
import { type PageRequest, problemsIn } from '../../pageHandlers.ts';
import { generalPage } from '../../pages/account/general.tsx';
import { accountLabel } from '../../pages/chatLabels.ts';
import { messagePage } from '../../pages/messagePage.tsx';

/** The account itself: its language, its notices, its password, and its end. */
export function accountRoutes(router: Router, { domain, pages, cookies }: WebDependencies): void {
  const { accounts, chat, signIn } = domain;

  async function general(
    page: PageContext,
    signedIn: SignedIn,
    more: { success?: string | undefined; problems?: Record<string, string> } = {},
  ) {
    const hasPassword = await signIn.hasPassword(signedIn);
    const accountName = accountLabel(
      page.messages,
      signedIn.email,
      await chat.identities.maybeNameOf(signedIn),
    );
    return generalPage(page, {
      signedIn,
      accountName,
      hasPassword,
      preferences: decodePreferences(signedIn.notify),
      ...more,
    });
  }

  router.get(
    '/account',
    pages.own(async ({ ctx, page, signedIn }) => {
      const { saved, changed } = page.messages.account;
      const success = { saved, changed }[one(ctx.query.done) ?? ''];
      return general(page, signedIn, { success });
    }),
  );

  router.post(
    '/account/language',
    pages.ownForm(async ({ signedIn, fields: { language } }) => {
      await accounts.setLocale(signedIn, isLocale(language) ? language : null);
      return { to: '/account?done=saved' };
    }),
  );

  router.post(
    '/account/notices',
    pages.ownForm(async ({ signedIn, fields }) => {
      await accounts.setNoticePreferences(signedIn, readNoticeFields(fields));
      return { to: '/account?done=saved' };
    }),
  );

  router.post(
    '/account/password',
    pages.ownForm(async ({ ctx, signedIn, client, fields: { current = '', next = '' } }) => {
      setSessionCookie(ctx, cookies, await signIn.changePassword(signedIn, { current, next }, client));
      return { to: '/account?done=changed' };
    }, showProblems),
  );

  router.post(
    '/account/delete',
    pages.ownForm(async ({ ctx, page, signedIn, fields: { confirm = '' } }) => {
      if (confirm.trim().toLowerCase() !== signedIn.email.toLowerCase()) {
        const isMadeInChat = maybeChatUserOf(signedIn.email) !== undefined;
        throw new DomainError('invalid', {
          problems: { confirm: [{ code: isMadeInChat ? 'accountName' : 'accountEmail' }] },
        });
      }
      await accounts.erase(signedIn.email);
      clearSessionCookie(ctx, cookies);
      const { deletedTitle: title, deleted: text } = page.messages.account;
      return messagePage(page, { title, text });
    }, showProblems),
  );

  async function showProblems({ page, signedIn }: PageRequest & { signedIn: SignedIn }, error: unknown) {
    const problems = problemsIn(page, error);
    return Object.keys(problems).length === 0 ? undefined : general(page, signedIn, { problems });
  }
}
