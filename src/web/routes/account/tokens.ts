import { refusalText } from '../../../locales/wording.ts';
import type { WebDependencies } from '../../dependencies.ts';
import { isInputError } from '../../forms.ts';
import { successText } from '../../pageQuery.ts';
import type { SignedInPageRequest } from '../../pageRequest.ts';
import { tokensPage } from '../../pages/account/tokens.tsx';
import { problemsIn } from '../../pages/errorPage.tsx';

/** An account's tokens for the API. */
export function tokenRoutes({ domain: { apiTokens }, pages }: WebDependencies): void {
  pages.own('/account/tokens', async ({ ctx, page, signedIn }) => {
    const { revoked } = page.messages.tokens;
    return tokensPage(page, {
      tokens: await apiTokens.list(signedIn),
      success: successText(ctx, { revoked }),
    });
  });

  pages.ownForm(
    '/account/tokens',
    { onRefusal: showProblems },
    async ({ page, signedIn, client, fields: { name = '', scope, days } }) => {
      const token = await apiTokens.create(signedIn, { name, scope, days }, { client });
      return tokensPage(page, {
        tokens: await apiTokens.list(signedIn),
        created: { name: name.trim(), token },
      });
    },
  );

  pages.ownForm('/account/tokens/replace', async ({ page, signedIn, client, fields: { id = '', hours } }) => {
    const created = await apiTokens.replace(signedIn, id, { hours }, { client });
    return tokensPage(page, { tokens: await apiTokens.list(signedIn), created });
  });

  pages.ownForm('/account/tokens/revoke', async ({ signedIn, client, fields: { id = '' } }) => {
    await apiTokens.revoke(signedIn, id, { client });
    return { to: '/account/tokens?done=revoked' };
  });

  async function showProblems({ page, signedIn, fields }: SignedInPageRequest, error: unknown) {
    if (!isInputError(error)) return undefined;
    return tokensPage(page, {
      tokens: await apiTokens.list(signedIn),
      entered: fields,
      problem: error.code === 'conflict' ? refusalText(page.messages, error) : undefined,
      problems: problemsIn(page, error),
    });
  }
}
