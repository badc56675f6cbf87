import { z } from 'zod';
import type { PushSchema } from '../../domain/index.ts';
import type { Operation, Paths } from '../../http/openApi.ts';
import { auditResponse, listedPushResponse, pushResponse, revealedResponse } from '../schemas.ts';
import {
  authenticated,
  headerParameter,
  pageParameter,
  pathParameter,
  queryParameter,
} from './parameters.ts';
import { fileContent, pushBody } from './requestBody.ts';
import { responses } from './responses.ts';

/** The endpoints of pushes, under /p and, deprecated, under /f and /r. */
export function pushPaths(pushSchema: PushSchema): Paths {
  const paths = { ...creationPaths(pushSchema), ...pathsOfOne, ...listPaths };
  return { ...paths, ...downloadPaths, ...legacyPaths(paths) };
}

function creationPaths(pushSchema: PushSchema): Paths {
  const created = responses({ 201: ['The push', pushResponse] }, [400, 401, 403, 413, 415, 422, 429, 503]);
  const create = (summary: string, root: string) => ({ summary, ...pushBody(pushSchema, root), ...created });
  return {
    '/p.json': { post: create('Create a push', 'password') },
    '/r.json': { post: { ...create('Create a push of kind url (legacy)', 'url'), ...authenticated } },
    '/f.json': { post: { ...create('Create a push of kind file (legacy)', 'file_push'), ...authenticated } },
  };
}

const urlToken = pathParameter('url_token', 'The url token of the push');

const passphraseParameters = [
  headerParameter('X-Passphrase', 'Required if the push has a passphrase'),
  queryParameter('passphrase', 'The same, where logs of proxies may keep it'),
];

const pathsOfOne: Paths = {
  '/p/{url_token}.json': {
    get: {
      summary: 'Retrieve a push and its payload',
      description:
        'Counts as a view. An expired push responds with 200, “expired: true” and “payload: null”.',
      parameters: [urlToken, ...passphraseParameters],
      ...responses({ 200: ['The push with its payload', revealedResponse] }, [401, 404, 429, 503]),
    },
    delete: {
      summary: 'Expire a push now',
      parameters: [urlToken],
      ...responses({ 200: ['The expired push', pushResponse] }, [401, 403, 404, 429, 503]),
    },
  },
  '/p/{url_token}/preview.json': {
    get: {
      summary: 'Get the URL of a push',
      parameters: [urlToken],
      ...responses({ 200: ['The URL', z.object({ url: z.url() })] }, [401, 404, 429, 503]),
    },
  },
  '/p/{url_token}/audit.json': {
    get: {
      summary: 'Get the audit log of a push, oldest entry first',
      ...authenticated,
      parameters: [urlToken, pageParameter],
      ...responses({ 200: ['The audit log', auditResponse] }, [400, 401, 403, 404, 429, 503]),
    },
  },
};

const searchParameter = queryParameter(
  'search',
  'Only pushes whose name, note or link contains this, among the newest 5,000',
);

const listPaths: Paths = {
  '/p/active.json': { get: list('List your active pushes, newest first') },
  '/p/expired.json': { get: list('List your expired pushes, newest first') },
};

function list(summary: string): Operation {
  return {
    summary,
    ...authenticated,
    parameters: [pageParameter, searchParameter],
    ...responses({ 200: ['The pushes', z.array(listedPushResponse)] }, [400, 401, 429, 503]),
  };
}

const content = { 'application/octet-stream': { schema: fileContent } };

const downloadPaths: Paths = {
  '/download/{grant}/{number}': {
    get: {
      summary: 'Download a file of a push',
      description:
        'The response to a retrieval contains the URLs; they work for ten minutes. Supports Range, so an interrupted download can resume.',
      parameters: [
        pathParameter('grant', 'The download grant, as in the URL'),
        pathParameter('number', 'The number of the file, from 1'),
        headerParameter('Range', 'One range of bytes'),
        headerParameter('If-Range', 'The ETag that the range belongs to'),
      ],
      responses: {
        200: { description: 'The file', content },
        206: { description: 'The requested range', content },
        ...responses({}, [401, 404, 429, 503], { 416: 'The file does not have this range' }).responses,
      },
    },
  },
};

/** The same endpoints under /f and /r, where kinds of push once were resources of their own. */
function legacyPaths(paths: Paths): Paths {
  const ofPushes = Object.entries(paths).filter(([path]) => path.startsWith('/p/'));
  return Object.fromEntries(
    ['/f/', '/r/'].flatMap((prefix) =>
      ofPushes.map(([path, operations]) => [path.replace('/p/', prefix), deprecated(operations)]),
    ),
  );
}

function deprecated(operations: Record<string, Operation>): Record<string, Operation> {
  return Object.fromEntries(
    Object.entries(operations).map(([method, operation]) => [method, { ...operation, deprecated: true }]),
  );
}
