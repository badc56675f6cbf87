import type { Operation, Paths } from '../../http/openApi.ts';
import { auditLogPath } from './auditLogPath.ts';
import { schemaRef } from './components.ts';
import { createdExample, exampleToken, pushExample, revealedExample } from './examples.ts';
import {
  headerParameter,
  idempotencyKey,
  maybeAuthenticated,
  queryParameter,
  urlTokenParameter,
} from './parameters.ts';
import { pushListPaths } from './pushListPaths.ts';
import { pushBody } from './requestBody.ts';
import { responses } from './responses.ts';
import { codeSamples } from './samples.ts';

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
        description: 'Counts no view, and works for expired pushes too.',
        ...maybeAuthenticated('read'),
        parameters: [urlTokenParameter],
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
    ],
    ...responses(
      {
        200: {
          description: 'The push with its payload',
          schema: schemaRef('RevealedPush'),
          example: revealedExample(baseUrl),
        },
      },
      [401, 403, 404, 429, 503],
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
      'Erases the secret. For its owner, and for everybody with the link if viewers may delete it.',
    ...maybeAuthenticated('full'),
    parameters: [urlTokenParameter],
    ...responses(
      { 200: { description: 'The expired push', schema: schemaRef('Push') } },
      [401, 403, 404, 429, 503],
    ),
    'x-codeSamples': codeSamples({ method: 'DELETE', url: `${url}.json`, isAuthenticated: true }),
  };
}
