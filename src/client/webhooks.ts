import { isRecord } from './errors.ts';
import { iteratePages } from './pages.ts';
import type { CallOptions, Transport } from './transport.ts';
import type { DeliveryEntry, RegisteredWebhook } from './wire.ts';

const path = 'api/v1/webhooks.json';
const isWebhook = (body: unknown) => isRecord(body) && typeof body.id === 'string';

/** The webhooks of the account. Only hushpush has them. */
export function createWebhookCalls({ call }: Transport) {
  return {
    /** Lists the webhooks, oldest first. */
    list: (options: CallOptions = {}) => call<RegisteredWebhook[]>(path, Array.isArray, options),

    /** Registers an address. The secret, which verifies signatures, is returned only here. */
    create: (url: string, options: CallOptions = {}) =>
      call<RegisteredWebhook & { secret: string }>(path, isWebhook, {
        ...options,
        method: 'POST',
        json: { webhook: { url } },
      }),

    /** Removes a webhook. */
    async remove(id: string, options: CallOptions = {}): Promise<void> {
      await call(path, isWebhook, { ...options, method: 'DELETE', query: { id } });
    },

    /** What was sent to a webhook and what waits, newest first. */
    deliveries: (id: string, options: CallOptions = {}) =>
      iteratePages<DeliveryEntry>(async (page) => {
        const isPage = (body: unknown) => isRecord(body) && Array.isArray(body.deliveries);
        const query = { id, page };
        const found = await call<{ deliveries: DeliveryEntry[] }>('api/v1/webhooks/deliveries.json', isPage, {
          ...options,
          query,
        });
        return found.deliveries;
      }),
  };
}
