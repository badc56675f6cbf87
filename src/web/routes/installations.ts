import type { Router } from '@koa/router';
import { DomainError } from '../../domain/index.ts';
import { one } from '../../http/params.ts';
import type { WebDependencies } from '../dependencies.ts';
import { installationsPage, workspaceLabel } from '../pages/admin/installations.tsx';
import { confirmationPage } from '../pages/confirmationPage.tsx';
import { successText } from '../success.ts';

/** Where the chat apps of this server are installed, for admins. */
export function installationRoutes(router: Router, { domain: { chat }, pages }: WebDependencies): void {
  const { installations, identities } = chat;

  router.get(
    '/admin/installations',
    pages.admin(async ({ ctx, page }) => {
      const [listed, names] = await Promise.all([installations.list('slack'), identities.names()]);
      const { removed } = page.messages.admin;
      return installationsPage(page, {
        installations: listed,
        names,
        success: successText(ctx, { removed }),
      });
    }),
  );

  router.get(
    '/admin/installations/remove',
    pages.admin(async ({ ctx, page }) => {
      const id = one(ctx.query.id);
      const found = (await installations.list('slack')).find(({ workspace }) => workspace === id);
      if (found === undefined) throw new DomainError('not_found', 'chatNotFound');
      const { removeTitle, removeHint, removeNow } = page.messages.admin;
      return confirmationPage(page, {
        current: 'admin',
        title: removeTitle(workspaceLabel(found)),
        lead: removeHint,
        action: '/admin/installations/remove',
        fields: { id: found.workspace },
        submit: removeNow,
        isDangerous: true,
        back: '/admin/installations',
      });
    }),
  );

  router.post(
    '/admin/installations/remove',
    pages.adminForm(async ({ fields: { id = '' } }) => {
      await installations.remove('slack', id);
      return { to: '/admin/installations?done=removed' };
    }),
  );
}
