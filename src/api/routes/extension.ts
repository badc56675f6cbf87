import type { Router } from '@koa/router';
import { capturedToken } from '../../http/params.ts';
import type { ApiDependencies } from '../dependencies.ts';
import { readRoot } from '../input.ts';
import { presentPush } from '../presenters/push.ts';

/** `POST /p/:token/extend.json` sets a later end for a push of the caller. Password Pusher has no such endpoint. */
export function extensionRoutes(router: Router, { domain: { pushes }, auth, links }: ApiDependencies): void {
  router.post('/p/:token/extend.json', async (ctx) => {
    const caller = await auth.requireAccount(ctx);
    const input = await readRoot(ctx, 'extension');
    const urlToken = await pushes.resolveName(capturedToken(ctx), caller);
    ctx.body = presentPush(await pushes.setExpiry(urlToken, input, caller), links);
  });
}
