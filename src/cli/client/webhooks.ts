import type { DeliveryEntry, RegisteredWebhook } from '../../client/client.ts';
import { takeFirst } from '../../client/pages.ts';
import { print } from '../output.ts';
import { describeTypes, readTypes } from './command.ts';
import { connect, type ServerOptions } from './connect.ts';
import { fitTable, localTime, relativeTime } from './tables.ts';
import { note, visible } from './terminal.ts';

async function connectWebhooks(options: ServerOptions) {
  const { client } = await connect(options);
  return client.webhooks;
}

/** `hushpush webhook list` */
export async function listWebhooks(options: ServerOptions): Promise<void> {
  const webhooks = await (await connectWebhooks(options)).list();
  print(options.json, webhooks, webhooks.length === 0 ? 'There are no webhooks.' : webhookTable(webhooks));
}

/** `hushpush webhook add` */
export async function addWebhook(url: string, options: ServerOptions & { types?: string[] }): Promise<void> {
  const added = await (await connectWebhooks(options)).create(url, { types: options.types });
  print(options.json, added, visible(added.secret));
  note(`The webhook ${added.id} is added. Its secret is shown only this once.`, options);
}

/** `hushpush webhook types` */
export async function changeTypes(id: string, types: string[], options: ServerOptions): Promise<void> {
  const changed = await (await connectWebhooks(options)).changeTypes(id, readTypes(types));
  print(options.json, changed, visible(`It gets ${describeTypes(changed.types)}.`));
}

/** `hushpush webhook remove` */
export async function removeWebhook(id: string, options: ServerOptions): Promise<void> {
  await (await connectWebhooks(options)).remove(id);
  print(options.json, { id, removed: true }, 'Removed.');
}

/** `hushpush webhook test` */
export async function testWebhook(id: string, options: ServerOptions): Promise<void> {
  printRequested(id, await (await connectWebhooks(options)).test(id), options);
}

/** `hushpush webhook redeliver` */
export async function redeliver(id: string, deliveryId: string, options: ServerOptions): Promise<void> {
  printRequested(id, await (await connectWebhooks(options)).redeliver(id, deliveryId), options);
}

function printRequested(webhookId: string, delivery: DeliveryEntry, options: ServerOptions): void {
  print(options.json, delivery, visible(delivery.id));
  note(`It is on its way. What came of it: hushpush webhook deliveries ${webhookId}`, options);
}

/** `hushpush webhook deliveries` */
export async function listDeliveries(id: string, options: ServerOptions & { limit: number }): Promise<void> {
  const deliveries = (await connectWebhooks(options)).deliveries(id);
  const { first: entries, hasMore } = await takeFirst(deliveries, options.limit);
  print(options.json, entries, entries.length === 0 ? 'Nothing was sent yet.' : deliveryTable(entries));
  if (hasMore) note(`There are more: add --limit ${options.limit * 10}.`, options);
}

/** `hushpush webhook rotate-secret` */
export async function rotateSecret(id: string, options: ServerOptions): Promise<void> {
  const rotated = await (await connectWebhooks(options)).rotateSecret(id);
  print(options.json, rotated, visible(rotated.secret));
  const until = localTime(rotated.previous_secret_until);
  note(`It is shown only this once. The previous secret also signs until ${until}.`, options);
}

function webhookTable(webhooks: RegisteredWebhook[]): string {
  return fitTable([
    { title: 'ID', cells: webhooks.map(({ id }) => id) },
    { title: 'STATE', cells: webhooks.map(stateOf) },
    { title: 'URL', cells: webhooks.map(({ url }) => url ?? 'unreadable'), isFlexible: true },
  ]);
}

function stateOf({ disabled, failing_since }: RegisteredWebhook): string {
  if (disabled) return 'disabled';
  return failing_since === null ? 'works' : 'fails';
}

function deliveryTable(deliveries: DeliveryEntry[]): string {
  return fitTable([
    { title: 'ID', cells: deliveries.map(({ id }) => id) },
    { title: 'EVENT', cells: deliveries.map(({ event }) => event) },
    { title: 'STATE', cells: deliveries.map(({ state }) => state) },
    {
      title: 'DETAILS',
      cells: deliveries.map(({ last_problem, happened_at }) => last_problem ?? relativeTime(happened_at)),
      isFlexible: true,
    },
  ]);
}
