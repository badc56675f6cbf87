import { actions } from '../actions.ts';
import type { FormField } from '../form.ts';
import type { PushField, PushFieldContext } from './pushFieldContext.ts';

/** The secret, as text and as files. */
export const pushPayloadFields = {
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
  messageFilesHint: ({ messages: { forms }, defaults }) => ({
    type: 'info',
    text: defaults.canAttachFiles ? forms.push.messageFilesHint : forms.push.messageFilesRefused,
  }),
} satisfies Record<string, PushField>;

/** The secret, with the text of a message in it; where a draft holds it, a line that says so. It may be missing where files can be attached. */
function payload({ messages, draft, fields, text, messageLength }: PushFieldContext): FormField {
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
