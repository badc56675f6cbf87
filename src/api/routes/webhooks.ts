import type { Router } from '@koa/router';
import type { Context } from 'koa';
import { requiredQuery } from '../../http/params.ts';
import type { ApiDependencies } from '../dependencies.ts';
import { createInputReader, readRoot } from '../input.ts';
import { readPage } from '../pagination.ts';
import { presentDelivery, presentRotatedSecret, presentWebhook } from '../presenters/webhooks.ts';

const root = 'webhook';

/** The webhooks of an account, and their deliveries. */
export function webhookRoutes(router: Router, { domain: { webhooks }, auth, links }: ApiDependencies): void {
  const readInput = createInputReader(webhooks.schema);

  router.get('/api/v1/webhooks.json', async (ctx) => {
    const { account } = await auth.requireAccount(ctx);
    ctx.body = (await webhooks.list(account)).map(presentWebhook);
  });

  router.post('/api/v1/webhooks.json', async (ctx) => {
    const { account } = await auth.requireAccount(ctx);
    const { secret, ...webhook } = await webhooks.create(account, readInput(await readRoot(ctx, root)));
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
    const input = readInput(await readRoot(ctx, root));
    ctx.body = presentWebhook(await webhooks.changeTypes(account, id, input));
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

const idOf = (ctx: Context) => requiredQuery(ctx, 'id');
