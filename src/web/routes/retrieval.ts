import { DomainError, isExpired, type Push, type Revealed, type RevealNonce } from '../../domain/index.ts';
import { RequestError } from '../../http/errors.ts';
import { capturedToken } from '../../http/params.ts';
import type { Messages } from '../../locales/locales.ts';
import { confirmationProblem, confirmedBy, confirmWord } from '../confirmation.ts';
import type { WebDependencies } from '../dependencies.ts';
import { mistypedLink } from '../mistypedLink.ts';
import type { PageContext } from '../pageContext.ts';
import type { PageRequest, PageResult } from '../pageRequest.ts';
import { confirmPage } from '../pages/confirm.tsx';
import { alreadyOpenedPage, gonePage, lockedPage, openedBeforeText } from '../pages/gone.tsx';
import { messagePage } from '../pages/messagePage.tsx';
import { secretPage } from '../pages/secret.tsx';

type Refusal = Pick<Parameters<typeof confirmPage>[1], 'problem' | 'isPassphraseWrong'> & {
  isSpent?: boolean;
};

/** A path with a dot in it is a file, or another format of the push. */
const pagePath = /^\/p\/([^/.]+)$/;
const deletePath = /^\/p\/([^/.]+)\/delete$/;
const askPath = /^\/p\/([^/.]+)\/ask$/;

/**
 * The page of a push. Opening it counts no view while the retrieval step is on; the form on it reveals. It is the same
 * for its creator as for everybody else. There a viewer can delete the push, or ask for a new one after its end.
 */
