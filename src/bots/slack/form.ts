import type { types } from '@slack/bolt';
import { addressUser } from '../../domain/index.ts';
import { actions } from '../actions.ts';
import type { FormField, FormSpec, Option } from '../form.ts';
import { encodeSlackState, type ModalOrigin } from './modalState.ts';
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

/** A form as a modal. `origin` comes back with its submission. */
export const renderSlackForm = (
  { id, title, submit, cancel, fields, more, state }: FormSpec,
  origin: ModalOrigin = {},
) =>
  ({
    type: 'modal',
    callback_id: id,
    private_metadata: encodeSlackState({ ...state, ...origin }),
    title: plainText(title),
    submit: plainText(submit),
    close: plainText(cancel),
    blocks: [
      ...fields.flatMap((field, index) => renderSlackField(field, { hasFocus: index === 0 })),
      ...(more ? [renderActions([{ id: actions.more, label: more.label, value: id }])] : []),
    ],
  }) satisfies types.ModalView;

/** The blocks of a field. */
export function renderSlackField(field: FormField, { hasFocus = false } = {}): Block[] {
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
      return [renderInput(field, menu(field))];
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
  ...(hint && { placeholder: plainText(hint) }),
  ...(value && { initial_value: value }),
});

const fileInput = ({ hint, ...field }: FieldOf<'files'>): types.InputBlock => ({
  ...renderInput(field, { type: 'file_input', action_id, max_files: filesMax }),
  ...(hint && { hint: plainText(hint) }),
});

function userSelect({ max, hint, selected = [] }: FieldOf<'people'>): Element {
  const placeholder = hint && { placeholder: plainText(hint) };
  const users = selected.map(addressUser);
  if (max === 1)
    return { type: 'users_select', action_id, ...placeholder, ...(users[0] && { initial_user: users[0] }) };
  return {
    type: 'multi_users_select',
    action_id,
    max_selected_items: max,
    ...placeholder,
    ...(users.length > 0 && { initial_users: users }),
  };
}

function select({ options, selected }: FieldOf<'choice'>): Element {
  const initial = options.find(({ value }) => value === selected);
  return {
    type: 'static_select',
    action_id,
    options: options.map(renderOption),
    ...(initial && { initial_option: renderOption(initial) }),
  };
}

function checkboxes({ options, selected }: FieldOf<'checkboxes'>): Element {
  const initial = options.filter(({ value }) => selected.includes(value)).map(renderOption);
  return {
    type: 'checkboxes',
    action_id,
    options: options.map(renderOption),
    ...(initial.length > 0 && { initial_options: initial }),
  };
}

const menu = ({ options, hint }: FieldOf<'menu'>): Element => ({
  type: 'multi_static_select',
  action_id,
  options: options.map(renderOption),
  ...(hint && { placeholder: plainText(hint) }),
});

const renderOption = ({ label, value }: Option) => ({ text: plainText(label), value });
