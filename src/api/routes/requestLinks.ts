import { randomUUID } from 'node:crypto';
import type { Router } from '@koa/router';
import { DomainError } from '../../domain/index.ts';
import { readBody } from '../../http/body/body.ts';
import { RequestError } from '../../http/errors.ts';
import { capturedToken, missingParameter, requiredQuery, rootObject } from '../../http/params.ts';
import { buildUploadOptions } from '../../http/uploads.ts';
import type { ApiDependencies } from '../dependencies.ts';
import { createInputReader, idempotencyKeyOf, readRoot } from '../input.ts';
import { presentAnswer, presentOpenRequest, presentRequestLink } from '../presenters/requestLinks.ts';

const path = '/api/v1/request-links.json';
const root = 'request_link';
const answerPath = /^\/a\/([^/.]+)\.json$/;
const answerRoot = 'answer';

/** Links by which people without an account answer requests of an account. */
export function requestLinkApiRoutes(router: Router, dependencies: ApiDependencies): void {
  const { auth, links, domain } = dependencies;
  const { requestLinks, mailLinks } = domain;
  const readInput = createInputReader(requestLinks.schema);

  router.get(path, async (ctx) => {
    const found = await requestLinks.list(await auth.requireAccount(ctx, 'read'));
    ctx.body = found.map((link) => presentRequestLink(link, links));
  });

  router.post(path, async (ctx) => {
    const caller = await auth.requireAccount(ctx);
    const link = await requestLinks.create(caller, readInput(await readRoot(ctx, root)));
    ctx.body = presentRequestLink(link, links, await requestLinks.mailedTo(caller, link.id));
    ctx.status = 201;
  });

  router.delete(path, async (ctx) => {
    const caller = await auth.requireAccount(ctx);
    const id = requiredQuery(ctx, 'id');
    await requestLinks.close(caller.account, id);
    ctx.body = presentRequestLink(await requestLinks.find(caller, id), links);
  });

  router.get('/api/v1/request-links/answers.json', async (ctx) => {
    const caller = await auth.requireAccount(ctx, 'read');
    const answers = await requestLinks.listAnswers(caller, requiredQuery(ctx, 'id'));
    ctx.body = answers.map((answer) => presentAnswer(answer, links));
  });

  if (mailLinks.isOn)
    router.post('/api/v1/request-links/recipients.json', async (ctx) => {
      const caller = await auth.requireAccount(ctx);
      const id = requiredQuery(ctx, 'id');
      await requestLinks.sendAgain(caller.account, id, requiredQuery(ctx, 'recipient'));
      const link = await requestLinks.find(caller, id);
      ctx.body = presentRequestLink(link, links, await requestLinks.mailedTo(caller, id));
    });

  addAnswering(router, dependencies);
}

/** `GET` and `POST /a/:token.json`, for whoever has the link. Credentials are ignored. */
function addAnswering(router: Router, { domain, auth, crossOrigin }: ApiDependencies): void {
  const { requestLinks, files } = domain;
  const uploadOptions = buildUploadOptions(files, [answerRoot]);

  router.get('/a/:token.json', answerPath, async (ctx) => {
    const { client } = await auth.anonymous(ctx);
    ctx.body = presentOpenRequest(await requestLinks.preview(capturedToken(ctx), client));
  });

  router.post('/a/:token.json', answerPath, crossOrigin.guardCreation, async (ctx) => {
    const { client } = await auth.anonymous(ctx);
    const key = idempotencyKeyOf(ctx);
    const formId = key ?? randomUUID();
    const formOf = (values: Record<string, unknown>) => {
      const answer = readAnswer(values);
      if (answer.sealedKey !== undefined && key === undefined)
        throw new RequestError(400, 'A sealed answer needs the Idempotency-Key that it was sealed for.');
      return { formId, ...answer };
    };
    await using answer = await requestLinks.beginAnswer(capturedToken(ctx), client, formId);
    const options = uploadOptions(answer.account, async (file, valuesBefore) =>
      answer.addFile(file, formOf(await valuesBefore())),
    );
    const { values, files: sent } = await readBody(ctx.req, options);
    if (rootObject(values, [answerRoot]) === undefined && sent.length === 0)
      throw missingParameter(ctx, answerRoot);
    ctx.body = await answer.send(formOf(values));
    ctx.status = 201;
  });
}

/** The fields of an answer, which are all text. */
function readAnswer(values: Record<string, unknown>) {
  const input = (rootObject(values, [answerRoot]) ?? {}) as Record<string, unknown>;
  const textOf = (name: string): string | undefined => {
    const value = input[name] ?? undefined;
    if (value === undefined || typeof value === 'string') return value;
    throw new DomainError('invalid', { problems: { [name]: [{ code: 'text' }] } });
  };
  return {
    text: textOf('payload'),
    name: textOf('name'),
    passphrase: textOf('passphrase'),
    sealedKey: textOf('sealed_key'),
  };
}
