import type { Router } from '@koa/router';
import { DomainError, decodeChoice, maybeSpeakerOf, type Person } from '../../../domain/index.ts';
import type { ApiParts } from '../../../http/app.ts';
import { one } from '../../../http/params.ts';
import { forgetSession, keepSession } from '../../../http/session.ts';
import { isLocale } from '../../locales/locales.ts';
import { type Asked, problemsIn } from '../../pageHandlers.ts';
import { generalPage } from '../../pages/account/general.tsx';
import { accountCalled } from '../../pages/chats.ts';
import { remarkPage } from '../../pages/messagePage.tsx';
import type { Frame } from '../../pages/pageContext.ts';
import { noticesOf } from '../newPush.ts';

/** The account itself: its language, its notices, its password, and its end. */
export function accountRoutes(router: Router, { domain, pages, cookies }: ApiParts): void {
  const { accounts, chat, signIn } = domain;

  async function general(
    frame: Frame,
    person: Person,
    more: { done?: string | undefined; problems?: Record<string, string> } = {},
  ) {
    const hasPassword = await signIn.hasPassword(person);
    const called = accountCalled(frame.words, person.email, await chat.identities.nameFor(person));
    return generalPage(frame, { person, called, hasPassword, notices: decodeChoice(person.notify), ...more });
  }

  router.get(
    '/account',
    pages.own(async ({ ctx, frame, person }) => {
      const { saved, changed } = frame.words.account;
      const done = { saved, changed }[one(ctx.query.done) ?? ''];
      return general(frame, person, { done });
    }),
  );

  router.post(
    '/account/language',
    pages.ownForm(async ({ person, fields: { language } }) => {
      await accounts.setLocale(person, isLocale(language) ? language : null);
      return { to: '/account?done=saved' };
    }),
  );

  router.post(
    '/account/notices',
    pages.ownForm(async ({ person, fields }) => {
      await accounts.setNotices(person, noticesOf(fields));
      return { to: '/account?done=saved' };
    }),
  );

  router.post(
    '/account/password',
    pages.ownForm(async ({ ctx, person, visit, fields: { current = '', next = '' } }) => {
      keepSession(ctx, cookies, await signIn.changePassword(person, { current, next }, visit));
      return { to: '/account?done=changed' };
    }, askAgain),
  );

  router.post(
    '/account/delete',
    pages.ownForm(async ({ ctx, frame, person, fields: { confirm = '' } }) => {
      if (confirm.trim().toLowerCase() !== person.email.toLowerCase()) {
        const { deleteWrong, deleteWrongName } = frame.words.account;
        const isMadeInChat = maybeSpeakerOf(person.email) !== undefined;
        throw new DomainError('invalid', 'confirm is wrong', {
          fields: { confirm: [isMadeInChat ? deleteWrongName : deleteWrong] },
        });
      }
      await accounts.erase(person.email);
      forgetSession(ctx, cookies);
      const { deletedTitle: title, deleted: text } = frame.words.account;
      return remarkPage(frame, { title, text });
    }, askAgain),
  );

  async function askAgain({ frame, person }: Asked & { person: Person }, error: unknown) {
    const problems = problemsIn(error);
    return Object.keys(problems).length === 0 ? undefined : general(frame, person, { problems });
  }
}
