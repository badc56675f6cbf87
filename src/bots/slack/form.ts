import type { types, ViewOutput, ViewStateValue } from '@slack/bolt';
import { addressUser } from '../../domain/index.ts';
import { actions } from '../actions.ts';
import type { FormField, FormId, FormSpec, FormState, FormValues, InputField, Option } from '../form.ts';
import { addressOf } from './caller.ts';
import { plainText, renderActions } from './render.ts';

type Block = types.KnownBlock;

/** A text input takes no more (docs.slack.dev, “Plain-text input element”). */
export const slackTextMax = 3_000;

/** A form takes no more of them (docs.slack.dev, “File input element”), and a message shows no more as checkboxes. */
export const filesMax = 10;

/** Every input has a block of its own, named as its field; so the elements need no names. */
const action_id = 'value';

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
export type OpenForm = ReturnType<typeof renderSlackForm> & { id: string };

/** An open form with the fields that were left out. Slack keeps what was entered in the others, and the cursor where it is. */
export function withMoreFields(open: OpenForm, { more }: FormSpec): types.ModalView {
  const { type, callback_id, private_metadata, title, submit, close } = open;
  const isMoreButton = (block: Block) =>
    block.type === 'actions' && block.elements.some(({ action_id: id }) => id === actions.more);
  const shown = open.blocks.filter((block) => !isMoreButton(block));
  const added = (more?.fields ?? []).flatMap((field) => renderField(field));
  return { type, callback_id, private_metadata, title, submit, close, blocks: [...shown, ...added] };
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
    default:
      return [renderInput(field, hasFocus)];
  }
}

function renderInput(field: InputField, hasFocus: boolean): types.InputBlock {
  const { name, label, hint, type, isRequired = false } = field;
  return {
    type: 'input',
    block_id: name,
    optional: !isRequired && type !== 'choice',
    label: plainText(label),
    element: elementOf(field, hasFocus),
    ...(type === 'files' && hint && { hint: plainText(hint) }),
  };
}

function elementOf(field: InputField, hasFocus: boolean): types.InputBlock['element'] {
  const placeholder = field.hint && { placeholder: plainText(field.hint) };
  switch (field.type) {
    case 'text':
      return {
        type: 'plain_text_input',
        action_id,
        max_length: field.maxLength ?? slackTextMax,
        ...(field.isMultiline && { multiline: true }),
        ...(hasFocus && { focus_on_load: true }),
        ...placeholder,
        ...(field.value && { initial_value: field.value }),
      };
    case 'files':
      return { type: 'file_input', action_id, max_files: filesMax };
    case 'people': {
      const users = (field.selected ?? []).map(addressUser);
      return {
        ...{ type: 'multi_users_select', action_id, max_selected_items: field.max },
        ...placeholder,
        ...(users.length > 0 && { initial_users: users }),
      };
    }
    case 'choice': {
      const { options, initial } = optionsOf(field, [field.selected]);
      return { type: 'static_select', action_id, options, ...(initial[0] && { initial_option: initial[0] }) };
    }
    case 'checkboxes': {
      const { options, initial } = optionsOf(field, field.selected);
      const common = { action_id, options, ...(initial.length > 0 && { initial_options: initial }) };
      return field.isLong
        ? { type: 'multi_static_select', ...common, ...placeholder }
        : { type: 'checkboxes', ...common };
    }
  }
}

function optionsOf({ options }: { options: Option[] }, selected: string[]) {
  const render = ({ label, value }: Option) => ({ text: plainText(label), value });
  const chosen = options.filter(({ value }) => selected.includes(value));
  return { options: options.map(render), initial: chosen.map(render) };
}

/** What was filled into a modal, and where it was opened. */
export function readSlackForm(
  { callback_id, private_metadata, state: { values } }: ViewOutput,
  workspace: string,
) {
  const { responseUrl, replacing, ...state }: FormState & ModalOrigin = JSON.parse(private_metadata || '{}');
  return {
    submission: { id: callback_id as FormId, values: readValues(values, workspace), state },
    origin: { responseUrl, replacing },
  };
}

/** The state of a view, as the values of its fields. */
export const readValues = (values: ViewOutput['state']['values'], workspace: string): FormValues =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, { [action_id]: value }]) =>
      value === undefined ? [] : [[name, readValue(value, workspace)]],
    ),
  );

function readValue(value: ViewStateValue, workspace: string): string | string[] | undefined {
  switch (value.type) {
    case 'static_select':
      return value.selected_option?.value;
    case 'checkboxes':
    case 'multi_static_select':
      return (value.selected_options ?? []).map((option) => option.value);
    case 'multi_users_select':
      return (value.selected_users ?? []).map((user) => addressOf(workspace, user));
    case 'file_input':
      return (value.files ?? []).map(({ id }) => id);
    default:
      return value.value ?? undefined;
  }
}
