import type { Router } from '@koa/router';
import { DomainError, type Person } from '../../domain/index.ts';
import type { ApiParts } from '../app.ts';
import type { Asked } from '../pageHandlers.ts';
import { adminActs, adminPage } from '../pages/admin.tsx';
import { one } from '../params.ts';

/** What accounts with the admin role may do with the others. */
export function adminRoutes(router: Router, { domain: { accounts }, pages }: ApiParts): void {
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
      return adminPage(frame, { accounts: await accounts.list(), person, done });
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
            ? adminPage(frame, { accounts: await accounts.list(), person, problem: error.message })
            : undefined,
      ),
    );
  }
}
