import type { WebDependencies } from '../../dependencies.ts';
import { successText } from '../../pageQuery.ts';
import type { SignedInPageRequest } from '../../pageRequest.ts';
import { type TokensPage, tokensPage } from '../../pages/account/tokens.tsx';
import { refusedForm } from '../../pages/errorPage.tsx';

/** An account's tokens for the API. */
export function tokenRoutes({ domain: { apiTokens }, pages }: WebDependencies): void {
  pages.own('/account/tokens', (request) => {
    const { revoked } = request.page.messages.tokens;
    return show(request, { success: successText(request.ctx, { revoked }) });
  });

  pages.ownForm('/account/tokens', { onRefusal: showProblems }, async (request) => {
    const { signedIn, client, fields } = request;
    const { name = '', scope, days } = fields;
    const token = await apiTokens.create(signedIn, { name, scope, days }, { client });
    return show(request, { created: { name: name.trim(), token } });
  });

  pages.ownForm('/account/tokens/replace', async (request) => {
    const { signedIn, client, fields } = request;
    const { id = '', hours } = fields;
    return show(request, { created: await apiTokens.replace(signedIn, id, { hours }, { client }) });
  });

  pages.ownForm('/account/tokens/revoke', async ({ signedIn, client, fields: { id = '' } }) => {
    await apiTokens.revoke(signedIn, id, { client });
    return { to: '/account/tokens?done=revoked' };
  });

  const show = async ({ page, signedIn }: SignedInPageRequest, shown: Omit<TokensPage, 'tokens'>) =>
    tokensPage(page, { tokens: await apiTokens.list(signedIn), ...shown });

  function showProblems(request: SignedInPageRequest, error: unknown) {
    const refused = refusedForm(request, error);
    return refused && show(request, refused);
  }
}
