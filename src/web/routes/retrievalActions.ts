import type { Router } from '@koa/router';
import { capturedToken } from '../../http/params.ts';
import type { WebDependencies } from '../dependencies.ts';
import { messagePage } from '../pages/messagePage.tsx';
import { createShowGone } from '../showGone.ts';

/** What the pages of a push offer besides opening it: to delete it, and to ask for a new one after its end. */
export function retrievalActionRoutes(
  router: Router,
  { domain: { pushes }, pages }: Pick<WebDependencies, 'domain' | 'pages'>,
): void {
  const showGone = createShowGone(pushes);

  router.post(
    '/p/:token/delete',
    /^\/p\/([^/.]+)\/delete$/,
    pages.form(async ({ ctx, page, client }) => {
      await pushes.expire(capturedToken(ctx), { account: null, client });
      return messagePage(page, page.messages.deleted);
    }, showGone),
  );

  router.post(
    '/p/:token/ask',
    /^\/p\/([^/.]+)\/ask$/,
    pages.form(async ({ ctx, page, client }) => {
      await pushes.askAgain(capturedToken(ctx), client);
      return messagePage(page, page.messages.newLinkRequested);
    }, showGone),
  );
}
