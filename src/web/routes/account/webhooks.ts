import { refusalText } from '../../../locales/wording.ts';
import type { WebDependencies } from '../../dependencies.ts';
import { problemsIn } from '../../errorPages.ts';
import { isInputError } from '../../forms.ts';
import type { SignedInPageRequest } from '../../pageRequest.ts';
import { webhooksPage } from '../../pages/account/webhooks.tsx';
import { readEventTypes } from '../../pages/account/webhookTypes.tsx';
import { successText } from '../../success.ts';

/** The URLs that receive an account's events. */
export function webhookPageRoutes({ domain: { webhooks }, pages }: WebDependencies): void {
  pages.own('/account/webhooks', async ({ ctx, page, signedIn }) => {
    const { removed, enabled, typesChanged } = page.messages.webhooks;
    return webhooksPage(page, {
      webhooks: await webhooks.list(signedIn),
      success: successText(ctx, { removed, enabled, typesChanged }),
    });
  });

  pages.ownForm('/account/webhooks', { onRefusal: showProblems }, async ({ page, signedIn, fields }) => {
    const { url = '' } = fields;
    const { secret } = await webhooks.create(signedIn, { url, types: readEventTypes(fields) });
    return webhooksPage(page, { webhooks: await webhooks.list(signedIn), secret });
  });

  pages.ownForm('/account/webhooks/remove', async ({ signedIn, fields: { id = '' } }) => {
    await webhooks.remove(signedIn, id);
    return { to: '/account/webhooks?done=removed' };
  });

  pages.ownForm('/account/webhooks/enable', async ({ signedIn, fields: { id = '' } }) => {
    await webhooks.enable(signedIn, id);
    return { to: '/account/webhooks?done=enabled' };
  });

  async function showProblems({ page, signedIn, fields }: SignedInPageRequest, error: unknown) {
    if (!isInputError(error)) return undefined;
    return webhooksPage(page, {
      webhooks: await webhooks.list(signedIn),
      entered: fields,
      problem: error.code === 'conflict' ? refusalText(page.messages, error) : undefined,
      problems: problemsIn(page, error),
    });
  }
}
