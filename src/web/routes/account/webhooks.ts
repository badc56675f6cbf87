import { hasNextPage } from '../../../http/pagination.ts';
import { one, pageMax } from '../../../http/params.ts';
import type { WebDependencies } from '../../dependencies.ts';
import { pageNumberWithin, successText } from '../../pageQuery.ts';
import type { SignedInPageRequest } from '../../pageRequest.ts';
import { webhookDeliveriesPage } from '../../pages/account/webhookDeliveries.tsx';
import { type WebhooksPage, webhooksPage } from '../../pages/account/webhooks.tsx';
import { readEventTypes, webhookTypesPage } from '../../pages/account/webhookTypes.tsx';
import { refusedForm } from '../../pages/errorPage.tsx';

/** The URLs that receive an account's events: tests, other events, new secrets, and deliveries that are sent again. */
export function webhookPageRoutes({ domain: { webhooks }, pages }: WebDependencies): void {
  const deliveriesPath = (id: string, done: string) => `/account/webhooks/deliveries?id=${id}&done=${done}`;

  pages.own('/account/webhooks', (request) => {
    const { removed, enabled, typesChanged } = request.page.messages.webhooks;
    return show(request, { success: successText(request.ctx, { removed, enabled, typesChanged }) });
  });

  pages.ownForm('/account/webhooks', { onRefusal: showProblems }, async ({ page, signedIn, fields }) => {
    const { url = '' } = fields;
    const { secret } = await webhooks.create(signedIn, { url, types: readEventTypes(fields) });
    return webhooksPage(page, { webhooks: await webhooks.list(signedIn), secret });
  });

  pages.ownForm('/account/webhooks/remove', async ({ signedIn, fields: { id = '' } }) => {
    await webhooks.remove(signedIn, id);
    return { to: '/account/webhooks?done=removed' };
  });

  pages.ownForm('/account/webhooks/enable', async ({ signedIn, fields: { id = '' } }) => {
    await webhooks.enable(signedIn, id);
    return { to: '/account/webhooks?done=enabled' };
  });

  pages.own('/account/webhooks/deliveries', async ({ ctx, page, signedIn }) => {
    const webhook = await webhooks.find(signedIn, one(ctx.query.id) ?? '');
    const pageNumber = pageNumberWithin(ctx, pageMax);
    const read = (number: number) => webhooks.deliveries(signedIn, webhook.id, number);
    const deliveries = await read(pageNumber);
    const { tested, redelivered } = page.messages.webhooks;
    return webhookDeliveriesPage(page, {
      webhook,
      deliveries,
      pageNumber,
      hasMore: pageNumber < pageMax && (await hasNextPage(deliveries, () => read(pageNumber + 1))),
      success: successText(ctx, { tested, redelivered }),
    });
  });

  pages.ownForm('/account/webhooks/test', async ({ signedIn, fields: { id = '' } }) => {
    await webhooks.test(signedIn, id);
    return { to: deliveriesPath(id, 'tested') };
  });

  pages.ownForm('/account/webhooks/redeliver', async ({ signedIn, fields: { id = '', delivery = '' } }) => {
    await webhooks.redeliver(signedIn, id, delivery);
    return { to: deliveriesPath(id, 'redelivered') };
  });

  pages.own('/account/webhooks/events', async ({ ctx, page, signedIn }) =>
    webhookTypesPage(page, await webhooks.find(signedIn, one(ctx.query.id) ?? '')),
  );

  pages.ownForm('/account/webhooks/types', async ({ signedIn, fields }) => {
    await webhooks.changeTypes(signedIn, fields.id ?? '', { types: readEventTypes(fields) });
    return { to: '/account/webhooks?done=typesChanged' };
  });

  pages.ownForm('/account/webhooks/secret', async ({ page, signedIn, fields: { id = '' } }) => {
    const { secret } = await webhooks.rotateSecret(signedIn, id);
    return webhooksPage(page, { webhooks: await webhooks.list(signedIn), secret });
  });

  const show = async ({ page, signedIn }: SignedInPageRequest, shown: Omit<WebhooksPage, 'webhooks'>) =>
    webhooksPage(page, { webhooks: await webhooks.list(signedIn), ...shown });

  function showProblems(request: SignedInPageRequest, error: unknown) {
    const refused = refusedForm(request, error);
    return refused && show(request, refused);
  }
}
