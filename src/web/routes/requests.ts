import type { Router } from '@koa/router';
import { DomainError } from '../../domain/index.ts';
import type { WebDependencies } from '../dependencies.ts';
import type { SignedInPageRequest } from '../pageRequest.ts';
import { requestsPage } from '../pages/requests.tsx';
import { successText } from '../success.ts';

/** The requests for secrets in the chats of an account, which can be answered here as well as there. */
export function requestRoutes(router: Router, { domain: { chat }, pages }: WebDependencies): void {
  const { requests, identities } = chat;

  router.get(
    '/requests',
    pages.own((request) => {
      const { declined, cancelled } = request.page.messages.requests;
      return show(request, { success: successText(request.ctx, { declined, cancelled }) });
    }),
  );

  router.post(
    '/requests/provide',
    pages.ownForm(async ({ signedIn, fields: { id = '' } }) => {
      const token = await chat.createProvideLink(signedIn, id);
      return { to: `/compose/${token}` };
    }, showEnded),
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

  async function show(
    { page, signedIn }: SignedInPageRequest,
    result: { success?: string | undefined; problem?: string },
  ) {
    const [listed, { length }] = await Promise.all([requests.listFor(signedIn), identities.list(signedIn)]);
    return requestsPage(page, { ...listed, isInChat: length > 0, ...result });
  }

  /** The requests that are still open, when this one has ended or never was theirs. */
  function showEnded(request: SignedInPageRequest, error: unknown) {
    if (!(error instanceof DomainError) || error.code !== 'not_found') return undefined;
    return show(request, { problem: request.page.messages.requests.ended });
  }
}
