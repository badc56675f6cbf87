import { isUtf8 } from 'node:buffer';
import type { Router } from '@koa/router';
import type { Context } from 'koa';
import { type Body, readBody } from '../../http/body/body.ts';
import { idempotencyKeyOf } from '../../http/idempotencyKey.ts';
import { capturedToken, missingParameter, one, rootObject } from '../../http/params.ts';
import { buildUploadOptions } from '../../http/uploads.ts';
import type { ApiDependencies } from '../dependencies.ts';
import { createInputReader } from '../input.ts';
import { readPage } from '../pagination.ts';
import { presentAuditRow } from '../presenters/audit.ts';
import { presentPush, presentRevealed } from '../presenters/push.ts';
import { addPushLists } from './pushLists.ts';

/** `roots` are the names of the object that clients send. */
type Resource = { path: string; roots: readonly string[]; kind?: string };

export function pushRoutes(router: Router, dependencies: ApiDependencies): void {
  addResource(router, dependencies, { path: 'p', roots: ['password'] });
}

/** The legacy resources that became kinds of push. */
export function legacyPushRoutes(router: Router, dependencies: ApiDependencies): void {
  addResource(router, dependencies, { path: 'f', roots: ['file_push', 'file'], kind: 'file' });
  addResource(router, dependencies, { path: 'r', roots: ['url'], kind: 'url' });
}

function addResource(...resource: [Router, ApiDependencies, Resource]): void {
  addCreate(...resource);
  addPushLists(...resource);
  addOnePush(...resource);
}

/** `POST /p.json`. Under the legacy paths it needs an account. */
function addCreate(
  router: Router,
  { domain: { pushes, files }, auth, crossOrigin, links }: ApiDependencies,
  { path, roots, kind }: Resource,
): void {
  const uploadOptions = buildUploadOptions(files, roots);
  const readInput = createInputReader(pushes.schema, ['files']);

  router.options(`/${path}.json`, crossOrigin.preflight(['POST'], { isCreation: true }));

  router.post(`/${path}.json`, crossOrigin.guardCreation, async (ctx) => {
    const authenticate = kind === undefined ? auth.maybeAccount : auth.requireAccount;
    const caller = await authenticate(ctx, 'create');
    await using upload = await files.beginUpload(caller, idempotencyKeyOf(ctx));
    const body = await readBody(ctx.req, uploadOptions(caller.account, upload.add));
    const input = readInput({ ...rootOf(ctx, body, roots), ...(kind && { kind }) });
    const push = await pushes.create(input, caller, { upload });
    ctx.status = 201;
    ctx.body = presentPush(push, links);
  });
}

/** `GET` and `DELETE /p/:token.json`, and what is below it. */
function addOnePush(
  router: Router,
  { domain: { pushes }, auth, links }: ApiDependencies,
  { path }: Resource,
): void {
  // The lists have the same form of path, with other methods.
  const pathOfOne = new RegExp(`^/${path}/(?!(?:active|expired)\\.json$)([^/]+)\\.json$`);

  router.head(`/${path}/:token.json`, pathOfOne, async (ctx) => {
    const caller = await auth.maybeAccount(ctx, 'read');
    ctx.body = presentPush(await pushes.preview(capturedToken(ctx), caller), links);
  });

  router.get(`/${path}/:token.json`, pathOfOne, async (ctx) => {
    const caller = await auth.maybeAccount(ctx);
    const revealed = await pushes.reveal(capturedToken(ctx), passphraseOf(ctx), caller);
    ctx.body = presentRevealed(revealed, links);
  });

  router.delete(`/${path}/:token.json`, pathOfOne, async (ctx) => {
    const caller = await auth.maybeAccount(ctx);
    ctx.body = presentPush(await pushes.expire(capturedToken(ctx), caller), links);
  });

  router.get(`/${path}/:token/preview.json`, async (ctx) => {
    const caller = await auth.maybeAccount(ctx, 'read');
    ctx.body = { url: links.page(await pushes.preview(capturedToken(ctx), caller)) };
  });

  router.get(`/${path}/:token/audit.json`, async (ctx) => {
    const caller = await auth.requireAccount(ctx, 'read');
    const rows = await readPage(ctx, links, (page) => pushes.auditLog(capturedToken(ctx), page, caller));
    ctx.body = { views: rows.map(presentAuditRow) };
  });
}

/**
 * The passphrase of the header, which proxies do not log, or of the query. Node reads headers as ISO 8859-1, which is how
 * scripts send them; most programs send UTF-8.
 */
function passphraseOf(ctx: Context): string | undefined {
  const header = ctx.get('X-Passphrase');
  if (header === '') return one(ctx.query.passphrase);
  const bytes = Buffer.from(header, 'latin1');
  return isUtf8(bytes) ? bytes.toString('utf8') : header;
}

/** The object with the push; a form with nothing but files has none. */
function rootOf(ctx: Context, { values, files }: Body, roots: readonly string[]): object {
  const root = rootObject(values, roots);
  if (root === undefined && files.length === 0) throw missingParameter(ctx, roots[0]);
  return root ?? {};
}
