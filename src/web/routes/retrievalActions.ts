import { capturedToken } from '../../http/params.ts';
import type { WebDependencies } from '../dependencies.ts';
import { messagePage } from '../pages/messagePage.tsx';
import { createShowGone } from '../showGone.ts';

/** What the pages of a push offer besides opening it: to delete it, and to ask for a new one after its end. */
export function retrievalActionRoutes({
  domain: { pushes },
  pages,
}: Pick<WebDependencies, 'domain' | 'pages'>): void {
  const showGone = createShowGone(pushes);

  pages.form(
    '/p/:token/delete',
    { pattern: /^\/p\/([^/.]+)\/delete$/, onRefusal: showGone },
    async ({ ctx, page, client }) => {
      await pushes.expire(capturedToken(ctx), { account: null, client });
      return messagePage(page, page.messages.deleted);
    },
  );

  pages.form(
    '/p/:token/ask',
    { pattern: /^\/p\/([^/.]+)\/ask$/, onRefusal: showGone },
    async ({ ctx, page, client }) => {
      await pushes.askAgain(capturedToken(ctx), client);
      return messagePage(page, page.messages.newLinkRequested);
    },
  );
}
