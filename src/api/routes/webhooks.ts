import type { Router } from '@koa/router';
import type { Context } from 'koa';
import type { ApiParts } from '../../http/app.ts';
import { readBody } from '../../http/body/body.ts';
import { missing, one, pageOf, rootObject } from '../../http/params.ts';
import { fromWire } from '../../http/snakeCase.ts';
import { presentDelivery, presentWebhook } from '../presenters.ts';

/** Where an account wants events sent to, and what became of them. */
export function webhookRoutes(router: Router, { domain: { webhooks }, who }: ApiParts): void {
  router.get('/api/v1/webhooks.json', async (ctx) => {
    const { owner } = await who.requireAccount(ctx);
    ctx.body = (await webhooks.list(owner)).map(presentWebhook);
  });

  router.post('/api/v1/webhooks.json', async (ctx) => {
    const { owner } = await who.requireAccount(ctx);
    const { values } = await readBody(ctx.req);
    const { secret, ...webhook } = await webhooks.register(owner, fromWire(rootOf(values)));
    ctx.status = 201;
    ctx.body = { ...presentWebhook(webhook), secret };
  });

  router.delete('/api/v1/webhooks.json', async (ctx) => {
    const { owner } = await who.requireAccount(ctx);
    const id = idOf(ctx);
    await webhooks.remove(owner, id);
    ctx.body = { id, deleted: true };
  });

  router.get('/api/v1/webhooks/deliveries.json', async (ctx) => {
    const { owner } = await who.requireAccount(ctx);
    const deliveries = await webhooks.deliveries(owner, idOf(ctx), pageOf(ctx));
    ctx.body = { deliveries: deliveries.map(presentDelivery) };
  });
}

function rootOf(values: Record<string, unknown>): object {
  const root = rootObject(values, ['webhook']);
  if (root === undefined) throw missing('webhook');
  return root;
}

function idOf({ query }: Context): string {
  const id = one(query.id);
  if (id === undefined) throw missing('id');
  return id;
}
