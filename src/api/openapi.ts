import { z } from 'zod';
import type { PushSchema, WebhookSchema } from '../domain/index.ts';
import { toSnakeCase } from '../http/snakeCase.ts';
import { webhookPaths } from './webhookPaths.ts';

export type JsonSchema = {
  type?: string | string[];
  description?: string;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  enum?: (string | null)[];
  minimum?: number;
  maximum?: number;
  default?: unknown;
  items?: JsonSchema;
  contentMediaType?: string;
};

export type RequestBody = {
  required: boolean;
  content: { 'application/json': { schema: JsonSchema }; [type: string]: { schema: JsonSchema } };
};

type Parameter = { name: string; in: string; required?: boolean; description: string; schema: JsonSchema };

export type Operation = {
  summary: string;
  deprecated?: boolean;
  description?: string;
  security?: object[];
  parameters?: Parameter[];
  requestBody?: RequestBody;
  responses: Record<string, { description: string; content?: object }>;
};

export type OpenApi = {
  openapi: string;
  info: { title: string; version: string; description: string };
  servers: { url: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: object;
};

/** What descriptions of endpoints are made of: their answers, who may call them, and how their lists are paged. */
export type OpenApiBuilders = {
  responses: typeof responses;
  authenticated: Pick<Operation, 'security'>;
  page: Parameter;
};

const time = z.iso.datetime().describe('ISO 8601, UTC, milliseconds');
const text = z.string();

const fileInput = { type: 'string', contentMediaType: 'application/octet-stream' };

const fileResponse = z.object({
  filename: text,
  content_type: text.describe('As its creator has it'),
  size: z.int().min(0).describe('In bytes'),
  url: z.url().nullable().describe('Where to download it, for ten minutes; null unless a view was counted'),
});

/** What every endpoint about one push answers. */
const pushResponse = z.object({
  url_token: text.length(26).describe('Lower-case Crockford base32, 130 random bits'),
  html_url: z.url(),
  json_url: z.url(),
  created_at: time,
  expires_at: time,
  views_remaining: z.int().min(0),
  views_total: z.int().min(1),
  files: z.array(fileResponse),
  passphrase: z.literal('********').nullable().describe('null when none is asked for; never the passphrase'),
  name: text.nullable().describe('null for everybody but the creator'),
  note: text.nullable().describe('null for everybody but the creator'),
  expire_after_days: z.int().min(1),
  expire_after_views: z.int().min(1),
  days_remaining: z.int().min(0),
  expired: z.boolean(),
  expired_on: time.nullable(),
  deleted: z.boolean().describe('true only after a manual expiry'),
  deletable_by_viewer: z.boolean(),
  retrieval_step: z.boolean(),
  kind: z.enum(['text', 'url', 'qr', 'file']),
  updated_at: time,
});

const revealedResponse = pushResponse.extend({ payload: text.nullable().describe('null once expired') });

const auditResponse = z.object({
  views: z.array(
    z.object({
      ip: text,
      user_agent: text,
      referrer: text,
      created_at: time,
      updated_at: time,
      kind: z.enum([
        'creation',
        'view',
        'failed_view',
        'failed_passphrase',
        'expire',
        'preview',
        'download',
        'edit',
        'asked_again',
      ]),
    }),
  ),
});

const errorResponse = z.object({
  error: text,
  errors: z.record(text, z.array(text)).optional(),
  message: text.optional(),
  status: text.optional(),
});

const versionResponse = z.object({ application_version: text, api_version: text, edition: text });

export type PushResponse = z.output<typeof pushResponse>;
export type RevealedResponse = z.output<typeof revealedResponse>;

const errorDescriptions: Record<number, string> = {
  400: 'The request is malformed, or its root object is missing',
  401: 'A credential or the passphrase is missing or wrong',
  403: 'Not allowed',
  404: 'There is no such push',
  413: 'The body is too large',
  415: 'The Content-Type or Content-Encoding is not supported',
  422: 'A value is out of its range; every such field is named',
  429: 'Too many requests; Retry-After says when to try again',
  503: 'The database is out of reach; nothing was counted',
};

/** The description of the JSON API, made of the schemas that check its input. */
export function buildOpenApi(
  { pushSchema, webhookSchema }: { pushSchema: PushSchema; webhookSchema: WebhookSchema },
  { baseUrl, version }: { baseUrl: string; version: string },
): OpenApi {
  const tokenInPath = pathParameter('url_token', 'The url token of the push');
  const page = {
    name: 'page',
    in: 'query',
    description: '50 entries a page',
    schema: { type: 'integer', minimum: 1, maximum: 200, default: 1 },
  };
  const create = (root: string): { requestBody: RequestBody } => {
    const schema: JsonSchema = {
      type: 'object',
      properties: { [root]: pushInput(pushSchema) },
      required: [root],
    };
    return {
      requestBody: {
        required: true,
        content: {
          'application/json': { schema },
          'application/x-www-form-urlencoded': { schema },
          'multipart/form-data': { schema: withFiles(schema, root) },
        },
      },
    };
  };
  const authenticated = { security: [{ bearer: [] }, { userEmail: [], userToken: [] }] };
  const created = responses({ 201: ['The push', pushResponse] }, [400, 401, 403, 413, 415, 422, 429, 503]);
  const paths: OpenApi['paths'] = {
    '/p.json': { post: { summary: 'Create a push', ...create('password'), ...created } },
    '/r.json': {
      post: {
        summary: 'Create a push of kind url (former name)',
        ...authenticated,
        ...create('url'),
        ...created,
      },
    },
    '/f.json': {
      post: {
        summary: 'Create a push of kind file (former name)',
        ...authenticated,
        ...create('file_push'),
        ...created,
      },
    },
    '/p/{url_token}.json': {
      get: {
        summary: 'Retrieve a push and its payload',
        description: 'Counts as a view. An expired push answers 200 with expired: true and payload: null.',
        parameters: [
          tokenInPath,
          {
            name: 'passphrase',
            in: 'query',
            description: 'Where the push asks for one',
            schema: { type: 'string' },
          },
        ],
        ...responses({ 200: ['The push with its payload', revealedResponse] }, [401, 404, 429, 503]),
      },
      delete: {
        summary: 'Expire a push now',
        parameters: [tokenInPath],
        ...responses({ 200: ['The expired push', pushResponse] }, [401, 403, 404, 429, 503]),
      },
    },
    '/download/{grant}/{number}': {
      get: {
        summary: 'Download a file of a push that was retrieved',
        description:
          'The addresses are in the answer to a retrieval, and hold for ten minutes. Answers Range, so that a download can go on where it broke off.',
        parameters: [
          pathParameter('grant', 'What the retrieval gave'),
          pathParameter('number', 'Which of the files'),
          header('Range', 'One range of bytes'),
          header('If-Range', 'The ETag that the range belongs to'),
        ],
        responses: {
          200: { description: 'The file', content: fileContent },
          206: { description: 'The range of it', content: fileContent },
          ...responses({}, [401, 404, 429, 503], { 416: 'The file does not have this range' }).responses,
        },
      },
    },
    '/p/{url_token}/preview.json': {
      get: {
        summary: 'The address of a push',
        parameters: [tokenInPath],
        ...responses({ 200: ['The address', z.object({ url: z.url() })] }, [401, 404, 429, 503]),
      },
    },
    '/p/{url_token}/audit.json': {
      get: {
        summary: 'The log of a push, oldest first',
        ...authenticated,
        parameters: [tokenInPath, page],
        ...responses({ 200: ['The log', auditResponse] }, [400, 401, 403, 404, 429, 503]),
      },
    },
    '/p/active.json': {
      get: {
        summary: 'Your active pushes, newest first',
        ...authenticated,
        parameters: [page],
        ...responses({ 200: ['Pushes', z.array(pushResponse)] }, [400, 401, 429, 503]),
      },
    },
    '/p/expired.json': {
      get: {
        summary: 'Your expired pushes, newest first',
        ...authenticated,
        parameters: [page],
        ...responses({ 200: ['Pushes', z.array(pushResponse)] }, [400, 401, 429, 503]),
      },
    },
    '/api/v1/version.json': {
      get: {
        summary: 'Versions of application and API',
        ...responses({ 200: ['The versions', versionResponse] }, [429]),
      },
    },
  };
  return {
    openapi: '3.1.0',
    info: {
      title: 'hushpush',
      version,
      description: 'One-time secrets. Version 1 of the Password Pusher JSON API, with additions.',
    },
    servers: [{ url: baseUrl }],
    paths: {
      ...paths,
      ...webhookPaths(webhookSchema, { responses, authenticated, page }),
      ...legacyPaths(paths),
    },
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer' },
        userEmail: { type: 'apiKey', in: 'header', name: 'X-User-Email' },
        userToken: { type: 'apiKey', in: 'header', name: 'X-User-Token' },
      },
    },
  };
}

