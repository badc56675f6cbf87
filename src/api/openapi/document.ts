import type { OpenApi, Paths } from '../../http/openApi.ts';
import { buildComponents, type InputSchemas } from './components.ts';
import { legacyPaths } from './legacyPaths.ts';
import { maybeCredentials, pathOf } from './operation.ts';
import { furtherPushPaths, pushPaths } from './pushPaths.ts';
import { requestPaths } from './requestPaths.ts';
import { eventRequests, webhookPaths } from './webhookPaths.ts';

/** The OpenAPI document of the JSON API, built from the schemas that validate its input. */
export function buildOpenApi(
  schemas: InputSchemas,
  { baseUrl, version }: { baseUrl: string; version: string },
): OpenApi {
  const paths = pushPaths(baseUrl);
  return {
    openapi: '3.1.0',
    info: {
      title: 'hushpush',
      version,
      description: 'One-time secrets. Version 1 of the Password Pusher JSON API, with additions.',
      license: { name: 'MIT', identifier: 'MIT' },
      contact: { name: 'The operator of this server', url: `${baseUrl}/docs` },
    },
    servers: [{ url: baseUrl }],
    security: maybeCredentials,
    tags: [
      { name: 'Pushes', description: 'Secrets behind links, with limits' },
      { name: 'Webhooks', description: 'Events of your pushes, sent to an address of yours' },
      { name: 'Requests', description: 'Secrets that people in chats ask one another for' },
      { name: 'Service', description: 'What this server supports' },
      { name: 'Legacy', description: 'Former paths of Password Pusher, for its clients' },
    ],
    paths: {
      ...paths,
      ...furtherPushPaths(baseUrl),
      ...webhookPaths(baseUrl),
      ...requestPaths(baseUrl),
      ...versionPath(baseUrl),
      ...legacyPaths(paths),
    },
    webhooks: eventRequests,
    components: buildComponents(schemas),
  };
}

const versionPath = (baseUrl: string): Paths =>
  pathOf({ baseUrl, tag: 'Service' }, '/api/v1/version.json', {
    get: {
      operationId: 'getVersions',
      summary: 'Get the versions of the application and the API',
      description: 'Ignores credentials, even wrong ones.',
      success: [200, 'The versions', 'Versions'],
    },
  });
