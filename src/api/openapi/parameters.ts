import { pageSize, type TokenScope } from '../../domain/index.ts';
import type { JsonSchema, Operation, Parameter, Security } from '../../http/openApi.ts';
import { pageMax } from '../../http/params.ts';
import { schemaRef } from './components.ts';
import { pushExample } from './examples.ts';

/** The ways to send an API token. */
const credentials: Security[] = [{ bearer: [] }, { userEmail: [], userToken: [] }];

/** With or without credentials. */
export const maybeCredentials: Security[] = [{}, ...credentials];

type Secured = Required<Pick<Operation, 'security' | 'x-token-scope'>>;

/** For operations that need credentials: an API token of this scope, or of scope full. */
export const authenticated = (scope: TokenScope): Secured => ({
  security: credentials,
  'x-token-scope': scope,
});

/** For operations that may have credentials. */
export const maybeAuthenticated = (scope: TokenScope): Secured => ({
  security: maybeCredentials,
  'x-token-scope': scope,
});

/** For operations that ignore credentials, or have others. */
export const withoutCredentials: Pick<Operation, 'security'> = { security: [{}] };

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

/** Names the push that a request is about. */
export const urlTokenParameter: Parameter = pathParameter('url_token', 'The url token of the push');

/** The same where an owner needs no link. */
export const pushNameParameter: Parameter = pathParameter(
  'url_token',
  'The url token of the push; with an API token also its SHA-256, for a push of yours',
);

/** Names the webhook that a request is about. */
export const webhookIdParameter: Parameter = {
  ...queryParameter('id', 'The id of the webhook'),
  required: true,
};

export function headerParameter(name: string, description: string): Parameter {
  return { name, in: 'header', description, schema: { type: 'string' } };
}

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
