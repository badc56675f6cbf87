import type { Context, Middleware } from 'koa';
import { type DomainError, type ErrorCode, toRefusal } from '../domain/index.ts';
import { en } from '../locales/en.ts';
import { type Locale, type Messages, messagesOf } from '../locales/locales.ts';
import { problemText, refusalText } from '../locales/wording.ts';
import { BodyError, type BodyErrorCode } from './body/body.ts';
import { localeOfPath } from './locale.ts';
import type { Log } from './log.ts';
import { toSnakeCase } from './snakeCase.ts';

/** Names a text that says what to do about an error. */
type Cure = keyof Messages['cures'];

/** An error of HTTP itself, such as a malformed request. Its message is safe to show. */
export class RequestError extends Error {
  readonly status: number;
  readonly cure: Cure | undefined;

  constructor(status: number, message: string, cure?: Cure) {
    super(message);
    this.status = status;
    this.cure = cure;
  }
}

const formErrors = {
  otherSite: 'This form was sent from another site.',
  stale: 'This form is out of date.',
  ended: 'The session of this form has ended.',
};

type FormErrorReason = keyof typeof formErrors;

/** A form from another site, with an outdated token, or of an ended session. Pages word it in the reader's language. */
export class FormError extends RequestError {
  readonly reason: FormErrorReason;

  constructor(reason: FormErrorReason) {
    super(403, formErrors[reason]);
    this.reason = reason;
  }
}

/** The only place where a refusal of the domain becomes a status. */
const statusOf: Record<ErrorCode, number> = {
  invalid: 422,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  too_many: 429,
  too_large: 413,
  unavailable: 503,
};

const statusOfBody: Record<BodyErrorCode, number> = {
  malformed: 400,
  too_large: 413,
  unsupported_media_type: 415,
  timeout: 408,
  aborted: 400,
};

/** The response to an error, before it becomes JSON or a page. */
export type ErrorResponse = {
  status: number;
  body: {
    error: string;
    /** Every problem as a sentence, and by field. */
    errors?: string[];
    fields?: Record<string, string[]>;
    message?: string;
    status?: string;
  };
  retryAfterSeconds?: number | undefined;
};

/**
 * The response to an error; undefined for a failure, which tells the client nothing. Programs match the errors, so these
 * are English in every locale. The advice is for people, in their language.
 */
export function presentError(error: unknown, locale: Locale = 'en'): ErrorResponse | undefined {
  if (error instanceof RequestError || error instanceof BodyError) {
    const status = error instanceof BodyError ? statusOfBody[error.code] : error.status;
    return { status, body: { error: error.message, ...messageOf(error.cure, locale) } };
  }
  const refusal = toRefusal(error);
  return (
    refusal && {
      status: statusOf[refusal.code],
      body: { ...bodyOf(refusal), ...messageOf(cureOf(refusal), locale) },
      retryAfterSeconds: refusal.retryAfterSeconds,
    }
  );
}

function messageOf(cure: Cure | undefined, locale: Locale): { message?: string } {
  return cure === undefined ? {} : { message: messagesOf(locale).cures[cure] };
}

function cureOf({ messageCode, problems }: DomainError): Cure | undefined {
  const [passphrase] = problems.passphrase ?? [];
  if (messageCode === 'wrongPassphrase' && passphrase?.code === 'required') return 'passphraseRequired';
  return messageCode !== undefined && isCure(messageCode) ? messageCode : undefined;
}

const isCure = (code: string): code is Cure => Object.hasOwn(en.cures, code);

function bodyOf(refusal: DomainError): ErrorResponse['body'] {
  const { code, messageCode, problems } = refusal;
  if (code === 'not_found') return { error: 'not-found' };
  if (messageCode === 'wrongPassphrase') return { error: refusalText(en, refusal), status: 'unauthorized' };
  const fields = Object.entries(problems).map(([name, found]): [string, string[]] => [
    toSnakeCase(name),
    found.map((problem) => problemText(en, problem)),
  ]);
  const errors = fields.flatMap(([name, texts]) => texts.map((text) => `${name} ${text}`));
  const [error] = errors;
  if (error === undefined) return { error: refusalText(en, refusal) };
  return { error, errors, fields: Object.fromEntries(fields) };
}

/** Sets the status of the response to an error, and when to try again. */
export function setErrorStatus(
  ctx: Context,
  { status, retryAfterSeconds }: Omit<ErrorResponse, 'body'>,
): void {
  ctx.status = status;
  if (retryAfterSeconds !== undefined) ctx.set('Retry-After', String(retryAfterSeconds));
}

/** Outermost middleware: responds to every error, as JSON unless a page rendered it, and logs failures once. */
export function errorHandling(log: Log): Middleware {
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      const response = presentError(error, localeOfPath(ctx));
      if (response === undefined || response.status >= 500) log.failure(error, ctx);
      const { body, ...head } = response ?? {
        status: 500,
        body: { error: 'Something went wrong on our side.' },
      };
      setErrorStatus(ctx, head);
      ctx.body = ctx.state.failurePage ?? body;
    }
  };
}
