import { isRecord } from './errors.ts';
import { iteratePages } from './pages.ts';
import type { CallOptions, Transport } from './transport.ts';

/** A webhook of the account. */
export type RegisteredWebhook = {
  id: string;
  url: string | null;
  /** The types of events that it gets; null for all. */
  types: string[] | null;
  created_at: string;
  disabled: boolean;
  failing_since: string | null;
};

/** A new secret of a webhook, and until when the one before signs as well. */
export type RotatedWebhookSecret = { id: string; secret: string; previous_secret_until: string };

/** What was sent to a webhook, or waits. */
export type DeliveryEntry = {
  id: string;
  event: string;
  times: number;
  happened_at: string;
  state: 'waiting' | 'sent' | 'failed';
  attempts: number;
  last_problem: string | null;
  next_attempt_at: string | null;
};

const path = 'api/v1/webhooks.json';
const missing = 'There is no such webhook or delivery, or the server has no webhooks.';
/** The answer of each call that is about one thing. */
const isWebhook = (body: unknown) => isRecord(body) && typeof body.id === 'string';

/** The webhooks of the account. Only hushpush has them. */
export function createWebhookCalls({ call }: Transport) {
  const act = <T>(action: string, query: Record<string, string>, options: CallOptions) =>
    call<T>(`api/v1/webhooks/${action}.json`, isWebhook, { ...options, missing, method: 'POST', query });

  return {
    /** Lists the webhooks, oldest first. */
    list: (options: CallOptions = {}) =>
      call<RegisteredWebhook[]>(path, Array.isArray, { ...options, missing }),

    /** Registers an address, for all events or those of some types. The secret, which verifies signatures, is returned only here. */
    create: (url: string, { types, ...options }: CallOptions & { types?: string[] | undefined } = {}) =>
      call<RegisteredWebhook & { secret: string }>(path, isWebhook, {
        ...options,
        missing,
        method: 'POST',
        json: { webhook: { url, types } },
      }),

    /** Sends a test event, once. What came of it is among the deliveries a moment later. */
    test: (id: string, options: CallOptions = {}) => act<DeliveryEntry>('test', { id }, options),

    /** Sends a delivery of the last week again, under the same `webhook-id`. */
    redeliver: (id: string, deliveryId: string, options: CallOptions = {}) =>
      act<DeliveryEntry>('redeliver', { id, delivery_id: deliveryId }, options),

    /** Replaces the secret. For a day, requests are signed with the one before as well. */
    rotateSecret: (id: string, options: CallOptions = {}) =>
      act<RotatedWebhookSecret>('secret', { id }, options),

    /** Changes which types of events it gets; null for all. */
    changeTypes: (id: string, types: string[] | null, options: CallOptions = {}) =>
      call<RegisteredWebhook>('api/v1/webhooks/types.json', isWebhook, {
        ...options,
        missing,
        method: 'POST',
        query: { id },
        json: { webhook: { types } },
      }),

    /** Removes a webhook. */
    async remove(id: string, options: CallOptions = {}): Promise<void> {
      await call(path, isWebhook, { ...options, missing, method: 'DELETE', query: { id } });
    },

    /** What was sent to a webhook and what waits, newest first. */
    deliveries: (id: string, options: CallOptions = {}) =>
      iteratePages<DeliveryEntry>(async (page) => {
        const isPage = (body: unknown) => isRecord(body) && Array.isArray(body.deliveries);
        const query = { id, page };
        const found = await call<{ deliveries: DeliveryEntry[] }>('api/v1/webhooks/deliveries.json', isPage, {
          ...options,
          missing,
          query,
        });
        return found.deliveries;
      }),
  };
}
