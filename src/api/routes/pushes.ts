import type { Router } from '@koa/router';
import type { Middleware } from 'koa';
import { type Body, readBody } from '../../http/body/body.ts';
import { capturedToken, missingParameter, one, pageNumberOf, rootObject } from '../../http/params.ts';
import { fromSnakeCase } from '../../http/snakeCase.ts';
import { buildUploadOptions } from '../../http/uploads.ts';
import type { ApiDependencies } from '../dependencies.ts';
import { presentAuditRow, presentPush, presentRevealed } from '../presenters.ts';

/** The resources that /f and /r named before they became kinds of push, with the root objects that their clients send. */
const resources = [
  { path: 'p', roots: ['password'], kind: undefined },
  { path: 'f', roots: ['file_push', 'file'], kind: 'file' },
  { path: 'r', roots: ['url'], kind: 'url' },
] as const;

/** The JSON API of pushes, under /p and its former names. */
export function pushRoutes(
  router: Router,
  { domain: { pushes, files }, auth, links }: ApiDependencies,
): void {
  for (const { path, roots, kind } of resources) {
    const uploadOptions = buildUploadOptions(files, roots);

    router.options(`/${path}.json`, fromAnySite, (ctx) => {
      ctx.set('Access-Control-Allow-Methods', 'POST');
      ctx.set('Access-Control-Allow-Headers', 'Authorization, Content-Type, X-User-Email, X-User-Token');
      ctx.set('Access-Control-Max-Age', '86400');
      ctx.status = 204;
    });

    router.post(`/${path}.json`, fromAnySite, async (ctx) => {
      const caller = kind === undefined ? await auth.maybeAccount(ctx) : await auth.requireAccount(ctx);
      await using upload = files.beginUpload(caller);
      const body = await readBody(ctx.req, uploadOptions(caller.account, upload.take));
      const input = fromSnakeCase({ ...rootOf(body, roots), ...(kind === undefined ? {} : { kind }) });
      const push = await pushes.create(input, caller, { upload });
      ctx.status = 201;
      ctx.body = presentPush(push, links);
    });

    for (const state of ['active', 'expired'] as const) {
      router.get(`/${path}/${state}.json`, async (ctx) => {
        const { account } = await auth.requireAccount(ctx);
        const found = await pushes.list(account, state, pageNumberOf(ctx));
        ctx.body = found.map((push) => presentPush(push, links));
      });
    }

    router.head(`/${path}/:token.json`, pathOf(path), async (ctx) => {
      ctx.body = presentPush(await pushes.preview(capturedToken(ctx), await auth.maybeAccount(ctx)), links);
    });

    router.get(`/${path}/:token.json`, pathOf(path), async (ctx) => {
      const caller = await auth.maybeAccount(ctx);
      ctx.body = presentRevealed(
        await pushes.reveal(capturedToken(ctx), one(ctx.query.passphrase), caller),
        links,
      );
    });

    router.get(`/${path}/:token/preview.json`, async (ctx) => {
      ctx.body = { url: links.page(await pushes.preview(capturedToken(ctx), await auth.maybeAccount(ctx))) };
    });

    router.get(`/${path}/:token/audit.json`, async (ctx) => {
      const caller = await auth.requireAccount(ctx);
      const rows = await pushes.auditLog(capturedToken(ctx), pageNumberOf(ctx), caller);
      ctx.body = { views: rows.map(presentAuditRow) };
    });

    router.delete(`/${path}/:token.json`, pathOf(path), async (ctx) => {
      ctx.body = presentPush(await pushes.expire(capturedToken(ctx), await auth.maybeAccount(ctx)), links);
    });
  }
}

/** The JSON form of a push; the lists stand in the same place, and know other methods. */
function pathOf(prefix: string): RegExp {
  return new RegExp(`^/${prefix}/(?!(?:active|expired)\\.json$)([^/]+)\\.json$`);
}

/** Browser extensions and other sites may create pushes. Cookies mean nothing here, so nobody acts in another's name. */
const fromAnySite: Middleware = async (ctx, next) => {
  ctx.set('Access-Control-Allow-Origin', '*');
  ctx.set('Cross-Origin-Resource-Policy', 'cross-origin');
  await next();
};

/** The object that holds the push; a form of nothing but files has none. */
function rootOf({ values, files }: Body, roots: readonly string[]): object {
  const root = rootObject(values, roots);
  if (root === undefined && files.length === 0) throw missingParameter(roots[0]);
  return root ?? {};
}
