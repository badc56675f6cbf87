import type { Operation, Paths } from '../../http/openApi.ts';
import { schemaRef } from './components.ts';
import { authenticated, filesBody, idempotencyKey, pushBody } from './parameters.ts';
import { responses } from './responses.ts';

const tags = ['Legacy'];
const prefixes = { '/f/': 'Files', '/r/': 'Urls' };

/** The same endpoints under /f and /r, where kinds of push once were resources of their own. */
export function legacyPaths(paths: Paths): Paths {
  const ofPushes = Object.entries(paths).filter(([path]) => path.startsWith('/p/'));
  const aliases = Object.entries(prefixes).flatMap(([prefix, name]) =>
    ofPushes.map(([path, operations]) => [path.replace('/p/', prefix), deprecated(operations, name)]),
  );
  return { ...creations, ...Object.fromEntries(aliases) };
}

const created = responses(
  { 201: { description: 'The push', schema: schemaRef('Push') } },
  [400, 401, 403, 409, 413, 415, 422, 429, 503],
);

const creations: Paths = {
  '/r.json': {
    post: {
      operationId: 'createPushUrls',
      tags,
      summary: 'Create a push of kind url',
      description: 'Like POST /p.json, but requires an account, and the root is url.',
      deprecated: true,
      ...authenticated('create'),
      parameters: [idempotencyKey],
      ...pushBody('url'),
      ...created,
    },
  },
  '/f.json': {
    post: {
      operationId: 'createPushFiles',
      tags,
      summary: 'Create a push of kind file',
      description: 'Like POST /p.json, but requires an account, and the root is file_push or file.',
      deprecated: true,
      ...authenticated('create'),
      parameters: [idempotencyKey],
      ...filesBody('file_push'),
      ...created,
    },
  },
};

function deprecated(operations: Record<string, Operation>, name: string): Record<string, Operation> {
  return Object.fromEntries(
    Object.entries(operations).map(([method, { 'x-codeSamples': _, ...operation }]) => [
      method,
      { ...operation, operationId: `${operation.operationId}${name}`, tags, deprecated: true },
    ]),
  );
}
