import type { Context } from 'koa';
import { DomainError, toRefusal } from '../domain/index.ts';
import { readBody } from '../http/body/body.ts';
import { presentError, setErrorStatus } from '../http/errors.ts';
import { en } from '../locales/en.ts';
import { refusalText } from '../locales/wording.ts';

/** Parameters of a request; those that are empty count as left out (RFC 6749, section 3.2). */
export type OAuthParameters = Record<string, string | undefined>;

/** An error code of RFC 6749, section 5.2, or of what extends it, and what to do. */
export class OAuthError extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

const bodyBytesMax = 64 * 1_024;

/** Reads the parameters of a request, and answers with what `respond` returns, or with an error as OAuth has it. */
export async function answerOAuth(
  ctx: Context,
  respond: (parameters: OAuthParameters) => Promise<object>,
): Promise<void> {
  try {
    const { values } = await readBody(ctx.req, { limitBytes: bodyBytesMax, filesLimitBytes: 0 });
    const given = Object.entries(values).filter(([, value]) => typeof value === 'string' && value !== '');
    ctx.body = await respond(Object.fromEntries(given) as OAuthParameters);
  } catch (error) {
    const { status, text, retryAfterSeconds } = describe(error);
    setErrorStatus(ctx, {
      status: [401, 403, 404, 409, 422].includes(status) ? 400 : status,
      retryAfterSeconds,
    });
    ctx.body = { error: codeOf(error), error_description: asDescription(text) };
  }
}

/** Throws what OAuth has no words for: a failure, and a service that is not there. */
function describe(error: unknown): { status: number; text: string; retryAfterSeconds?: number | undefined } {
  if (error instanceof OAuthError) return { status: 400, text: error.message };
  const refusal = toRefusal(error);
  const response = presentError(error);
  if (response === undefined || (response.status >= 500 && refusal?.messageCode !== 'issuerUnreachable'))
    throw error;
  return { ...response, text: refusal === undefined ? response.body.error : refusalText(en, refusal) };
}

/** The value of a parameter. Throws `invalid_request` without one. */
export function requireParameter(parameters: OAuthParameters, name: string): string {
  const value = parameters[name];
  if (value === undefined) throw new OAuthError('invalid_request', `${name} is missing.`);
  return value;
}

function codeOf(error: unknown): string {
  if (error instanceof OAuthError) return error.code;
  if (!(error instanceof DomainError)) return 'invalid_request';
  if (error.code === 'invalid')
    return error.problems.scope === undefined ? 'invalid_request' : 'invalid_scope';
  return ['too_many', 'unavailable'].includes(error.code) ? 'temporarily_unavailable' : 'invalid_grant';
}

/** A description has some of ASCII alone (RFC 6749, section 5.2), and may quote the name of a claim. */
const asDescription = (text: string): string => text.replace(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/g, '?');
