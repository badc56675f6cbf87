import { capturedToken } from '../../../http/params.ts';
import { startSession } from '../../../http/session.ts';
import type { WebDependencies } from '../../dependencies.ts';
import type { PageRequest } from '../../pageRequest.ts';
import { askForLinkPage, confirmAddressPage, signUpByLinkPage } from '../../pages/account/mailLinks.tsx';
import { problemsIn } from '../../pages/errorPage.tsx';
import { messagePage, showGoneOf } from '../../pages/messagePage.tsx';

const showGone = showGoneOf('mailLinks');
const paths = { verify: /^\/verify\/([\w-]+)$/, signUp: /^\/sign-up\/([\w-]+)$/ };

/** Links by mail: to confirm an address, for a new password, and to sign up. */
export function mailLinkRoutes({ domain, pages, cookies }: WebDependencies): void {
  const { mailLinks, signIn } = domain;
  if (!mailLinks.isOn) return;

  pages.page('/verify/:token', { pattern: paths.verify, onRefusal: showGone }, async ({ ctx, page }) => {
    const token = capturedToken(ctx);
    return confirmAddressPage(page, {
      ...(await mailLinks.previewAddress(token)),
      action: `/verify/${token}`,
    });
  });

  pages.form(
    '/verify/:token',
    { pattern: paths.verify, onRefusal: showGone },
    async ({ ctx, page, client }) => {
      const { email } = await mailLinks.confirmAddress(capturedToken(ctx), client);
      const { confirmedTitle: title, confirmed } = page.messages.mailLinks;
      return messagePage(page, { title, text: confirmed(email) });
    },
  );

  if (!signIn.allowsPasswords) return;

  pages.page('/reset', ({ page, signedIn }) =>
    signedIn === null ? askForLinkPage(page, { action: '/reset' }) : { to: '/account/security' },
  );

  pages.form('/reset', { onRefusal: showProblem('/reset') }, async ({ page, client, fields }) => {
    await mailLinks.askForReset(fields.email ?? '', { client, locale: page.locale });
    const { askedTitle: title, asked: text } = page.messages.mailLinks;
    return messagePage(page, { title, text });
  });

  if (!(signIn.allowsSignUp && mailLinks.verifiesSignUp)) return;

  pages.page('/sign-up/:token', { pattern: paths.signUp, onRefusal: showGone }, (request) =>
    showSignUp(request),
  );

  pages.form(
    '/sign-up/:token',
    { pattern: paths.signUp, onRefusal: showSignUpProblem },
    async ({ ctx, client, fields: { password = '' } }) => {
      const { email, session } = await mailLinks.signUp(capturedToken(ctx), password, client);
      await startSession(ctx, cookies, domain, { session, email });
      return { to: '/' };
    },
  );

  async function showSignUp({ ctx, page }: PageRequest, problem?: string): Promise<string> {
    const token = capturedToken(ctx);
    const { email } = await mailLinks.previewSignUp(token);
    return signUpByLinkPage(page, { action: `/sign-up/${token}`, email, problem });
  }

  function showSignUpProblem(request: PageRequest, error: unknown) {
    const { password } = problemsIn(request.page, error);
    return password === undefined ? showGone(request) : showSignUp(request, password);
  }
}

/** The page that asks for an address, with what is wrong with that. */
export function showProblem(action: '/reset' | '/sign-up') {
  return ({ page, fields: { email } }: PageRequest, error: unknown): string | undefined => {
    const { email: problem } = problemsIn(page, error);
    return problem === undefined ? undefined : askForLinkPage(page, { action, email, problem });
  };
}
