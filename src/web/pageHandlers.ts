import { randomBytes } from 'node:crypto';
import type { Context, Middleware } from 'koa';
import type { Links } from '../api/presenters.ts';
import { DomainError, type Person, type Visit } from '../domain/index.ts';
import type { Who } from '../http/auth.ts';
import { readBody } from '../http/body/body.ts';
import type { Csrf } from '../http/csrf.ts';
import { answerTo, type ErrorAnswer, FormError, RequestError } from '../http/errors.ts';
import { one } from '../http/params.ts';
import type { UploadOptions } from '../http/uploads.ts';
import { isLocale, locales, wordsOf } from './locales/locales.ts';
import { remarkPage } from './pages/messagePage.tsx';
import type { Frame } from './pages/pageContext.ts';

/** The fields of a form, as far as they are texts. */
export type Fields = Record<string, string>;

/** What the function of a page is given; `fields` is empty for a page that is only looked at. */
export type Asked = { ctx: Context; frame: Frame; visit: Visit; person: Person | null; fields: Fields };
type AskedByPerson = Asked & { person: Person };

/** A form that may bring files: it is read when its function says so, and into what that says. */
type AskedToTake = Asked & { read(options: UploadOptions): Promise<Sent> };
/** What such a form said. */
export type Sent = { fields: Fields; hasFiles: boolean };

/** A page, or where to look for what became of a form. */
type Result = string | SeeOther;
type SeeOther = { to: string };

type Answer<Input extends Asked> = (asked: Input) => Promise<Result> | Result;
/** Words a refusal in a page's own way; undefined leaves it to the usual one. The status is that of the refusal. */
type Refused<Input extends Asked> = (
  asked: Input,
  error: unknown,
) => Promise<Result | undefined> | Result | undefined;

export type PageHandlers = ReturnType<typeof createPageHandlers>;

type Check = (ctx: Context, fields: Fields) => void;
/** What becomes of a form before its function is called. */
type Intake = (asked: Asked) => Promise<void>;

/**
 * Makes handlers of routes whose answers are pages: a page is what a function gives. A refusal becomes a page too, by
 * `refused` where it is given. A form is refused unless a page of ours sent it, with this browser's token.
 */
