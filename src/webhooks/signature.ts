import { Webhook } from 'standardwebhooks';
import type { WebhookEndpoint } from '../domain/index.ts';

/**
 * The headers of Standard Webhooks 1.0.0 with a symmetric signature by each secret. `id` is the notice's, the same for every attempt; the
 * timestamp is that of this attempt, by the database's clock.
 */
export const signatureHeaders = ({ secrets, now }: WebhookEndpoint, id: string, body: string) => ({
  'webhook-id': id,
  'webhook-timestamp': String(Math.floor(now / 1_000)),
  'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, new Date(now), body)).join(' '),
});
