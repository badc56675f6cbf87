import { accountType, publicTypes } from '../../domain/index.ts';
import type { OpenApi } from '../../http/openApi.ts';
import { schemaRef } from './components.ts';
import { headerParameter } from './parameters.ts';

const headers = [
  headerParameter('webhook-id', 'The same for each attempt to deliver this event'),
  headerParameter('webhook-timestamp', 'When this attempt was signed, in seconds since 1970'),
  headerParameter(
    'webhook-signature',
    'v1,BASE64 of the HMAC-SHA256 of id.timestamp.body; two with a space between them for a day after the secret was replaced',
  ),
].map((header) => ({ ...header, required: true }));

/** The requests that webhooks receive, by the type of their event. */
export const eventRequests: OpenApi['webhooks'] = {
  ...Object.fromEntries(
    publicTypes.map((type) => [type, request(type, 'Event', `The event ${type} of one of your pushes`)]),
  ),
  [accountType]: request(
    accountType,
    'AccountEvent',
    'Somebody else changed something about your account. All webhooks get it, whatever types they choose',
  ),
  'webhook.test': request('webhook.test', 'TestEvent', 'A test that you asked for'),
};

function request(type: string, schema: string, summary: string) {
  return {
    post: {
      operationId: `on${type.split(/[._]/).map(capitalized).join('')}`,
      tags: ['Webhooks'],
      summary,
      description:
        'Signed according to Standard Webhooks. Respond within ten seconds; 410 disables the webhook.',
      security: [{}],
      parameters: headers,
      requestBody: { required: true, content: { 'application/json': { schema: schemaRef(schema) } } },
      responses: {
        '2XX': { description: 'Received; everything else is sent again, for three days' },
        410: { description: 'Disables the webhook' },
      },
    },
  };
}

function capitalized(word: string): string {
  return `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
}
