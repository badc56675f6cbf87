import { DomainError } from '../../domain/index.ts';
import { one } from '../../http/params.ts';
import type { WebDependencies } from '../dependencies.ts';
import { installationsPage, workspaceLabel } from '../pages/admin/installations.tsx';
import { confirmationPage } from '../pages/confirmationPage.tsx';
import { successText } from '../success.ts';

/** Where the chat apps of this server are installed, for admins. */
export function installationRoutes({ domain: { chat }, pages }: WebDependencies): void {
  const { installations, identities } = chat;

  pages.admin('/admin/installations', async ({ ctx, page }) => {
    const [listed, names] = await Promise.all([installations.list('slack'), identities.names()]);
    const { removed } = page.messages.admin;
    return installationsPage(page, {
      installations: listed,
      names,
      success: successText(ctx, { removed }),
    });
  });

  pages.admin('/admin/installations/remove', async ({ ctx, page }) => {
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
  });

  pages.adminForm('/admin/installations/remove', async ({ fields: { id = '' } }) => {
    await installations.remove('slack', id);
    return { to: '/admin/installations?done=removed' };
  });
}
