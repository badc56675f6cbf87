import type { Router } from '@koa/router';
import type { Context, Middleware } from 'koa';
import type { Domain } from '../domain/index.ts';
import { presentError, setErrorStatus } from '../http/errors.ts';
import type { Http } from '../http/http.ts';
import { requestIdOf } from '../http/requestId.ts';
import { type Fields, readPageForm, readUploadForm } from './forms.ts';
import { mistypedLink } from './mistypedLink.ts';
import { createPageContexts, type PageContext, type PageHttp } from './pageContext.ts';
import type {
  PageHandler,
  PageRequest,
  PageResult,
  RefusalHandler,
  UploadPageRequest,
  Visitor,
} from './pageRequest.ts';
import { sendResult } from './pageResult.ts';
import { failurePage, refusalPage } from './pages/errorPage.tsx';
import { maybeElsewhere } from './secondFactor.ts';
import { createStepUpPages } from './stepUp.ts';
import { createVisitors } from './visitors.ts';

type PageOptions<Request> = {
  /** What the whole path must match, where that is stricter than its parameters. */
  pattern?: RegExp;
  onRefusal?: RefusalHandler<Request>;
};

/** Adds the page or the form at a path; `handle` comes last. */
type AddRoute<Request> = (
  path: string,
  ...args: [PageHandler<Request>] | [PageOptions<Request>, PageHandler<Request>]
) => void;

/** The paths of the API, whatever a client accepts. */
const apiPath = /^\/api\/|\.(json|csv|ndjson)$/;

export type PageRoutes = ReturnType<typeof createPageRoutes>['pages'];

/**
 * Creates what adds pages to a router, from functions that return their markup: pages answer GET, forms POST. A refusal
 * becomes a page too. A form is refused unless it comes from a page of ours, with the token of this browser; others say so.
 */
export function createPageRoutes(
  router: Router,
  http: PageHttp & Pick<Http, 'auth'>,
  domain: Pick<Domain, 'confirmation' | 'passkeys' | 'singleSignOn'>,
) {
  const { links, csrf, cookies } = http;
  const createContext = createPageContexts(http);
  const stepUp = createStepUpPages(domain, csrf);
  const by = createVisitors(http);

  /** Routes that read no input are pages; the others are forms. */
  const routesFor =
    <By extends Visitor>(
      authenticate: (ctx: Context) => Promise<By>,
      readInput?: (request: PageRequest) => Promise<void>,
    ): AddRoute<PageRequest & By> =>
    (path, ...args) => {
      const [options, handle] = args.length === 1 ? [undefined, ...args] : args;
      const add = readInput === undefined ? 'get' : 'post';
      router[add](path, options?.pattern ?? path, async (ctx) => {
        let request: (PageRequest & By) | undefined;
        try {
          const visitor = await authenticate(ctx);
          const page = createContext(ctx, visitor.signedIn);
          request = { ctx, page, fields: {}, ...visitor };
          if (readInput !== undefined) {
            await readInput(request);
            await stepUp.confirm(request);
          }
          await respond(ctx, await handle(request));
        } catch (error) {
          const page = request?.page ?? createContext(ctx, null);
          const to = maybeElsewhere(ctx, cookies, error, request?.fields.next);
          if (to !== undefined) return respond(ctx, { to });
          const failed = request;
          await refuse(
            ctx,
            page,
            error,
            async () =>
              failed && ((await stepUp.maybePage(failed, error)) ?? options?.onRefusal?.(failed, error)),
          );
        }
      });
    };

  /** Responds to an error with a page: `ownPage` may give one for a refusal. A failure is left to the outermost handler. */
  async function refuse(
    ctx: Context,
    page: PageContext,
    error: unknown,
    ownPage: () => Promise<PageResult | undefined> | PageResult | undefined,
  ): Promise<void> {
    const response = presentError(error);
    const isGet = page.queryWith !== undefined;
    if (isGet && response?.retryAfterSeconds !== undefined)
      ctx.set('Refresh', String(response.retryAfterSeconds + 1)); // goes on by itself
    if (response === undefined || response.status >= 500) {
      ctx.state.failurePage = failurePage(page, error, requestIdOf(ctx));
      throw error;
    }
    setErrorStatus(ctx, response);
    respond(ctx, (await ownPage()) ?? refusalPage(page, response, error));
  }

  const respond = (ctx: Context, result: PageResult) => sendResult(ctx, result, links);

  const requireToken = ({ ctx, signedIn }: PageRequest, { csrf: token }: Fields) =>
    csrf.requireToken(ctx, token, signedIn !== null);

  async function readFromAnywhere(request: PageRequest): Promise<void> {
    request.fields = await readPageForm(request.ctx.req);
  }

  async function readWithoutToken(request: PageRequest): Promise<void> {
    csrf.requireSameOrigin(request.ctx);
    await readFromAnywhere(request);
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

  /** Shows people a page for each error that no page has shown, such as a wrong address. Programs get the JSON of all errors. */
  const showErrors: Middleware = async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      if (ctx.state.failurePage !== undefined || !isForPeople(ctx)) throw error;
      const page = createContext(ctx, null);
      await refuse(ctx, page, error, () => (ctx.status === 404 ? mistypedLink(page, ctx) : undefined));
    }
  };

  const addUpload = routesFor(by.anybody, async ({ ctx }) => csrf.requireSameOrigin(ctx));
  const pages = {
    /** A page reached by a link. Sessions are ignored. */
    anonymous: routesFor(by.anonymous),
    /** A form whose handler checks its origin without the CSRF token. */
    anonymousForm: routesFor(by.anonymous, readWithoutToken),
    /** A form that other programs may send: its address alone says what it may do, and sessions are ignored. */
    formFromAnywhere: routesFor(by.anonymous, readFromAnywhere),
    /** A public page that knows who is signed in. */
    page: routesFor(by.anybody),
    form: routesFor(by.anybody, readWithToken),
    /** A form with files; `handle` must read it. */
    uploadForm: (path: string, options: PageOptions<PageRequest>, handle: PageHandler<UploadPageRequest>) =>
      addUpload(path, options, (request) => handle(withUpload(request))),
    /** A page of an account; everybody else is redirected to sign in. */
    own: routesFor(by.owner),
    ownForm: routesFor(by.owner, readWithToken),
    /** As `page`, also for an account that must set up its second factor first. */
    leaving: routesFor(by.leaving),
    /** As `form`, also for an account that must set up its second factor first. */
    leavingForm: routesFor(by.leaving, readWithToken),
    /** As `own`, also for an account that must set up its second factor first. */
    settingUp: routesFor(by.settingUp),
    settingUpForm: routesFor(by.settingUp, readWithToken),
    /** A page of accounts with the admin role; for everybody else it does not exist. */
    admin: routesFor(by.admin),
    adminForm: routesFor(by.admin, readWithToken),
  };
  return { pages, showErrors };
}

const isForPeople = (ctx: Context) =>
  ['GET', 'HEAD', 'POST'].includes(ctx.method) &&
  !apiPath.test(ctx.path) &&
  ctx.accepts('json', 'html') === 'html';
