import type { types } from '@slack/bolt';
import { addressUser } from '../../domain/index.ts';
import { actions } from '../actions.ts';
import type { FormField, FormSpec, Option } from '../form.ts';
import { plainText, renderActions } from './render.ts';

type Block = types.KnownBlock;
type Element = types.InputBlock['element'];
type FieldOf<Type extends FormField['type']> = Extract<FormField, { type: Type }>;

/** A text input takes no more (docs.slack.dev, “Plain-text input element”). */
export const slackTextMax = 3_000;

/** A form takes no more of them (docs.slack.dev, “File input element”), and a message shows no more as checkboxes. */
export const filesMax = 10;

/** Every input has a block of its own, named as its field; so the elements need no names. */
export const action_id = 'value';

/** Where a modal was opened, for the response to its submission. */
export type ModalOrigin = {
  responseUrl?: string | undefined;
  /** Whether the response replaces the message that the modal was opened from. */
  replacing?: boolean | undefined;
};

/** A form as a modal. `origin` comes back with its submission. */
export const renderSlackForm = (
  { id, title, submit, cancel, fields, more, state }: FormSpec,
  origin: ModalOrigin = {},
) =>
  ({
    type: 'modal',
    callback_id: id,
    private_metadata: JSON.stringify({ ...state, ...origin }), // hidden from people, at most 3,000 characters
    title: plainText(title),
    submit: plainText(submit),
    close: plainText(cancel),
    blocks: [
      ...fields.flatMap((field, index) => renderField(field, { hasFocus: index === 0 })),
      ...(more ? [renderActions([{ id: actions.more, label: more.label, value: id }])] : []),
    ],
  }) satisfies types.ModalView;

/** A form as Slack gives it back while it is open. */
export type OpenForm = Pick<types.ModalView, 'title' | 'submit' | 'close'> & {
  id: string;
  callback_id: string;
  private_metadata: string;
  blocks: Block[];
};

/** An open form with the fields that were left out. Slack keeps what was entered in the others, and the cursor where it is. */
export function withMoreFields(
  { callback_id, private_metadata, title, submit, close, blocks }: OpenForm,
  { more }: FormSpec,
): types.ModalView {
  const isMoreButton = (block: Block) =>
    block.type === 'actions' && block.elements.some(({ action_id: id }) => id === actions.more);
  return {
    type: 'modal',
    callback_id,
    private_metadata,
    title,
    ...(submit && { submit }),
    ...(close && { close }),
    blocks: [
      ...blocks.filter((block) => !isMoreButton(block)),
      ...(more?.fields ?? []).flatMap((field) => renderField(field)),
    ],
  };
}

/** The blocks of a field. */
function renderField(field: FormField, { hasFocus = false } = {}): Block[] {
  switch (field.type) {
    case 'info':
      return [{ type: 'section', text: plainText(field.text) }];
    case 'heading':
      return [{ type: 'divider' }, { type: 'header', text: plainText(field.text) }];
    case 'button':
      return [renderActions([field.button])];
    case 'files':
      return [fileInput(field)];
    case 'text':
      return [renderInput(field, textInput(field, hasFocus))];
    case 'people':
      return [renderInput(field, userSelect(field))];
    case 'choice':
      return [renderInput({ ...field, isRequired: true }, select(field))];
    case 'checkboxes':
      return [renderInput(field, checkboxes(field))];
    case 'menu':
      return [
        renderInput(field, { type: 'multi_static_select', ...optionsOf(field), ...placeholder(field) }),
      ];
  }
}

type Input = { name: string; label: string; isRequired?: boolean };

const renderInput = ({ name, label, isRequired = false }: Input, element: Element): types.InputBlock => ({
  type: 'input',
  block_id: name,
  optional: !isRequired,
  label: plainText(label),
  element,
});

const textInput = (
  { hint, value, maxLength = slackTextMax, isMultiline }: FieldOf<'text'>,
  hasFocus: boolean,
): Element => ({
  type: 'plain_text_input',
  action_id,
  max_length: maxLength,
  ...(isMultiline && { multiline: true }),
  ...(hasFocus && { focus_on_load: true }),
  ...placeholder({ hint }),
  ...(value && { initial_value: value }),
});

const fileInput = ({ hint, ...field }: FieldOf<'files'>): types.InputBlock => ({
  ...renderInput(field, { type: 'file_input', action_id, max_files: filesMax }),
  ...(hint && { hint: plainText(hint) }),
});

const placeholder = ({ hint }: { hint?: string | undefined }) => hint && { placeholder: plainText(hint) };

function userSelect({ max, selected = [], ...field }: FieldOf<'people'>): Element {
  const users = selected.map(addressUser);
  return {
    type: 'multi_users_select',
    action_id,
    max_selected_items: max,
    ...placeholder(field),
    ...(users.length > 0 && { initial_users: users }),
  };
}

const optionsOf = ({ options }: { options: Option[] }) => ({ action_id, options: options.map(renderOption) });

function select(field: FieldOf<'choice'>): Element {
  const [initial] = field.options.filter(({ value }) => value === field.selected).map(renderOption);
  return { type: 'static_select', ...optionsOf(field), ...(initial && { initial_option: initial }) };
}

function checkboxes(field: FieldOf<'checkboxes'>): Element {
  const initial = field.options.filter(({ value }) => field.selected.includes(value)).map(renderOption);
  return {
    type: 'checkboxes',
    ...optionsOf(field),
    ...(initial.length > 0 && { initial_options: initial }),
  };
}

const renderOption = ({ label, value }: Option) => ({ text: plainText(label), value });
