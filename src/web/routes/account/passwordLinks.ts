import type { PasswordLinkPurpose } from '../../../domain/index.ts';
import { capturedToken } from '../../../http/params.ts';
import { clientSigningIn, startSession } from '../../../http/session.ts';
import type { WebDependencies } from '../../dependencies.ts';
import type { PageRequest } from '../../pageRequest.ts';
import { newPasswordPage } from '../../pages/account/password.tsx';
import { problemsIn } from '../../pages/errorPage.tsx';
import { showGoneOf } from '../../pages/messagePage.tsx';

const paths: Record<PasswordLinkPurpose, RegExp> = {
  invite: /^\/invite\/([\w-]+)$/,
  reset: /^\/reset\/([\w-]+)$/,
};

const showGone = showGoneOf('newPassword');

/** The pages of one-time links for a new password. */
export function passwordLinkRoutes({ domain, pages, cookies }: WebDependencies): void {
  const { passwordLinks } = domain;
  for (const purpose of ['invite', 'reset'] as const) {
    pages.page(`/${purpose}/:token`, { pattern: paths[purpose], onRefusal: showGone }, (request) =>
      show(request, {}),
    );

    pages.form(
      `/${purpose}/:token`,
      { pattern: paths[purpose], onRefusal: showProblems },
      async ({ ctx, client, fields: { next = '', revokeTokens } }) => {
        const change = { next, revokeTokens: revokeTokens === 'on' };
        const by = clientSigningIn(ctx, cookies, client);
        await startSession(
          ctx,
          cookies,
          domain,
          await passwordLinks.redeem(purpose, capturedToken(ctx), change, by),
        );
        return { to: '/pushes' };
      },
    );

    async function show({ ctx, page }: PageRequest, problems: Record<string, string>): Promise<string> {
      const token = capturedToken(ctx);
      const email = await passwordLinks.preview(purpose, token);
      return newPasswordPage(page, { purpose, action: `/${purpose}/${token}`, email, problems });
    }

    function showProblems(request: PageRequest, error: unknown) {
      const problems = problemsIn(request.page, error);
      return Object.keys(problems).length === 0 ? showGone(request) : show(request, problems);
    }
  }
}
