import {
  type ClientInfo,
  DomainError,
  type FileSettings,
  type OpenRequestLink,
  randomBytes,
} from '../../domain/index.ts';
import { RequestError } from '../../http/errors.ts';
import { capturedToken } from '../../http/params.ts';
import { buildUploadOptions } from '../../http/uploads.ts';
import { refusalText } from '../../locales/wording.ts';
import { confirmedBy, confirmWord, wrongPassphraseText } from '../confirmation.ts';
import type { WebDependencies } from '../dependencies.ts';
import { type Fields, isOutdated, isUserError, textsOf } from '../forms.ts';
import type { PageRequest, PageResult } from '../pageRequest.ts';
import { type AnswerPage, answerPage, closedRequestPage, receiptPage } from '../pages/answer.tsx';
import { problemsIn } from '../pages/errorPage.tsx';
import { messagePage } from '../pages/messagePage.tsx';
import { receiptTokenPage } from '../tokenPage.ts';

const pattern = /^\/a\/([^/.]+)$/;
/** 128 random bits in base64url. */
const formIdShape = /^[\w-]{22}$/;

const isWrongPassphrase = (error: unknown): error is DomainError =>
  error instanceof DomainError && error.problems.passphrase !== undefined;

const isSentBefore = (error: unknown): error is DomainError =>
  error instanceof DomainError && error.messageCode === 'answerSentBefore';

/** The page of a request link: whoever has it answers, without an account. Opening it does nothing; the form on it sends. */
export function answerRoutes({ domain: { requestLinks, files }, pages, cookies }: WebDependencies): void {
  const uploadOptions = buildUploadOptions(files, ['push']);

  pages.anonymous('/a/:token', { pattern, onRefusal: showClosed }, (request) => show(request));

  pages.uploadForm('/a/:token', { pattern, onRefusal: showProblems }, async (request) => {
    const { ctx, client, read } = request;
    await using answer = await requestLinks.beginAnswer(capturedToken(ctx), client);
    let refusal: DomainError | undefined;
    const options = uploadOptions(answer.account, async (file, valuesBefore) => {
      if (refusal !== undefined) return;
      const form = answerOf(textsOf(await valuesBefore()));
      try {
        await answer.addFile(file, form);
      } catch (error) {
        if (!isWrongPassphrase(error)) throw error;
        refusal = error; // once everything was read, so that no field is lost
      }
    });
    const { fields } = await read(options);
    if (refusal !== undefined) throw refusal;
    if (confirmedBy({ ...fields, nonce: formIdIn(fields) ?? '' }) === undefined) {
      ctx.status = 422;
      return show({ ...request, fields }, { problem: request.page.messages.answer.unconfirmedForm });
    }
    const { receipt } = await answer.send(answerOf(fields));
    return { to: receiptTokenPage.save(ctx, cookies, receipt) };
  });

  pages.anonymous('/receipt/:label', { pattern: receiptTokenPage.path }, ({ ctx, page }) => {
    const receipt = receiptTokenPage.maybeToken(ctx, cookies);
    if (receipt === undefined) throw new RequestError(404, 'not-found');
    return receiptPage(page, receipt);
  });

  async function show(
    { ctx, page, client, fields }: PageRequest,
    wrong: Pick<AnswerPage, 'problem' | 'problems'> = {},
  ): Promise<string> {
    const token = capturedToken(ctx);
    const request = await requestLinks.preview(token, client);
    const formId = formIdIn(fields) ?? randomBytes(16).toString('base64url');
    return answerPage(page, {
      ...{ request, formId, word: confirmWord(page.messages, formId), files: filesOf(request) },
      ...{ token, action: `/a/${token}`, entered: fields, ...wrong },
    });
  }

  /** The limits of the files of an answer. */
  function filesOf({ accepts, bytesMax, account }: OpenRequestLink): FileSettings | null {
    if (accepts === 'text' || !files.canAttach(account)) return null;
    const totalBytesMax = Math.min(bytesMax ?? files.settings.totalBytesMax, files.settings.totalBytesMax);
    const fileBytesMax = Math.min(files.settings.fileBytesMax, totalBytesMax);
    return { ...files.settings, totalBytesMax, fileBytesMax };
  }

  /** The form again, with what is wrong with it; of a link that has ended, nothing but that. */
  async function showProblems(request: PageRequest, error: unknown): Promise<PageResult | undefined> {
    const { ctx, client, page } = request;
    if (isSentBefore(error))
      return messagePage(page, {
        title: page.messages.answer.sentBefore,
        text: refusalText(page.messages, error),
      });
    if (ctx.status !== 404 && !(await isOpen(capturedToken(ctx), client))) ctx.status = 404;
    if (ctx.status === 404) return closedRequestPage(page);
    const { answer } = page.messages;
    if (isOutdated(error)) return show(request, { problem: answer.tokenOutdated });
    if (isWrongPassphrase(error)) {
      const problem = wrongPassphraseText(page.messages, error);
      return show(request, { problem, problems: { passphrase: problem } });
    }
    if (!isUserError(error)) return undefined;
    return show(request, { problem: answer.wrong, problems: problemsIn(page, error) });
  }

  async function isOpen(token: string, client: ClientInfo): Promise<boolean> {
    const found = await requestLinks.preview(token, client).catch((error) => {
      if (error instanceof DomainError && error.code === 'not_found') return undefined;
      throw error;
    });
    return found !== undefined;
  }
}

function showClosed({ ctx, page }: PageRequest): PageResult | undefined {
  return ctx.status === 404 ? closedRequestPage(page) : undefined;
}

const formIdIn = ({ formId = '' }: Fields): string | undefined =>
  formIdShape.test(formId) ? formId : undefined;

/** The form as input for the domain. Without an id of ours, it is like no other. */
function answerOf(fields: Fields) {
  const { payload, name, passphrase, sealedKey } = fields;
  const formId = formIdIn(fields) ?? randomBytes(16).toString('base64url');
  return {
    formId,
    text: payload?.replaceAll('\r\n', '\n'),
    name,
    passphrase,
    sealedKey: sealedKey || undefined,
  };
}
