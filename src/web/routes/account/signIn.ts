import type { Router } from '@koa/router';
import { DomainError } from '../../../domain/index.ts';
import { one } from '../../../http/params.ts';
import { clearSessionCookie, setSessionCookie } from '../../../http/session.ts';
import type { WebDependencies } from '../../dependencies.ts';
import { problemsIn } from '../../pageHandlers.ts';
import { signInPage, signUpPage } from '../../pages/account/signIn.tsx';

/** How people come to be signed in, and out. */
export function signInRoutes(router: Router, { domain, pages, cookies }: WebDependencies): void {
  const { signIn, sessions } = domain;
  const { allowsSignUp } = signIn;

  router.get(
    '/sign-in',
    pages.open(({ ctx, page, signedIn }) =>
      signedIn === null ? signInPage(page, { next: one(ctx.query.next), allowsSignUp }) : { to: '/' },
    ),
  );

  router.post(
    '/sign-in',
    pages.openForm(
      async ({ ctx, client, fields: { email = '', password = '', next } }) => {
        const token = await signIn.signIn({ email, password }, client);
        await endCurrentSession(cookies.get(ctx, 'session'));
        setSessionCookie(ctx, cookies, token);
        return { to: safeNext(next) ?? '/pushes' };
      },
      ({ page, fields: { email, next } }, error) => {
        const isWrong = error instanceof DomainError && ['unauthenticated', 'invalid'].includes(error.code);
        const problem = page.messages.signIn.wrong;
        return isWrong ? signInPage(page, { email, next, problem, allowsSignUp }) : undefined;
      },
    ),
  );

  router.get(
    '/sign-up',
    pages.open(({ ctx, page, signedIn }) => {
      if (signedIn !== null) return { to: '/' };
      if (!allowsSignUp) throw new DomainError('forbidden', 'signUpDisabled');
      return signUpPage(page, { next: one(ctx.query.next) });
    }),
  );

  router.post(
    '/sign-up',
    pages.openForm(
      async ({ ctx, client, fields: { email = '', password = '', next } }) => {
        const token = await signIn.signUp({ email, password }, client);
        await endCurrentSession(cookies.get(ctx, 'session'));
        setSessionCookie(ctx, cookies, token);
        return { to: safeNext(next) ?? '/' };
      },
      ({ page, fields: { email, next } }, error) => {
        if (!(error instanceof DomainError)) return undefined;
        if (error.code === 'invalid')
          return signUpPage(page, { email, next, problems: problemsIn(page, error) });
        return error.code === 'conflict'
          ? signUpPage(page, { email, next, problem: page.messages.signUp.exists })
          : undefined;
      },
    ),
  );

  router.post(
    '/sign-out',
    pages.openForm(async ({ ctx }) => {
      await endCurrentSession(cookies.get(ctx, 'session'));
      clearSessionCookie(ctx, cookies);
      return { to: '/sign-in' };
    }),
  );

  async function endCurrentSession(token: string | undefined): Promise<void> {
    if (token !== undefined) await sessions.revokeByToken(token);
  }
}

/** Where somebody wanted to go before, if that is a path of this service: nothing that a browser could take for another host. */
function safeNext(next = ''): string | undefined {
  return /^\/(?![/\\])[^\\\p{Cc}]*$/u.test(next) ? next : undefined;
}
