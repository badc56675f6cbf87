import {
  type APIComponentInLabel,
  type APILabelComponent,
  type APITextDisplayComponent,
  ComponentType,
  type APIModalInteractionResponseCallbackData as Modal,
  SelectMenuDefaultValueType,
  TextInputStyle,
} from 'discord.js';
import type { FormField, FormSpec, Option } from '../form.ts';
import { buildCustomId } from './customIds.ts';
import { encodeDiscordState } from './modalState.ts';

type Component = APILabelComponent | APITextDisplayComponent;
type FieldOf<Type extends FormField['type']> = Extract<FormField, { type: Type }>;

/** A text input, a file upload and a user select take no more (docs.discord.com, “Components reference”). */
const textMax = 4_000;
const filesMax = 10;
const usersMax = 25;

/** Ends the custom id of a select menu whose field is a list: its submission does not tell. */
export const listSuffix = '[]';

/** A form as a modal. Discord takes five components. */
export const renderDiscordForm = ({ id, title, fields, state }: FormSpec): Modal => ({
  custom_id: buildCustomId(id, encodeDiscordState(id, state)),
  title,
  components: fields.flatMap(renderField),
});

function renderField(field: FormField): Component[] {
  switch (field.type) {
    case 'info':
      return [{ type: ComponentType.TextDisplay, content: field.text }];
    case 'heading':
      return [{ type: ComponentType.TextDisplay, content: `### ${field.text}` }];
    case 'button':
      return []; // modals have none
    case 'files':
      return [label(field, fileUpload(field), field.hint)];
    case 'text':
      return [label(field, textInput(field))];
    case 'people':
      return [label(field, userSelect(field), field.hint)];
    case 'choice':
      return [label(field, select(field), field.hint)];
    case 'checkboxes':
      return [label(field, multiSelect(field))];
    case 'menu':
      return [label(field, multiSelect({ ...field, type: 'checkboxes', selected: [] }), field.hint)];
  }
}

const label = (
  { label: text }: { label: string },
  component: APIComponentInLabel,
  description?: string,
): APILabelComponent => ({
  type: ComponentType.Label,
  label: text,
  component,
  ...(description && { description }),
});

const textInput = ({
  name,
  hint,
  value,
  maxLength = textMax,
  isRequired = false,
  isMultiline,
}: FieldOf<'text'>): APIComponentInLabel => ({
  type: ComponentType.TextInput,
  custom_id: name,
  style: isMultiline ? TextInputStyle.Paragraph : TextInputStyle.Short,
  required: isRequired,
  max_length: maxLength,
  ...(hint && { placeholder: hint }),
  ...(value && { value }),
});

const userSelect = ({
  name,
  max,
  isRequired = false,
  selected = [],
}: FieldOf<'people'>): APIComponentInLabel => ({
  type: ComponentType.UserSelect,
  custom_id: name,
  required: isRequired,
  min_values: isRequired ? 1 : 0,
  max_values: Math.min(max, usersMax),
  ...(selected.length > 0 && {
    default_values: selected
      .slice(0, usersMax)
      .map((id) => ({ id, type: SelectMenuDefaultValueType.User as const })),
  }),
});

const select = ({ name, options, selected }: FieldOf<'choice'>): APIComponentInLabel => ({
  type: ComponentType.StringSelect,
  custom_id: name,
  options: options.map((option) => renderOption(option, option.value === selected)),
});

const multiSelect = ({ name, options, selected, max }: FieldOf<'checkboxes'>): APIComponentInLabel => ({
  type: ComponentType.StringSelect,
  custom_id: name + listSuffix,
  required: false,
  min_values: 0,
  max_values: max ?? options.length,
  options: options.map((option) => renderOption(option, selected.includes(option.value))),
});

const renderOption = (option: Option, isSelected: boolean) => ({
  ...option,
  ...(isSelected && { default: true }),
});

const fileUpload = ({ name, isRequired = false }: FieldOf<'files'>): APIComponentInLabel => ({
  type: ComponentType.FileUpload,
  custom_id: name,
  required: isRequired,
  min_values: isRequired ? 1 : 0,
  max_values: filesMax,
});
