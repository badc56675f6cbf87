import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { type Fields, fieldsOf, isFields, listOf, textOf } from '../../shared/json.ts';
import { type Fault, fault } from './fault.ts';

/** Discord's OpenAPI 3.1 document: at the path in DISCORD_OPENAPI, or next to the project. */
const beside = fileURLToPath(new URL('../../../../../shared/discord-openapi.json', import.meta.url));
const file = process.env.DISCORD_OPENAPI ?? beside;

type Operation = Fields & { path: string; method: string };

let known: ReturnType<typeof load> | undefined;

/** Whether the document exists. Without it, only the rules of this folder validate bodies. */
export function hasOpenApi(): boolean {
  return document() !== undefined;
}

/** Compiles the document in advance. The first time takes a second, which a deadline would not allow. */
export function prepare(operations: string[], { responses }: { responses: boolean }): void {
  for (const operation of operations) {
    document()?.requestOf(operation);
    if (responses) document()?.answerOf(operation, 200);
  }
}

/** The faults of a request body, by the document. */
export function validateRequest(operation: string, body: unknown): Fault[] {
  const check = document()?.requestOf(operation);
  return check ? faultsBy(check, body) : [];
}

/** The faults of a response, by the document. */
export function validateResponse(operation: string, status: number, answer: unknown): Fault[] {
  const check = document()?.answerOf(operation, status);
  return check ? faultsBy(check, answer) : [];
}

/** The method and the path of an operation. */
export function routeOf(operation: string): string | undefined {
  return document()?.routes.get(operation);
}

function document() {
  known ??= load();
  return known.there;
}

function load() {
  if (process.env.DISCORD_OPENAPI !== undefined || existsSync(file)) return { there: open() };
  console.warn('Discord’s OpenAPI document is not there (DISCORD_OPENAPI says where): judging without it.');
  return { there: undefined };
}

function open() {
  const document: Fields = JSON.parse(readFileSync(file, 'utf8'));
  const operations = new Map(
    Object.entries(fieldsOf(document.paths)).flatMap(([path, methods]) =>
      Object.entries(fieldsOf(methods)).map(([method, one]) => [
        textOf(fieldsOf(one).operationId),
        { ...fieldsOf(one), path, method } as Operation,
      ]),
    ),
  );
  const sent = compiler(refined(document, { document, isClosed: true }) as Fields);
  const answered = compiler(refined(document, { document, isClosed: false }) as Fields);

  function requestOf(operation: string): ValidateFunction | undefined {
    const { path, method, requestBody } = operations.get(operation) ?? unknownOperation;
    if (!isFields(requestBody)) return undefined;
    return sent(['paths', path, method, 'requestBody', 'content', 'application/json', 'schema']);
  }

  function answerOf(operation: string, status: number): ValidateFunction | undefined {
    const { path, method, responses } = operations.get(operation) ?? unknownOperation;
    const { content } = fieldsOf(fieldsOf(responses)[status]);
    if (!isFields(content)) return undefined;
    return answered(['paths', path, method, 'responses', String(status), ...jsonSchema]);
  }

  const routes = new Map(
    [...operations].map(([name, { path, method }]) => [name, `${method.toUpperCase()} ${path}`]),
  );
  return { requestOf, answerOf, routes };
}

const unknownOperation: Operation = { path: '', method: '' };
const jsonSchema = ['content', 'application/json', 'schema'];

/** Compiles the parts of a document on demand. */
function compiler({ paths, components }: Fields) {
  let ajv: Ajv2020 | undefined;
  const compiled = new Map<string, ValidateFunction>();
  return (steps: string[]): ValidateFunction => {
    if (!ajv) {
      ajv = new Ajv2020({ strict: false, allErrors: true, formats });
      ajv.addSchema({ $id: 'discord', paths, components });
    }
    const pointer = steps.map((step) => step.replaceAll('~', '~0').replaceAll('/', '~1'));
    const $ref = `discord#/${pointer.map(encodeURIComponent).join('/')}`;
    const check = compiled.get($ref) ?? ajv.compile({ $ref });
    compiled.set($ref, check);
    return check;
  };
}

