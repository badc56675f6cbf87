import type { Dialog, DialogElement } from '@mattermost/types/integrations';
import {
  type FormField,
  type FormSpec,
  type FormSubmission,
  type FormValues,
  type InputField,
  inputsOf,
  type Option,
} from '../form.ts';

/** What a dialog carries: its client sees it, and cannot change it. */
export type DialogState = Pick<FormSubmission, 'id' | 'state'> & {
  /** Is the same however often the dialog is submitted. */
  key: string;
  /** Whether each of its inputs is a list: an empty one is not submitted. */
  inputs: Record<string, boolean>;
  team: string;
  responseUrl?: string | undefined;
  /** The post in whose place the result goes. */
  post?: string | undefined;
};

/** In bytes of UTF-8 (server/public/model/integration_action.go). */
const titleMax = 24;
const labelMax = 24;
const helpMax = 150;
const textMax = 150;
export const textareaMax = 3_000;

type Input = Exclude<InputField, { type: 'files' }>;

/** The inputs of a form. Dialogs take no files; what is no input goes into the introduction. */
export const dialogInputsOf = (form: FormSpec): Input[] =>
  inputsOf(form).filter((field): field is Input => field.type !== 'files');

/** A form as a dialog. */
export const renderDialog = (form: FormSpec, state: string): Dialog => ({
  callback_id: form.id,
  title: cut(form.title, titleMax),
  introduction_text: form.fields.flatMap(introductionOf).join('\n'),
  submit_label: form.submit,
  elements: dialogInputsOf(form).map(renderInput),
  state,
});

function introductionOf(field: FormField): string[] {
  if (field.type === 'info') return [field.text];
  return field.type === 'button' && 'url' in field.button
    ? [`[${field.button.label}](${field.button.url})`]
    : [];
}

/** What is too long for a label is explained below the input. */
function renderInput(field: Input): DialogElement {
  const { name, label, hint = '', isRequired = false } = field;
  const isCut = Buffer.byteLength(label) > labelMax;
  return {
    ...blank,
    display_name: cut(label, labelMax),
    name,
    help_text: cut([isCut ? label : '', hint].filter((text) => text !== '').join('. '), helpMax),
    optional: !isRequired,
    ...elementOf(field),
  };
}

/** The server reads an absent text as an empty one. */
const blank = {
  subtype: '',
  default: '',
  placeholder: '',
  min_length: 0,
  max_length: 0,
  data_source: '',
  options: [],
};

function elementOf(field: Input): Partial<DialogElement> & Pick<DialogElement, 'type'> {
  const type = 'select';
  switch (field.type) {
    case 'text': {
      const { isMultiline = false, maxLength = textareaMax, value = '', name } = field;
      const max = isMultiline ? textareaMax : textMax;
      return {
        type: isMultiline ? 'textarea' : 'text',
        ...(name === 'passphrase' && { subtype: 'password' }),
        default: cut(value, max),
        max_length: Math.min(maxLength, max),
      };
    }
    case 'people':
      return { type, data_source: 'users', multiselect: true, default: (field.selected ?? []).join(',') };
    case 'choice':
      return { type, options: optionsOf(field), default: field.selected, optional: false };
    case 'checkboxes': {
      const { options, selected } = field; // Mattermost refuses a default that is no option
      const chosen = options.map(({ value }) => value).filter((value) => selected.includes(value));
      return { type, multiselect: true, options: optionsOf(field), default: chosen.join(',') };
    }
  }
}

const optionsOf = ({ options }: { options: Option[] }) =>
  options.map(({ label, value }) => ({ text: label, value }));

/** As much of a text as fits into so many bytes. */
function cut(text: string, bytesMax: number): string {
  if (Buffer.byteLength(text) <= bytesMax) return text;
  let fitting = '';
  let bytes = Buffer.byteLength('…');
  for (const character of text) {
    bytes += Buffer.byteLength(character);
    if (bytes > bytesMax) break;
    fitting += character;
  }
  return `${fitting}…`;
}

/** What was filled in. Older clients submit a list as text. */
export function readDialog(submission: Record<string, unknown>, inputs: DialogState['inputs']): FormValues {
  const values = Object.entries(inputs).map(([name, isList]) => {
    const value = submission[name];
    const text = typeof value === 'string' ? value : '';
    if (!isList) return [name, text || undefined];
    const all: unknown[] = Array.isArray(value) ? value : text.split(',');
    return [name, all.filter((each) => typeof each === 'string' && each !== '')];
  });
  return Object.fromEntries(values);
}
