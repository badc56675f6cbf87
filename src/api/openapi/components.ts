import { z } from 'zod';
import type {
  PushSchema,
  RequestLinkSchema,
  SecretRequestSchema,
  TrustRuleSchema,
  WebhookSchema,
} from '../../domain/index.ts';
import type { JsonSchema, OpenApi, Reference } from '../../http/openApi.ts';
import { toSnakeCase } from '../../http/snakeCase.ts';
import { apiSchemas } from '../schemas.ts';
import { errorResponses } from './responses.ts';

/** The bytes of a file. */
export const fileContent: JsonSchema = { type: 'string', contentMediaType: 'application/octet-stream' };

/** The schemas that validate the input of the API. */
export type InputSchemas = {
  pushSchema: PushSchema;
  webhookSchema: WebhookSchema;
  requestSchema: SecretRequestSchema;
  requestLinkSchema: RequestLinkSchema;
  trustRuleSchema: TrustRuleSchema;
};

/** Everything that operations refer to by name. */
export function buildComponents(schemas: InputSchemas): OpenApi['components'] {
  const pushInput = inputOf(schemas.pushSchema, ['payload']);
  const webhookInput = inputOf(schemas.webhookSchema, ['url']);
  return {
    schemas: {
      PushInput: pushInput,
      PushForm: withFiles(pushInput),
      WebhookInput: webhookInput,
      WebhookTypesInput: onlyOf(webhookInput, ['types']),
      RequestInput: inputOf(schemas.requestSchema, ['from']),
      RequestLinkInput: inputOf(schemas.requestLinkSchema, ['title']),
      TrustRuleInput: inputOf(schemas.trustRuleSchema, ['name', 'issuer', 'claims']),
      ...namedSchemas(),
    },
    responses: errorResponses,
    headers: {
      RequestId: header('Identifies the request; the log of the service has it too'),
      TokenScope: header('What the API token of the request may do: full, create or read'),
      RateLimitPolicy: header('The limits that the request counts against: q requests in w seconds'),
      RateLimit: header('How many requests, r, each limit has left in its window'),
      RetryAfter: { description: 'Seconds to wait before trying again', schema: { type: 'integer' } },
      Link: header('Leads to the next page, with rel="next", while there is one'),
    },
    securitySchemes: {
      bearer: {
        type: 'http',
        scheme: 'bearer',
        description:
          'An API token, from Account → API tokens. x-token-scope of an operation is the scope that suffices, besides full.',
      },
      userEmail: { type: 'apiKey', in: 'header', name: 'X-User-Email', description: 'Any text' },
      userToken: { type: 'apiKey', in: 'header', name: 'X-User-Token', description: 'An API token' },
    },
  };
}

/** With files, a push needs no payload. */
function withFiles({ properties }: JsonSchema): JsonSchema {
  const files: JsonSchema = {
    type: 'array',
    items: fileContent,
    description: 'Files to attach, in parts named ROOT[files][]',
  };
  return { type: 'object', properties: { ...properties, files } };
}

/** A schema that requires some of the properties of another, and has no others. */
function onlyOf({ properties = {} }: JsonSchema, names: string[]): JsonSchema {
  const chosen = Object.entries(properties).filter(([name]) => names.includes(name));
  return { type: 'object', properties: Object.fromEntries(chosen), required: names };
}

/** Refers to one of the schemas. */
export function schemaRef(name: string): Reference {
  return { $ref: `#/components/schemas/${name}` };
}

function header(description: string) {
  return { description, schema: { type: 'string' } };
}

function namedSchemas(): Record<string, JsonSchema> {
  const { schemas } = z.toJSONSchema(apiSchemas, { uri: (id) => schemaRef(id).$ref });
  return Object.fromEntries(
    Object.entries(schemas).map(([name, { $schema, $id, ...schema }]) => [name, schema as JsonSchema]),
  );
}

/**
 * What programs should send. The API accepts more: numbers and booleans as text, since forms have nothing else, and null for
 * a default.
 */
function inputOf(schema: z.ZodType, required: string[]): JsonSchema {
  const { properties = {} } = z.toJSONSchema(schema, { io: 'input' }) as JsonSchema;
  return { type: 'object', properties: inSnakeCase(properties), required };
}

function inSnakeCase(properties: Record<string, JsonSchema>): Record<string, JsonSchema> {
  return Object.fromEntries(
    Object.entries(properties).map(([name, rules]) => [
      toSnakeCase(name),
      rules.properties ? { ...rules, properties: inSnakeCase(rules.properties) } : rules,
    ]),
  );
}
