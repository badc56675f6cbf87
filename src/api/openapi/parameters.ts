import { pageSize } from '../../domain/index.ts';
import type { JsonSchema, Parameter, RequestBody } from '../../http/openApi.ts';
import { pageMax } from '../../http/params.ts';
import { schemaRef } from './components.ts';
import { pushExample } from './examples.ts';

export const pageParameter: Parameter = {
  name: 'page',
  in: 'query',
  description: `${pageSize} entries per page; less than 1 counts as 1`,
  schema: { type: 'integer', maximum: pageMax, default: 1 },
};

/** Makes a creation repeatable. */
export const idempotencyKey: Parameter = headerParameter(
  'Idempotency-Key',
  'Within a day, the same request with the same key creates nothing more, and gets the same response. 16 to 255 visible characters, such as a UUID, in quotes or without',
);

/** Makes a retrieval repeatable. */
export const retrievalKey: Parameter = headerParameter(
  'Idempotency-Key',
  'Within a minute, the same request with the same key counts no further view, and gets the same response. 16 to 255 visible characters, such as a UUID, in quotes or without',
);

export function pathParameter(name: string, description: string): Parameter {
  return { name, in: 'path', required: true, description, schema: { type: 'string' } };
}

export function queryParameter(
  name: string,
  description: string,
  schema: JsonSchema = { type: 'string' },
): Parameter {
  return { name, in: 'query', description, schema };
}

export function headerParameter(name: string, description: string): Parameter {
  return { name, in: 'header', description, schema: { type: 'string' } };
}

/** The body of a request that creates a push, with its fields under `root`. Only a multipart form can carry files. */
export function pushBody(root: string): RequestBody {
  const schema = rooted(root, schemaRef('PushInput'));
  return {
    required: true,
    content: {
      'application/json': { schema, ...(root === 'password' && { example: pushExample }) },
      'application/x-www-form-urlencoded': { schema },
      ...filesBody(root).content,
    },
  };
}

/** The same for an endpoint that takes files alone. */
export const filesBody = (root: string): RequestBody => ({
  required: true,
  content: { 'multipart/form-data': { schema: rooted(root, schemaRef('PushForm')) } },
});

/** An object with another under one name. */
export function rooted(root: string, schema: JsonSchema): JsonSchema {
  return { type: 'object', properties: { [root]: schema }, required: [root] };
}
