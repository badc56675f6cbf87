import type { Context } from 'koa';
import { DomainError } from '../../../domain/index.ts';
import { one } from '../../../http/params.ts';
import { clearSessionCookie, clientSigningIn, startSession } from '../../../http/session.ts';
import { refusalText } from '../../../locales/wording.ts';
import type { WebDependencies } from '../../dependencies.ts';
import type { PageContext } from '../../pageContext.ts';
import type { PageRequest } from '../../pageRequest.ts';
import { askForLinkPage } from '../../pages/account/mailLinks.tsx';
import { type SignInForm, signInPage, signUpPage } from '../../pages/account/signIn.tsx';
import { signedOutPage } from '../../pages/account/singleSignOn.tsx';
import { problemsIn } from '../../pages/errorPage.tsx';
import { messagePage } from '../../pages/messagePage.tsx';
import { showProblem } from './mailLinks.ts';

/** Signing in, up and out. */
export function signInRoutes({ domain, pages, cookies, csrf }: WebDependencies): void {
  const { signIn, passkeys, sessions, singleSignOn, mailLinks } = domain;
  const { allowsSignUp, allowsPasswords } = signIn;
  const { isOn: sendsMail, verifiesSignUp } = mailLinks;
  const ways = { allowsSignUp, allowsPasswords, sendsMail, providers: singleSignOn.providers };

  pages.page('/sign-in', ({ ctx, page, signedIn }) =>
    signedIn === null ? show(page, signInQuery(ctx)) : { to: '/' },
  );

  pages.form(
    '/sign-in',
    { onRefusal: showSignInProblem },
    async ({ ctx, client, fields: { email = '', password = '', next } }) => {
      const session = await signIn.signIn({ email, password }, clientSigningIn(ctx, cookies, client));
      await startSession(ctx, cookies, domain, { session, email });
      return { to: safePath(next) ?? '/pushes' };
    },
  );

  pages.form(
    '/passkeys/sign-in',
    { onRefusal: showPasskeyProblem },
    async ({ ctx, client, fields: { passkey = '', next } }) => {
      const answer = { passkey, browser: csrf.requireBrowser(ctx) };
      const begun = await signIn.signInByPasskey(answer, clientSigningIn(ctx, cookies, client));
      await startSession(ctx, cookies, domain, begun);
      return { to: safePath(next) ?? '/pushes' };
    },
  );

  pages.page('/sign-up', ({ ctx, page, signedIn }) => {
    if (signedIn !== null) return { to: '/' };
    if (!allowsSignUp) throw new DomainError('forbidden', 'signUpDisabled');
    if (verifiesSignUp) return askForLinkPage(page, { action: '/sign-up' });
    return signUpPage(page, { next: one(ctx.query.next) });
  });

  pages.form(
    '/sign-up',
    { onRefusal: showSignUpProblem },
    async ({ ctx, page, client, fields: { email = '', password = '', next } }) => {
      if (verifiesSignUp) {
        await mailLinks.askForSignUp(email, { client, locale: page.locale });
        const { askedTitle: title, askedSignUp: text } = page.messages.mailLinks;
        return messagePage(page, { title, text });
      }
      const session = await signIn.signUp({ email, password }, client);
      await startSession(ctx, cookies, domain, { session, email });
      return { to: safePath(next) ?? '/' };
    },
  );

  pages.leavingForm('/sign-out', async ({ ctx, page, signedIn, client }) => {
    const elsewhere = signedIn === null ? undefined : await singleSignOn.maybeEndSession(signedIn);
    if (signedIn !== null) await sessions.signOut(signedIn, client);
    clearSessionCookie(ctx, cookies);
    return elsewhere === undefined
      ? { to: '/sign-in' }
      : signedOutPage({ ...page, signedIn: null }, elsewhere);
  });

  function showSignInProblem({ page, fields: { email, next } }: PageRequest, error: unknown) {
    const isWrong = error instanceof DomainError && ['unauthenticated', 'invalid'].includes(error.code);
    return isWrong ? show(page, { email, next, problem: page.messages.signIn.wrong }) : undefined;
  }

  function showPasskeyProblem({ page, fields: { next } }: PageRequest, error: unknown) {
    const isWrong = error instanceof DomainError && error.code === 'unauthenticated';
    return isWrong ? show(page, { next, problem: refusalText(page.messages, error) }) : undefined;
  }

  async function show(page: PageContext, form: SignInForm): Promise<string> {
    const passkeyOptions = signIn.allowsPasskeys ? await passkeys.optionsOf() : undefined;
    return signInPage(page, { ...form, ...ways, passkeyOptions });
  }

  function showSignUpProblem(request: PageRequest, error: unknown) {
    if (verifiesSignUp) return showProblem('/sign-up')(request, error);
    const {
      page,
      fields: { email, next },
    } = request;
    if (!(error instanceof DomainError)) return undefined;
    if (error.code === 'invalid') return signUpPage(page, { email, next, problems: problemsIn(page, error) });
    if (error.code !== 'conflict') return undefined;
    return signUpPage(page, { email, next, problem: page.messages.signUp.exists });
  }
}

/** Where to go after signing in, and whether a session ended while its form was filled in. */
function signInQuery({ query }: Context) {
  return { next: one(query.next), hasEnded: one(query.ended) !== undefined };
}

/** The requested path, if it is one of this service: nothing that a browser could take for another host. */
export function safePath(path = ''): string | undefined {
  return /^\/(?![/\\])[^\\\p{Cc}]*$/u.test(path) ? path : undefined;
}
