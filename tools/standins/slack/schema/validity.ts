import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import { type Fields, listOf, textOf } from '../../shared/json.ts';
import type { Schema } from './composition.ts';
import { type Fault, faultsOfBlocks, faultsOfModal } from './rules.ts';
import { home, modal, posted, response, updated, whispered } from './surfaces.ts';

/** Optimizing the code of the schemas would take more seconds than it saves. */
const ajv = new Ajv2020({
  ...{ discriminator: true, allErrors: true, strict: true, strictRequired: false },
  code: { optimize: false },
});
ajv.addFormat('web-address', (value) => URL.canParse(value) && /^(https?|slack|mailto):/i.test(value));

const schemas = { posted, whispered, updated, response, modal, home };

/** Compiles the schemas, which takes seconds: longer than Slack waits, if an app had to wait for it. */
export function compileSchemas(): void {
  for (const schema of Object.values(schemas)) ajv.compile(schema);
}

export type MessageKind = 'posted' | 'whispered' | 'updated' | 'response';

/** Slack's errors for a message, each with its place. Empty if it is valid. */
export function validateMessage(kind: MessageKind, message: Fields): string[] {
  return describeFaults([
    ...faultsBy(schemas[kind], message),
    ...faultsOfBlocks(listOf(message.blocks), '/blocks'),
  ]);
}

/** Slack's errors for a modal or an App Home. */
export function validateView(kind: 'modal' | 'home', view: Fields): string[] {
  const blocks = faultsOfBlocks(listOf(view.blocks), '/view/blocks');
  const whole = kind === 'modal' ? faultsOfModal(view).map((fault) => ({ ...fault, place: '/view' })) : [];
  return describeFaults([...faultsBy(schemas[kind], view, '/view'), ...whole, ...blocks]);
}

function faultsBy(schema: Schema, value: unknown, place = ''): Fault[] {
  const check = ajv.compile(schema); // which ajv keeps
  if (check(value)) return [];
  return (check.errors ?? []).filter(isCause).map((error) => ({
    place: place + error.instancePath,
    what: wordingOf(error),
  }));
}

function describeFaults(faults: Fault[]): string[] {
  return faults.map(({ place, what }) => `${what} [json-pointer:${place}]`);
}

/** Drops errors that only repeat a nested error. */
function isCause({ keyword, params }: ErrorObject): boolean {
  return !['anyOf', 'oneOf', 'if'].includes(keyword) || ('passingSchemas' in params && keyword === 'oneOf');
}

/** An error in Slack's words, as far as these are known. */
function wordingOf(error: ErrorObject): string {
  const { keyword, params } = error;
  if (keyword === 'maxLength') return `must be less than ${params.limit + 1} characters`;
  if (keyword === 'minLength') return `must be more than ${params.limit - 1} characters`;
  if (keyword === 'maxItems') return `no more than ${params.limit} items allowed`;
  if (keyword === 'minItems') return `no fewer than ${params.limit} items allowed`;
  if (keyword === 'required') return `missing required field: ${params.missingProperty}`;
  if (keyword === 'additionalProperties') return `invalid additional property: ${params.additionalProperty}`;
  if (keyword === 'type') return `must provide ${/^[aio]/.test(params.type) ? 'an' : 'a'} ${params.type}`;
  if (keyword === 'discriminator') return `unsupported type: ${textOf(params.tagValue) || 'none'}`;
  if (keyword === 'enum') return `must be one of ${params.allowedValues.join(', ')}`;
  if (keyword === 'format') return 'must be a valid URL';
  if (keyword === 'oneOf') return 'must match exactly one form';
  return error.message ?? keyword;
}
