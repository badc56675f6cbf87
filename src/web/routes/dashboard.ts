import { DomainError } from '../../domain/index.ts';
import { hasNextPage } from '../../http/pagination.ts';
import { refusalText } from '../../locales/wording.ts';
import type { WebDependencies } from '../dependencies.ts';
import { lifetimeMinutes } from '../lifetimes.ts';
import { lastLogPage, pageNumberWithin, successText } from '../pageQuery.ts';
import type { SignedInPageRequest } from '../pageRequest.ts';
import { pushPage } from '../pages/push.tsx';
import { createdPathOf } from '../tokenPage.ts';

/** A push as its owner sees it, and what they can do with it. */
export function dashboardRoutes({ domain: { pushes }, pages, links }: WebDependencies): void {
  pages.own('/pushes/:token', (request) => {
    const { expired, extended } = request.page.messages.pushes;
    return showPush(request, { success: successText(request.ctx, { expired, extended }) });
  });

  pages.ownForm('/pushes/:token/expire', async (request) => {
    const { urlToken } = await ownPush(request);
    await pushes.expire(urlToken, callerOf(request));
    return { to: `/pushes/${urlToken}?done=expired` };
  });

  /** Also for the page of a new push, which knows the push by the cookie of its browser. */
  pages.ownForm('/pushes/:token/name', async (request) => {
    const { urlToken } = await ownPush(request);
    await pushes.rename(urlToken, { name: request.fields.name }, callerOf(request));
    return { to: request.fields.from === 'created' ? createdPathOf(urlToken) : `/pushes/${urlToken}` };
  });

  pages.ownForm('/pushes/:token/extend', { onRefusal: showNotExtended }, async (request) => {
    const { urlToken } = await ownPush(request);
    const minutes = lifetimeMinutes(request.fields.lifetime ?? '');
    await pushes.setExpiry(urlToken, { minutes }, callerOf(request));
    return { to: `/pushes/${urlToken}?done=extended` };
  });

  async function showPush(
    request: SignedInPageRequest,
    result: { success?: string | undefined; problem?: string },
  ) {
    const push = await ownPush(request);
    const pageNumber = pageNumberWithin(request.ctx, lastLogPage);
    const readLog = (page: number) => pushes.auditLog(push.urlToken, page, callerOf(request));
    const log = await readLog(pageNumber);
    const hasMore = await hasNextPage(log, () => readLog(pageNumber + 1));
    const { settings } = pushes;
    const { page: linkTo } = links;
    const shown = { push, link: linkTo(push), linkTo, log, pageNumber, hasMore, settings };
    return pushPage(request.page, { ...shown, ...result });
  }

  function showNotExtended(request: SignedInPageRequest, error: unknown) {
    if (!(error instanceof DomainError) || !['conflict', 'invalid'].includes(error.code)) return undefined;
    return showPush(request, { problem: refusalText(request.page.messages, error) });
  }

  const ownPush = (request: SignedInPageRequest) =>
    pushes.previewOwned(String(request.ctx.params.token), callerOf(request));
}

const callerOf = ({ signedIn, client }: SignedInPageRequest) => ({ account: signedIn, client });