const fileContent = { 'application/octet-stream': { schema: fileInput } };

function pathParameter(name: string, description: string): Parameter {
  return { name, in: 'path', required: true, description, schema: { type: 'string' } };
}

function header(name: string, description: string): Parameter {
  return { name, in: 'header', description, schema: { type: 'string' } };
}

/** The same under /f and /r, where kinds of push once had resources of their own. */
function legacyPaths(paths: OpenApi['paths']): OpenApi['paths'] {
  const ofPushes = Object.entries(paths).filter(([path]) => path.startsWith('/p/'));
  return Object.fromEntries(
    ['/f/', '/r/'].flatMap((prefix) =>
      ofPushes.map(([path, operations]) => [path.replace('/p/', prefix), deprecated(operations)]),
    ),
  );
}

function deprecated(operations: Record<string, Operation>): Record<string, Operation> {
  return Object.fromEntries(
    Object.entries(operations).map(([method, operation]) => [method, { ...operation, deprecated: true }]),
  );
}

function pushInput(schema: PushSchema): JsonSchema {
  const { properties } = withFormTypes(z.toJSONSchema(schema, { io: 'input' }) as JsonSchema);
  return { type: 'object', ...(properties && { properties }), required: ['payload'] };
}

/** Only this form can bring files, and then it needs no payload. */
function withFiles({ properties, ...schema }: JsonSchema, root: string): JsonSchema {
  const files = { type: 'array', items: fileInput, description: 'Files to attach; a file push needs one' };
  const { properties: fields, required: _, ...rules } = properties?.[root] ?? {};
  return { ...schema, properties: { [root]: { ...rules, properties: { ...fields, files } } } };
}

