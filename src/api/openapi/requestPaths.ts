import type { JsonSchema, Paths } from '../../http/openApi.ts';
import { fileContent, schemaRef } from './components.ts';
import {
  answerExample,
  exampleRequestId,
  exampleRequestLinkId,
  requestExample,
  requestLinkExample,
} from './examples.ts';
import { pathOf } from './operation.ts';
import { idempotencyKey, pathParameter, queryParameter, rooted } from './parameters.ts';

/** The endpoints of requests for secrets. */
export const requestPaths = (baseUrl: string): Paths =>
  pathOf({ baseUrl, tag: 'Requests', examples: { id: exampleRequestId } }, '/api/v1/requests.json', {
    get: {
      operationId: 'listRequests',
      summary: 'List your requests for secrets',
      description:
        'The open ones that you received, and all that you sent, in every chat that your account is connected to: the newest 50 of each.',
      account: 'read',
      success: [200, 'The requests', 'Requests'],
    },
    post: {
      operationId: 'requestSecret',
      summary: 'Request a secret from people in a chat',
      description:
        'Each gets a direct message and a request of their own, a reminder before it is due, and their answer gets to you there. You ask as the user of that chat, in Slack of that workspace, who your account is connected to.',
      account: 'full',
      json: { schema: rooted('request', schemaRef('RequestInput')), example: requestExample },
      success: [201, 'The request, or the first of several', 'SentRequests'],
    },
    delete: {
      operationId: 'cancelRequest',
      summary: 'Cancel a request of yours',
      description: 'While it is open. The person who was asked can no longer answer it.',
      account: 'full',
      parameters: [{ ...queryParameter('id', 'The id of the request'), required: true }],
      success: [200, 'The cancelled request', 'Request'],
      errors: [404],
    },
  });

export const linkId = { ...queryParameter('id', 'The id of the request link'), required: true };
const linkToken = pathParameter('url_token', 'The token of the request link');

/** The endpoints of request links: for the account that asks, and for whoever answers. */
export function requestLinkPaths(baseUrl: string): Paths {
  const about = { baseUrl, tag: 'Requests', examples: { id: exampleRequestLinkId } };
  return {
    ...pathOf(about, '/api/v1/request-links.json', {
      get: {
        operationId: 'listRequestLinks',
        summary: 'List your request links',
        description: 'All that are open, and the newest of the others: 100 together.',
        account: 'read',
        success: [200, 'The request links', { type: 'array', items: schemaRef('RequestLink') }],
      },
      post: {
        operationId: 'createRequestLink',
        summary: 'Create a request link',
        description:
          'Whoever has it can send you a secret, without an account. Each answer is a push of yours with one view, which nobody else gets the link of.',
        account: 'full',
        json: { schema: rooted('request_link', schemaRef('RequestLinkInput')), example: requestLinkExample },
        success: [201, 'The request link', 'RequestLink'],
      },
      delete: {
        operationId: 'closeRequestLink',
        summary: 'Close a request link',
        description: 'It takes no more answers. What was sent stays.',
        account: 'full',
        parameters: [linkId],
        success: [200, 'The closed request link', 'RequestLink'],
        errors: [404],
      },
    }),
    ...pathOf(about, '/api/v1/request-links/answers.json', {
      get: {
        operationId: 'listRequestAnswers',
        summary: 'List the answers to a request link',
        description: 'The first first, without what they hold.',
        account: 'read',
        parameters: [linkId],
        success: [200, 'The answers', { type: 'array', items: schemaRef('RequestAnswer') }],
        errors: [404],
      },
    }),
    ...pathOf(about, '/a/{url_token}.json', {
      get: {
        operationId: 'readRequestLink',
        summary: 'Read what a request link asks for',
        description: 'Needs no account. One that ended is like one that never was.',
        parameters: [linkToken],
        success: [200, 'What is asked for', 'OpenRequest'],
        errors: [404],
        samples: 'none',
      },
      post: {
        operationId: 'answerRequestLink',
        summary: 'Answer a request link',
        description:
          'Needs no account. Sends a text, files in parts named answer[files][], or both, after the other fields. It cannot be read again.',
        parameters: [linkToken, idempotencyKey],
        body: {
          required: true,
          content: {
            'application/json': { schema: rooted('answer', answerInput), example: answerExample },
            'multipart/form-data': { schema: rooted('answer', withFiles) },
          },
        },
        success: [201, 'The receipt', 'Receipt'],
        errors: [401, 404],
        samples: 'none',
      },
    }),
  };
}

const textField = (description: string) => ({ type: 'string', description });

const answerInput: JsonSchema = {
  type: 'object',
  properties: {
    payload: textField('The secret'),
    name: textField('Who you are, where the link asks for it'),
    passphrase: textField('The passphrase of the link, if it has one'),
    sealed_key: textField(
      'The key of a payload and files that you encrypted, sealed to the keys of the link for this Idempotency-Key: see docs/encryption.md',
    ),
  },
};

const withFiles: JsonSchema = {
  ...answerInput,
  properties: { ...answerInput.properties, files: { type: 'array', items: fileContent } },
};
