import type { OpenApi, Paths } from '../../http/openApi.ts';
import { auditExportPaths } from './auditPaths.ts';
import { buildComponents, type InputSchemas, schemaRef } from './components.ts';
import { downloadPaths } from './downloadPaths.ts';
import { eventRequests } from './events.ts';
import { codeSamples } from './examples.ts';
import { legacyPaths } from './legacyPaths.ts';
import { maybeCredentials, withoutCredentials } from './parameters.ts';
import { extensionPath, pushPaths } from './pushPaths.ts';
import { requestPaths } from './requestPaths.ts';
import { responses } from './responses.ts';
import { webhookPaths } from './webhookPaths.ts';

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
      ...extensionPath(baseUrl),
      ...auditExportPaths(),
      ...downloadPaths,
      ...webhookPaths(baseUrl),
      ...requestPaths(baseUrl),
      ...versionPath(baseUrl),
      ...legacyPaths(paths),
    },
    webhooks: eventRequests,
    components: buildComponents(schemas),
  };
}

function versionPath(baseUrl: string): Paths {
  return {
    '/api/v1/version.json': {
      get: {
        operationId: 'getVersions',
        tags: ['Service'],
        summary: 'Get the versions of the application and the API',
        description: 'Ignores credentials, even wrong ones.',
        ...withoutCredentials,
        ...responses({ 200: { description: 'The versions', schema: schemaRef('Versions') } }, [429, 503]),
        'x-codeSamples': codeSamples({ method: 'GET', url: `${baseUrl}/api/v1/version.json` }),
      },
    },
  };
}
