import { type Domain, DomainError, isExpired, type Push, type Revealed } from '../../domain/index.ts';
import { RequestError } from '../../http/errors.ts';
import { capturedToken } from '../../http/params.ts';
import { confirmedBy, confirmWord, formRefusal, wrongPassphraseText } from '../confirmation.ts';
import type { WebDependencies } from '../dependencies.ts';
import type { Fields } from '../forms.ts';
import { mistypedLink } from '../mistypedLink.ts';
import type { PageContext } from '../pageContext.ts';
import type { PageRequest, PageResult } from '../pageRequest.ts';
import { confirmPage } from '../pages/confirm.tsx';
import { alreadyOpenedPage, gonePage, lockedPage, openedBeforeText } from '../pages/gone.tsx';
import { messagePage } from '../pages/messagePage.tsx';
import { secretPage } from '../pages/secret.tsx';
import { createRecipientCodeStep } from '../recipientCode.ts';
import type { OpenedBefore } from '../revealNonce.ts';

type Refusal = Pick<Parameters<typeof confirmPage>[1], 'problem' | 'isPassphraseWrong'> & {
  isSpent?: boolean;
  opened?: OpenedBefore | undefined;
};

/** A path with a dot in it is a file, or another format of the push. */
const pagePath = /^\/p\/([^/.]+)$/;
const deletePath = /^\/p\/([^/.]+)\/delete$/;
const askPath = /^\/p\/([^/.]+)\/ask$/;

/**
 * The page of a push. Opening it counts no view while the retrieval step is on; the form on it reveals. It is the same
 * for its creator as for everybody else.
 */
export function retrievalRoutes(dependencies: WebDependencies): void {
  const { pages, revealNonces } = dependencies;
  const { pushes } = dependencies.domain;
  const codeStep = createRecipientCodeStep(dependencies);
  const showGone = createGonePage(pushes);
  pages.anonymous('/p/:token', { pattern: pagePath, onRefusal: showGone }, async (request) => {
    const { ctx, page, client } = request;
    const caller = { account: null, client };
    const push = await pushes.preview(capturedToken(ctx), caller);
    const opened = revealNonces.maybeOpened(ctx, push.urlToken);
    const seen = await maybeSeen(request, push, opened);
    if (seen !== undefined) return seen;
    if (isExpired(push)) throw gone();
    if (push.isReserved) throw new DomainError('forbidden', 'reservedForRecipients');
    const asked = await codeStep.maybePage(request, push);
    if (asked !== undefined) return asked;
    const isGet = ctx.method === 'GET';
    const revealsAtOnce = !push.retrievalStep && !push.hasPassphrase;
    if (revealsAtOnce && isGet && !client.isPreviewer())
      return showSecret(page, await pushes.reveal(push.urlToken, undefined, caller, { openedBy: 'link' }));
    if (isGet) await pushes.recordPreview(push, client);
    return showConfirm(request, push, { opened });
  });

  pages.anonymousForm('/p/:token', { pattern: pagePath, onRefusal: showRefusal }, (request) =>
    request.fields.step === undefined ? openByForm(request) : codeStep.readForm(request),
  );

  async function openByForm(request: PageRequest): Promise<PageResult> {
    const { ctx, page, client, fields } = request;
    const urlToken = capturedToken(ctx);
    const nonce = revealNonces.maybeIssued(ctx, urlToken, fields.nonce);
    const opened = revealNonces.maybeOpened(ctx, urlToken);
    const maybeRefuse = (push: Push): PageResult | undefined => {
      const refusal = isExpired(push) ? undefined : formRefusal(page.messages, fields, nonce, push);
      if (refusal === undefined) return undefined;
      ctx.status = refusal.status;
      return showConfirm(request, push, { problem: refusal.problem });
    };
    const caller = { account: null, client };
    const browserSecret = codeStep.secretOf(ctx, urlToken);
    const isPlain = nonce !== undefined && !(opened ?? (fields.passphrase || browserSecret));
    const push = isPlain ? undefined : await pushes.preview(urlToken, caller); // a plain form's claim looks itself
    const shown = push && ((await maybeSeen(request, push, opened)) ?? maybeRefuse(push)); // seen in another tab
    if (shown !== undefined) return shown;
    const revealed = await pushes.reveal(urlToken, fields.passphrase || undefined, caller, {
      nonce,
      browserSecret,
      openedBy: openedBy(push, fields),
      isConfirmed: (locked) => formRefusal(page.messages, fields, nonce, locked) === undefined,
    });
    if (revealed.payload === null) return maybeRefuse(revealed.push) ?? showSecret(page, revealed);
    revealNonces.saveOpened(ctx, revealed.push, fields.nonce ?? '');
    return showSecret(page, revealed);
  }

  /** For the browser that opened the push: the same view for a minute, and after the end of the push, when that was. */
  async function maybeSeen(
    { ctx, page, client }: PageRequest,
    push: Push,
    opened: OpenedBefore | undefined,
  ): Promise<PageResult | undefined> {
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
    { isSpent = false, opened = revealNonces.maybeOpened(ctx, push.urlToken), ...refusal }: Refusal = {},
  ): PageResult {
    const nonce = revealNonces.issue(ctx, push, { isSpent: isSpent || opened?.nonce !== undefined });
    const isGet = page.queryWith !== undefined;
    return confirmPage(isGet ? page : { ...page, queryWith: (choice) => `?${new URLSearchParams(choice)}` }, {
      nonce,
      word: confirmWord(page.messages, nonce),
      requiresPassphrase: push.hasPassphrase,
      isEncrypted: push.encrypted,
      prefersWord: fields.word !== undefined,
      ...(opened && { problem: openedBeforeText(page, push, opened) }),
      ...refusal,
    });
  }

  async function showRefusal(request: PageRequest, error: unknown): Promise<PageResult | undefined> {
    const { ctx, page, client } = request;
    if (ctx.status === 404) return showGone(request);
    const ofCode = await codeStep.maybeRefusal(request, error);
    if (ofCode !== undefined || !(error instanceof DomainError)) return ofCode;
    if (error.retryAfterSeconds !== undefined) return showLocked(request, error.retryAfterSeconds);
    const isRepeated = error.code === 'conflict';
    if (!isRepeated && error.problems.passphrase === undefined) return undefined;
    const urlToken = capturedToken(ctx);
    const push = await pushes.preview(urlToken, { account: null, client });
    if (isRepeated) {
      const opened = revealNonces.maybeOpened(ctx, urlToken);
      if (isExpired(push)) return alreadyOpenedPage(page, push, opened);
      const problem = openedBeforeText(page, push, opened);
      return showConfirm(request, push, { opened, problem, isSpent: true });
    }
    return showConfirm(request, push, {
      problem: wrongPassphraseText(page.messages, error),
      isPassphraseWrong: true,
    });
  }
}