export function createPageHandlers({ links, csrf, who }: { links: Links; csrf: Csrf; who: Who }) {
  const token: Check = (ctx, fields) => csrf.requireToken(ctx, fields.csrf);

  const texts =
    (check: Check): Intake =>
    async (asked) => {
      asked.fields = textsOf((await readBody(asked.ctx.req)).values);
      check(asked.ctx, asked.fields);
    };
  const form = texts(token);
  const provenForm = texts(() => {});
  const later: Intake = async () => {};

  /**
   * Reads a form with its files; one that comes before the token is refused with the whole form. A file that breaks a rule
   * is refused when everything was read, so that nothing is lost of what was entered behind it.
   */
  async function readWithFiles(asked: Asked, options: UploadOptions): Promise<Sent> {
    const { ctx } = asked;
    let refusal: DomainError | undefined;
    const body = await readBody(ctx.req, {
      ...options,
      filesLimitBytes: Number.POSITIVE_INFINITY,
      async onFile(file) {
        if (refusal !== undefined) return;
        token(ctx, textsOf(await file.valuesBefore()));
        try {
          await options.onFile(file);
        } catch (error) {
          if (!isAboutFiles(error)) throw error;
          refusal = error;
        }
      },
    });
    asked.fields = textsOf(body.values);
    token(ctx, asked.fields);
    if (refusal !== undefined) throw refusal;
    return { fields: asked.fields, hasFiles: body.files.length > 0 };
  }

  const stranger = async (ctx: Context) => ({ ...(await who.visitor(ctx)), person: null });
  const anybody = (ctx: Context) => who.maybePerson(ctx);

  async function member(ctx: Context) {
    const { person, visit } = await who.maybePerson(ctx);
    if (person === null) throw new SignInFirst();
    return { person, visit };
  }

  async function admin(ctx: Context) {
    const found = await member(ctx);
    if (!found.person.isAdmin) throw new RequestError(404, 'not-found');
    return found;
  }

  function handler<By extends { person: Person | null; visit: Visit }>(
    by: (ctx: Context) => Promise<By>,
    answer: Answer<Asked & By>,
    refused?: Refused<Asked & By>,
    intake?: Intake,
  ): Middleware {
    return async (ctx) => {
      let frame = frameOf(ctx, null);
      let asked: (Asked & By) | undefined;
      try {
        const found = await by(ctx);
        frame = frameOf(ctx, found.person);
        const common = { ctx, frame, fields: {} };
        asked = { ...common, ...found };
        if (intake !== undefined) {
          csrf.requireSameOrigin(ctx);
          await intake(asked);
        }
        send(ctx, await answer(asked));
      } catch (error) {
        if (error instanceof SignInFirst) return send(ctx, { to: signInPath(ctx) });
        const refusal = answerTo(error);
        if (refusal === undefined || refusal.status >= 500) {
          ctx.state.failurePage = failurePage(frame, refusal);
          throw error;
        }
        ctx.status = refusal.status;
        if (refusal.retryAfterSeconds !== undefined)
          ctx.set('Retry-After', String(refusal.retryAfterSeconds));
        send(ctx, (asked && (await refused?.(asked, error))) ?? refusalPage(frame, refusal, error));
      }
    };
  }

  function frameOf(ctx: Context, person: Person | null): Frame {
    const asked = one(ctx.query.locale);
    const chosen = person?.locale ?? undefined;
    const accepted = ctx.acceptsLanguages(locales) || undefined;
    const locale = [asked, chosen, accepted].find(isLocale) ?? 'en';
    const nonce = randomBytes(16).toString('base64');
    const policy = policyWith(nonce);
    ctx.set('Content-Security-Policy', policy);
    ctx.type = 'html';
    return {
      locale,
      words: wordsOf(locale),
      nonce,
      baseUrl: links.baseUrl,
      path: links.path,
      queryIn: ctx.method === 'POST' ? undefined : (other) => `?${queryWith(ctx, other)}`,
      person,
      csrf: () => csrf.token(ctx),
      letSend: () => ctx.set('Content-Security-Policy', `${policy}; connect-src 'self'`),
    };
  }

  /** Whoever is sent to sign in comes back to what was asked for, if that can be looked at. */
  function signInPath(ctx: Context): string {
    if (ctx.method === 'POST') return '/sign-in';
    return `/sign-in?next=${encodeURIComponent(`${ctx.path}${ctx.search}`)}`;
  }

  function send(ctx: Context, result: Result): void {
    if (typeof result === 'string') {
      ctx.body = result;
      return;
    }
    ctx.status = 303;
    ctx.set('Location', links.path(result.to));
    ctx.body = '';
  }

  return {
    /** Pages for whoever was sent a link: nobody is recognised. */
    page: (show: Answer<Asked>, refused?: Refused<Asked>) => handler(stranger, show, refused),
    /** As `page`, for a form that proves by other means than the token that a page of ours gave it out. */
    provenForm: (act: Answer<Asked>, refused?: Refused<Asked>) => handler(stranger, act, refused, provenForm),
    /** Pages that anybody may see, and that know who is signed in. */
    open: (show: Answer<Asked>, refused?: Refused<Asked>) => handler(anybody, show, refused),
    openForm: (act: Answer<Asked>, refused?: Refused<Asked>) => handler(anybody, act, refused, form),
    /** As `openForm`, for a form that may bring files; `act` must read it. */
    openUpload: (act: Answer<AskedToTake>, refused?: Refused<Asked>) =>
      handler(
        anybody,
        (asked) => act({ ...asked, read: (options) => readWithFiles(asked, options) }),
        refused,
        later,
      ),
    /** Pages of whoever is signed in; all others are sent to sign in first. */
    own: (show: Answer<AskedByPerson>, refused?: Refused<AskedByPerson>) => handler(member, show, refused),
    ownForm: (act: Answer<AskedByPerson>, refused?: Refused<AskedByPerson>) =>
      handler(member, act, refused, form),
    /** Pages of accounts with the admin role; for all others there are none. */
    admin: (show: Answer<AskedByPerson>, refused?: Refused<AskedByPerson>) => handler(admin, show, refused),
    adminForm: (act: Answer<AskedByPerson>, refused?: Refused<AskedByPerson>) =>
      handler(admin, act, refused, form),
  };
}

class SignInFirst extends Error {}

/** What is wrong with each field of a form, from a refusal of the domain; empty for any other. */
export function problemsIn(error: unknown): Record<string, string> {
  if (!(error instanceof DomainError)) return {};
  if (error.code === 'too_large') return { files: error.message };
  return Object.fromEntries(Object.entries(error.fields).map(([name, [problem = '']]) => [name, problem]));
}

/** Whether other files would be taken. */
function isAboutFiles(error: unknown): error is DomainError {
  return error instanceof DomainError && (error.code === 'invalid' || error.code === 'too_large');
}

function failurePage(frame: Frame, refusal: ErrorAnswer | undefined): string {
  const { title, failure, unavailable } = frame.words.refusal;
  return remarkPage(frame, { title, text: refusal === undefined ? failure : unavailable });
}

function refusalPage(
  frame: Frame,
  { status, body, retryAfterSeconds = 1 }: ErrorAnswer,
  error: unknown,
): string {
  const { title, tooMany, notFound, ...words } = frame.words.refusal;
  if (error instanceof FormError) return remarkPage(frame, { title, text: words[error.reason] });
  if (status === 429) return remarkPage(frame, { title, text: tooMany(retryAfterSeconds) });
  return remarkPage(frame, { title, text: status === 404 ? notFound : frame.words.problem(body.error) });
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
