import type { JsonSchema, Operation } from '../../http/openApi.ts';
import { schemaRef } from './components.ts';
import { pushExample } from './examples.ts';

/** The body of a request that creates a push, with its fields under `root`. Only a multipart form can carry files. */
export function pushBody(root: string): Required<Pick<Operation, 'requestBody'>> {
  const schema = rooted(root, schemaRef('PushInput'));
  return {
    requestBody: {
      required: true,
      content: {
        'application/json': { schema, ...(root === 'password' && { example: pushExample }) },
        'application/x-www-form-urlencoded': { schema },
        'multipart/form-data': { schema: rooted(root, schemaRef('PushForm')) },
      },
    },
  };
}

/** The same for an endpoint that takes files alone. */
export function filesBody(root: string): Required<Pick<Operation, 'requestBody'>> {
  const content = { 'multipart/form-data': { schema: rooted(root, schemaRef('PushForm')) } };
  return { requestBody: { required: true, content } };
}

/** An object with another under one name. */
export function rooted(root: string, schema: JsonSchema): JsonSchema {
  return { type: 'object', properties: { [root]: schema }, required: [root] };
}
