import type { Router } from '@koa/router';
import { DomainError, type SignedIn } from '../../domain/index.ts';
import { one } from '../../http/params.ts';
import type { WebDependencies } from '../dependencies.ts';
import type { PageRequest } from '../pageHandlers.ts';
import { requestsPage } from '../pages/requests.tsx';

type Own = PageRequest & { signedIn: SignedIn };

/** What people ask one another for in the chats of an account, to be answered here as well as there. */
export function requestRoutes(router: Router, { domain: { chat }, pages }: WebDependencies): void {
  const { requests, identities } = chat;

  router.get(
    '/requests',
    pages.own((request) => {
      const { declined, cancelled } = request.page.messages.requests;
      return showRequests(request, { success: { declined, cancelled }[one(request.ctx.query.done) ?? ''] });
    }),
  );

  router.post(
    '/requests/provide',
    pages.ownForm(
      async ({ signedIn, fields: { id = '' } }) => ({
        to: `/compose/${await chat.createProvideLink(signedIn, id)}`,
      }),
      showEnded,
    ),
  );

  router.post(
    '/requests/decline',
    pages.ownForm(async ({ signedIn, fields: { id = '' } }) => {
      await requests.decline(id, await requests.chatUserFor(signedIn, id, 'provider'));
      return { to: '/requests?done=declined' };
    }, showEnded),
  );

  router.post(
    '/requests/cancel',
    pages.ownForm(async ({ signedIn, fields: { id = '' } }) => {
      await requests.cancel(id, await requests.chatUserFor(signedIn, id, 'requester'));
      return { to: '/requests?done=cancelled' };
    }, showEnded),
  );

  async function showRequests(
    { page, signedIn }: Own,
    more: { success?: string | undefined; problem?: string },
  ) {
    const [seen, { length }] = await Promise.all([requests.listFor(signedIn), identities.list(signedIn)]);
    return requestsPage(page, { ...seen, isInChat: length > 0, ...more });
  }

  /** With what there still is, when a request ended meanwhile, or was never theirs. */
  function showEnded(request: Own, error: unknown) {
    if (!(error instanceof DomainError) || error.code !== 'not_found') return undefined;
    return showRequests(request, { problem: request.page.messages.requests.ended });
  }
}
