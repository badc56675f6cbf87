import { RequestError } from '../../http/errors.ts';
import { hasNextPage } from '../../http/pagination.ts';
import { capturedToken } from '../../http/params.ts';
import type { WebDependencies } from '../dependencies.ts';
import { lastLogPage, pageNumberWithin, successText } from '../pageQuery.ts';
import type { PageRequest } from '../pageRequest.ts';
import { showGoneOf } from '../pages/messagePage.tsx';
import { statusPage } from '../pages/status.tsx';
import { statusTokenPage } from '../tokenPage.ts';

const onRefusal = showGoneOf('status');
const tokenPattern = /^\/status\/([0-9a-f]{32}\.[\w-]{43})$/;
const deletePattern = /^\/status\/(\w+)\/delete$/;

/**
 * What happened to an anonymous push, for whoever has its private link. The link leads to a path that is in no way secret:
 * it is the same page, in this browser alone.
 */
export function statusRoutes({ domain: { pushes }, pages, cookies, links }: WebDependencies): void {
  pages.page('/status/:token', { pattern: tokenPattern, onRefusal }, async ({ ctx, client }) => {
    const token = capturedToken(ctx);
    await pushes.status(token, 1, client);
    return { to: statusTokenPage.save(ctx, cookies, token) };
  });

  pages.page('/status/:label', { pattern: statusTokenPage.path, onRefusal }, async (request) => {
    const { ctx, page, client } = request;
    const token = requireToken(request);
    const pageNumber = pageNumberWithin(ctx, lastLogPage);
    const read = (number: number) => pushes.status(token, number, client);
    const { push, log } = await read(pageNumber);
    const hasMore = await hasNextPage(log, async () => (await read(pageNumber + 1)).log);
    const success = successText(ctx, { deleted: page.messages.pushes.expired });
    const [link, path] = [links.status(token), ctx.path];
    return statusPage(page, { push, log, pageNumber, hasMore, link, path, success });
  });

  pages.form('/status/:label/delete', { pattern: deletePattern, onRefusal }, async (request) => {
    await pushes.expireByStatus(requireToken(request), request.client);
    return { to: `/status/${capturedToken(request.ctx)}?done=deleted` };
  });

  function requireToken({ ctx }: PageRequest): string {
    const token = statusTokenPage.maybeToken(ctx, cookies);
    if (token === undefined) throw new RequestError(404, 'not-found');
    return token;
  }
}
