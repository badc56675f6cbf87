import type { OpenApi, Operation, Paths, RequestBody } from '../../http/openApi.ts';
import { buildComponents, type InputSchemas } from './components.ts';
import { maybeCredentials, pathOf } from './operation.ts';
import { filesBody, idempotencyKey, pageParameter, pushBody } from './parameters.ts';
import { furtherPushPaths, pushPaths } from './pushPaths.ts';
import { recipientPaths } from './recipientPaths.ts';
import { requestLinkPaths, requestPaths } from './requestPaths.ts';
import { trustRulePaths } from './trustRulePaths.ts';
import { eventRequests, webhookPaths } from './webhookPaths.ts';

/** The OpenAPI document of the JSON API, built from the schemas that validate its input. */
export function buildOpenApi(
  schemas: InputSchemas,
  { baseUrl, version, hasMail }: { baseUrl: string; version: string; hasMail: boolean },
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
      {
        name: 'Requests',
        description:
          'Secrets that people ask one another for: in chats, and by links from people without an account',
      },
      {
        name: 'Trust rules',
        description: 'Programs elsewhere that act for you without an API token of yours',
      },
      { name: 'Account', description: 'What happened to the sign-in of your account' },
      { name: 'Service', description: 'What this server supports' },
      { name: 'Legacy', description: 'Former paths of Password Pusher, for its clients' },
    ],
    paths: {
      ...paths,
      ...furtherPushPaths(baseUrl),
      ...(hasMail && recipientPaths(baseUrl)),
      ...webhookPaths(baseUrl),
      ...requestPaths(baseUrl),
      ...requestLinkPaths(baseUrl),
      ...trustRulePaths(baseUrl),
      ...accountPaths(baseUrl),
      ...versionPath(baseUrl),
      ...legacyPaths(paths),
    },
    webhooks: eventRequests,
    components: buildComponents(schemas),
  };
}

/** The endpoints of the account itself. */
const accountPaths = (baseUrl: string): Paths => ({
  ...pathOf({ baseUrl, tag: 'Account' }, '/api/v1/account/security.json', {
    get: {
      operationId: 'listSecurityEvents',
      summary: 'List what happened to the sign-in of your account',
      description:
        'Sign-ins and wrong tries, factors, tokens, sessions, passwords, providers and chats, and what admins did: newest first, of the last 180 days.',
      account: 'full',
      parameters: [pageParameter],
      success: [200, 'A page of the security log', 'SecurityLog'],
    },
  }),
  ...pathOf({ baseUrl, tag: 'Account' }, '/api/v1/account/identities.json', {
    get: {
      operationId: 'listIdentities',
      summary: 'List who your account is at identity providers',
      description: 'Those who sign in to it: by issuer and subject, since when, and when they last did.',
      account: 'full',
      success: [200, 'The identities', 'Identities'],
    },
  }),
});

const versionPath = (baseUrl: string): Paths =>
  pathOf({ baseUrl, tag: 'Service' }, '/api/v1/version.json', {
    get: {
      operationId: 'getVersions',
      summary: 'Get the versions of the application and the API',
      description: 'Ignores credentials, even wrong ones.',
      success: [200, 'The versions', 'Versions'],
    },
  });

const prefixes = { '/f/': 'Files', '/r/': 'Urls' };

/** The endpoints of pushes under /f and /r, where kinds of push once were resources of their own. */
function legacyPaths(paths: Paths): Paths {
  const ofPushes = Object.entries(paths).filter(([path]) => path.startsWith('/p/'));
  const aliases = Object.entries(prefixes).flatMap(([prefix, name]) =>
    ofPushes.map(([path, operations]) => [path.replace('/p/', prefix), deprecated(operations, name)]),
  );
  return {
    ...creation('/r.json', 'Urls', 'url', 'url', pushBody('url')),
    ...creation('/f.json', 'Files', 'file', 'file_push or file', filesBody('file_push')),
    ...Object.fromEntries(aliases),
  };
}

function creation(path: string, name: string, kind: string, root: string, body: RequestBody): Paths {
  const { post } = pathOf({ baseUrl: '', tag: 'Legacy' }, path, {
    post: {
      operationId: 'createPush',
      summary: `Create a push of kind ${kind}`,
      description: `Like POST /p.json, but requires an account, and the root is ${root}.`,
      account: 'create',
      parameters: [idempotencyKey],
      body,
      success: [201, 'The push', 'Push'],
      errors: [409],
    },
  })[path] as { post: Operation };
  return { [path]: deprecated({ post }, name) };
}

function deprecated(operations: Record<string, Operation>, name: string): Record<string, Operation> {
  return Object.fromEntries(
    Object.entries(operations).map(([method, { 'x-codeSamples': _, ...operation }]) => [
      method,
      { ...operation, operationId: `${operation.operationId}${name}`, tags: ['Legacy'], deprecated: true },
    ]),
  );
}
