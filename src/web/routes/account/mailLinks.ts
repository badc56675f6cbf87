import { capturedToken } from '../../../http/params.ts';
import { startSession } from '../../../http/session.ts';
import { confirmedBy, confirmWord } from '../../confirmation.ts';
import type { WebDependencies } from '../../dependencies.ts';
import type { PageRequest } from '../../pageRequest.ts';
import {
  askForLinkPage,
  confirmAddressPage,
  signUpByLinkPage,
  unsubscribePage,
} from '../../pages/account/mailLinks.tsx';
import { problemsIn } from '../../pages/errorPage.tsx';
import { messagePage, showGoneOf } from '../../pages/messagePage.tsx';

const showGone = showGoneOf('mailLinks');
const paths = {
  verify: /^\/verify\/([\w-]+)$/,
  signUp: /^\/sign-up\/([\w-]+)$/,
  unsubscribe: /^\/unsubscribe\/([0-9a-f]{32}\.[\w-]{43})$/,
};

/** Links by mail: to confirm an address, for a new password, to sign up, and to get no more notices. */
export function mailLinkRoutes({ domain, pages, cookies }: WebDependencies): void {
  const { mailLinks, signIn } = domain;
  if (!mailLinks.isOn) return;

  pages.page('/verify/:token', { pattern: paths.verify, onRefusal: showGone }, (request) =>
    showAddress(request),
  );

  pages.form('/verify/:token', { pattern: paths.verify, onRefusal: showGone }, async (request) => {
    const { ctx, page, client, fields } = request;
    const token = capturedToken(ctx);
    if (confirmedBy({ ...fields, nonce: token }) === undefined) {
      ctx.status = 422;
      return showAddress(request, page.messages.mailLinks.step.unconfirmed);
    }
    const { email } = await mailLinks.confirmAddress(token, client);
    const { confirmedTitle: title, confirmed } = page.messages.mailLinks;
    return messagePage(page, { title, text: confirmed(email) });
  });

  async function showAddress({ ctx, page }: PageRequest, problem?: string): Promise<string> {
    const token = capturedToken(ctx);
    const addresses = await mailLinks.previewAddress(token);
    const word = confirmWord(page.messages, token);
    return confirmAddressPage(page, { ...addresses, action: `/verify/${token}`, word, problem });
  }

  pages.anonymous('/unsubscribe/:token', { pattern: paths.unsubscribe }, ({ ctx, page }) => {
    const token = capturedToken(ctx);
    mailLinks.requireUnsubscribeToken(token);
    return unsubscribePage(page, `/unsubscribe/${token}`);
  });

  // RFC 8058: sent by mail programs and their servers, without a cookie, and answered without a redirect
  pages.formFromAnywhere(
    '/unsubscribe/:token',
    { pattern: paths.unsubscribe },
    async ({ ctx, page, fields }) => {
      const token = capturedToken(ctx);
      if (fields['List-Unsubscribe'] !== 'One-Click') return unsubscribePage(page, `/unsubscribe/${token}`);
      await mailLinks.unsubscribe(token);
      const { doneTitle: title, done: text } = page.messages.unsubscribe;
      return messagePage(page, { title, text });
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
