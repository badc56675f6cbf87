import type { Router } from '@koa/router';
import { isExpired, type Push } from '../../domain/index.ts';
import { RequestError } from '../../http/errors.ts';
import { one } from '../../http/params.ts';
import { createdPath, maybeCreated } from '../createdPush.ts';
import type { WebDependencies } from '../dependencies.ts';
import type { PageContext } from '../pageContext.ts';
import { messagePage } from '../pages/messagePage.tsx';
import { pushCreatedPage } from '../pages/pushCreated.tsx';

/** The link of a new push, for the browser that created it. Forms redirect here, so a reload creates no other push. */
export function createdRoutes(
  router: Router,
  { domain: { pushes }, pages, links, cookies }: WebDependencies,
): void {
  router.get(
    '/created/:label',
    createdPath,
    pages.page(async ({ ctx, page, signedIn, client }) => {
      const urlToken = maybeCreated(ctx, cookies);
      if (urlToken === undefined) throw new RequestError(404, 'not-found');
      const push = await pushes.preview(urlToken, { account: signedIn, client });
      if (isExpired(push)) throw new RequestError(404, 'not-found');
      if (push.isReserved) return messagePage(page, sentMessage(page, push));
      const { created, sent } = page.messages.compose;
      const chat = one(ctx.query.chat);
      return pushCreatedPage(page, {
        push,
        link: links.page(push),
        signedIn: chat === undefined ? signedIn : null,
        ...(chat !== undefined && { note: created }),
        ...(chat === 'sent' && { lead: sent }),
      });
    }),
  );
}

/** A push that only its recipients can open: there is no link to pass on. */
function sentMessage({ messages: { compose, pushCreated } }: PageContext, { hasPassphrase }: Push) {
  const text = hasPassphrase ? `${compose.sent} ${pushCreated.passphrase}` : compose.sent;
  return { title: pushCreated.title, text };
}
