import type { Router } from '@koa/router';
import type { Context } from 'koa';
import { readBody } from '../../http/body/body.ts';
import { missingParameter, requiredQuery, rootObject } from '../../http/params.ts';
import type { ApiDependencies } from '../dependencies.ts';
import { createInputReader } from '../input.ts';
import { readPage } from '../pagination.ts';
import { presentDelivery, presentRotatedSecret, presentWebhook } from '../presenters/webhooks.ts';

/** The webhooks of an account, and their deliveries. */
export function webhookRoutes(router: Router, { domain: { webhooks }, auth, links }: ApiDependencies): void {
  const readInput = createInputReader(webhooks.schema);

  router.get('/api/v1/webhooks.json', async (ctx) => {
    const { account } = await auth.requireAccount(ctx);
    ctx.body = (await webhooks.list(account)).map(presentWebhook);
  });

  router.post('/api/v1/webhooks.json', async (ctx) => {
    const { account } = await auth.requireAccount(ctx);
    const { values } = await readBody(ctx.req);
    const { secret, ...webhook } = await webhooks.create(account, readInput(rootOf(ctx, values)));
    ctx.status = 201;
    ctx.body = { ...presentWebhook(webhook), secret };
  });

  router.delete('/api/v1/webhooks.json', async (ctx) => {
    const { account } = await auth.requireAccount(ctx);
    const id = idOf(ctx);
    await webhooks.remove(account, id);
    ctx.body = { id, deleted: true };
  });

  router.post('/api/v1/webhooks/types.json', async (ctx) => {
    const { account } = await auth.requireAccount(ctx);
    const id = idOf(ctx);
    const { values } = await readBody(ctx.req);
    ctx.body = presentWebhook(await webhooks.changeTypes(account, id, readInput(rootOf(ctx, values))));
  });

  router.post('/api/v1/webhooks/secret.json', async (ctx) => {
    const { account } = await auth.requireAccount(ctx);
    const id = idOf(ctx);
    ctx.body = presentRotatedSecret(id, await webhooks.rotateSecret(account, id));
  });

  router.post('/api/v1/webhooks/test.json', async (ctx) => {
    const { account } = await auth.requireAccount(ctx);
    ctx.body = presentDelivery(await webhooks.test(account, idOf(ctx)));
    ctx.status = 202;
  });

  router.post('/api/v1/webhooks/redeliver.json', async (ctx) => {
    const { account } = await auth.requireAccount(ctx);
    const [id, deliveryId] = [idOf(ctx), requiredQuery(ctx, 'delivery_id')];
    ctx.body = presentDelivery(await webhooks.redeliver(account, id, deliveryId));
    ctx.status = 202;
  });

  router.get('/api/v1/webhooks/deliveries.json', async (ctx) => {
    const { account } = await auth.requireAccount(ctx);
    const id = idOf(ctx);
    const deliveries = await readPage(ctx, links, (page) => webhooks.deliveries(account, id, page));
    ctx.body = { deliveries: deliveries.map(presentDelivery) };
  });
}

function rootOf(ctx: Context, values: Record<string, unknown>): object {
  const root = rootObject(values, ['webhook']);
  if (root === undefined) throw missingParameter(ctx, 'webhook');
  return root;
}

function idOf(ctx: Context): string {
  return requiredQuery(ctx, 'id');
}