export function retrievalRoutes({ domain: { pushes }, pages, revealNonces }: WebDependencies): void {
  pages.anonymous('/p/:token', { pattern: pagePath, onRefusal: showGone }, async (request) => {
    const { ctx, page, client } = request;
    const caller = { account: null, client };
    const push = await pushes.preview(capturedToken(ctx), caller);
    const seen = await maybeSeen(request, push);
    if (seen !== undefined) return seen;
    if (isExpired(push)) throw gone();
    if (push.isReserved) throw new DomainError('forbidden', 'reservedForRecipients');
    const isGet = ctx.method === 'GET';
    const revealsAtOnce = !push.retrievalStep && !push.hasPassphrase;
    if (revealsAtOnce && isGet && !client.isPreviewer)
      return showSecret(page, await pushes.reveal(push.urlToken, undefined, caller, { openedBy: 'link' }));
    if (isGet) await pushes.recordPreview(push, client);
    return showConfirm(request, push);
  });

  pages.anonymousForm('/p/:token', { pattern: pagePath, onRefusal: showRefusal }, async (request) => {
    const { ctx, page, client, fields } = request;
    const caller = { account: null, client };
    const push = await pushes.preview(capturedToken(ctx), caller);
    const seen = await maybeSeen(request, push); // in another tab
    if (seen !== undefined) return seen;
    const checked = revealNonces.check(ctx, push, fields.nonce ?? '');
    if (checked.state !== 'good') {
      if (isExpired(push)) return showSecret(page, await pushes.reveal(push.urlToken, undefined, caller));
      ctx.status = checked.state === 'late' ? 409 : 403;
      return showConfirm(request, push, { problem: page.messages.confirmProblems[checked.state] });
    }
    const problem = isExpired(push) ? undefined : confirmationProblem(page.messages, push, fields);
    if (problem !== undefined) {
      ctx.status = 422; // no attempt: scanners fill in forms and send them
      return showConfirm(request, push, { problem });
    }
    return open(request, push, checked.nonce);
  });

  pages.form(
    '/p/:token/delete',
    { pattern: deletePath, onRefusal: showGone },
    async ({ ctx, page, client }) => {
      await pushes.expire(capturedToken(ctx), { account: null, client });
      return messagePage(page, page.messages.deleted);
    },
  );

  pages.form('/p/:token/ask', { pattern: askPath, onRefusal: showGone }, async ({ ctx, page, client }) => {
    await pushes.askAgain(capturedToken(ctx), client);
    return messagePage(page, page.messages.newLinkRequested);
  });

  async function open({ ctx, page, client, fields }: PageRequest, push: Push, nonce: RevealNonce) {
    const viewer = { account: null, client: { ...client, isPreviewer: false } }; // a previewer would not have sent the form
    const openedBy = push.hasPassphrase ? 'passphrase' : confirmedBy(fields);
    const passphrase = fields.passphrase || undefined;
    const revealed = await pushes.reveal(push.urlToken, passphrase, viewer, { nonce, openedBy });
    if (revealed.payload !== null) revealNonces.saveOpened(ctx, push, fields.nonce ?? '');
    return showSecret(page, revealed);
  }

  /** For the browser that opened the push: the same view for a minute, and after the end of the push, when that was. */
  async function maybeSeen({ ctx, page, client }: PageRequest, push: Push): Promise<string | undefined> {
    const opened = revealNonces.maybeOpened(ctx, push);
    const caller = { account: null, client };
    const again = opened?.nonce && (await pushes.repeat(push.urlToken, opened.nonce, caller));
    if (again) return showSecret(page, again);
    if (opened === undefined || !isExpired(push)) return undefined;
    ctx.status = 404;
    return alreadyOpenedPage(page, push, opened);
  }

  function showConfirm(
    { ctx, page, fields }: PageRequest,
    push: Push,
    { isSpent = false, ...refusal }: Refusal = {},
  ): string {
    const opened = revealNonces.maybeOpened(ctx, push);
    const nonce = revealNonces.issue(ctx, push, { isSpent: isSpent || opened?.nonce !== undefined });
    const { queryWith = (choice: Record<string, string>) => `?${new URLSearchParams(choice)}` } = page;
    return confirmPage(
      { ...page, queryWith },
      {
        nonce,
        word: confirmWord(page.messages, nonce),
        requiresPassphrase: push.hasPassphrase,
        isEncrypted: push.encrypted,
        prefersWord: fields.word !== undefined,
        ...(opened && { problem: openedBeforeText(page, push, opened) }),
        ...refusal,
      },
    );
  }

  /** The page of a link that opens nothing, with a way to ask for a new one where there is one. */
  async function showGone({ ctx, page, client }: PageRequest): Promise<PageResult | undefined> {
    if (ctx.status !== 404) return undefined;
    const token = capturedToken(ctx);
    const mayAsk = await pushes.canAskAgain(token, client);
    return mistypedLink(page, ctx) ?? gonePage(page, { askPath: mayAsk ? `/p/${token}/ask` : undefined });
  }

  async function showRefusal(request: PageRequest, error: unknown): Promise<PageResult | undefined> {
    const { ctx, page, client } = request;
    if (ctx.status === 404) return showGone(request);
    if (!(error instanceof DomainError)) return undefined;
    if (error.retryAfterSeconds !== undefined) return showLocked(request, error.retryAfterSeconds);
    const isRepeated = error.code === 'conflict';
    if (!isRepeated && error.problems.passphrase === undefined) return undefined;
    const push = await pushes.preview(capturedToken(ctx), { account: null, client });
    if (isRepeated) {
      const opened = revealNonces.maybeOpened(ctx, push);
      if (isExpired(push)) return alreadyOpenedPage(page, push, opened);
      return showConfirm(request, push, { problem: openedBeforeText(page, push, opened), isSpent: true });
    }
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

function showSecret(page: PageContext, { push, payload, sender }: Revealed): string {
  if (payload === null) throw gone();
  return secretPage(page, { push, payload, sender });
}

function gone(): RequestError {
  return new RequestError(404, 'not-found');
}

function wrongPassphrase({ confirmProblems }: Messages, { triesLeft }: DomainError): string {
  const tries = triesLeft === undefined ? '' : ` ${confirmProblems.triesLeft(triesLeft)}`;
  return `${confirmProblems.wrongPassphrase}${tries}`;
}
