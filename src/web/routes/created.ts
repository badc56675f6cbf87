import type { Context } from 'koa';
import { isExpired, type SignedIn } from '../../domain/index.ts';
import { RequestError } from '../../http/errors.ts';
import { one } from '../../http/params.ts';
import type { WebDependencies } from '../dependencies.ts';
import { pushCreatedPage, sentPage } from '../pages/pushCreated.tsx';
import { type Created, createdPath, maybeCreated, statusTokenPage } from '../tokenPage.ts';

/** The link of a new push, for the browser that created it. Forms redirect here, so a reload creates no other push. */
export function createdRoutes({ domain: { pushes }, pages, links, cookies }: WebDependencies): void {
  pages.page('/created/:label', { pattern: createdPath }, async ({ ctx, page, signedIn, client }) => {
    const created = maybeCreated(ctx, cookies);
    if (created === undefined) throw new RequestError(404, 'not-found');
    const push = await pushes.preview(created.urlToken, { account: signedIn, client });
    const chat = one(ctx.query.chat);
    const statusPath = chat === undefined ? maybeStatusPath(ctx, created, signedIn) : undefined;
    if (isExpired(push)) {
      if (statusPath === undefined) throw new RequestError(404, 'not-found');
      return { to: statusPath };
    }
    if (push.isReserved) return sentPage(page, { push, isByMail: chat === undefined, statusPath });
    const { created: inChat, createdEncrypted, sent } = page.messages.compose;
    return pushCreatedPage(page, {
      push,
      link: links.page(push),
      statusPath,
      ...(chat !== undefined && { note: push.encrypted ? createdEncrypted : inChat }),
      ...(chat === 'sent' && { lead: sent }),
    });
  });

  /** The page where the creator sees what happens to the push, if there is one. */
  function maybeStatusPath(
    ctx: Context,
    { urlToken, statusToken }: Created,
    signedIn: SignedIn | null,
  ): string | undefined {
    if (statusToken !== undefined) return statusTokenPage.save(ctx, cookies, statusToken);
    return signedIn === null ? undefined : `/pushes/${urlToken}`;
  }
}
