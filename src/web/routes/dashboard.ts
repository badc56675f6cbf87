import { DomainError } from '../../domain/index.ts';
import { hasNextPage } from '../../http/pagination.ts';
import { capturedToken } from '../../http/params.ts';
import { refusalText } from '../../locales/wording.ts';
import type { WebDependencies } from '../dependencies.ts';
import { lifetimeMinutes } from '../lifetimes.ts';
import { lastLogPage, pageNumberWithin, successText } from '../pageQuery.ts';
import type { SignedInPageRequest } from '../pageRequest.ts';
import { pushPage } from '../pages/push.tsx';
import { createdPathOf } from '../tokenPage.ts';

/** A push as its owner sees it, and what they can do with it. */
export function dashboardRoutes({ domain: { pushes, requestLinks }, pages, links }: WebDependencies): void {
  const recipientActs = [
    ['send', pushes.sendAgain, 'sent'],
    ['withdraw', pushes.withdrawRecipient, 'withdrawn'],
  ] as const;

  /** For mails, which hold no link that opens a secret. */
  pages.own('/pushes/:id', { pattern: /^\/pushes\/([0-9a-f]{32})$/ }, async ({ ctx, signedIn }) => ({
    to: `/pushes/${await pushes.requireUrlToken(signedIn, capturedToken(ctx))}`,
  }));

  pages.own('/pushes/:token', (request) => {
    const { expired, extended, byMail } = request.page.messages.pushes;
    const { sent, withdrawn } = byMail;
    return showPush(request, { success: successText(request.ctx, { expired, extended, sent, withdrawn }) });
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

  for (const [name, act, done] of recipientActs)
    pages.ownForm(`/pushes/:token/recipients/${name}`, { onRefusal: showRefused }, async (request) => {
      const { id, urlToken } = await ownPush(request);
      await act(request.signedIn, id, request.fields.id ?? '');
      return { to: `/pushes/${urlToken}?done=${done}` };
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
    const answered = push.encrypted ? await requestLinks.maybeAnsweredId(request.signedIn, push) : undefined;
    const shown = { push, answered, link: linkTo(push), linkTo, log, pageNumber, hasMore, settings };
    return pushPage(request.page, { ...shown, ...result });
  }

  function showRefused(request: SignedInPageRequest, error: unknown) {
    if (!(error instanceof DomainError) || !['too_many', 'invalid'].includes(error.code)) return undefined;
    return showPush(request, { problem: refusalText(request.page.messages, error) });
  }

  function showNotExtended(request: SignedInPageRequest, error: unknown) {
    if (!(error instanceof DomainError) || !['conflict', 'invalid'].includes(error.code)) return undefined;
    return showPush(request, { problem: refusalText(request.page.messages, error) });
  }

  const ownPush = (request: SignedInPageRequest) =>
    pushes.previewOwned(String(request.ctx.params.token), callerOf(request));
}

const callerOf = ({ signedIn, client }: SignedInPageRequest) => ({ account: signedIn, client });
