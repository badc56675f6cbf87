import type { FormDefaults } from '../../domain/index.ts';
import type { FormDraft } from '../commands/drafts.ts';
import {
  type FormField,
  type FormSpec,
  type FormValues,
  formIds,
  listIn,
  numberIn,
  textIn,
} from '../form.ts';
import type { ChatMessages } from '../messages.ts';
import { isOffered, type PushFieldName, type PushFormOptions, pushFields } from './pushFields.ts';

/** A new push; with a request in its state, the answer to that. */
export function pushForm(messages: ChatMessages, defaults: FormDefaults, options: PushFormOptions): FormSpec {
  const { title, titleOfRequest, submit } = messages.forms.push;
  const { more = [], draft } = options;
  const isShown = (name: string) => isOffered(name, { ...options, defaults });
  const fields = options.fields.filter(isShown);
  const { values = {} } = draft ?? {};
  const state = {
    ...options.state,
    views: numberIn(values, 'expireAfterViews') ?? options.state.views,
    expires: textIn(values, 'expireAfterDays') ?? options.state.expires,
  };
  const context = { ...options, fields, state, messages, defaults };
  const fieldsOf = (names: PushFieldName[]) =>
    names.map((name) => withPreset(pushFields[name](context), values));
  return {
    id: formIds.push,
    title: state.requestId === undefined ? title : titleOfRequest,
    submit,
    cancel: messages.modals.cancel,
    fields: fieldsOf(fields),
    ...(more.length > 0 && {
      more: { label: messages.forms.push.more, fields: fieldsOf(more.filter(isShown)) },
    }),
    state: options.state,
  };
}

/** A field with what was entered before. The passphrase is not sent to the chat again. */
function withPreset(field: FormField, values: FormValues): FormField {
  if (!('name' in field) || field.name === 'passphrase') return field;
  if (field.type === 'text') return { ...field, value: textIn(values, field.name) ?? field.value };
  if (field.type === 'people' || field.type === 'checkboxes')
    return { ...field, selected: listIn(values, field.name) ?? field.selected ?? [] };
  return field;
}

/** The fields to fill in again, those that were refused first: a chat has room for `max`. */
export function fieldsToCorrect(
  { problems = [], hadFiles = false, messageFiles = [] }: FormDraft,
  max: number,
): PushFieldName[] {
  const files: PushFieldName[] = [
    ...(hadFiles ? (['files'] as const) : []),
    ...(messageFiles.length > 0 ? (['messageFiles'] as const) : []),
  ];
  const others = ['recipients', 'expireAfterViews', 'expireAfterDays', 'passphrase', 'note', 'name'] as const;
  const refused = (Object.keys(pushFields) as PushFieldName[]).filter((name) => problems.includes(name));
  return [...new Set([...refused, ...files, 'payload' as const, ...others])].slice(0, max);
}
