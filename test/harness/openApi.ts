import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'chai';
import { maybeUrl } from '../../src/client/url.ts';
import type { ApiResponse, Client } from './api.ts';

type Content = Record<string, { schema: object; example?: unknown }>;
type Described = { $ref?: string; content?: Content };
export type DescribedOperation = {
  operationId: string;
  tags: string[];
  description: string;
  deprecated?: boolean;
  'x-token-scope'?: string;
  requestBody?: { content: Content };
  responses: Record<string, Described>;
  'x-codeSamples'?: { label: string; source: string }[];
};
type OpenApiDocument = {
  openapi: string;
  tags: { name: string }[];
  paths: Record<string, Record<string, DescribedOperation>>;
  webhooks: Record<string, { post: { requestBody: { content: Content } } }>;
  components: { schemas: Record<string, object>; responses: Record<string, Described> };
};

export const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** Reads the OpenAPI document of a service, and compares what the service sends with it. */
export async function readOpenApi(api: Client) {
  const openApi = (await api.get('/api/v1/openapi.json')).json as OpenApiDocument;
  const ajv = new Ajv2020({
    allErrors: true,
    strict: false,
    formats: {
      'date-time': isoTime,
      uri: { type: 'string', validate: (uri: string) => maybeUrl(uri) !== undefined },
    },
  });
  ajv.addSchema({ $id: 'openapi', components: openApi.components });

  function operation(path: string, method: string): DescribedOperation {
    const found = openApi.paths[path]?.[method];
    if (found === undefined) throw new Error(`${method} ${path} is not described`);
    return found;
  }

  /** A schema, with the components that it refers to. */
  const compile = (schema: object) => ajv.compile(withBase(schema));

  function problemsWith(schema: object, value: unknown): unknown[] {
    const validate = compile(schema);
    return validate(value) ? [] : (validate.errors ?? []);
  }

  function responseOf(path: string, method: string, status: number): Described {
    const response = operation(path, method).responses[status] ?? {};
    const name = response.$ref?.split('/').at(-1);
    return name === undefined ? response : (openApi.components.responses[name] ?? {});
  }

  /** Fails unless the response is one of those that the operation describes. */
  function expectDescribed(path: string, method: string, answer: ApiResponse): void {
    const [type = ''] = answer.headers['content-type']?.split(';') ?? [];
    const content = responseOf(path, method, answer.status).content?.[type];
    if (content === undefined) throw new Error(`${answer.status} of ${method} ${path} is not described`);
    const value = type === 'application/json' ? answer.json : answer.text;
    expect(problemsWith(content.schema, value), `${method} ${path}`).to.deep.equal([]);
  }

  return { openApi, operation, compile, problemsWith, responseOf, expectDescribed };
}

/** References within the document, as references to it. */
function withBase(schema: object): object {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', '"openapi#/components/'));
}
