import { randomBytes } from 'node:crypto';
import type { Context, Middleware } from 'koa';
import { DomainError } from '../domain/index.ts';
import { readBody } from './body/body.ts';
import type { Csrf } from './csrf.ts';
import { answerTo, type ErrorAnswer, FormError } from './errors.ts';
import type { Frame } from './pages/frame.ts';
import { remarkPage } from './pages/remarks.tsx';
import { isLocale, locales, wordsOf } from './pages/words/words.ts';
import { one } from './params.ts';
import type { Links } from './presenters.ts';

/** The fields of a form, as far as they are texts. */
export type Fields = Record<string, string>;

type Page = (ctx: Context, frame: Frame) => Promise<string> | string;
type FormPage = (ctx: Context, frame: Frame, fields: Fields) => Promise<string> | string;
/** Words a refusal in a page's own way; undefined leaves it to the usual one. */
type Refused = (ctx: Context, frame: Frame, error: unknown) => Promise<string | undefined>;

export type PageHandlers = ReturnType<typeof createPageHandlers>;

/** Makes handlers of routes whose answers are pages: a page is what a function gives, and so is what it refuses. */
export function createPageHandlers({ links, csrf }: { links: Links; csrf: Csrf }) {
  function frameOf(ctx: Context): Frame {
    const asked = one(ctx.query.locale);
    const accepted = ctx.acceptsLanguages(locales) || undefined;
    const locale = isLocale(asked) ? asked : isLocale(accepted) ? accepted : 'en';
    const nonce = randomBytes(16).toString('base64');
    ctx.set('Content-Security-Policy', policyWith(nonce));
    ctx.type = 'html';
    return {
      locale,
      words: wordsOf(locale),
      nonce,
      baseUrl: links.baseUrl,
      path: links.path,
      queryIn: ctx.method === 'POST' ? undefined : (other) => `?${queryWith(ctx, other)}`,
      csrf: () => csrf.token(ctx),
    };
  }

  /** A page to look at. Its function must change nothing. */
  function page(show: Page, refused?: Refused): Middleware {
    return async (ctx) => {
      const frame = frameOf(ctx);
      await guarded(ctx, frame, refused, async () => show(ctx, frame));
    };
  }

  /** What a form of ours is sent to: refuses those of other sites, and those without this browser's token. */
  function form(act: FormPage, refused?: Refused): Middleware {
    return guardedForm(act, refused, (ctx, fields) => csrf.requireToken(ctx, fields.csrf));
  }

  /** As `form`, for one that proves by other means that a page of ours gave it out. */
  function nonceForm(act: FormPage, refused?: Refused): Middleware {
    return guardedForm(act, refused, () => {});
  }

  function guardedForm(
    act: FormPage,
    refused: Refused | undefined,
    check: (ctx: Context, fields: Fields) => void,
  ): Middleware {
    return async (ctx) => {
      const frame = frameOf(ctx);
      await guarded(ctx, frame, refused, async () => {
        csrf.requireSameOrigin(ctx);
        const { values } = await readBody(ctx.req);
        const fields = textsOf(values);
        check(ctx, fields);
        return act(ctx, frame, fields);
      });
    };
  }

  return { page, form, nonceForm };
}

async function guarded(
  ctx: Context,
  frame: Frame,
  refused: Refused | undefined,
  make: () => Promise<string>,
): Promise<void> {
  try {
    ctx.body = await make();
  } catch (error) {
    const answer = answerTo(error);
    if (answer === undefined || answer.status >= 500) {
      ctx.state.failurePage = remarkPage(frame, {
        title: frame.words.refusal.title,
        text: answer === undefined ? frame.words.refusal.failure : frame.words.refusal.unavailable,
      });
      throw error;
    }
    ctx.status = answer.status;
    if (answer.retryAfterSeconds !== undefined) ctx.set('Retry-After', String(answer.retryAfterSeconds));
    ctx.body = (await refused?.(ctx, frame, error)) ?? refusalPage(frame, answer, error);
  }
}

function refusalPage(frame: Frame, { body, retryAfterSeconds = 1 }: ErrorAnswer, error: unknown): string {
  const { title, tooMany, ...words } = frame.words.refusal;
  const code = error instanceof DomainError ? error.code : undefined;
  if (code === 'too_many') return remarkPage(frame, { title, text: tooMany(retryAfterSeconds) });
  return remarkPage(frame, { title, text: error instanceof FormError ? words[error.reason] : body.error });
}

/** What a page may load and do: its own scripts and styles, images of ours, forms to us. */
function policyWith(nonce: string): string {
  return [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src 'nonce-${nonce}'`,
    "img-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

function queryWith(ctx: Context, locale: string): string {
  const query = new URLSearchParams(ctx.querystring);
  query.set('locale', locale);
  return String(query);
}

function textsOf(values: Record<string, unknown>): Fields {
  const texts = Object.entries(values).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  return Object.fromEntries(texts);
}
