import { type PushFlag, pushFlagNames } from '../domain/index.ts';
import { toSnakeCase } from '../http/snakeCase.ts';

type SnakeCase<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : Name;

type FlagFields<Value> = { [Name in PushFlag as SnakeCase<Name>]: Value };

const fieldNames = pushFlagNames.map((name) => [name, toSnakeCase(name)] as const);

/** The flags of a push as fields of the API. */
export function flagFields<Value>(read: (name: PushFlag) => Value): FlagFields<Value> {
  const fields: Record<string, Value> = {};
  for (const [name, fieldName] of fieldNames) fields[fieldName] = read(name);
  return fields as FlagFields<Value>;
}
