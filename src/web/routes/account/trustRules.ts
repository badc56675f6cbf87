import { refusalText } from '../../../locales/wording.ts';
import type { WebDependencies } from '../../dependencies.ts';
import { isInputError } from '../../forms.ts';
import { successText } from '../../pageQuery.ts';
import type { SignedInPageRequest } from '../../pageRequest.ts';
import { trustRulesPage } from '../../pages/account/trustRules.tsx';
import { problemsIn } from '../../pages/errorPage.tsx';

/** An account's trust rules, by which programs elsewhere act for it. */
export function trustRulePageRoutes({ domain: { trustRules }, pages }: WebDependencies): void {
  pages.own('/account/rules', async ({ ctx, page, signedIn }) => {
    const { created, removed } = page.messages.trustRules;
    return trustRulesPage(page, {
      rules: await trustRules.list(signedIn),
      success: successText(ctx, { created, removed }),
    });
  });

  pages.ownForm('/account/rules', { onRefusal: showProblems }, async ({ signedIn, client, fields }) => {
    await trustRules.create(signedIn, fields, { client });
    return { to: '/account/rules?done=created' };
  });

  pages.ownForm('/account/rules/remove', async ({ signedIn, client, fields: { id = '' } }) => {
    await trustRules.remove(signedIn, id, { client });
    return { to: '/account/rules?done=removed' };
  });

  async function showProblems({ page, signedIn, fields }: SignedInPageRequest, error: unknown) {
    if (!isInputError(error)) return undefined;
    return trustRulesPage(page, {
      rules: await trustRules.list(signedIn),
      entered: fields,
      problem: error.code === 'conflict' ? refusalText(page.messages, error) : undefined,
      problems: problemsIn(page, error),
    });
  }
}
