import type { Router } from '@koa/router';
import {
  type Caller,
  type ClientInfo,
  DomainError,
  isExpired,
  type Push,
  type Revealed,
} from '../../domain/index.ts';
import { RequestError } from '../../http/errors.ts';
import { capturedToken } from '../../http/params.ts';
import type { Messages } from '../../locales/locales.ts';
import { type Confirmation, confirmedBy, confirmWord } from '../confirmation.ts';
import type { WebDependencies } from '../dependencies.ts';
import type { PageContext } from '../pageContext.ts';
import type { PageRequest } from '../pageHandlers.ts';
import { confirmPage } from '../pages/confirm.tsx';
import { gonePage } from '../pages/gone.tsx';
import { lockedPage } from '../pages/locked.tsx';
import { messagePage } from '../pages/messagePage.tsx';
import { secretPage } from '../pages/secret.tsx';

type Refusal = Pick<Parameters<typeof confirmPage>[1], 'problem' | 'isPassphraseWrong'>;

/** A path with a dot in it is a file, or another format of the push. */
const pagePath = /^\/p\/([^/.]+)$/;

/** The page of a push. Opening it counts no view while the retrieval step is on; the form on it reveals. */
export function retrievalRoutes(
  router: Router,
  { domain: { pushes }, pages, revealNonces }: WebDependencies,
): void {
  router.get(
    '/p/:token',
    pagePath,
    pages.anonymous(async (request) => {
      const { ctx, page, client } = request;
      const caller = anonymousCaller(client);
      const push = await pushes.preview(capturedToken(ctx), caller);
      if (isExpired(push)) throw gone();
      const isGet = ctx.method === 'GET';
      const revealsAtOnce = !push.retrievalStep && !push.hasPassphrase;
      if (revealsAtOnce && isGet && !client.isPreviewer)
        return showSecret(page, await pushes.reveal(push.urlToken, undefined, caller, { openedBy: 'link' }));
      if (isGet) await pushes.recordPreview(push, client);
      return showConfirm(request, push);
    }, showGone),
  );

  router.post(
    '/p/:token',
    pagePath,
    pages.anonymousForm(async (request) => {
      const { ctx, page, client, fields } = request;
      const caller = anonymousCaller(client);
      const push = await pushes.preview(capturedToken(ctx), caller);
      const checked = revealNonces.check(ctx, push, fields.nonce ?? '');
      if (checked.state !== 'good') {
        if (isExpired(push)) return showSecret(page, await pushes.reveal(push.urlToken, undefined, caller));
        ctx.status = checked.state === 'late' ? 409 : 403;
        return showConfirm(request, push, { problem: page.messages.confirmProblems[checked.state] });
      }
      const confirmation = confirmedBy(fields);
      const passphrase = fields.passphrase || undefined;
      if (!isExpired(push) && (confirmation === undefined || (push.hasPassphrase && !passphrase))) {
        ctx.status = 422; // no attempt: scanners fill in forms and send them
        return showConfirm(request, push, { problem: unconfirmed(page.messages, confirmation) });
      }
      const viewer = anonymousCaller({ ...client, isPreviewer: false }); // a previewer would not have sent the form
      const { nonce } = checked;
      const openedBy = push.hasPassphrase ? 'passphrase' : confirmation;
      return showSecret(page, await pushes.reveal(push.urlToken, passphrase, viewer, { nonce, openedBy }));
    }, showRefusal),
  );

  router.post(
    '/p/:token/delete',
    /^\/p\/([^/.]+)\/delete$/,
    pages.form(async ({ ctx, page, client }) => {
      await pushes.expire(capturedToken(ctx), anonymousCaller(client));
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

  function showConfirm({ ctx, page, fields }: PageRequest, push: Push, refusal: Refusal = {}): string {
    const nonce = revealNonces.issue(ctx, push);
    return confirmPage(page, {
      nonce,
      word: confirmWord(page.messages, nonce),
      requiresPassphrase: push.hasPassphrase,
      prefersWord: fields.word !== undefined,
      ...refusal,
    });
  }

  /** The page of a link that opens nothing, with a way to ask for a new one where there is one. */
  async function showGone({ ctx, page, client }: PageRequest): Promise<string | undefined> {
    if (ctx.status !== 404) return undefined;
    const token = capturedToken(ctx);
    const askPath = (await pushes.canAskAgain(token, client)) ? `/p/${token}/ask` : undefined;
    return gonePage(page, { askPath });
  }

  async function showRefusal(request: PageRequest, error: unknown): Promise<string | undefined> {
    const { ctx, page, client } = request;
    if (ctx.status === 404) return showGone(request);
    if (!(error instanceof DomainError)) return undefined;
    if (error.retryAfterSeconds !== undefined) return showLocked(request, error.retryAfterSeconds);
    const isRepeated = error.code === 'conflict';
    if (!isRepeated && error.problems.passphrase === undefined) return undefined;
    const push = await pushes.preview(capturedToken(ctx), anonymousCaller(client));
    if (isRepeated && isExpired(push)) return messagePage(page, page.messages.alreadyOpened);
    const { openedBefore } = page.messages.confirmProblems;
    if (isRepeated) return showConfirm(request, push, { problem: openedBefore });
    return showConfirm(request, push, {
      problem: wrongPassphrase(page.messages, error),
      isPassphraseWrong: true,
    });
  }
}

/** Loads the page of the push again when it may be opened. */
function showLocked({ ctx, page }: PageRequest, retryAfterSeconds: number): string {
  ctx.set('Refresh', String(retryAfterSeconds + 1));
  return lockedPage(page, retryAfterSeconds);
}

function unconfirmed({ confirmProblems }: Messages, confirmation: Confirmation | undefined): string {
  return confirmation === undefined ? confirmProblems.unconfirmed : confirmProblems.passphrase;
}

/** What a link shows is the same for its creator as for everybody else. */
function anonymousCaller(client: ClientInfo): Caller {
  return { account: null, client };
}

function showSecret(page: PageContext, { push, payload }: Revealed): string {
  if (payload === null) throw gone();
  return secretPage(page, { push, payload });
}

function gone(): RequestError {
  return new RequestError(404, 'not-found');
}

function wrongPassphrase({ confirmProblems }: Messages, { triesLeft }: DomainError): string {
  const tries = triesLeft === undefined ? '' : ` ${confirmProblems.triesLeft(triesLeft)}`;
  return `${confirmProblems.wrongPassphrase}${tries}`;
}
