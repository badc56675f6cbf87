import { pushKinds, pushSorts, searchStep } from '../../domain/index.ts';
import type { JsonSchema, Operation, Paths } from '../../http/openApi.ts';
import { auditLogPath } from './auditPaths.ts';
import { schemaRef } from './components.ts';
import { codeSamples, createdExample, exampleToken, pushExample, revealedExample } from './examples.ts';
import {
  authenticated,
  headerParameter,
  idempotencyKey,
  maybeAuthenticated,
  pageParameter,
  pushBody,
  pushNameParameter,
  queryParameter,
  retrievalKey,
  rooted,
  urlTokenParameter,
} from './parameters.ts';
import { nextPage, responses } from './responses.ts';

const tags = ['Pushes'];

/** The endpoints of pushes, under /p. */
export function pushPaths(baseUrl: string): Paths {
  return {
    '/p.json': { post: creation(baseUrl) },
    ...pathsOfOne(baseUrl),
    ...auditLogPath(baseUrl),
    ...pushListPaths(baseUrl),
  };
}

function creation(baseUrl: string): Operation {
  return {
    operationId: 'createPush',
    tags,
    summary: 'Create a push',
    description:
      'Stores the secret, and responds with its link. Anybody may create pushes, unless the operator requires an account; files need one.',
    ...maybeAuthenticated('create'),
    parameters: [idempotencyKey],
    ...pushBody('password'),
    ...responses(
      { 201: { description: 'The push', schema: schemaRef('Push'), example: createdExample(baseUrl) } },
      [400, 401, 403, 409, 413, 415, 422, 429, 503],
    ),
    'x-codeSamples': codeSamples({ method: 'POST', url: `${baseUrl}/p.json`, json: pushExample }),
  };
}

function pathsOfOne(baseUrl: string): Paths {
  const url = `${baseUrl}/p/${exampleToken}`;
  return {
    '/p/{url_token}.json': { get: retrieval(baseUrl), delete: deletion(url) },
    '/p/{url_token}/preview.json': {
      get: {
        operationId: 'previewPush',
        tags,
        summary: 'Get the link of a push',
        description:
          'Counts no view, and works for expired pushes too. An API token that may not open the link gets none.',
        ...maybeAuthenticated('read'),
        parameters: [pushNameParameter],
        ...responses(
          { 200: { description: 'The link', schema: schemaRef('Preview'), example: { url } } },
          [401, 403, 404, 429, 503],
        ),
        'x-codeSamples': codeSamples({ method: 'GET', url: `${url}/preview.json` }),
      },
    },
  };
}

function retrieval(baseUrl: string): Operation {
  const url = `${baseUrl}/p/${exampleToken}.json`;
  return {
    operationId: 'retrievePush',
    tags,
    summary: 'Retrieve a push and its payload',
    description:
      'Counts as a view. An expired push responds with 200, “expired: true” and “payload: null”. A push whose views all belong to recipients responds with 403, except through their links.',
    ...maybeAuthenticated('full'),
    parameters: [
      urlTokenParameter,
      headerParameter('X-Passphrase', 'Required if the push has a passphrase'),
      queryParameter('passphrase', 'The same, where logs of proxies may keep it'),
      retrievalKey,
    ],
    ...responses(
      {
        200: {
          description: 'The push with its payload',
          schema: schemaRef('RevealedPush'),
          example: revealedExample(baseUrl),
        },
      },
      [400, 401, 403, 404, 409, 422, 429, 503],
    ),
    'x-codeSamples': codeSamples({ method: 'GET', url }),
  };
}

function deletion(url: string): Operation {
  return {
    operationId: 'expirePush',
    tags,
    summary: 'Expire a push now',
    description:
      'Erases the secret. For its owner, and for everybody with the link if viewers may delete it. An API token of scope create expires the pushes that it created, and no others.',
    ...maybeAuthenticated('create'),
    parameters: [pushNameParameter],
    ...responses(
      { 200: { description: 'The expired push', schema: schemaRef('NamedPush') } },
      [401, 403, 404, 429, 503],
    ),
    'x-codeSamples': codeSamples({ method: 'DELETE', url: `${url}.json`, isAuthenticated: true }),
  };
}

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

/** The lists of an account's pushes: active ones, and expired ones. */
function pushListPaths(baseUrl: string): Paths {
  const items: JsonSchema = { type: 'array', items: schemaRef('NamedPush') };
  const list = (state: string, operationId: string): Operation => ({
    operationId,
    tags,
    summary: `List your ${state} pushes`,
    description: 'Without their payloads, and for API tokens that may not open them without their links.',
    ...authenticated('read'),
    parameters: [pageParameter, ...filters],
    ...responses(
      { 200: { description: 'A page of pushes', schema: items, headers: nextPage } },
      [400, 401, 403, 429, 503],
    ),
    'x-codeSamples': codeSamples({
      method: 'GET',
      url: `${baseUrl}/p/${state}.json`,
      isAuthenticated: true,
    }),
  });
  return {
    '/p/active.json': { get: list('active', 'listActivePushes') },
    '/p/expired.json': { get: list('expired', 'listExpiredPushes') },
  };
}

const minutes: JsonSchema = {
  type: 'integer',
  minimum: 1,
  description:
    'Minutes from now until the push expires: later than it expires already, and within the longest life that the service allows, counted from the creation',
};
const extensionSchema = rooted('extension', {
  type: 'object',
  properties: { minutes },
  required: ['minutes'],
});
const extensionExample = { extension: { minutes: 10_080 } };

/** The endpoint that lets a push live longer. It is not under /f and /r: no client of those paths knows it. */
export function extensionPath(baseUrl: string): Paths {
  const url = `${baseUrl}/p/${exampleToken}/extend.json`;
  return {
    '/p/{url_token}/extend.json': {
      post: {
        operationId: 'extendPush',
        tags,
        summary: 'Extend a push',
        description: 'Sets a later expiry. Only for the owner, while the push is active.',
        ...authenticated('full'),
        parameters: [pushNameParameter],
        requestBody: {
          required: true,
          content: { 'application/json': { schema: extensionSchema, example: extensionExample } },
        },
        ...responses(
          { 200: { description: 'The push with its new expiry', schema: schemaRef('Push') } },
          [400, 401, 403, 404, 409, 413, 415, 422, 429, 503],
        ),
        'x-codeSamples': codeSamples({ method: 'POST', url, isAuthenticated: true, json: extensionExample }),
      },
    },
  };
}
