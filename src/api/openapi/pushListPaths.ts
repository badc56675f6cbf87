import { pushKinds, pushSorts, searchStep } from '../../domain/index.ts';
import type { JsonSchema, Operation, Paths } from '../../http/openApi.ts';
import { schemaRef } from './components.ts';
import { authenticated, pageParameter, queryParameter } from './parameters.ts';
import { nextPage, responses } from './responses.ts';
import { codeSamples } from './samples.ts';

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
export function pushListPaths(baseUrl: string): Paths {
  const items: JsonSchema = { type: 'array', items: schemaRef('ListedPush') };
  const list = (state: string, operationId: string): Operation => ({
    operationId,
    tags: ['Pushes'],
    summary: `List your ${state} pushes`,
    description: 'Without their payloads.',
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
