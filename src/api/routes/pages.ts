import type { Router } from '@koa/router';
import type { Context, Middleware } from 'koa';
import { DomainError, isExpired, type Revealed } from '../../domain/index.ts';
import type { ApiParts } from '../app.ts';
import { readBody } from '../body/body.ts';
import { answerTo, RequestError } from '../errors.ts';
import { gonePage, payloadPage, refusalPage, retrievalPage } from '../pages/retrieval.tsx';
import { pagePolicy } from '../securityHeaders.ts';

/** The page of a push: looking at it spends nothing while its retrieval step is on; the form on it reveals. */
export function pageRoutes(router: Router, { domain: { pushes }, who, links }: ApiParts): void {
  router.get('/p/:token', pagePath, pages, async (ctx) => {
    const asking = await who.visitor(ctx);
    const push = await pushes.peek(tokenOf(ctx), asking);
    const revealsAtOnce =
      !push.retrievalStep && !push.hasPassphrase && ctx.method === 'GET' && !asking.visit.isPreviewer;
    if (isExpired(push)) showGone(ctx);
    else if (revealsAtOnce) show(ctx, await pushes.reveal(push.urlToken, undefined, asking));
    else ctx.body = retrievalPage({ asksPassphrase: push.hasPassphrase });
  });

  router.post('/p/:token', pagePath, pages, sameOriginOnly(links.baseUrl), async (ctx) => {
    const asking = await who.visitor(ctx);
    const { values } = await readBody(ctx.req);
    const passphrase =
      typeof values.passphrase === 'string' && values.passphrase !== '' ? values.passphrase : undefined;
    show(ctx, await pushes.reveal(tokenOf(ctx), passphrase, asking));
  });

  for (const path of formerPaths) {
    router.get(path, (ctx) => {
      ctx.status = 301;
      ctx.redirect(`${links.page({ urlToken: tokenOf(ctx) })}${ctx.search}`);
    });
  }
}

/** Anything with a dot in it is a file or a form of something else. */
const pagePath = /^\/p\/([^/.]+)$/;

/** Where the page of a push used to be: under the former names, with its step spelled out, or with a language in front. */
const formerPaths = [
  /^\/[fr]\/([0-9A-Za-z]+)$/,
  /^\/[pfr]\/([0-9A-Za-z]+)\/(?:r|passphrase)$/,
  /^\/[a-z]{2}(?:-[a-zA-Z]{2})?\/[pfr]\/([0-9A-Za-z]+)(?:\/(?:r|passphrase))?$/,
];

function tokenOf(ctx: Context): string {
  return ctx.captures?.[0] ?? '';
}

function show(ctx: Context, { push, payload }: Revealed): void {
  if (payload === null) showGone(ctx);
  else ctx.body = payloadPage({ kind: push.kind, payload, viewsRemaining: push.viewsMax - push.viewsUsed });
}

function showGone(ctx: Context): void {
  ctx.status = 404;
  ctx.body = gonePage();
}

/** Gives the routes behind it the headers of a page, and words their refusals for a person. */
const pages: Middleware = async (ctx, next) => {
  ctx.set('Content-Security-Policy', pagePolicy);
  ctx.type = 'html';
  try {
    await next();
  } catch (error) {
    const answer = answerTo(error);
    if (answer === undefined || answer.status >= 500) throw error;
    ctx.status = answer.status;
    if (answer.retryAfterSeconds !== undefined) ctx.set('Retry-After', String(answer.retryAfterSeconds));
    if (answer.status === 404) ctx.body = gonePage();
    else if (asksPassphrase(error))
      ctx.body = retrievalPage({ asksPassphrase: true, problem: answer.body.error });
    else ctx.body = refusalPage(answer.body.error);
  }
};

function asksPassphrase(error: unknown): boolean {
  return error instanceof DomainError && error.fields.passphrase !== undefined;
}

/** A form counts only when it was sent from a page of ours (Fetch Metadata, then Origin; neither is sent by old browsers). */
function sameOriginOnly(baseUrl: string): Middleware {
  const { origin } = new URL(baseUrl);
  return async (ctx, next) => {
    const site = ctx.get('Sec-Fetch-Site');
    const isOurs =
      site === '' ? ['', origin].includes(ctx.get('Origin')) : ['same-origin', 'none'].includes(site);
    if (!isOurs) throw new RequestError(403, 'This form was sent from another site.');
    await next();
  };
}
