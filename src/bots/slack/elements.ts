import type { types, ViewStateValue } from '@slack/bolt';
import type { Choice } from '../choices.ts';

/** The parts of modals, and what people put into them. */

export type Block = types.KnownBlock;
export type Option = types.PlainTextOption;

export const plainText = (text: string): types.PlainTextElement => ({ type: 'plain_text', text });
export const option = (text: string, value: string): Option => ({ text: plainText(text), value });

type InputElement = types.InputBlock['element'];

/** The action id of the element of every input: `readFields` finds them by the ids of their blocks. */
export const action_id = 'value';

export function input(
  id: string,
  name: string,
  element: InputElement,
  { optional = false, hint }: { optional?: boolean; hint?: string } = {},
): types.InputBlock {
  return {
    type: 'input',
    block_id: id,
    optional,
    label: plainText(name),
    element,
    ...(hint && { hint: plainText(hint) }),
  };
}

export function staticSelect(id: string, name: string, options: Option[], initial: string): types.InputBlock {
  const chosen = options.find(({ value }) => value === initial);
  return input(id, name, {
    type: 'static_select',
    action_id,
    options,
    ...(chosen && { initial_option: chosen }),
  });
}

export function checkboxes(
  id: string,
  name: string,
  options: Option[],
  selected: string[],
): types.InputBlock {
  const initial = options.filter(({ value }) => selected.includes(String(value)));
  return input(
    id,
    name,
    { type: 'checkboxes', action_id, options, ...(initial.length > 0 && { initial_options: initial }) },
    { optional: true },
  );
}

export function textInput(
  id: string,
  name: string,
  { placeholder, max }: { placeholder: string; max: number },
): types.InputBlock {
  const element = {
    type: 'plain_text_input' as const,
    action_id,
    max_length: max,
    placeholder: plainText(placeholder),
  };
  return input(id, name, element, { optional: true });
}

export const options = (choices: Choice[]): Option[] =>
  choices.map(({ label: text, value }) => option(text, value));

export type StateValues = Record<string, Record<string, ViewStateValue>>;

/** What was put into a modal, by the ids of its inputs. */
export function readFields(values: StateValues) {
  const field = (id: string) => values[id]?.value;
  return {
    text: (id: string) => field(id)?.value ?? undefined,
    choice: (id: string) => field(id)?.selected_option?.value ?? undefined,
    number: (id: string) => Number(field(id)?.selected_option?.value ?? Number.NaN) || undefined,
    selected: (id: string) => new Set((field(id)?.selected_options ?? []).map(({ value }) => value)),
    users: (id: string) => field(id)?.selected_users ?? [],
    user: (id: string) => field(id)?.selected_user ?? undefined,
  };
}
