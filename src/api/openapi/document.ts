import type { PushSchema, WebhookSchema } from '../../domain/index.ts';
import type { OpenApi } from '../../http/openApi.ts';
import { versionResponse } from '../schemas.ts';
import { pushPaths } from './pushPaths.ts';
import { responses } from './responses.ts';
import { webhookPaths } from './webhookPaths.ts';

/** The OpenAPI document of the JSON API, built from the schemas that validate its input. */
export function buildOpenApi(
  { pushSchema, webhookSchema }: { pushSchema: PushSchema; webhookSchema: WebhookSchema },
  { baseUrl, version }: { baseUrl: string; version: string },
): OpenApi {
  return {
    openapi: '3.1.0',
    info: {
      title: 'hushpush',
      version,
      description: 'One-time secrets. Version 1 of the Password Pusher JSON API, with additions.',
    },
    servers: [{ url: baseUrl }],
    paths: {
      ...pushPaths(pushSchema),
      '/api/v1/version.json': {
        get: {
          summary: 'Get the versions of the application and the API',
          ...responses({ 200: ['The versions', versionResponse] }, [429]),
        },
      },
      ...webhookPaths(webhookSchema),
    },
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer' },
        userEmail: { type: 'apiKey', in: 'header', name: 'X-User-Email' },
        userToken: { type: 'apiKey', in: 'header', name: 'X-User-Token' },
      },
    },
  };
}
