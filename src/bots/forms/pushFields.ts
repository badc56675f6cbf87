import { type FormDefaults, recipientsMax } from '../../domain/index.ts';
import { actions } from '../actions.ts';
import type { FormDraft } from '../commands/drafts.ts';
import type { FormField, FormState, Option } from '../form.ts';
import type { ChatMessages } from '../messages.ts';
import { viewChoice } from './numberChoices.ts';
import { enabledNotices, lifetimeOptions, noticeOptions, usualViewsLabel } from './options.ts';

export type PushFormOptions = {
  /** Which fields to show, in this order: a chat has room for so many. */
  fields: PushFieldName[];
  /** Further fields, which are shown when somebody asks for them. */
  more?: PushFieldName[];
  state: FormState;
  /** Who is chosen already. */
  recipients?: string[] | undefined;
  /** What was entered before. */
  draft?: FormDraft | undefined;
  /** The files of a message, which come along unless they are deselected. */
  messageFiles?: Option[];
  /** The text of a message, to be changed before it is pushed. */
  text?: string | undefined;
  /** The length of a message whose text is too long for a form. */
  messageLength?: number | undefined;
  /** The same form in the browser, for a button. */
  compose?: { link: string; token: string };
};

type Context = PushFormOptions & { messages: ChatMessages; defaults: FormDefaults };

const nameMax = 255;
const noteMax = 2_000;
const passphraseMax = 255;

/** Every field that the form of a push can have. */
export const pushFields = {
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
      hint: forms.push.filesHint,
      isRequired,
    };
  },
  messageFiles: ({ messages: { forms }, messageFiles = [] }) => ({
    type: 'checkboxes',
    name: 'messageFiles',
    label: forms.push.messageFiles,
    options: messageFiles,
    selected: messageFiles.map(({ value }) => value),
  }),
  /** For the files of a message that cannot be fetched. */
  messageFilesHint: ({ messages: { forms } }) => ({ type: 'info', text: forms.push.messageFilesHint }),
  recipients,
  expireAfterViews: ({ messages, defaults, state }) => {
    const { views: wanted } = state;
    const current = wanted === undefined ? undefined : Math.min(wanted, defaults.maxViews);
    return viewChoice('expireAfterViews', messages.forms.push.views, {
      messages,
      bounds: defaults,
      current,
      none: { label: usualViewsLabel(messages, defaults), value: 'usual' },
    });
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
  rights: ({ messages: { forms }, defaults: { requireBound } }) => {
    const names = [...(requireBound ? [] : (['bound'] as const)), 'deletable' as const];
    return {
      type: 'checkboxes',
      name: 'rights',
      label: forms.push.rights,
      options: names.map((name) => ({ label: forms.push[name], value: name })),
      selected: names,
    };
  },
  notify,
  /** For chats that show further fields in a second form: asks which. */
  more: ({ messages: { forms } }) => ({
    type: 'checkboxes',
    name: 'more',
    label: forms.push.more,
    options: moreFields.map((name) => ({ label: forms.push.moreOptions[name], value: name })),
    selected: [],
    max: secondFormMax,
  }),
} satisfies Record<string, (context: Context) => FormField>;

export type PushFieldName = keyof typeof pushFields;

/** A second form has room for five fields, one of which may have to ask for files again. */
const secondFormMax = 4;

/** The fields of a push that few need. */
export const moreFields = ['expireAfterViews', 'passphrase', 'name', 'note', 'rights', 'notify'] as const;

/** The secret, with the text of a message in it; where a draft holds it, a line that says so. It may be missing where files can be attached. */
function payload({ messages, draft, fields, text, messageLength }: Context): FormField {
  const { payload: label, enteredBefore, textOfMessage } = messages.forms.push;
  if (draft?.values.payload === undefined)
    return {
      type: 'text',
      name: 'payload',
      label,
      isMultiline: true,
      isRequired: !fields.includes('files') && !fields.includes('messageFiles'),
      value: text,
    };
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
