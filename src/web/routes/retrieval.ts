import type { Router } from '@koa/router';
import type { Context } from 'koa';
import {
  type Caller,
  type ClientInfo,
  DomainError,
  isExpired,
  type Push,
  type Revealed,
} from '../../domain/index.ts';
import { RequestError } from '../../http/errors.ts';
import { locales, type Messages, messagesOf } from '../../locales/locales.ts';
import type { WebDependencies } from '../dependencies.ts';
import type { PageContext } from '../pageContext.ts';
import type { Fields, PageRequest } from '../pageHandlers.ts';
import { confirmPage } from '../pages/confirm.tsx';
import { gonePage } from '../pages/gone.tsx';
import { messagePage } from '../pages/messagePage.tsx';
import { secretPage } from '../pages/secret.tsx';
import { createResponseReplay } from '../responseReplay.ts';

/** The page of a push: looking at it spends nothing while its retrieval step is on; the form on it reveals. */
export function retrievalRoutes(router: Router, dependencies: WebDependencies): void {
  const { domain, links, pages, revealNonces } = dependencies;
  const { pushes } = domain;
  const replay = createResponseReplay<Revealed>();

  router.get(
    '/p/:token',
    pagePath,
    pages.page(async ({ ctx, page, client }) => {
      const caller = anonymousCaller(client);
      const push = await pushes.preview(tokenOf(ctx), caller);
      const revealsImmediately =
        !push.retrievalStep && !push.hasPassphrase && ctx.method === 'GET' && !client.isPreviewer;
      if (isExpired(push)) throw gone();
      if (revealsImmediately) return secret(page, await pushes.reveal(push.urlToken, undefined, caller));
      return confirmation(ctx, page, push);
    }, goneIfUnknown),
  );

  router.post(
    '/p/:token',
    pagePath,
    pages.provenForm(async ({ ctx, page, client, fields }) => {
      const caller = anonymousCaller(client);
      const push = await pushes.preview(tokenOf(ctx), caller);
      const checked = revealNonces.check(ctx, push, fields.nonce ?? '');
      if (checked.state !== 'good') {
        if (isExpired(push)) return secret(page, await pushes.reveal(push.urlToken, undefined, caller));
        ctx.status = checked.state === 'late' ? 409 : 403;
        return confirmation(ctx, page, push, page.messages.confirmProblems[checked.state]);
      }
      const { passphrase } = fields;
      if (!push.hasPassphrase && !hasConfirmWord(fields)) {
        ctx.status = 422;
        return confirmation(ctx, page, push, page.messages.confirmProblems.word(page.messages.confirm.word));
      }
      const { nonceDigest } = checked;
      const viewer = anonymousCaller({ ...client, isPreviewer: false });
      const revealed = await replay.once(nonceDigest.toString('hex'), () =>
        pushes.reveal(push.urlToken, passphrase === '' ? undefined : passphrase, viewer, { nonceDigest }),
      );
      return secret(page, revealed);
    }, refusedReveal),
  );

  router.post(
    '/p/:token/delete',
    /^\/p\/([^/.]+)\/delete$/,
    pages.openForm(async ({ ctx, page, client }) => {
      await pushes.expire(tokenOf(ctx), anonymousCaller(client));
      return messagePage(page, page.messages.deleted);
    }, goneIfUnknown),
  );

  router.post(
    '/p/:token/ask',
    /^\/p\/([^/.]+)\/ask$/,
    pages.openForm(async ({ ctx, page, client }) => {
      await pushes.askAgain(tokenOf(ctx), client);
      return messagePage(page, page.messages.newLinkRequested);
    }, goneIfUnknown),
  );

  for (const path of formerPaths) {
    router.get(path, (ctx) => {
      ctx.status = 301;
      ctx.redirect(`${links.page({ urlToken: tokenOf(ctx) })}${ctx.search}`);
    });
  }

  function confirmation(ctx: Context, page: PageContext, push: Push, problem?: string): string {
    const nonce = revealNonces.issue(ctx, push);
    return confirmPage(page, { requiresPassphrase: push.hasPassphrase, nonce, problem });
  }

  /** The answer for a link that does not open, with the way to ask for a new one where there is one. */
  async function gonePageFor({
    ctx,
    page,
    client,
  }: Pick<PageRequest, 'ctx' | 'page' | 'client'>): Promise<string> {
    const token = tokenOf(ctx);
    const askPath = (await pushes.canAskAgain(token, client)) ? `/p/${token}/ask` : undefined;
    return gonePage(page, { askPath });
  }

  async function goneIfUnknown(request: PageRequest): Promise<string | undefined> {
    return request.ctx.status === 404 ? gonePageFor(request) : undefined;
  }

  /** What was refused is asked for again, with what to do about it. */
  async function refusedReveal(
    { ctx, page, client }: PageRequest,
    error: unknown,
  ): Promise<string | undefined> {
    if (ctx.status === 404) return gonePageFor({ ctx, page, client });
    if (!(error instanceof DomainError)) return undefined;
    const { confirmProblems, alreadyOpened } = page.messages;
    if (error.code === 'conflict') {
      const push = await pushes.preview(tokenOf(ctx), anonymousCaller(client));
      return isExpired(push)
        ? messagePage(page, alreadyOpened)
        : confirmation(ctx, page, push, confirmProblems.openedBefore);
    }
    if (error.problems.passphrase === undefined) return undefined;
    const push = await pushes.preview(tokenOf(ctx), anonymousCaller(client));
    return confirmation(ctx, page, push, wrongPassphrase(page.messages, error));
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

const confirmations = new Set(locales.map((locale) => messagesOf(locale).confirm.word));

/** A press that was held sends the word too. It may come in any language: the page's may have changed meanwhile. */
function hasConfirmWord({ word = '' }: Fields): boolean {
  return confirmations.has(
    word
      .normalize('NFC')
      .trim()
      .toLowerCase()
      .replace(/^["“„]|["“”]$/g, ''),
  );
}

function tokenOf(ctx: Context): string {
  return ctx.captures?.[0] ?? '';
}

function secret(page: PageContext, { push, payload }: Revealed): string {
  if (payload === null) throw gone();
  return secretPage(page, { push, payload });
}

function gone(): RequestError {
  return new RequestError(404, 'not-found');
}

/** What a link gives is the same for its maker as for everybody else. */
function anonymousCaller(client: ClientInfo): Caller {
  return { account: null, client };
}

function wrongPassphrase({ confirmProblems }: Messages, { triesLeft }: DomainError): string {
  const tries = triesLeft === undefined ? '' : ` ${confirmProblems.triesLeft(triesLeft)}`;
  return `${confirmProblems.wrongPassphrase}${tries}`;
}
