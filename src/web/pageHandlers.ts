import { randomBytes } from 'node:crypto';
import type { Context, Middleware } from 'koa';
import { type ClientInfo, DomainError, type SignedIn } from '../domain/index.ts';
import type { Auth } from '../http/auth.ts';
import { readBody } from '../http/body/body.ts';
import type { Csrf } from '../http/csrf.ts';
import { type ErrorResponse, FormError, presentError, RequestError } from '../http/errors.ts';
import type { Links } from '../http/links.ts';
import { one } from '../http/params.ts';
import type { UploadOptions } from '../http/uploads.ts';
import { isLocale, locales, messagesOf } from '../locales/locales.ts';
import { asSentence, problemSentence, refusalText } from '../locales/wording.ts';
import type { PageContext } from './pageContext.ts';
import { messagePage } from './pages/messagePage.tsx';

/** The fields of a form, as far as they are texts. */
export type Fields = Record<string, string>;

/** What the function of a page is given; `fields` is empty for a page that is only looked at. */
export type PageRequest = {
  ctx: Context;
  page: PageContext;
  client: ClientInfo;
  signedIn: SignedIn | null;
  fields: Fields;
};
type SignedInPageRequest = PageRequest & { signedIn: SignedIn };

/** A form that may bring files: it is read when its function says so, and into what that says. */
type UploadPageRequest = PageRequest & { read(options: UploadOptions): Promise<SubmittedForm> };
/** What such a form said. */
export type SubmittedForm = { fields: Fields; hasFiles: boolean };

/** A page, or where to look for what became of a form. */
type Result = string | SeeOther;
type SeeOther = { to: string };

type PageHandler<Input extends PageRequest> = (request: Input) => Promise<Result> | Result;
/** Words a refusal in a page's own way; undefined leaves it to the usual one. The status is that of the refusal. */
type RefusalHandler<Input extends PageRequest> = (
  request: Input,
  error: unknown,
) => Promise<Result | undefined> | Result | undefined;

export type PageHandlers = ReturnType<typeof createPageHandlers>;

type Check = (ctx: Context, fields: Fields) => void;
/** What becomes of a form before its function is called. */
type ReadPageForm = (request: PageRequest) => Promise<void>;

/**
 * Makes handlers of routes whose answers are pages: a page is what a function gives. A refusal becomes a page too, by
 * `refused` where it is given. A form is refused unless a page of ours sent it, with this browser's token.
 */
