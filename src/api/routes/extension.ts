import type { Router } from '@koa/router';
import { readBody } from '../../http/body/body.ts';
import { capturedToken, missingParameter, rootObject } from '../../http/params.ts';
import type { ApiDependencies } from '../dependencies.ts';
import { presentPush } from '../presenters/push.ts';

const root = 'extension';

/** `POST /p/:token/extend.json` sets a later end for a push of the caller. Password Pusher has no such endpoint. */
export function extensionRoutes(router: Router, { domain: { pushes }, auth, links }: ApiDependencies): void {
  router.post('/p/:token/extend.json', async (ctx) => {
    const caller = await auth.requireAccount(ctx);
    const { values } = await readBody(ctx.req);
    const input = rootObject(values, [root]);
    if (input === undefined) throw missingParameter(ctx, root);
    const urlToken = await pushes.resolveName(capturedToken(ctx), caller);
    ctx.body = presentPush(await pushes.setExpiry(urlToken, input, caller), links);
  });
}
