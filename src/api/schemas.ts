import { z } from 'zod';
import {
  auditLogResponse,
  auditRowResponse,
  identitiesResponse,
  identityResponse,
  securityEventResponse,
  securityLogResponse,
} from './schemas/audit.ts';
import {
  fileResponse,
  namedPushResponse,
  previewResponse,
  pushResponse,
  revealedResponse,
} from './schemas/push.ts';
import {
  openRequestResponse,
  receiptResponse,
  requestAnswerResponse,
  requestLinkResponse,
} from './schemas/requestLinks.ts';
import {
  listedRequestResponse,
  requestResponse,
  requestsResponse,
  sentRequestsResponse,
} from './schemas/requests.ts';
import { removedTrustRuleResponse, trustRuleResponse } from './schemas/trustRules.ts';
import {
  accountEvent,
  deletedWebhookResponse,
  deliveriesResponse,
  deliveryResponse,
  newBrowserEvent,
  registeredResponse,
  rotatedSecretResponse,
  testEvent,
  webhookEvent,
  webhookResponse,
} from './schemas/webhooks.ts';

/** Why a request was refused, or failed. */
const errorResponse = z.object({
  error: z.string(),
  errors: z.array(z.string()).optional().describe('Every problem with the input, as a sentence'),
  fields: z.record(z.string(), z.array(z.string())).optional().describe('The same problems by field'),
  message: z.string().optional().describe('What to do about it'),
  status: z.string().optional(),
});

/** The versions of the application and the API. */
const versionsResponse = z.object({
  application_version: z.string(),
  api_version: z.string(),
  edition: z.string(),
  features: z
    .array(z.string())
    .describe('What this server has beyond the API of Password Pusher, for clients to find'),
});

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
  RequestLink: requestLinkResponse,
  RequestAnswer: requestAnswerResponse,
  OpenRequest: openRequestResponse,
  Receipt: receiptResponse,
  TrustRule: trustRuleResponse,
  RemovedTrustRule: removedTrustRuleResponse,
  SecurityEvent: securityEventResponse,
  SecurityLog: securityLogResponse,
  Identity: identityResponse,
  Identities: identitiesResponse,
  Error: errorResponse,
  Event: webhookEvent,
  AccountEvent: accountEvent,
  NewBrowserEvent: newBrowserEvent,
  TestEvent: testEvent,
};

/** The schemas that the OpenAPI document names. */
export const apiSchemas = z.registry<{ id: string }>();

for (const [id, schema] of Object.entries(schemasById)) apiSchemas.add(schema, { id });
