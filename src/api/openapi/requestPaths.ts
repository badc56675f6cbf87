import type { Operation, Paths } from '../../http/openApi.ts';
import { schemaRef } from './components.ts';
import { codeSamples, exampleRequestId, requestExample } from './examples.ts';
import { authenticated, queryParameter, rooted } from './parameters.ts';
import { responses } from './responses.ts';

const tags = ['Requests'];

/** The endpoints of requests for secrets. */
export function requestPaths(baseUrl: string): Paths {
  const url = `${baseUrl}/api/v1/requests.json`;
  return { '/api/v1/requests.json': { get: listing(url), post: creation(url), delete: cancellation(url) } };
}

function listing(url: string): Operation {
  return {
    operationId: 'listRequests',
    tags,
    summary: 'List your requests for secrets',
    description:
      'The open ones that you received, and all that you sent, in every chat that your account is connected to: the newest 50 of each.',
    ...authenticated('read'),
    ...responses(
      { 200: { description: 'The requests', schema: schemaRef('Requests') } },
      [401, 403, 429, 503],
    ),
    'x-codeSamples': codeSamples({ method: 'GET', url, isAuthenticated: true }),
  };
}

function creation(url: string): Operation {
  const schema = rooted('request', schemaRef('RequestInput'));
  return {
    operationId: 'requestSecret',
    tags,
    summary: 'Request a secret from people in a chat',
    description:
      'Each gets a direct message and a request of their own, a reminder before it is due, and their answer gets to you there. You ask as the user of that chat, in Slack of that workspace, who your account is connected to.',
    ...authenticated('full'),
    requestBody: { required: true, content: { 'application/json': { schema, example: requestExample } } },
    ...responses(
      { 201: { description: 'The request, or the first of several', schema: schemaRef('SentRequests') } },
      [400, 401, 403, 413, 415, 422, 429, 503],
    ),
    'x-codeSamples': codeSamples({ method: 'POST', url, isAuthenticated: true, json: requestExample }),
  };
}

function cancellation(url: string): Operation {
  return {
    operationId: 'cancelRequest',
    tags,
    summary: 'Cancel a request of yours',
    description: 'While it is open. The person who was asked can no longer answer it.',
    ...authenticated('full'),
    parameters: [{ ...queryParameter('id', 'The id of the request'), required: true }],
    ...responses(
      { 200: { description: 'The cancelled request', schema: schemaRef('Request') } },
      [400, 401, 403, 404, 429, 503],
    ),
    'x-codeSamples': codeSamples({
      method: 'DELETE',
      url: `${url}?id=${exampleRequestId}`,
      isAuthenticated: true,
    }),
  };
}
