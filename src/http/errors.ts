import type { Middleware } from 'koa';
import { type DomainError, type ErrorCode, toRefusal } from '../domain/index.ts';
import { en } from '../locales/en.ts';
import { problemText, refusalText } from '../locales/wording.ts';
import { BodyError, type BodyErrorCode } from './body/body.ts';
import type { Log } from './log.ts';
import { toSnakeCase } from './snakeCase.ts';

/** An error of HTTP itself, such as a malformed request. Its message is safe to show. */
export class RequestError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** A form from another site, or with an outdated token. Pages word both in the reader's language. */
export class FormError extends RequestError {
  readonly reason: 'otherSite' | 'stale';

  constructor(reason: 'otherSite' | 'stale') {
    super(
      403,
      reason === 'otherSite' ? 'This form was sent from another site.' : 'This form is out of date.',
    );
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

/** What the client learns of an error; undefined for a failure of ours, of which it learns nothing. */
export function presentError(error: unknown): ErrorResponse | undefined {
  if (error instanceof RequestError) return { status: error.status, body: { error: error.message } };
  if (error instanceof BodyError) return { status: statusOfBody[error.code], body: { error: error.message } };
  const refusal = toRefusal(error);
  return (
    refusal && {
      status: statusOf[refusal.code],
      body: bodyOf(refusal),
      retryAfterSeconds: refusal.retryAfterSeconds,
    }
  );
}

function bodyOf(refusal: DomainError): ErrorResponse['body'] {
  const { code, problems } = refusal;
  if (code === 'not_found') return { error: 'not-found' };
  if (code === 'unauthenticated' && problems.passphrase !== undefined) {
    return {
      error: refusalText(en, refusal),
      message: 'Pass the passphrase in the query parameter “passphrase”.',
      status: 'unauthorized',
    };
  }
  const fields = Object.entries(problems).map(([name, found]): [string, string[]] => [
    toSnakeCase(name),
    found.map((problem) => problemText(en, problem)),
  ]);
  const errors = fields.flatMap(([name, texts]) => texts.map((text) => `${name} ${text}`));
  const [error] = errors;
  if (error === undefined) return { error: refusalText(en, refusal) };
  return { error, errors, fields: Object.fromEntries(fields) };
}

/** Outermost middleware: responds to every error, as JSON unless a page rendered it, and logs failures once. */
export function errorHandling(log: Log): Middleware {
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      const response = presentError(error);
      if (response === undefined || response.status >= 500) log.failure(error, ctx);
      const { status, body, retryAfterSeconds } = response ?? {
        status: 500,
        body: { error: 'Something went wrong on our side.' },
      };
      ctx.status = status;
      ctx.body = ctx.state.failurePage ?? body;
      if (retryAfterSeconds !== undefined) ctx.set('Retry-After', String(retryAfterSeconds));
    }
  };
}
