import { isUtf8 } from 'node:buffer';
import { Readable } from 'node:stream';
import type { Router } from '@koa/router';
import type { Context } from 'koa';
import {
  type ListFilter,
  maybeSearchPosition,
  maybeSearchTerms,
  type PushSort,
  pushKinds,
  pushSorts,
  type Revealed,
  urlTokenSha256,
} from '../../domain/index.ts';
import { type Body, readBody } from '../../http/body/body.ts';
import type { Links } from '../../http/links.ts';
import { capturedToken, missingParameter, one, oneOf, readParameter, rootObject } from '../../http/params.ts';
import { buildUploadOptions } from '../../http/uploads.ts';
import type { ApiDependencies } from '../dependencies.ts';
import { createInputReader, idempotencyKeyOf } from '../input.ts';
import { readPage, readSearchPage } from '../pagination.ts';
import { presentAuditRow } from '../presenters/audit.ts';
import { presentLinked, presentPush, presentRevealed } from '../presenters/push.ts';

/** `roots` are the names of the object that clients send. */
type Resource = { path: string; roots: readonly string[]; kind?: string };

/** The pushes, and under former names the resources that became kinds of push. */
export function pushRoutes(router: Router, dependencies: ApiDependencies): void {
  addResource(router, dependencies, { path: 'p', roots: ['password'] });
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
    await using creation = await pushes.begin(caller, { idempotencyKey: idempotencyKeyOf(ctx) });
    const body = await readBody(ctx.req, uploadOptions(caller.account, creation.addFile));
    const input = readInput({ ...rootOf(ctx, body, roots), ...(kind && { kind }) });
    const push = await creation.create(input);
    ctx.status = 201;
    ctx.body = presentLinked(push, links);
  });
}

/** `GET /p/active.json` and `GET /p/expired.json`. */
function addPushLists(
  router: Router,
  { domain: { pushes }, auth, links }: ApiDependencies,
  { path }: Resource,
): void {
  for (const state of ['active', 'expired'] as const) {
    router.get(`/${path}/${state}.json`, async (ctx) => {
      const caller = await auth.requireAccount(ctx, 'read');
      const options = readListOptions(ctx);
      const terms = maybeSearchTerms(options);
      const { sort } = options;
      const before = readParameter(ctx, 'before', maybeSearchPosition);
      const found = await (terms === undefined
        ? readPage(ctx, links, (page) => pushes.list(caller, state, page, options))
        : readSearchPage(ctx, links, (page) =>
            pushes.search(caller, state, page, { ...terms, sort, before }),
          ));
      ctx.body = found.map((push) => presentPush(push, links));
    });
  }
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
    const key = idempotencyKeyOf(ctx);
    const revealed = await pushes.retrieve(capturedToken(ctx), passphraseOf(ctx), caller, key);
    sendRevealed(ctx, revealed, links);
  });

  router.delete(`/${path}/:token.json`, pathOfOne, async (ctx) => {
    const caller = await auth.maybeAccount(ctx, 'create');
    const urlToken = await pushes.resolveName(capturedToken(ctx), caller);
    ctx.body = presentPush(await pushes.expire(urlToken, caller), links);
  });

  router.get(`/${path}/:token/preview.json`, async (ctx) => {
    const caller = await auth.maybeAccount(ctx, 'read');
    const urlToken = await pushes.resolveName(capturedToken(ctx), caller);
    const { urlToken: link } = await pushes.preview(urlToken, caller);
    ctx.body = { url: link && links.page({ urlToken: link }) };
  });

  router.get(`/${path}/:token/audit.json`, async (ctx) => {
    const caller = await auth.requireAccount(ctx, 'read');
    const urlToken = await pushes.resolveName(capturedToken(ctx), caller);
    const rows = await readPage(ctx, links, (page) => pushes.auditLog(urlToken, page, caller));
    ctx.body = {
      views: rows.map(presentAuditRow),
      url_token_sha256: urlTokenSha256(urlToken),
    };
  });
}

const longPayload = 32_768;
/** What JSON escapes in a string, in bytes of UTF-8. */
const escaped = [...Array(32).keys(), ...Buffer.from('"\\')];

/**
 * Responds with a push and its payload. A long payload without line breaks and quotes, such as base64 or what a browser has
 * encrypted, is sent as it was decrypted: to make a string of a mebibyte, to look for what must be escaped, and to encode it
 * again takes 4 ms.
 */
function sendRevealed(ctx: Context, revealed: Revealed<Buffer>, links: Links): void {
  const { payload } = revealed;
  if (payload === null || payload.length < longPayload || escaped.some((byte) => payload.includes(byte))) {
    ctx.body = presentRevealed(revealed, links);
    return;
  }
  const json = JSON.stringify(presentRevealed({ ...revealed, payload: Buffer.alloc(0) }, links));
  const [before, after] = json.split('"payload":""'); // no string contains these quotes unescaped
  const parts = [Buffer.from(`${before}"payload":"`), payload, Buffer.from(`"${after}`)];
  ctx.type = 'json';
  ctx.body = Readable.from(parts);
  ctx.length = parts.reduce((total, { length }) => total + length, 0);
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

/** Which of their pushes callers ask for, and in which order. */
function readListOptions(ctx: Context): ListFilter & { sort?: PushSort | undefined } {
  return {
    search: one(ctx.query.search),
    recipient: one(ctx.query.recipient),
    kind: oneOf(ctx, 'kind', pushKinds),
    sort: oneOf(ctx, 'sort', pushSorts),
  };
}
