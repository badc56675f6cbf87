import { z } from 'zod';
import type { PushSchema } from '../../domain/index.ts';
import type { JsonSchema, Operation } from '../../http/openApi.ts';
import { toSnakeCase } from '../../http/snakeCase.ts';

export const fileContent: JsonSchema = { type: 'string', contentMediaType: 'application/octet-stream' };

/** The body of a request that creates a push, with its fields under `root`. */
export function pushBody(pushSchema: PushSchema, root: string): Required<Pick<Operation, 'requestBody'>> {
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
}

function pushInput(schema: PushSchema): JsonSchema {
  const { properties } = withFormTypes(z.toJSONSchema(schema, { io: 'input' }) as JsonSchema);
  return { type: 'object', ...(properties && { properties }), required: ['payload'] };
}

/** Only this form can carry files, and with files it needs no payload. */
function withFiles({ properties, ...schema }: JsonSchema, root: string): JsonSchema {
  const files = { type: 'array', items: fileContent, description: 'Files to attach; a file push needs one' };
  const { properties: fields, required: _, ...rules } = properties?.[root] ?? {};
  return { ...schema, properties: { [root]: { ...rules, properties: { ...fields, files } } } };
}

/** Forms send numbers and booleans as text, and null stands for a default. */
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
