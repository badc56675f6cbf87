import type { Router } from '@koa/router';
import { requiredQuery } from '../../http/params.ts';
import type { ApiDependencies } from '../dependencies.ts';
import { createInputReader, readRoot } from '../input.ts';
import { presentListedRequest, presentRequest, presentSentRequests } from '../presenters/requests.ts';

const path = '/api/v1/requests.json';
const root = 'request';

/** Requests for secrets between an account and people in its chats. They are answered in the chats, or on the pages. */
export function requestApiRoutes(router: Router, { domain: { chat }, auth }: ApiDependencies): void {
  const { requests } = chat;
  const readInput = createInputReader(chat.requestSchema);

  router.get(path, async (ctx) => {
    const caller = await auth.requireAccount(ctx, 'read');
    const { received, sent } = await requests.listFor(caller);
    ctx.body = { received: received.map(presentListedRequest), sent: sent.map(presentListedRequest) };
  });

  router.post(path, async (ctx) => {
    const { account } = await auth.requireAccount(ctx);
    const input = readInput(await readRoot(ctx, root));
    ctx.body = presentSentRequests(await chat.requestSecret(account, input));
    ctx.status = 201;
  });

  router.delete(path, async (ctx) => {
    const { account } = await auth.requireAccount(ctx);
    const id = requiredQuery(ctx, 'id');
    const requester = await requests.chatUserFor(account, id, 'requester');
    ctx.body = presentRequest(await requests.cancel(id, requester));
  });
}
