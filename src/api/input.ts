import type { Context } from 'koa';
import { z } from 'zod';
import { readBody } from '../http/body/body.ts';
import { isJsonObject } from '../http/body/json.ts';
import { RequestError } from '../http/errors.ts';
import type { JsonSchema } from '../http/openApi.ts';
import { missingParameter, rootObject } from '../http/params.ts';
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
    input[name] = isJsonObject(value) && nested.length > 0 ? readFields(value, nested) : value;
  }
  return input;
}

/** Reads the object of this name from the body of a request that must have it. */
export async function readRoot(ctx: Context, root: string): Promise<object> {
  const { values } = await readBody(ctx.req);
  const found = rootObject(values, [root]);
  if (found === undefined) throw missingParameter(ctx, root);
  return found;
}

/** A string of RFC 9651, and the same without quotes, as many clients send it. */
const quoted = /^"((?:[ !#-[\]-~]|\\["\\])*)"$/;
const bare = /^[!#-~]+$/;

/**
 * The Idempotency-Key of a request, without its quotes; undefined if it has none. A key must be too long to be guessed or
 * to be chosen twice, because it also encrypts what is stored under it.
 */
export function idempotencyKeyOf(ctx: Context): string | undefined {
  const header = ctx.get('Idempotency-Key');
  if (header === '') return undefined;
  const key = quoted.exec(header)?.[1]?.replace(/\\(.)/g, '$1') ?? bare.exec(header)?.[0] ?? '';
  if (key.length < 16 || key.length > 255)
    throw new RequestError(400, 'Idempotency-Key must have 16 to 255 visible characters, such as a UUID.');
  return key;
}
