import type { Router } from '@koa/router';
import { DomainError } from '../../../domain/index.ts';
import type { ApiParts } from '../../../http/app.ts';
import { one } from '../../../http/params.ts';
import { forgetSession, keepSession } from '../../../http/session.ts';
import { problemsIn } from '../../pageHandlers.ts';
import { signInPage, signUpPage } from '../../pages/account/signIn.tsx';

/** How people come to be signed in, and out. */
export function signInRoutes(router: Router, { domain, pages, cookies }: ApiParts): void {
  const { signIn, sessions } = domain;
  const { allowsSignUp } = signIn;

  router.get(
    '/sign-in',
    pages.open(({ ctx, frame, person }) =>
      person === null ? signInPage(frame, { next: one(ctx.query.next), allowsSignUp }) : { to: '/' },
    ),
  );

  router.post(
    '/sign-in',
    pages.openForm(
      async ({ ctx, visit, fields: { email = '', password = '', next } }) => {
        const token = await signIn.signIn({ email, password }, visit);
        await endPresent(cookies.get(ctx, 'session'));
        keepSession(ctx, cookies, token);
        return { to: goingOn(next) ?? '/pushes' };
      },
      ({ frame, fields: { email, next } }, error) => {
        const isWrong = error instanceof DomainError && ['unauthenticated', 'invalid'].includes(error.code);
        const problem = frame.words.signIn.wrong;
        return isWrong ? signInPage(frame, { email, next, problem, allowsSignUp }) : undefined;
      },
    ),
  );

  router.get(
    '/sign-up',
    pages.open(({ ctx, frame, person }) => {
      if (person !== null) return { to: '/' };
      if (!allowsSignUp) throw new DomainError('forbidden', frame.words.signUp.notAllowed);
      return signUpPage(frame, { next: one(ctx.query.next) });
    }),
  );

  router.post(
    '/sign-up',
    pages.openForm(
      async ({ ctx, visit, fields: { email = '', password = '', next } }) => {
        const token = await signIn.signUp({ email, password }, visit);
        await endPresent(cookies.get(ctx, 'session'));
        keepSession(ctx, cookies, token);
        return { to: goingOn(next) ?? '/' };
      },
      ({ frame, fields: { email, next } }, error) => {
        if (!(error instanceof DomainError)) return undefined;
        if (error.code === 'invalid') return signUpPage(frame, { email, next, problems: problemsIn(error) });
        return error.code === 'conflict'
          ? signUpPage(frame, { email, next, problem: frame.words.signUp.exists })
          : undefined;
      },
    ),
  );

  router.post(
    '/sign-out',
    pages.openForm(async ({ ctx }) => {
      await endPresent(cookies.get(ctx, 'session'));
      forgetSession(ctx, cookies);
      return { to: '/sign-in' };
    }),
  );

  async function endPresent(token: string | undefined): Promise<void> {
    if (token !== undefined) await sessions.end(token);
  }
}

/** Where somebody wanted to go before, if that is a path of this service: nothing that a browser could take for another host. */
function goingOn(next = ''): string | undefined {
  return /^\/(?![/\\])[^\\\p{Cc}]*$/u.test(next) ? next : undefined;
}
