import { passkeyThatOpens } from '../../../domain/index.ts';
import { one } from '../../../http/params.ts';
import type { WebDependencies } from '../../dependencies.ts';
import { successText } from '../../pageQuery.ts';
import type { SignedInPageRequest } from '../../pageRequest.ts';
import { factorsPage, newAppPage, recoveryCodesPage } from '../../pages/account/factors.tsx';
import { problemsIn } from '../../pages/errorPage.tsx';
import { showGoneOf } from '../../pages/messagePage.tsx';
import { factorsPath } from '../../secondFactor.ts';

const showGone = showGoneOf('factors');

/** The second factors of an account. */
export function factorRoutes({ domain: { factors, passkeys, requestLinks }, pages }: WebDependencies): void {
  pages.settingUp(factorsPath, async ({ ctx, page, signedIn }) => {
    const { added, removed } = page.messages.factors;
    const { added: passkeyAdded, renamed: passkeyRenamed } = page.messages.passkeys;
    const links = await requestLinks.list({ account: signedIn });
    return factorsPage(page, {
      factors: await factors.list(signedIn),
      obstacle: passkeys.obstacle,
      opening: new Set(links.map(passkeyThatOpens)),
      isRequired: one(ctx.query.required) !== undefined,
      success: successText(ctx, { added, removed, passkeyAdded, passkeyRenamed }),
    });
  });

  pages.settingUpForm(`${factorsPath}/app`, async ({ page, signedIn }) =>
    newAppPage(page, { app: await factors.beginApp(signedIn) }),
  );

  pages.settingUpForm(
    `${factorsPath}/app/confirm`,
    { onRefusal: showProblem },
    async ({ page, signedIn, client, fields: { enrolment = '', code = '' } }) => {
      const codes = await factors.confirmApp(signedIn, { enrolment, code }, client);
      if (codes.length === 0) return { to: `${factorsPath}?done=added` };
      return recoveryCodesPage(page, codes, page.messages.factors.added);
    },
  );

  pages.settingUpForm(`${factorsPath}/app/remove`, async ({ signedIn, client }) => {
    await factors.removeApp(signedIn, client);
    return { to: `${factorsPath}?done=removed` };
  });

  pages.settingUpForm(`${factorsPath}/recovery-codes`, async ({ page, signedIn, client }) =>
    recoveryCodesPage(page, await factors.renewRecoveryCodes(signedIn, client)),
  );

  async function showProblem(request: SignedInPageRequest, error: unknown) {
    const { page, signedIn, fields } = request;
    const problem = problemsIn(page, error).code;
    if (problem === undefined) return showGone(request);
    return newAppPage(page, { app: await factors.previewApp(signedIn, fields.enrolment ?? ''), problem });
  }
}
