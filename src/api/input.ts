import { z } from 'zod';
import { isJsonObject } from '../http/body/json.ts';
import type { JsonSchema } from '../http/openApi.ts';
import { toSnakeCase } from '../http/snakeCase.ts';

/** A field as a schema names it, as requests name it, and the fields within. */
type InputField = { name: string; sentName: string; fields: InputField[] };

/**
 * Creates a function that reads the input of a schema from a request: `expire_after_days` as `expireAfterDays`, nested
 * fields included. It ignores every other field. `others` are fields that the schema does not have.
 */
export function createInputReader(schema: z.ZodType, others: string[] = []) {
  const fields = [
    ...fieldsOf(z.toJSONSchema(schema, { io: 'input' }) as JsonSchema),
    ...others.map((name) => ({ name, sentName: toSnakeCase(name), fields: [] })),
  ];
  return (values: object): Record<string, unknown> => readFields(values, fields);
}

function fieldsOf({ properties = {} }: JsonSchema): InputField[] {
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    sentName: toSnakeCase(name),
    fields: fieldsOf(schema),
  }));
}

function readFields(values: object, fields: InputField[]): Record<string, unknown> {
  const input: Record<string, unknown> = {};
  for (const { name, sentName, fields: nested } of fields) {
    if (!Object.hasOwn(values, sentName)) continue;
    const value = (values as Record<string, unknown>)[sentName];
    input[name] = isJsonObject(value) ? readFields(value, nested) : value;
  }
  return input;
}
