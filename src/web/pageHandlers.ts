import { extname } from 'node:path';
import { Readable } from 'node:stream';
import type { Context, Middleware } from 'koa';
import type { ClientInfo, SignedIn } from '../domain/index.ts';
import { presentError, RequestError } from '../http/errors.ts';
import type { Http } from '../http/http.ts';
import { requestIdOf } from '../http/requestId.ts';
import { downloadPolicy } from '../http/securityHeaders.ts';
import { sendStream } from '../http/stream.ts';
import type { UploadOptions } from '../http/uploads.ts';
import { failurePage, refusalPage } from './errorPages.ts';
import { type Fields, readPageForm, readUploadForm, type SubmittedForm } from './forms.ts';
import { createPageContexts, type PageContext } from './pageContext.ts';
import { SignInRequired, signInPath } from './signInRequired.ts';

type Visitor = { signedIn: SignedIn | null; client: ClientInfo };
type SignedInVisitor = Visitor & { signedIn: SignedIn };

/** What the handler of a page gets. `fields` is empty unless a form was read. */
export type PageRequest = Visitor & { ctx: Context; page: PageContext; fields: Fields };
export type SignedInPageRequest = PageRequest & SignedInVisitor;

/** A form that may bring files: its handler reads it, since it decides where the files go. */
type UploadPageRequest = PageRequest & { read(options: UploadOptions): Promise<SubmittedForm> };

/** The markup of a page, or where to redirect after a form, or a file to download. */
type Result = string | { to: string } | { file: DownloadedFile };

/** The name says which type of file it is. */
type DownloadedFile = { name: string; content: AsyncIterable<string> };

type PageHandler<Request> = (request: Request) => Promise<Result> | Result;
/** Shows a refusal in a page's own way; undefined leaves it to the usual one. The status is that of the refusal. */
type RefusalHandler<Request> = (
  request: Request,
  error: unknown,
) => Promise<Result | undefined> | Result | undefined;

export type PageHandlers = ReturnType<typeof createPageHandlers>;

/**
 * Creates the middleware of pages from functions that return their markup. A refusal becomes a page too. A form is refused
 * unless it comes from a page of ours, with the token of this browser.
 */
export function createPageHandlers(http: Pick<Http, 'links' | 'csrf' | 'auth' | 'cookies'>) {
  const { links, csrf, auth } = http;
  const createContext = createPageContexts(http);

  const pagesFor =
    <By extends Visitor>(
      authenticate: (ctx: Context) => Promise<By>,
      readInput?: (request: PageRequest) => Promise<void>,
    ) =>
    (handle: PageHandler<PageRequest & By>, onRefusal?: RefusalHandler<PageRequest & By>): Middleware =>
    async (ctx) => {
      let request: (PageRequest & By) | undefined;
      try {
        const visitor = await authenticate(ctx);
        const page = createContext(ctx, visitor.signedIn);
        request = { ctx, page, fields: {}, ...visitor };
        if (readInput !== undefined) {
          csrf.requireSameOrigin(ctx);
          await readInput(request);
        }
        await respond(ctx, await handle(request));
      } catch (error) {
        const page = request?.page ?? createContext(ctx, null);
        await refuse(ctx, page, error, () => request && onRefusal?.(request, error));
      }
    };

  /** Responds to an error with a page: `ownPage` may give one for a refusal. A failure is left to the outermost handler. */
  async function refuse(
    ctx: Context,
    page: PageContext,
    error: unknown,
    ownPage: () => Promise<Result | undefined> | Result | undefined,
  ): Promise<void> {
    if (error instanceof SignInRequired) return respond(ctx, { to: signInPath(ctx) });
    const response = presentError(error);
    const isGet = page.queryWith !== undefined;
    if (isGet && response?.retryAfterSeconds !== undefined)
      ctx.set('Refresh', String(response.retryAfterSeconds + 1)); // goes on by itself
    if (response === undefined || response.status >= 500) {
      ctx.state.failurePage = failurePage(page, error, requestIdOf(ctx));
      throw error;
    }
    ctx.status = response.status;
    if (response.retryAfterSeconds !== undefined) ctx.set('Retry-After', String(response.retryAfterSeconds));
    respond(ctx, (await ownPage()) ?? refusalPage(page, response, error));
  }

  async function respond(ctx: Context, result: Result): Promise<void> {
    if (typeof result === 'string') {
      ctx.body = result;
      return;
    }
    if ('file' in result) return sendFile(ctx, result.file);
    ctx.status = 303;
    ctx.set('Location', links.location(result.to));
    ctx.body = '';
  }

  async function sendFile(ctx: Context, { name, content }: DownloadedFile): Promise<void> {
    ctx.status = 200;
    ctx.type = extname(name);
    ctx.attachment(name);
    ctx.set('Content-Security-Policy', downloadPolicy);
    await sendStream(ctx, Readable.from(content));
  }

  const anonymous = async (ctx: Context) => ({ ...(await auth.anonymous(ctx)), signedIn: null });

  async function requireSignedIn(ctx: Context): Promise<SignedInVisitor> {
    const { signedIn, client } = await auth.maybeSignedIn(ctx);
    if (signedIn === null) throw new SignInRequired();
    return { signedIn, client };
  }

  async function requireAdmin(ctx: Context): Promise<SignedInVisitor> {
    const visitor = await requireSignedIn(ctx);
    if (!visitor.signedIn.isAdmin) throw new RequestError(404, 'not-found');
    return visitor;
  }

  const requireToken = ({ ctx, signedIn }: PageRequest, { csrf: token }: Fields) =>
    csrf.requireToken(ctx, token, signedIn !== null);

  async function readWithoutToken(request: PageRequest): Promise<void> {
    request.fields = await readPageForm(request.ctx.req);
  }

  async function readWithToken(request: PageRequest): Promise<void> {
    await readWithoutToken(request);
    requireToken(request, request.fields);
  }

  const withUpload = (request: PageRequest): UploadPageRequest => ({
    ...request,
    read: (options) =>
      readUploadForm(request.ctx.req, options, {
        checkToken: (fields) => requireToken(request, fields),
        onFields: (fields) => {
          request.fields = fields; // for the page that shows a refusal
        },
      }),
  });

  const readByHandler = pagesFor(auth.maybeSignedIn, async () => {});
  return {
    /** Responds to an error outside of a page. A failure is thrown again, for the outermost handler. */
    refuse: (ctx: Context, error: unknown) => refuse(ctx, createContext(ctx, null), error, () => undefined),
    /** A page for whoever has a link: nobody is recognised. */
    anonymous: pagesFor(anonymous),
    /** A form whose handler checks by other means than the token that it is ours. */
    anonymousForm: pagesFor(anonymous, readWithoutToken),
    /** A page for everybody that knows who is signed in. */
    page: pagesFor(auth.maybeSignedIn),
    form: pagesFor(auth.maybeSignedIn, readWithToken),
    /** A form with files; `handle` must read it. */
    uploadForm: (handle: PageHandler<UploadPageRequest>, onRefusal?: RefusalHandler<PageRequest>) =>
      readByHandler((request) => handle(withUpload(request)), onRefusal),
    /** A page of an account; everybody else is redirected to sign in. */
    own: pagesFor(requireSignedIn),
    ownForm: pagesFor(requireSignedIn, readWithToken),
    /** A page of accounts with the admin role; for everybody else it does not exist. */
    admin: pagesFor(requireAdmin),
    adminForm: pagesFor(requireAdmin, readWithToken),
  };
}
