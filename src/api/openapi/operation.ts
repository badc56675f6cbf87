import type { TokenScope } from '../../domain/index.ts';
import type {
  ApiResponse,
  JsonSchema,
  Operation,
  Parameter,
  Paths,
  RequestBody,
  Security,
} from '../../http/openApi.ts';
import { schemaRef } from './components.ts';
import { codeSamples, exampleToken } from './examples.ts';
import { pageParameter } from './parameters.ts';
import { errorReferences, nextPage, successHeaders } from './responses.ts';

/** The ways to send an API token. */
const credentials: Security[] = [{ bearer: [] }, { userEmail: [], userToken: [] }];

/** With or without credentials. */
export const maybeCredentials: Security[] = [{}, ...credentials];

/** A success: its status, what it is, and its schema or the name of it. */
type Success = [status: number, description: string, schema: string | JsonSchema, example?: unknown];

/**
 * What an operation has of its own. `account` is the scope of a token that suffices, besides full, where credentials are
 * needed; `anybody` the same where they may be left out. Operations with neither ignore credentials.
 */
type Described = Pick<Operation, 'operationId' | 'summary' | 'description' | 'parameters'> & {
  account?: TokenScope;
  anybody?: TokenScope;
  /** A JSON body. */
  json?: { schema: JsonSchema; example: object };
  /** Any other body; the samples send its example of JSON. */
  body?: RequestBody;
  success: Success | Record<string, ApiResponse>;
  /** The statuses of errors besides those that follow from credentials, body and parameters. */
  errors?: number[];
  /** Whether the samples have a token, if not only where one is needed; `none` for an operation without samples. */
  samples?: 'authenticated' | 'none';
};

/** `examples` are what the samples have for parameters. */
type Resource = { baseUrl: string; tag: string; examples?: Record<string, string> };

/** Describes the operations of a path of one resource, by their methods. */
export function pathOf(
  { baseUrl, tag, examples = {} }: Resource,
  path: string,
  operations: Record<string, Described>,
): Paths {
  const described = Object.entries(operations).map(([method, operation]) => {
    const { account, samples, parameters = [], json, body } = operation;
    const query = parameters.filter(isNeededInQuery).map(({ name }) => `${name}=${examples[name]}`);
    const request = {
      method: method.toUpperCase(),
      url: `${baseUrl}${path.replace('{url_token}', exampleToken)}${query.length > 0 ? `?${query.join('&')}` : ''}`,
      isAuthenticated: account !== undefined || samples === 'authenticated',
      json: (json ?? body?.content['application/json'])?.example as object | undefined,
    };
    return [
      method,
      {
        ...operationOf(tag, operation),
        ...(samples !== 'none' && { 'x-codeSamples': codeSamples(request) }),
      },
    ] as const;
  });
  return { [path]: Object.fromEntries(described) };
}

function operationOf(tag: string, operation: Described): Operation {
  const { operationId, summary, description, account, anybody, parameters, json, body, success } = operation;
  return {
    operationId,
    tags: [tag],
    summary,
    description,
    ...(account !== undefined && { security: credentials, 'x-token-scope': account }),
    ...(anybody !== undefined && { security: maybeCredentials, 'x-token-scope': anybody }),
    ...(account === undefined && anybody === undefined && { security: [{}] }),
    ...(parameters && { parameters }),
    ...(json && { requestBody: { required: true, content: { 'application/json': json } } }),
    ...(body && { requestBody: body }),
    responses: { ...successOf(success, parameters), ...errorReferences(errorsOf(operation)) },
  };
}

function successOf(success: Described['success'], parameters: Parameter[] = []): Record<string, ApiResponse> {
  if (!Array.isArray(success)) return success;
  const [status, description, schema, example] = success;
  const headers = { ...successHeaders, ...(parameters.includes(pageParameter) && nextPage) };
  const content = {
    schema: typeof schema === 'string' ? schemaRef(schema) : schema,
    ...(example !== undefined && { example }),
  };
  return { [status]: { description, headers, content: { 'application/json': content } } };
}

/** Every operation is limited and needs the database; the other errors follow from what it takes. */
function errorsOf({ account, anybody, parameters = [], json, body, errors = [] }: Described): number[] {
  const hasBody = json !== undefined || body !== undefined;
  const mayBeMalformed = parameters.some((one) => one === pageParameter || isNeededInQuery(one));
  return [
    ...(account !== undefined || anybody !== undefined ? [401, 403] : []),
    ...(hasBody ? [413, 415, 422] : []),
    ...(hasBody || mayBeMalformed ? [400] : []),
    ...errors,
    429,
    503,
  ];
}

const isNeededInQuery = (parameter: Parameter) => parameter.in === 'query' && parameter.required === true;
