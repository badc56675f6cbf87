import type { WebDependencies } from '../../dependencies.ts';
import { successText } from '../../pageQuery.ts';
import type { SignedInPageRequest } from '../../pageRequest.ts';
import { type TrustRulesPage, trustRulesPage } from '../../pages/account/trustRules.tsx';
import { refusedForm } from '../../pages/errorPage.tsx';

/** An account's trust rules, by which programs elsewhere act for it. */
export function trustRulePageRoutes({ domain: { trustRules }, pages }: WebDependencies): void {
  pages.own('/account/rules', (request) => {
    const { created, removed } = request.page.messages.trustRules;
    return show(request, { success: successText(request.ctx, { created, removed }) });
  });

  pages.ownForm('/account/rules', { onRefusal: showProblems }, async ({ signedIn, client, fields }) => {
    await trustRules.create(signedIn, fields, { client });
    return { to: '/account/rules?done=created' };
  });

  pages.ownForm('/account/rules/remove', async ({ signedIn, client, fields: { id = '' } }) => {
    await trustRules.remove(signedIn, id, { client });
    return { to: '/account/rules?done=removed' };
  });

  const show = async ({ page, signedIn }: SignedInPageRequest, shown: Omit<TrustRulesPage, 'rules'>) =>
    trustRulesPage(page, { rules: await trustRules.list(signedIn), ...shown });

  function showProblems(request: SignedInPageRequest, error: unknown) {
    const refused = refusedForm(request, error);
    return refused && show(request, refused);
  }
}
