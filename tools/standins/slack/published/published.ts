import { fileURLToPath } from 'node:url';
import { Ajv, type ValidateFunction } from 'ajv';
import {
  type CompletedConfig,
  createFormatter,
  createParser,
  createProgram,
  DEFAULT_CONFIG,
  SchemaGenerator,
} from 'ts-json-schema-generator';
import { fieldsOf, isFields } from '../../shared/json.ts';

const path = fileURLToPath(new URL('types.ts', import.meta.url));

/** Slack's types of its responses use the same names for different things, so these have no definitions. */
const kinds = {
  Delivered: { expose: 'export', additionalProperties: true },
  Shown: { expose: 'export', additionalProperties: false },
  Responses: { expose: 'none', additionalProperties: true },
} as const satisfies Record<string, Partial<CompletedConfig>>;

/**
 * Judges values by the types in Slack's packages. What they accept has no other properties. What they send and respond with
 * may have more: those types are known to be incomplete, and leave out what is null. Takes seconds to prepare.
 */
export function createJudge() {
  const config: CompletedConfig = {
    ...DEFAULT_CONFIG,
    ...{ path, jsDoc: 'none', skipTypeCheck: true, topRef: false },
  };
  const program = createProgram(config);
  const checks = new Map<string, ValidateFunction>();
  for (const [type, more] of Object.entries(kinds)) {
    const own = { ...config, ...more };
    const generator = new SchemaGenerator(program, createParser(program, own), createFormatter(own), own);
    const { properties, definitions } = generator.createSchema(type);
    const judged = (schema: unknown) => fieldsOf(type === 'Shown' ? schema : withNulls(schema));
    const ajv = new Ajv({ strict: false, inlineRefs: false, code: { optimize: false } });
    for (const [name, schema] of Object.entries(fieldsOf(properties)))
      checks.set(name, ajv.compile({ definitions: judged(definitions), ...judged(schema) }));
  }

  /** What is wrong with a value, and where. */
  return function faultsOf(name: string, value: unknown): string[] {
    const check = checks.get(name);
    if (check === undefined) return [`${name} is not described`];
    return check(value)
      ? []
      : (check.errors ?? []).map(({ instancePath, message }) => `${name}${instancePath} ${message}`);
  };
}

/** A schema by which whatever may be absent may also be null. */
function withNulls(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withNulls);
  if (!isFields(schema)) return schema;
  const required: unknown[] = Array.isArray(schema.required) ? schema.required : [];
  const entries = Object.entries(schema).map(([key, value]): [string, unknown] => {
    if (key !== 'properties') return [key, withNulls(value)];
    const properties = Object.entries(fieldsOf(value)).map(([name, each]): [string, unknown] => [
      name,
      required.includes(name) ? withNulls(each) : { anyOf: [{ type: 'null' }, withNulls(each)] },
    ]);
    return [key, Object.fromEntries(properties)];
  });
  return Object.fromEntries(entries);
}
