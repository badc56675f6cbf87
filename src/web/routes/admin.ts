import type { Router } from '@koa/router';
import { DomainError } from '../../domain/index.ts';
import { refusalText } from '../../locales/wording.ts';
import type { WebDependencies } from '../dependencies.ts';
import type { SignedInPageRequest } from '../pageHandlers.ts';
import { type AdminPage, adminActions, adminPage } from '../pages/admin/adminPage.tsx';
import { successText } from '../success.ts';

/** What accounts with the admin role can do with other accounts, and with the chat apps of this server. */
export function adminRoutes(
  router: Router,
  { domain: { accounts, chat, passwordLinks }, pages, links }: WebDependencies,
): void {
  const actions: Record<(typeof adminActions)[number], (email: string) => Promise<unknown>> = {
    subscribe: (email) => accounts.setSubscribed(email, true),
    unsubscribe: (email) => accounts.setSubscribed(email, false),
    disable: (email) => accounts.setDisabled(email, true),
    enable: (email) => accounts.setDisabled(email, false),
  };

  router.get(
    '/admin',
    pages.admin((request) => {
      const { done } = request.page.messages.admin;
      return show(request, { success: successText(request.ctx, { done }) });
    }),
  );

  for (const action of adminActions) {
    router.post(
      `/admin/${action}`,
      pages.adminForm(async ({ signedIn, fields: { id = '' } }) => {
        if (action === 'disable' && id === signedIn.email) throw new DomainError('conflict', 'ownAccount');
        await actions[action](id);
        return { to: '/admin?done=done' };
      }, showConflict),
    );
  }

  router.post(
    '/admin/password-link',
    pages.adminForm(async (request) => {
      const { id: email = '' } = request.fields;
      const purpose = (await accounts.summary(email)).hasPassword ? 'reset' : 'invite';
      const link = links.oneTime(purpose, await passwordLinks.create(email, purpose));
      return show(request, { passwordLink: { email, link, purpose } });
    }, showConflict),
  );

  router.post(
    '/admin/installations/remove',
    pages.adminForm(async ({ fields: { id = '' } }) => {
      await chat.installations.remove('slack', id);
      return { to: '/admin?done=done' };
    }),
  );

  async function show(
    { page, signedIn }: SignedInPageRequest,
    result: Pick<AdminPage, 'success' | 'problem' | 'passwordLink'>,
  ) {
    const [all, installations, names] = await Promise.all([
      accounts.list(),
      chat.installations.list('slack'),
      chat.identities.names(),
    ]);
    return adminPage(page, { accounts: all, installations, names, signedIn, ...result });
  }

  function showConflict(request: SignedInPageRequest, error: unknown) {
    if (!(error instanceof DomainError) || error.code !== 'conflict') return undefined;
    return show(request, { problem: refusalText(request.page.messages, error) });
  }
}
