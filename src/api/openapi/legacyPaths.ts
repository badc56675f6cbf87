import type { Operation, Paths, RequestBody } from '../../http/openApi.ts';
import { pathOf } from './operation.ts';
import { filesBody, idempotencyKey, pushBody } from './parameters.ts';

const prefixes = { '/f/': 'Files', '/r/': 'Urls' };

/** The endpoints of pushes under /f and /r, where kinds of push once were resources of their own. */
export function legacyPaths(paths: Paths): Paths {
  const ofPushes = Object.entries(paths).filter(([path]) => path.startsWith('/p/'));
  const aliases = Object.entries(prefixes).flatMap(([prefix, name]) =>
    ofPushes.map(([path, operations]) => [path.replace('/p/', prefix), deprecated(operations, name)]),
  );
  return {
    ...creation('/r.json', 'Urls', 'url', 'url', pushBody('url')),
    ...creation('/f.json', 'Files', 'file', 'file_push or file', filesBody('file_push')),
    ...Object.fromEntries(aliases),
  };
}

function creation(path: string, name: string, kind: string, root: string, body: RequestBody): Paths {
  const { post } = pathOf({ baseUrl: '', tag: 'Legacy' }, path, {
    post: {
      operationId: 'createPush',
      summary: `Create a push of kind ${kind}`,
      description: `Like POST /p.json, but requires an account, and the root is ${root}.`,
      account: 'create',
      parameters: [idempotencyKey],
      body,
      success: [201, 'The push', 'Push'],
      errors: [409],
    },
  })[path] as { post: Operation };
  return { [path]: deprecated({ post }, name) };
}

function deprecated(operations: Record<string, Operation>, name: string): Record<string, Operation> {
  return Object.fromEntries(
    Object.entries(operations).map(([method, { 'x-codeSamples': _, ...operation }]) => [
      method,
      { ...operation, operationId: `${operation.operationId}${name}`, tags: ['Legacy'], deprecated: true },
    ]),
  );
}
