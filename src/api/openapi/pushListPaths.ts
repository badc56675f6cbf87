import type { JsonSchema, Operation, Paths } from '../../http/openApi.ts';
import { schemaRef } from './components.ts';
import { authenticated, pageParameter, queryParameter } from './parameters.ts';
import { nextPage, responses } from './responses.ts';
import { codeSamples } from './samples.ts';

const search = queryParameter(
  'search',
  'Only pushes whose name, note or link contains this, among the newest 5,000',
);

/** The lists of an account's pushes: active ones, and expired ones. */
export function pushListPaths(baseUrl: string): Paths {
  const items: JsonSchema = { type: 'array', items: schemaRef('ListedPush') };
  const list = (state: string, operationId: string): Operation => ({
    operationId,
    tags: ['Pushes'],
    summary: `List your ${state} pushes`,
    description: 'Newest first, without their payloads.',
    ...authenticated('read'),
    parameters: [pageParameter, search],
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
