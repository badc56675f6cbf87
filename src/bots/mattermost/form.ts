import type { Dialog, DialogElement } from '@mattermost/types/integrations';
import type { Button } from '../card.ts';
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
  /** Its inputs, and those of them that are lists: empty ones are not submitted. */
  fields: string[];
  lists: string[];
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
  return field.type === 'button' ? linkOf(field.button) : [];
}

const linkOf = (button: Button): string[] => ('url' in button ? [`[${button.label}](${button.url})`] : []);

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
      return {
        type: 'select',
        data_source: 'users',
        multiselect: true,
        default: (field.selected ?? []).join(','),
      };
    case 'choice':
      return {
        type: 'select',
        options: field.options.map(renderOption),
        default: field.selected,
        optional: false,
      };
    case 'checkboxes':
    case 'menu':
      return {
        type: 'select',
        multiselect: true,
        options: field.options.map(renderOption),
        default: selectedIn(field).join(','),
      };
  }
}

/** Mattermost refuses a default that is no option. */
function selectedIn(field: Extract<Input, { type: 'checkboxes' | 'menu' }>): string[] {
  const selected = field.type === 'menu' ? [] : field.selected;
  return field.options.map(({ value }) => value).filter((value) => selected.includes(value));
}

const renderOption = ({ label, value }: Option) => ({ text: label, value });

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
export function readDialog(submission: Record<string, unknown>, { fields, lists }: DialogState): FormValues {
  return Object.fromEntries(
    fields.map((name) => {
      const value = submission[name];
      if (!lists.includes(name)) return [name, typeof value === 'string' ? value || undefined : undefined];
      const all = Array.isArray(value) ? value : typeof value === 'string' ? value.split(',') : [];
      return [name, all.filter((each): each is string => typeof each === 'string' && each !== '')];
    }),
  );
}
