import { DomainError } from '../../../domain/index.ts';
import { one } from '../../../http/params.ts';
import { clientSigningIn, startSession } from '../../../http/session.ts';
import { refusalText } from '../../../locales/wording.ts';
import type { WebDependencies } from '../../dependencies.ts';
import type { PageRequest } from '../../pageRequest.ts';
import { secondFactorPage } from '../../pages/account/secondFactor.tsx';
import { showGoneOf } from '../../pages/messagePage.tsx';
import { clearStepCookie, stepCookie } from '../../secondFactor.ts';
import { safePath } from './signIn.ts';

const showGone = showGoneOf('secondFactor');

/** The second step of signing in, in the browser that has done the first. */
export function secondFactorRoutes({ domain, pages, cookies, csrf }: WebDependencies): void {
  const { secondStep } = domain;
  const stepOf = ({ ctx }: PageRequest) => cookies.get(ctx, stepCookie) ?? '';

  pages.page('/second-factor', { onRefusal: showGone }, (request) =>
    show(request, one(request.ctx.query.next)),
  );

  pages.form('/second-factor', { onRefusal: showProblem }, async (request) => {
    const { ctx, client, fields } = request;
    const { passkey, code = fields.recoveryCode ?? '' } = fields;
    const given = passkey === undefined ? code : { passkey, browser: csrf.requireBrowser(ctx) };
    const begun = await secondStep.finish(stepOf(request), given, clientSigningIn(ctx, cookies, client));
    clearStepCookie(ctx, cookies);
    await startSession(ctx, cookies, domain, begun);
    return { to: safePath(fields.next) ?? '/pushes' };
  });

  async function show(request: PageRequest, next: string | undefined, problem?: string) {
    return secondFactorPage(request.page, {
      ...(await secondStep.preview(stepOf(request))),
      next,
      problem,
    });
  }

  function showProblem(request: PageRequest, error: unknown) {
    if (!(error instanceof DomainError) || error.code !== 'unauthenticated') return showGone(request);
    return show(request, request.fields.next, refusalText(request.page.messages, error));
  }
}
