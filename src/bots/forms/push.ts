import type { FormDefaults } from '../../domain/index.ts';
import { actions } from '../actions.ts';
import type { FormDraft } from '../commands/drafts.ts';
import {
  type FormField,
  type FormSpec,
  type FormState,
  type FormValues,
  formIds,
  listIn,
  numberIn,
  textIn,
} from '../form.ts';
import type { ChatMessages } from '../messages.ts';
import { enabledNotices, lifetimeOptions, noticeOptions, viewOptions } from './options.ts';

export type PushFormOptions = {
  /** Which fields to show, in this order: a chat has room for so many. */
  fields: PushFieldName[];
  state: FormState;
  /** Who is chosen already. */
  recipients?: string[] | undefined;
  /** What was entered before. */
  draft?: FormDraft | undefined;
  /** The length of the message whose text is pushed. */
  messageLength?: number | undefined;
  /** The same form in the browser, for a button. */
  compose?: { link: string; token: string };
};

type Context = PushFormOptions & { messages: ChatMessages; defaults: FormDefaults };

const nameMax = 255;
const noteMax = 2_000;
const passphraseMax = 255;

/** As many as a chat may send a message to at once. */
export const recipientsMax = 20;

/** Every field that the form of a push can have. */
const pushFields = {
  payload,
  compose: ({ messages, compose: { link, token } = { link: '', token: '' } }) => ({
    type: 'button',
    button: { id: actions.compose, label: messages.forms.push.compose, url: link, value: token },
  }),
  files: ({ messages: { forms }, draft: { hadFiles = false, problems = [] } = { values: {} } }) => {
    const isRequired = hadFiles && problems.length > 0 && !problems.includes('files'); // or else the files themselves were refused
    return {
      type: 'files',
      name: 'files',
      label: isRequired ? forms.push.filesAgain : forms.push.files,
      isRequired,
    };
  },
  recipients,
  expireAfterViews: ({ messages, defaults, state }) => {
    const selected = Math.min(state.views ?? defaults.views, defaults.maxViews);
    return {
      type: 'choice',
      name: 'expireAfterViews',
      label: messages.forms.push.views,
      options: viewOptions(messages, defaults, selected),
      selected: String(selected),
    };
  },
  expireAfterDays: ({ messages, defaults, state }) => {
    const { days } = defaults;
    const options = lifetimeOptions(messages, defaults, days);
    const isOffered = options.some(({ value }) => value === state.expires);
    return {
      type: 'choice',
      name: 'expireAfterDays',
      label: messages.forms.push.lifetime,
      options,
      selected: isOffered && state.expires ? state.expires : `${days}d`,
    };
  },
  passphrase: ({ messages: { forms }, draft }) => ({
    type: 'text',
    name: 'passphrase',
    label: forms.push.passphrase,
    hint: draft?.values.passphrase === undefined ? forms.push.passphraseHint : forms.push.passphraseKept,
    maxLength: passphraseMax,
  }),
  name: ({ messages: { forms } }) => ({
    type: 'text',
    name: 'name',
    label: forms.push.name,
    hint: forms.push.privateHint,
    maxLength: nameMax,
  }),
  note: ({ messages: { forms } }) => ({
    type: 'text',
    name: 'note',
    label: forms.push.note,
    hint: forms.push.privateHint,
    maxLength: noteMax,
    isMultiline: true,
  }),
  rights: ({ messages: { forms } }) => ({
    type: 'checkboxes',
    name: 'rights',
    label: forms.push.rights,
    options: [{ label: forms.push.deletable, value: 'deletable' }],
    selected: ['deletable'],
  }),
  notify,
} satisfies Record<string, (context: Context) => FormField>;

export type PushFieldName = keyof typeof pushFields;

/** A new push; with a request in its state, the answer to that. */
export function pushForm(messages: ChatMessages, defaults: FormDefaults, options: PushFormOptions): FormSpec {
  const { title, titleOfRequest, submit } = messages.forms.push;
  const { fields, draft } = options;
  const { values = {} } = draft ?? {};
  const state = {
    ...options.state,
    views: numberIn(values, 'expireAfterViews') ?? options.state.views,
    expires: textIn(values, 'expireAfterDays') ?? options.state.expires,
  };
  const context = { ...options, state, messages, defaults };
  return {
    id: formIds.push,
    title: state.requestId === undefined ? title : titleOfRequest,
    submit,
    fields: fields.map((name) => withPreset(pushFields[name](context), values)),
    state: options.state,
  };
}

/** A field with what was entered before. The passphrase is not sent to the chat again. */
function withPreset(field: FormField, values: FormValues): FormField {
  if (!('name' in field) || field.name === 'passphrase') return field;
  if (field.type === 'text') return { ...field, value: textIn(values, field.name) };
  if (field.type === 'people' || field.type === 'checkboxes')
    return { ...field, selected: listIn(values, field.name) ?? field.selected ?? [] };
  return field;
}

/** The fields to fill in again, those that were refused first: a chat has room for `max`. */
export function fieldsToCorrect(
  { problems = [], hadFiles = false }: FormDraft,
  max: number,
): PushFieldName[] {
  const others = ['recipients', 'expireAfterViews', 'expireAfterDays', 'passphrase', 'note', 'name'] as const;
  const refused = (Object.keys(pushFields) as PushFieldName[]).filter((name) => problems.includes(name));
  return [
    ...new Set([...refused, 'payload' as const, ...(hadFiles ? (['files'] as const) : []), ...others]),
  ].slice(0, max);
}

/** The secret; where a draft holds it, a line that says so. It may be missing where files can be attached. */
function payload({ messages, draft, fields, messageLength }: Context): FormField {
  const { payload: label, enteredBefore, textOfMessage } = messages.forms.push;
  if (draft?.values.payload === undefined)
    return { type: 'text', name: 'payload', label, isMultiline: true, isRequired: !fields.includes('files') };
  return { type: 'info', text: messageLength === undefined ? enteredBefore : textOfMessage(messageLength) };
}

function recipients({ messages, defaults, state, recipients: selected }: Context): FormField {
  const { recipients: label, recipientsHint: hint, onlyRequester } = messages.forms.push;
  if (state.requestId !== undefined) return { type: 'info', text: onlyRequester };
  const isRequired = defaults.requireRecipients;
  return { type: 'people', name: 'recipients', label, hint, isRequired, max: recipientsMax, selected };
}

function notify({ messages, defaults: { notices } }: Context): FormField {
  const { viewed: labels, ...others } = messages.notices.ofOnePush;
  const viewed = notices.viewed === 'first' ? 'first' : 'every';
  return {
    type: 'checkboxes',
    name: 'notify',
    label: messages.forms.push.notices,
    options: [{ label: labels[viewed], value: viewed }, ...noticeOptions(others)],
    selected: [notices.viewed, ...enabledNotices(notices)],
  };
}
