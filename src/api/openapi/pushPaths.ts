import { pushKinds, pushSorts, searchStep } from '../../domain/index.ts';
import type { JsonSchema, Paths } from '../../http/openApi.ts';
import { fileContent, schemaRef } from './components.ts';
import { auditExample, createdExample, exampleToken, revealedExample } from './examples.ts';
import { pathOf } from './operation.ts';
import {
  headerParameter,
  idempotencyKey,
  pageParameter,
  pathParameter,
  pushBody,
  queryParameter,
  retrievalKey,
  rooted,
} from './parameters.ts';

const urlToken = pathParameter('url_token', 'The url token of the push');

/** The same where an owner needs no link. */
export const pushName = pathParameter(
  'url_token',
  'The url token of the push; with an API token also its SHA-256, for a push of yours',
);

const filters = [
  queryParameter('search', 'Only pushes whose name, note or link contains this'),
  queryParameter('recipient', 'Only pushes with a recipient whose name contains this'),
  queryParameter(
    'before',
    `Where a search goes on: it looks at ${searchStep} pushes at a time, the newest first, and \`Link\` has this for the next ones`,
  ),
  queryParameter('kind', 'Only pushes of this kind', { type: 'string', enum: [...pushKinds] }),
  queryParameter('sort', 'The order: by creation, or by when they end or have ended', {
    type: 'string',
    enum: [...pushSorts],
    default: 'newest',
  }),
];

/** The endpoints of pushes, under /p. */
export function pushPaths(baseUrl: string): Paths {
  const about = { baseUrl, tag: 'Pushes' };
  const list = (state: string, operationId: string) =>
    pathOf(about, `/p/${state}.json`, {
      get: {
        operationId,
        summary: `List your ${state} pushes`,
        description: 'Without their payloads, and for API tokens that may not open them without their links.',
        account: 'read',
        parameters: [pageParameter, ...filters],
        success: [200, 'A page of pushes', { type: 'array', items: schemaRef('NamedPush') }],
      },
    });
  return {
    ...pathOf(about, '/p.json', {
      post: {
        operationId: 'createPush',
        summary: 'Create a push',
        description:
          'Stores the secret, and responds with its link. Anybody may create pushes, unless the operator requires an account; files need one.',
        anybody: 'create',
        parameters: [idempotencyKey],
        body: pushBody('password'),
        success: [201, 'The push', 'Push', createdExample(baseUrl)],
        errors: [409],
      },
    }),
    ...pathOf(about, '/p/{url_token}.json', {
      get: {
        operationId: 'retrievePush',
        summary: 'Retrieve a push and its payload',
        description:
          'Counts as a view. An expired push responds with 200, “expired: true” and “payload: null”. A push whose views all belong to recipients responds with 403, except through their links.',
        anybody: 'full',
        parameters: [
          urlToken,
          headerParameter('X-Passphrase', 'Required if the push has a passphrase'),
          queryParameter('passphrase', 'The same, where logs of proxies may keep it'),
          retrievalKey,
        ],
        success: [200, 'The push with its payload', 'RevealedPush', revealedExample(baseUrl)],
        errors: [400, 404, 409, 422],
      },
      delete: {
        operationId: 'expirePush',
        summary: 'Expire a push now',
        description:
          'Erases the secret. For its owner, and for everybody with the link if viewers may delete it. An API token of scope create expires the pushes that it created, and no others.',
        anybody: 'create',
        parameters: [pushName],
        success: [200, 'The expired push', 'NamedPush'],
        errors: [404],
        samples: 'authenticated',
      },
    }),
    ...pathOf(about, '/p/{url_token}/preview.json', {
      get: {
        operationId: 'previewPush',
        summary: 'Get the link of a push',
        description:
          'Counts no view, and works for expired pushes too. An API token that may not open the link gets none.',
        anybody: 'read',
        parameters: [pushName],
        success: [200, 'The link', 'Preview', { url: `${baseUrl}/p/${exampleToken}` }],
        errors: [404],
      },
    }),
    ...pathOf(about, '/p/{url_token}/audit.json', {
      get: {
        operationId: 'getAuditLog',
        summary: 'Get the audit log of a push',
        description: 'Who created, viewed, tried and expired it, oldest first. Only for the owner.',
        account: 'read',
        parameters: [pushName, pageParameter],
        success: [200, 'A page of the log', 'AuditLog', auditExample],
        errors: [404],
      },
    }),
    ...list('active', 'listActivePushes'),
    ...list('expired', 'listExpiredPushes'),
  };
}

const minutes: JsonSchema = {
  type: 'integer',
  minimum: 1,
  description:
    'Minutes from now until the push expires: later than it expires already, and within the longest life that the service allows, counted from the creation',
};
const extension = {
  schema: rooted('extension', { type: 'object', properties: { minutes }, required: ['minutes'] }),
  example: { extension: { minutes: 10_080 } },
};

const file = { 'application/octet-stream': { schema: fileContent } };

/** What is not under /f and /r as well: no client of those paths knows it. */
export function furtherPushPaths(baseUrl: string): Paths {
  const about = { baseUrl, tag: 'Pushes' };
  const auditExport = (operationId: string, path: string, format: string, type: string) =>
    pathOf(about, path, {
      get: {
        operationId,
        summary: `Get the whole audit log as ${format}`,
        description: 'All pages at once, oldest entry first.',
        account: 'read',
        parameters: [pushName],
        success: { 200: { description: 'The log', content: { [type]: { schema: { type: 'string' } } } } },
        errors: [404],
        samples: 'none',
      },
    });
  return {
    ...pathOf(about, '/p/{url_token}/extend.json', {
      post: {
        operationId: 'extendPush',
        summary: 'Extend a push',
        description: 'Sets a later expiry. Only for the owner, while the push is active.',
        account: 'full',
        parameters: [pushName],
        json: extension,
        success: [200, 'The push with its new expiry', 'Push'],
        errors: [404, 409],
      },
    }),
    ...auditExport('exportAuditLogCsv', '/p/{url_token}/audit.csv', 'CSV', 'text/csv'),
    ...auditExport(
      'exportAuditLogNdjson',
      '/p/{url_token}/audit.ndjson',
      'a JSON object per line',
      'application/x-ndjson',
    ),
    ...pathOf(about, '/download/{grant}/{number}', {
      get: {
        operationId: 'downloadFile',
        summary: 'Download a file of a push',
        description:
          'The response to a retrieval contains the URLs; they work for ten minutes. Supports Range, so an interrupted download can resume.',
        anybody: 'full',
        parameters: [
          pathParameter('grant', 'The download grant, as in the URL'),
          pathParameter('number', 'The number of the file, from 1'),
          headerParameter('Range', 'One range of bytes'),
          headerParameter('If-Range', 'The ETag that the range belongs to'),
        ],
        success: {
          200: { description: 'The file', content: file },
          206: { description: 'The requested range', content: file },
        },
        errors: [404, 416],
        samples: 'none',
      },
    }),
  };
}
