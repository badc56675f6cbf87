import type { Router } from '@koa/router';
import { DomainError, type SignedIn } from '../../domain/index.ts';
import { one } from '../../http/params.ts';
import { refusalText } from '../../locales/wording.ts';
import type { WebDependencies } from '../dependencies.ts';
import type { PageContext } from '../pageContext.ts';
import type { PageRequest } from '../pageHandlers.ts';
import { adminActions, adminPage } from '../pages/admin.tsx';

/** What accounts with the admin role may do with the others, and with the chat apps of this server. */
export function adminRoutes(router: Router, { domain: { accounts, chat }, pages }: WebDependencies): void {
  const acts: Record<(typeof adminActions)[number], (email: string) => Promise<unknown>> = {
    subscribe: (email) => accounts.setSubscribed(email, true),
    unsubscribe: (email) => accounts.setSubscribed(email, false),
    disable: (email) => accounts.setDisabled(email, true),
    enable: (email) => accounts.setDisabled(email, false),
  };

  router.get(
    '/admin',
    pages.admin(async ({ ctx, page, signedIn }) => {
      const success = one(ctx.query.done) === 'done' ? page.messages.admin.done : undefined;
      return show(page, { signedIn, success });
    }),
  );

  for (const act of adminActions) {
    router.post(
      `/admin/${act}`,
      pages.adminForm(
        async ({ signedIn, fields: { id = '' } }) => {
          if (act === 'disable' && id === signedIn.email) {
            throw new DomainError('conflict', 'ownAccount');
          }
          await acts[act](id);
          return { to: '/admin?done=done' };
        },
        async ({ page, signedIn }: PageRequest & { signedIn: SignedIn }, error) =>
          error instanceof DomainError && error.code === 'conflict'
            ? show(page, { signedIn, problem: refusalText(page.messages, error) })
            : undefined,
      ),
    );
  }

  router.post(
    '/admin/installations/remove',
    pages.adminForm(async ({ fields: { id = '' } }) => {
      await chat.installations.remove('slack', id);
      return { to: '/admin?done=done' };
    }),
  );

  async function show(
    page: PageContext,
    more: { signedIn: SignedIn; success?: string | undefined; problem?: string },
  ) {
    const [all, installations, names] = await Promise.all([
      accounts.list(),
      chat.installations.list('slack'),
      chat.identities.names(),
    ]);
    return adminPage(page, { accounts: all, installations, names, ...more });
  }
}
