import type { Router } from '@koa/router';
import { DomainError, type Person } from '../../domain/index.ts';
import type { ApiParts } from '../../http/app.ts';
import { one } from '../../http/params.ts';
import type { Asked } from '../pageHandlers.ts';
import { adminActs, adminPage } from '../pages/admin.tsx';
import type { Frame } from '../pages/pageContext.ts';

/** What accounts with the admin role may do with the others, and with the chat apps of this server. */
export function adminRoutes(router: Router, { domain: { accounts, chat }, pages }: ApiParts): void {
  const acts: Record<(typeof adminActs)[number], (email: string) => Promise<unknown>> = {
    subscribe: (email) => accounts.setSubscribed(email, true),
    unsubscribe: (email) => accounts.setSubscribed(email, false),
    disable: (email) => accounts.setDisabled(email, true),
    enable: (email) => accounts.setDisabled(email, false),
  };

  router.get(
    '/admin',
    pages.admin(async ({ ctx, frame, person }) => {
      const done = one(ctx.query.done) === 'done' ? frame.words.admin.done : undefined;
      return show(frame, { person, done });
    }),
  );

  for (const act of adminActs) {
    router.post(
      `/admin/${act}`,
      pages.adminForm(
        async ({ frame, person, fields: { id = '' } }) => {
          if (act === 'disable' && id === person.email) {
            throw new DomainError('conflict', frame.words.admin.notYourself);
          }
          await acts[act](id);
          return { to: '/admin?done=done' };
        },
        async ({ frame, person }: Asked & { person: Person }, error) =>
          error instanceof DomainError && error.code === 'conflict'
            ? show(frame, { person, problem: error.message })
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

  async function show(frame: Frame, more: { person: Person; done?: string | undefined; problem?: string }) {
    const [all, installations, names] = await Promise.all([
      accounts.list(),
      chat.installations.list('slack'),
      chat.identities.names(),
    ]);
    return adminPage(frame, { accounts: all, installations, names, ...more });
  }
}
