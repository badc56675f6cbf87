import type { Router } from '@koa/router';
import { capturedToken, requiredQuery } from '../../http/params.ts';
import type { ApiDependencies } from '../dependencies.ts';
import { presentPush } from '../presenters/push.ts';

/** `POST /p/:token/recipients.json` sends a recipient by mail their link again, `DELETE` withdraws it. Password Pusher has no such endpoint. */
export function recipientRoutes(router: Router, { domain, auth, links }: ApiDependencies): void {
  const { pushes, mailLinks } = domain;
  if (!mailLinks.isOn) return;
  const acts = { post: pushes.sendAgain, delete: pushes.withdrawRecipient } as const;

  for (const method of ['post', 'delete'] as const)
    router[method]('/p/:token/recipients.json', async (ctx) => {
      const { account, client } = await auth.requireAccount(ctx);
      const caller = { account, client };
      const recipient = requiredQuery(ctx, 'recipient');
      const urlToken = await pushes.resolveName(capturedToken(ctx), caller);
      const { id } = await pushes.previewOwned(urlToken, caller);
      await acts[method](account, id, recipient);
      ctx.body = presentPush(await pushes.previewOwned(urlToken, caller), links);
    });
}
