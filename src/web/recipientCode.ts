import type { Context } from 'koa';
import { DomainError, isExpired, type Push } from '../domain/index.ts';
import { capturedToken, one } from '../http/params.ts';
import { confirmWord, formRefusal } from './confirmation.ts';
import type { WebDependencies } from './dependencies.ts';
import type { PageRequest, PageResult } from './pageRequest.ts';
import { askForCodePage, codePage } from './pages/recipientCode.tsx';
import { urlTokenLabel } from './urlTokenLabel.ts';

/** A code can be entered for ten minutes, and then opens the push for ten. */
const cookieSeconds = 1_200;

const ofCodes: unknown[] = ['mailedCodeWrong', 'mailedCodeOver', 'needsMailedCode'];

/**
 * The step before the retrieval step, for links that need a code. Loading a page sends none: a form asks for it, and must be
 * confirmed as one that opens a push, since scanners send the forms that they find. The browser that asked has a secret of its own
 * for each link; its cookie is Lax, since people follow the link in their mail once more after they have read the code.
 */
export function createRecipientCodeStep({
  domain: { pushes },
  revealNonces,
  cookies,
}: Pick<WebDependencies, 'domain' | 'revealNonces' | 'cookies'>) {
  const cookieName = (urlToken: string) => `code-${urlTokenLabel(urlToken)}`;

  /** What this browser got when it asked for a code. */
  const secretOf = (ctx: Context, urlToken: string) => cookies.get(ctx, cookieName(urlToken));

  /** What this browser is to do before it may open a push; undefined if nothing more. */
  async function maybePage(request: PageRequest, push: Push): Promise<PageResult | undefined> {
    if (!push.needsCode) return undefined;
    const { ctx, page, client } = request;
    const step = await pushes.codeStep(push.urlToken, secretOf(ctx, push.urlToken));
    if (step === 'done') return undefined;
    if (ctx.method === 'GET') await pushes.recordPreview(push, client);
    return step === 'enter' && one(ctx.query.code) !== 'new' ? codePage(page) : showAsk(request, push);
  }

  function showAsk({ ctx, page, fields }: PageRequest, push: Push, problem?: string): PageResult {
    const nonce = revealNonces.issue(ctx, push, { isSpent: false });
    const word = confirmWord(page.messages, nonce);
    return askForCodePage(page, { nonce, word, problem, prefersWord: fields.word !== undefined });
  }

  /** Sends a code, or takes the one that was sent. Throws like `sendCode` and `enterCode`. */
  async function readForm(request: PageRequest): Promise<PageResult> {
    const { ctx, page, client, fields } = request;
    const urlToken = capturedToken(ctx);
    const push = await pushes.preview(urlToken, { account: null, client });
    const samePage = { to: `/p/${urlToken}` };
    if (isExpired(push) || !push.needsCode) return samePage;
    const browserSecret = secretOf(ctx, urlToken);
    if (fields.step === 'enter') {
      await pushes.enterCode(urlToken, fields.code ?? '', browserSecret);
      return samePage;
    }
    const nonce = revealNonces.maybeIssued(ctx, urlToken, fields.nonce);
    const refusal = formRefusal(page.messages, fields, nonce, { now: push.now, hasPassphrase: false });
    if (refusal !== undefined) {
      ctx.status = refusal.status;
      return showAsk(request, push, refusal.problem);
    }
    const secret = await pushes.sendCode(urlToken, { browserSecret, locale: page.locale });
    cookies.set(ctx, cookieName(urlToken), secret, { sameSite: 'lax', maxAgeSeconds: cookieSeconds });
    return samePage;
  }

  /** What is wrong with a code, or with asking for one, and what to do about it. */
  async function maybeRefusal(request: PageRequest, error: unknown): Promise<PageResult | undefined> {
    if (!(error instanceof DomainError)) return undefined;
    const { ctx, page, client, fields } = request;
    const { wrong, triesLeft, over, tooOften } = page.messages.recipientCode;
    if (error.messageCode === 'mailedCodeWrong' && error.triesLeft)
      return codePage(page, `${wrong} ${triesLeft(error.triesLeft)}`);
    const isTooOften = fields.step === 'ask' && error.code === 'too_many';
    if (!isTooOften && !ofCodes.includes(error.messageCode)) return undefined;
    const push = await pushes.preview(capturedToken(ctx), { account: null, client });
    return showAsk(request, push, isTooOften ? tooOften : over);
  }

  return { secretOf, maybePage, readForm, maybeRefusal };
}
