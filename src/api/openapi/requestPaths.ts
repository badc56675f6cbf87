import type { Paths } from '../../http/openApi.ts';
import { schemaRef } from './components.ts';
import { exampleRequestId, requestExample } from './examples.ts';
import { pathOf } from './operation.ts';
import { queryParameter, rooted } from './parameters.ts';

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