/** Forms send numbers and truths as text, and null stands for a default. */
function withFormTypes(rules: JsonSchema): JsonSchema {
  if (rules.properties !== undefined) {
    const { description, properties } = rules;
    const named = Object.entries(properties).map(([name, each]) => [toSnakeCase(name), withFormTypes(each)]);
    return {
      ...(description && { description }),
      type: ['object', 'null'],
      properties: Object.fromEntries(named),
    };
  }
  if (rules.enum !== undefined) return { ...rules, type: ['string', 'null'], enum: [...rules.enum, null] };
  if (rules.type === 'integer') return { ...rules, type: ['integer', 'string', 'null'] };
  if (rules.type === 'boolean') return { ...rules, type: ['boolean', 'string', 'integer', 'null'] };
  return rules;
}

/** `others` are refusals that mean something of their own here. */
function responses(
  good: Record<number, [string, z.ZodType]>,
  bad: number[],
  others: Record<number, string> = {},
): Pick<Operation, 'responses'> {
  const response = (description: string, schema: z.ZodType) => {
    const { $schema, ...rules } = z.toJSONSchema(schema);
    return { description, content: { 'application/json': { schema: rules } } };
  };
  return {
    responses: {
      ...Object.fromEntries(
        Object.entries(good).map(([status, [description, schema]]) => [
          status,
          response(description, schema),
        ]),
      ),
      ...Object.fromEntries(
        bad.map((status) => [status, response(errorDescriptions[status] ?? '', errorResponse)]),
      ),
      ...Object.fromEntries(
        Object.entries(others).map(([status, description]) => [status, response(description, errorResponse)]),
      ),
    },
  };
}