/** How a push is opened by a form. */
function openedBy(push: Push | undefined, fields: Fields) {
  if (push?.needsCode) return 'code';
  return push?.hasPassphrase ? 'passphrase' : confirmedBy(fields);
}

/** What a viewer can do on the pages of a push: delete it, or ask for a new one after its end. */
export function viewerRoutes({ domain: { pushes }, pages }: WebDependencies): void {
  const onRefusal = createGonePage(pushes);

  pages.form('/p/:token/delete', { pattern: deletePath, onRefusal }, async ({ ctx, page, client }) => {
    await pushes.expire(capturedToken(ctx), { account: null, client });
    return messagePage(page, page.messages.deleted);
  });

  pages.form('/p/:token/ask', { pattern: askPath, onRefusal }, async ({ ctx, page, client }) => {
    await pushes.askAgain(capturedToken(ctx), client);
    return messagePage(page, page.messages.newLinkRequested);
  });
}

/** The page of a link that opens nothing, with a way to ask for a new one where there is one. */
const createGonePage =
  (pushes: Domain['pushes']) =>
  async ({ ctx, page, client }: PageRequest): Promise<PageResult | undefined> => {
    if (ctx.status !== 404) return undefined;
    const token = capturedToken(ctx);
    const mayAsk = await pushes.canAskAgain(token, client);
    return mistypedLink(page, ctx) ?? gonePage(page, { askPath: mayAsk ? `/p/${token}/ask` : undefined });
  };

/** Loads the page of the push again when it may be opened. */
function showLocked({ ctx, page }: PageRequest, retryAfterSeconds: number): string {
  ctx.set('Refresh', String(retryAfterSeconds + 1));
  return lockedPage(page, retryAfterSeconds);
}

function showSecret(page: PageContext, { push, payload, sender }: Revealed): PageResult {
  if (payload === null) throw gone();
  return secretPage(page, { push, payload, sender });
}

function gone(): RequestError {
  return new RequestError(404, 'not-found');
}
