import { type Fields, isFields, listOf, textOf } from '../shared/json.ts';
import { elementsOf } from './schema/rules.ts';

export type Values = Record<string, Record<string, Fields>>;

/** The initial values of the inputs in blocks, in the format of a view's state. */
export function initialValues(blocks: Fields[]): Values {
  const values: Values = {};
  for (const block of blocks) {
    for (const { element } of elementsOf(block, '')) {
      const value = initialValue(element);
      const blockId = textOf(block.block_id);
      if (value) values[blockId] = { ...values[blockId], [textOf(element.action_id)]: value };
    }
  }
  return values;
}

/** The values of changed blocks. Entries stay where block, action and type are the same. */
export function retainedValues(blocks: Fields[], before: Values): Values {
  const values = initialValues(blocks);
  for (const [blockId, actions] of Object.entries(values)) {
    for (const [actionId, value] of Object.entries(actions)) {
      const earlier = before[blockId]?.[actionId];
      if (earlier && earlier.type === value.type) actions[actionId] = earlier;
    }
  }
  return values;
}

function initialValue(element: Fields): Fields | undefined {
  const type = textOf(element.type);
  const one = (name: string, initial: string) => ({ type, [name]: element[initial] ?? null });
  const many = (name: string, initial: string) => ({ type, [name]: element[initial] ?? [] });
  if (/^(plain_text|email_text|url_text|number)_input$/.test(type)) return one('value', 'initial_value');
  if (/^(static_select|external_select|radio_buttons)$/.test(type))
    return one('selected_option', 'initial_option');
  if (/^(multi_(static|external)_select|checkboxes)$/.test(type))
    return many('selected_options', 'initial_options');
  if (type === 'users_select') return one('selected_user', 'initial_user');
  if (type === 'multi_users_select') return many('selected_users', 'initial_users');
  if (type === 'conversations_select') return one('selected_conversation', 'initial_conversation');
  if (type === 'multi_conversations_select') return many('selected_conversations', 'initial_conversations');
  if (type === 'channels_select') return one('selected_channel', 'initial_channel');
  if (type === 'multi_channels_select') return many('selected_channels', 'initial_channels');
  if (type === 'datepicker') return one('selected_date', 'initial_date');
  if (type === 'timepicker') return one('selected_time', 'initial_time');
  if (type === 'datetimepicker') return one('selected_date_time', 'initial_date_time');
  if (type === 'rich_text_input') return one('rich_text_value', 'initial_value');
  if (type === 'file_input') return { type, files: [] };
  return undefined;
}

/** The content of a value. */
export function contentOf(value: Fields): unknown {
  return Object.entries(value).find(([name]) => name !== 'type')?.[1];
}

/** Whether the value is empty. */
export function isEmpty(value: Fields): boolean {
  const content = contentOf(value);
  return (
    content === null ||
    content === undefined ||
    content === '' ||
    (Array.isArray(content) && content.length === 0)
  );
}

/**
 * Converts a user's entry for an element: a text, a number, one or several option labels, one
 * or several ids. Throws if the element does not offer it.
 */
export function enteredValue(element: Fields, label: string, entry: unknown): Fields {
  const type = textOf(element.type);
  const empty = initialValue({ ...element, ...noInitials });
  const name = Object.keys(empty ?? {}).find((key) => key !== 'type');
  if (!empty || name === undefined) throw new Error(`nothing can be entered at “${label}”`);
  if (name === 'selected_option')
    return { type, [name]: entry === null ? null : optionOf(element, label, entry) };
  if (name === 'selected_options') {
    return { type, [name]: listed(entry).map((one) => optionOf(element, label, one)) };
  }
  if (Array.isArray(empty[name])) return { type, [name]: listed(entry).map(String) };
  if (name === 'value' && entry !== null) return { type, value: entry === '' ? null : String(entry) };
  return { type, [name]: entry };
}

const noInitials = Object.fromEntries(
  [
    ...[
      'value',
      'option',
      'options',
      'user',
      'users',
      'conversation',
      'conversations',
      'channel',
      'channels',
    ],
    ...['date', 'time', 'date_time'],
  ].map((name) => [`initial_${name}`, undefined]),
);

function listed(entry: unknown): unknown[] {
  return Array.isArray(entry) ? entry : [entry];
}

/** All options of a menu, including those in groups. */
export function optionsOf(element: Fields): Fields[] {
  return [
    ...listOf(element.options),
    ...listOf(element.option_groups).flatMap((group) => listOf(group.options)),
  ];
}

function optionOf(element: Fields, label: string, entry: unknown): Fields {
  const options = optionsOf(element);
  const found = options.find((option) => labelOf(option) === entry);
  if (found) return found;
  throw new Error(`“${label}” offers ${options.map(labelOf).join(', ') || 'no options'}, not ${entry}`);
}

export function labelOf({ text }: Fields): string {
  return isFields(text) ? textOf(text.text) : textOf(text);
}
