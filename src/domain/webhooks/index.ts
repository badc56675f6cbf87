export type { WebhookDelivery } from './deliveries.ts';
export type { EndpointResult, WebhookEndpoint } from './endpoints.ts';
export type { RotatedSecret } from './rotateSecret.ts';
export { webhooksTable } from './tables.ts';
export type { Webhook } from './webhook.ts';
export type { WebhookSchema } from './webhookSchema.ts';
export { createWebhooks } from './webhooks.ts';