const formats = {
  ...({ int32: true, int64: true, double: true } as const),
  'date-time': (text: string) => !Number.isNaN(Date.parse(text)),
  uri: (text: string) => URL.canParse(text) || text.startsWith('attachment://'),
  nonce: (text: string) => text.length <= 25,
  snowflake: /^\d{1,20}$/,
};

type Refining = { document: Fields; isClosed: boolean };

/**
 * The same schema, with two changes. Kinds of components, command options and interaction responses are distinguished
 * by their type, which makes errors useful. Objects are closed: they allow no fields other than those that the schema
 * names, because Discord would ignore them.
 */
function refined(node: unknown, how: Refining): unknown {
  if (Array.isArray(node)) return node.map((item) => refined(item, how));
  if (!isFields(node)) return node;
  const copy = Object.fromEntries(Object.entries(node).map(([name, value]) => [name, refined(value, how)]));
  if (how.isClosed && isFields(node.properties) && isObject(node)) copy.additionalProperties ??= false;
  const union = listOf(node.oneOf ?? node.anyOf);
  const kinds = union.map((one) => ({ $ref: one.$ref, tags: tagsOf(one, how.document) }));
  return union.length > 1 && kinds.every(({ tags }) => tags !== undefined) ? byType(kinds) : copy;
}

function isObject({ type }: Fields): boolean {
  return type === 'object' || (Array.isArray(type) && type.includes('object'));
}

type Kind = { $ref: unknown; tags: unknown[] | undefined };

/** The allowed values of a required `type`. */
function tagsOf({ $ref }: Fields, document: Fields): unknown[] | undefined {
  const name = textOf($ref).split('/').at(-1) ?? '';
  const { properties, required } = fieldsOf(fieldsOf(fieldsOf(document.components).schemas)[name]);
  const tags = fieldsOf(fieldsOf(properties).type).enum;
  return Array.isArray(required) && required.includes('type') && Array.isArray(tags) ? tags : undefined;
}

function byType(kinds: Kind[]): Fields {
  return {
    type: 'object',
    required: ['type'],
    properties: { type: { enum: kinds.flatMap(({ tags }) => tags) } },
    allOf: kinds.map(({ $ref, tags }) => ({
      if: { properties: { type: { enum: tags } }, required: ['type'] },
      // biome-ignore lint/suspicious/noThenProperty: it is JSON Schema
      then: { $ref },
    })),
  };
}

function faultsBy(check: ValidateFunction, value: unknown): Fault[] {
  if (check(value)) return [];
  const faults = (check.errors ?? []).filter(isCause).map((error) => fault(placeOf(error), wordingOf(error)));
  return faults.filter(
    ({ place, what }, index) =>
      faults.findIndex((one) => one.what === what && one.place.join() === place.join()) === index,
  );
}

function placeOf({ instancePath }: ErrorObject): string[] {
  return instancePath
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** Drops errors that only repeat a nested error, and hints that null would be allowed. */
function isCause({ keyword, params }: ErrorObject): boolean {
  if (keyword === 'type') return params.type !== 'null';
  return !['anyOf', 'oneOf', 'allOf', 'if'].includes(keyword);
}

function wordingOf({ keyword, params, message = keyword }: ErrorObject): string {
  if (keyword === 'required') return `${params.missingProperty} is required`;
  if (keyword === 'additionalProperties') return `there is no such field as ${params.additionalProperty}`;
  if (keyword === 'maxLength') return `must be ${params.limit} or fewer in length`;
  if (keyword === 'minLength') return `must be ${params.limit} or more in length`;
  if (keyword === 'maxItems') return `must be ${params.limit} or fewer in number`;
  if (keyword === 'minItems') return `must be ${params.limit} or more in number`;
  if (keyword === 'enum') return `must be one of ${params.allowedValues.join(', ')}`;
  return message;
}
