import { z } from 'zod';
import { auditLogResponse, auditRowResponse } from './schemas/audit.ts';
import { errorResponse } from './schemas/error.ts';
import { accountEvent, testEvent, webhookEvent } from './schemas/events.ts';
import { fileResponse } from './schemas/file.ts';
import { namedPushResponse, previewResponse, pushResponse, revealedResponse } from './schemas/push.ts';
import {
  listedRequestResponse,
  requestResponse,
  requestsResponse,
  sentRequestsResponse,
} from './schemas/requests.ts';
import { versionsResponse } from './schemas/versions.ts';
import {
  deletedWebhookResponse,
  deliveriesResponse,
  deliveryResponse,
  registeredResponse,
  rotatedSecretResponse,
  webhookResponse,
} from './schemas/webhooks.ts';

const schemasById: Record<string, z.ZodType> = {
  File: fileResponse,
  Push: pushResponse,
  NamedPush: namedPushResponse,
  RevealedPush: revealedResponse,
  AuditRow: auditRowResponse,
  AuditLog: auditLogResponse,
  Versions: versionsResponse,
  Preview: previewResponse,
  DeletedWebhook: deletedWebhookResponse,
  Webhook: webhookResponse,
  RegisteredWebhook: registeredResponse,
  RotatedSecret: rotatedSecretResponse,
  Delivery: deliveryResponse,
  Deliveries: deliveriesResponse,
  Request: requestResponse,
  SentRequests: sentRequestsResponse,
  ListedRequest: listedRequestResponse,
  Requests: requestsResponse,
  Error: errorResponse,
  Event: webhookEvent,
  AccountEvent: accountEvent,
  TestEvent: testEvent,
};

/** The schemas that the OpenAPI document names. */
export const apiSchemas = z.registry<{ id: string }>();

for (const [id, schema] of Object.entries(schemasById)) apiSchemas.add(schema, { id });
