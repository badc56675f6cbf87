import type { JsonSchema, Paths } from '../../http/openApi.ts';
import { schemaRef } from './components.ts';
import { exampleToken } from './examples.ts';
import { authenticated, urlTokenParameter } from './parameters.ts';
import { rooted } from './requestBody.ts';
import { responses } from './responses.ts';
import { codeSamples } from './samples.ts';

const minutes: JsonSchema = {
  type: 'integer',
  minimum: 1,
  description: 'Minutes from now until the push expires; must be later than it expires already',
};
const schema = rooted('extension', { type: 'object', properties: { minutes }, required: ['minutes'] });
const example = { extension: { minutes: 10_080 } };

/** The endpoint that lets a push live longer. It is not under /f and /r: no client of those paths knows it. */
export function extensionPath(baseUrl: string): Paths {
  const url = `${baseUrl}/p/${exampleToken}/extend.json`;
  return {
    '/p/{url_token}/extend.json': {
      post: {
        operationId: 'extendPush',
        tags: ['Pushes'],
        summary: 'Extend a push',
        description: 'Sets a later expiry. Only for the owner, while the push is active.',
        ...authenticated('full'),
        parameters: [urlTokenParameter],
        requestBody: { required: true, content: { 'application/json': { schema, example } } },
        ...responses(
          { 200: { description: 'The push with its new expiry', schema: schemaRef('Push') } },
          [400, 401, 403, 404, 409, 413, 415, 422, 429, 503],
        ),
        'x-codeSamples': codeSamples({ method: 'POST', url, isAuthenticated: true, json: example }),
      },
    },
  };
}