export function createPageHandlers({ links, csrf, auth }: { links: Links; csrf: Csrf; auth: Auth }) {
  const token: Check = (ctx, fields) => csrf.requireToken(ctx, fields.csrf);

  const texts =
    (check: Check): ReadPageForm =>
    async (request) => {
      request.fields = textsOf((await readBody(request.ctx.req)).values);
      check(request.ctx, request.fields);
    };
  const form = texts(token);
  const provenForm = texts(() => {});
  const later: ReadPageForm = async () => {};

  /**
   * Reads a form with its files; one that comes before the token is refused with the whole form. A file that breaks a rule
   * is refused when everything was read, so that nothing is lost of what was entered behind it.
   */
  async function readWithFiles(request: PageRequest, options: UploadOptions): Promise<SubmittedForm> {
    const { ctx } = request;
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
    request.fields = textsOf(body.values);
    token(ctx, request.fields);
    if (refusal !== undefined) throw refusal;
    return { fields: request.fields, hasFiles: body.files.length > 0 };
  }

  const anonymous = async (ctx: Context) => ({ ...(await auth.anonymous(ctx)), signedIn: null });
  const anyone = (ctx: Context) => auth.maybeSignedIn(ctx);

  async function requireSignedIn(ctx: Context) {
    const { signedIn, client } = await auth.maybeSignedIn(ctx);
    if (signedIn === null) throw new SignInRequired();
    return { signedIn, client };
  }

  async function requireAdmin(ctx: Context) {
    const found = await requireSignedIn(ctx);
    if (!found.signedIn.isAdmin) throw new RequestError(404, 'not-found');
    return found;
  }

  function handler<By extends { signedIn: SignedIn | null; client: ClientInfo }>(
    by: (ctx: Context) => Promise<By>,
    answer: PageHandler<PageRequest & By>,
    refused?: RefusalHandler<PageRequest & By>,
    intake?: ReadPageForm,
  ): Middleware {
    return async (ctx) => {
      let page = createPageContext(ctx, null);
      let request: (PageRequest & By) | undefined;
      try {
        const found = await by(ctx);
        page = createPageContext(ctx, found.signedIn);
        const common = { ctx, page, fields: {} };
        request = { ...common, ...found };
        if (intake !== undefined) {
          csrf.requireSameOrigin(ctx);
          await intake(request);
        }
        send(ctx, await answer(request));
      } catch (error) {
        if (error instanceof SignInRequired) return send(ctx, { to: signInPath(ctx) });
        const refusal = presentError(error);
        if (refusal === undefined || refusal.status >= 500) {
          ctx.state.failurePage = failurePage(page, refusal);
          throw error;
        }
        ctx.status = refusal.status;
        if (refusal.retryAfterSeconds !== undefined)
          ctx.set('Retry-After', String(refusal.retryAfterSeconds));
        send(ctx, (request && (await refused?.(request, error))) ?? refusalPage(page, refusal, error));
      }
    };
  }

  function createPageContext(ctx: Context, signedIn: SignedIn | null): PageContext {
    const requested = one(ctx.query.locale);
    const chosen = signedIn?.locale ?? undefined;
    const accepted = ctx.acceptsLanguages(locales) || undefined;
    const locale = [requested, chosen, accepted].find(isLocale) ?? 'en';
    const nonce = randomBytes(16).toString('base64');
    const policy = policyWith(nonce);
    ctx.set('Content-Security-Policy', policy);
    ctx.type = 'html';
    return {
      locale,
      messages: messagesOf(locale),
      nonce,
      baseUrl: links.baseUrl,
      path: links.path,
      localeQuery: ctx.method === 'POST' ? undefined : (other) => `?${queryWith(ctx, other)}`,
      signedIn,
      csrf: () => csrf.token(ctx),
      allowConnect: () => ctx.set('Content-Security-Policy', `${policy}; connect-src 'self'`),
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
    page: (show: PageHandler<PageRequest>, refused?: RefusalHandler<PageRequest>) =>
      handler(anonymous, show, refused),
    /** As `page`, for a form that proves by other means than the token that a page of ours gave it out. */
    provenForm: (act: PageHandler<PageRequest>, refused?: RefusalHandler<PageRequest>) =>
      handler(anonymous, act, refused, provenForm),
    /** Pages that anybody may see, and that know who is signed in. */
    open: (show: PageHandler<PageRequest>, refused?: RefusalHandler<PageRequest>) =>
      handler(anyone, show, refused),
    openForm: (act: PageHandler<PageRequest>, refused?: RefusalHandler<PageRequest>) =>
      handler(anyone, act, refused, form),
    /** As `openForm`, for a form that may bring files; `act` must read it. */
    openUpload: (act: PageHandler<UploadPageRequest>, refused?: RefusalHandler<PageRequest>) =>
      handler(
        anyone,
        (asked) => act({ ...asked, read: (options) => readWithFiles(asked, options) }),
        refused,
        later,
      ),
    /** Pages of whoever is signed in; all others are sent to sign in first. */
    own: (show: PageHandler<SignedInPageRequest>, refused?: RefusalHandler<SignedInPageRequest>) =>
      handler(requireSignedIn, show, refused),
    ownForm: (act: PageHandler<SignedInPageRequest>, refused?: RefusalHandler<SignedInPageRequest>) =>
      handler(requireSignedIn, act, refused, form),
    /** Pages of accounts with the admin role; for all others there are none. */
    admin: (show: PageHandler<SignedInPageRequest>, refused?: RefusalHandler<SignedInPageRequest>) =>
      handler(requireAdmin, show, refused),
    adminForm: (act: PageHandler<SignedInPageRequest>, refused?: RefusalHandler<SignedInPageRequest>) =>
      handler(requireAdmin, act, refused, form),
  };
}

class SignInRequired extends Error {}

/** What is wrong with each field of a form, from a refusal of the domain; empty for any other. */
export function problemsIn({ messages }: PageContext, error: unknown): Record<string, string> {
  if (!(error instanceof DomainError)) return {};
  if (error.code === 'too_large') return { files: refusalText(messages, error) };
  return Object.fromEntries(
    Object.entries(error.problems).map(([name, [first]]) => [
      name,
      first === undefined ? '' : problemSentence(messages, first),
    ]),
  );
}

/** Whether other files would be taken. */
function isAboutFiles(error: unknown): error is DomainError {
  return error instanceof DomainError && (error.code === 'invalid' || error.code === 'too_large');
}

function failurePage(page: PageContext, refusal: ErrorResponse | undefined): string {
  const { title, failure, unavailable } = page.messages.errorPage;
  return messagePage(page, { title, text: refusal === undefined ? failure : unavailable });
}

function refusalPage(
  page: PageContext,
  { status, body, retryAfterSeconds = 1 }: ErrorResponse,
  error: unknown,
): string {
  const { title, tooMany, notFound, ...words } = page.messages.errorPage;
  if (error instanceof FormError) return messagePage(page, { title, text: words[error.reason] });
  if (status === 429) return messagePage(page, { title, text: tooMany(retryAfterSeconds) });
  if (status === 404) return messagePage(page, { title, text: notFound });
  const text = error instanceof DomainError ? refusalText(page.messages, error) : body.error;
  return messagePage(page, { title, text: asSentence(text) });
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
