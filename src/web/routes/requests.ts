import type { Router } from '@koa/router';
import { DomainError, type Person } from '../../domain/index.ts';
import type { ApiParts } from '../../http/app.ts';
import { one } from '../../http/params.ts';
import type { Asked } from '../pageHandlers.ts';
import { requestsPage } from '../pages/requests.tsx';

type Own = Asked & { person: Person };

/** What people ask one another for in the chats of an account, to be answered here as well as there. */
export function requestRoutes(router: Router, { domain: { chat }, pages }: ApiParts): void {
  const { requests, identities } = chat;

  router.get(
    '/requests',
    pages.own((asked) => {
      const { declined, cancelled } = asked.frame.words.requests;
      return show(asked, { done: { declined, cancelled }[one(asked.ctx.query.done) ?? ''] });
    }),
  );

  router.post(
    '/requests/provide',
    pages.ownForm(
      async ({ person, fields: { id = '' } }) => ({
        to: `/compose/${await chat.answerInBrowser(person, id)}`,
      }),
      askAgain,
    ),
  );

  router.post(
    '/requests/decline',
    pages.ownForm(async ({ person, fields: { id = '' } }) => {
      await requests.decline(id, await requests.speakerFor(person, id, 'provider'));
      return { to: '/requests?done=declined' };
    }, askAgain),
  );

  router.post(
    '/requests/cancel',
    pages.ownForm(async ({ person, fields: { id = '' } }) => {
      await requests.cancel(id, await requests.speakerFor(person, id, 'requester'));
      return { to: '/requests?done=cancelled' };
    }, askAgain),
  );

  async function show({ frame, person }: Own, more: { done?: string | undefined; problem?: string }) {
    const [seen, { length }] = await Promise.all([requests.seenBy(person), identities.list(person)]);
    return requestsPage(frame, { ...seen, isInChat: length > 0, ...more });
  }

  /** With what there still is, when a request ended meanwhile, or was never theirs. */
  function askAgain(asked: Own, error: unknown) {
    if (!(error instanceof DomainError) || error.code !== 'not_found') return undefined;
    return show(asked, { problem: asked.frame.words.requests.ended });
  }
}
